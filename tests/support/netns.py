"""Network namespaces of this machine: whether they can be had, and the commands that make them."""

import os
import shutil
import subprocess


def run(*words):
    subprocess.run(words, check=True, capture_output=True, timeout=20)


def try_run(*words):
    """Whether it worked."""
    return subprocess.run(words, capture_output=True, timeout=20).returncode == 0


def possible():
    """Whether they can be made, bridged and entered here: a container may refuse that to root."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        return False
    probe = f"cp{os.getpid() % 100000:x}"
    works = (
        try_run("ip", "netns", "add", probe)
        and try_run("ip", "-n", probe, "link", "add", "br0", "type", "bridge")
        and try_run("ip", "netns", "exec", probe, "true")
    )
    try_run("ip", "netns", "del", probe)
    return works
