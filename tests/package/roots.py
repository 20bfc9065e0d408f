"""Bare Debian roots of this machine's release, made once, and what they need to be booted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build/machine"
# Beside what every Debian has: an init, and what shows addresses.
INCLUDED = "systemd,systemd-sysv,dbus,iproute2,ca-certificates"


def alone():
    """Runs this program again in mount and cgroup namespaces of its own, with cgroups of version 2:
    whatever it mounts is gone with it. False: this machine does not allow that."""
    if os.environ.get("CONCLAVE_ALONE") == "1":
        return True
    probe = ["unshare", "--mount", "--cgroup", "--propagation", "private"]
    here = "/sys/fs/cgroup"
    script = f"umount -R {here}; mount -t cgroup2 none {here}"
    tools = all(map(shutil.which, ("unshare", "systemd-nspawn", "mmdebstrap", "ip")))
    works = tools and subprocess.run([*probe, "sh", "-c", script], capture_output=True)
    if not works or works.returncode != 0:
        return False
    script += f'; exec {sys.executable} -B "$@"'
    os.environ["CONCLAVE_ALONE"] = "1"
    os.execvp("unshare", [*probe, "sh", "-c", script, "sh", *sys.argv])


def codename():
    lines = Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)["VERSION_CODENAME"]


def sources():
    """The machine's own, whichever mirror they name."""
    files = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    files = [each for each in files if each.suffix in (".list", ".sources") and each.is_file()]
    return [str(each) for each in files if codename() in each.read_text(encoding="utf-8")]


def bare_root():
    """A tar file of it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    tar = CACHE / f"{codename()}.tar"
    if not tar.exists():
        new = CACHE / "new.tar"
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", f"--include={INCLUDED}",
                        codename(), str(new), *sources()], check=True)
        new.rename(tar)
    return tar


def unpack(folder):
    folder.mkdir(parents=True)
    subprocess.run(["tar", "-xf", str(bare_root()), "-C", str(folder)], check=True)
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")  # for apt
    # What Debian's images for containers say as well: no service starts while it is installed.
    return folder
