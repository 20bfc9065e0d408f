"""Packs what ./dev package has compiled: package.py [--repository DIR [--key KEY]] [--revision N]

Leaves the .deb packages, a static tarball and an OCI image in build/packages. The same commit gives
the same bytes: nothing in them depends on the folder, the time or the user. Reads SOURCE_DATE_EPOCH
(default: the time of the last commit), DEBFULLNAME and DEBEMAIL (who is named as maintainer).
"""

import argparse
import email.utils
import os
import re
import shutil
import subprocess
from pathlib import Path

import archive
import image
import repository

ROOT = Path(__file__).resolve().parent.parent
DEB = ROOT / "build/deb"  # packaging/debian works here
OUT = ROOT / "build/packages"
NAME = os.environ.get("DEBFULLNAME", "The Conclave developers")
ADDRESS = os.environ.get("DEBEMAIL", "developers@conclave.invalid")


def run(*command, **more):
    return subprocess.run(command, check=True, text=True, **more)


def ask(*command):
    return run(*command, cwd=ROOT, stdout=subprocess.PIPE).stdout.strip()


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(conclave VERSION ([\d.]+) ", text, re.M)[1]


def epoch():
    return int(os.environ.get("SOURCE_DATE_EPOCH") or ask("git", "log", "-1", "--format=%ct"))


def write_changelog(revision):
    """The Debian one: what users notice is in CHANGELOG.md, which is packed beside it."""
    when = email.utils.formatdate(epoch())
    (DEB / "debian/changelog").write_text(
        f"conclave ({version()}-{revision}) unstable; urgency=medium\n\n"
        f"  * See changelog.gz for what has changed.\n\n -- {NAME} <{ADDRESS}>  {when}\n",
        encoding="utf-8",
    )


def make_debs(revision):
    shutil.rmtree(DEB, ignore_errors=True)
    shutil.copytree(ROOT / "packaging/debian", DEB / "debian")
    control = DEB / "debian/control"
    maintainer = f"{NAME} <{ADDRESS}>"
    control.write_text(control.read_text("utf-8").replace("@MAINTAINER@", maintainer), "utf-8")
    write_changelog(revision)
    run("debian/rules", "binary", cwd=DEB, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch())})
    for package in DEB.parent.glob("*.deb"):  # where debhelper leaves them
        package.rename(OUT / package.name)


def make_tarball():
    """Programs that need no library of the machine, and what belongs to them."""
    name = f"conclave-{version()}-linux-{os.uname().machine}"
    stage = ROOT / "build/tarball"
    shutil.rmtree(stage, ignore_errors=True)
    run("cmake", "--install", "build/static", "--component", "conclave", "--strip",
        "--prefix", str(stage / name), cwd=ROOT, stdout=subprocess.DEVNULL)
    for file in ("LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / file, stage / name)
    archive.pack(OUT / f"{name}.tar.gz", stage, epoch())
    return stage / name


def main():
    parser = argparse.ArgumentParser(prog="./dev package", allow_abbrev=False)
    parser.add_argument("--repository", metavar="DIR", type=Path,
                        help="add the packages to an apt repository of static files in this folder")
    parser.add_argument("--key", help="sign the repository with this key of gpg's")
    parser.add_argument("--revision", metavar="N", default="1",
                        help="Debian revision: a greater one upgrades a smaller (default: 1)")
    parser.add_argument("--check-words", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.key and not given.repository:
        parser.error("--key signs a repository: say where, with --repository DIR")
    if not re.fullmatch(r"[1-9][0-9]*", given.revision):
        parser.error(f"--revision cannot be '{given.revision}': give a whole number, such as 2")
    if given.key:
        repository.check_key(given.key)
    if given.check_words:
        return
    os.umask(0o022)
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    make_debs(given.revision)
    stage = make_tarball()
    image.make(stage, OUT, version(), epoch())
    if given.repository:
        repository.add(given.repository, sorted(OUT.iterdir()), given.key)


if __name__ == "__main__":
    main()
