"""An apt repository as a folder of static files, which any web server can serve."""

import shutil
import subprocess
import sys

RELEASE = {"Origin": "Conclave", "Label": "Conclave", "Suite": "stable"}


def check_key(key):
    known = subprocess.run(["gpg", "--batch", "--list-secret-keys", key], capture_output=True)
    if known.returncode != 0:
        sys.exit(f"--key cannot be '{key}': gpg --list-secret-keys does not know it")


def gpg(key, *words):
    subprocess.run(["gpg", "--batch", "--yes", "--local-user", key, *words], check=True)


def add(folder, files, key):
    """Copies the files into the folder, lists all packages that are there, and signs the list."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, folder)
    for old in ("Packages.gz", "Release", "Release.gpg", "InRelease"):
        (folder / old).unlink(missing_ok=True)
    archive = ["apt-ftparchive", *(f"-oAPT::FTPArchive::Release::{name}={value}"
                                   for name, value in RELEASE.items())]
    for name, verb in (("Packages", "packages"), ("Release", "release")):
        made = subprocess.run([*archive, verb, "."], cwd=folder, stdout=subprocess.PIPE, check=True)
        (folder / name).write_bytes(made.stdout)
        if name == "Packages":
            subprocess.run(["gzip", "-9nk", name], cwd=folder, check=True)
    if key:
        gpg(key, "--armor", "--detach-sign", "--output", str(folder / "Release.gpg"),
            str(folder / "Release"))
        gpg(key, "--clearsign", "--output", str(folder / "InRelease"), str(folder / "Release"))
        gpg(key, "--output", str(folder / "conclave.gpg"), "--export", key)
