"""Two revisions of the packages in a signed apt repository, made with a key of the test's own."""

import os
import subprocess
import sys
from pathlib import Path

import roots

PACKAGING = roots.ROOT / "packaging"
OUT = roots.ROOT / "build/packages"
sys.path.insert(0, str(PACKAGING))

import repository  # noqa: E402


def make_key(folder):
    """gpg's id of it; gpg finds it as long as this program runs."""
    home = Path(folder, "gpg")
    home.mkdir(mode=0o700)
    os.environ["GNUPGHOME"] = str(home)
    subprocess.run(["gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key",
                    "packages@conclave.invalid", "ed25519", "sign"], check=True)
    return "packages@conclave.invalid"


def stop_agent():
    subprocess.run(["gpgconf", "--kill", "gpg-agent"], check=False)


def revised(folder, revision):
    """The packages again, with another Debian revision: the files in them are the same."""
    made = []
    for package in sorted(OUT.glob("*.deb")):
        tree = Path(folder, f"tree-{package.name}")
        subprocess.run(["dpkg-deb", "--raw-extract", str(package), str(tree)], check=True)
        control = tree / "DEBIAN/control"
        text = control.read_text(encoding="utf-8")
        version = next(line for line in text.splitlines() if line.startswith("Version: "))[9:]
        newer = version.rsplit("-", 1)[0] + f"-{revision}"
        control.write_text(text.replace(version, newer), encoding="utf-8")
        name = Path(folder, package.name.replace(version, newer))
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(tree),
                        str(name)], check=True, stdout=subprocess.DEVNULL)
        made.append(name)
    return made


def make(folder, revisions=()):
    """A repository of build/packages, and of these revisions beside."""
    served = Path(folder, "served")
    key = make_key(folder)
    files = sorted(OUT.iterdir())
    for revision in revisions:
        files += revised(folder, revision)
    repository.add(served, files, key)
    return served
