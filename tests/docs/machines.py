"""Machines of a network, as far as a page about operating them needs them: network namespaces.

Each has a name, an address, a home that commands run in, folders of its own (/etc/conclave,
/run/conclave and so on), and substitutes for programs that need a whole machine: scp copies,
systemctl starts the unit's own command line and waits until it is ready, date -s sets a clock that
conclave takes where it is told to correct the system's.
"""

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "timed"))

import lan  # noqa: E402

FOLDERS = ["/etc/conclave", "/run/conclave", "/var/lib/conclave", "/var/lib/conclave-timed",
           "/etc/chrony", "/run/chrony",
           "/etc/haproxy", "/etc/prometheus", "/usr/local/sbin", "/srv"]
CLOCKS = ["400ms 12ppm", "-300ms -31ppm", "20ms 24ppm", "-135ms -47ppm", "5ms 3ppm"]

TOOL = """#!/bin/bash
read -r offset drift <"{folder}/$(hostname)/clock"
for word in "$@"; do
    [[ "$last$word" == --clocksystem ]] && set -- "${{@/#system/virtual}}" --offset "$offset" \\
        --drift "$drift"
    # chrony -x leaves the machine's clock where it is, 90 s from the network's time.
    [[ "$last$word" == --clocknone ]] && set -- "$@" --within 100s
    last=$word
done
exec setpriv --bounding-set -sys_time {tool} "$@"
"""
SCP = """#!/bin/bash
source=${{*: -2:1}} target=${{*: -1}}
exec cp -p "$source" "{folder}/${{target%%:*}}${{target#*:}}"
"""
DATE = """#!/bin/bash
[[ "$1" == -s ]] || exec /bin/date "$@"
echo "$(($(/bin/date -d "$2" +%s) - $(/bin/date +%s)))s 0ppm" >"{folder}/$(hostname)/clock"
exec /bin/date -u -d "$2"
"""
CHRONYD = """#!/bin/bash
# Where chrony is unpacked and not installed, its user _chrony does not exist.
PATH=${{PATH#*:}}
exec chronyd -u root "$@"
"""
SYSTEMCTL = """#!/bin/bash
exec {python} -B {here}/systemctl.py "{folder}/$(hostname)" {units} "$@"
"""


def remove_if_empty(folder):
    """Somebody else may have begun to use it meanwhile."""
    with contextlib.suppress(OSError):
        os.rmdir(folder)


class Machines:
    """Use it as a context."""

    def __init__(self, tool, units, names):
        self.tool, self.units, self.names = tool, units, names
        self.stack, self.holders = contextlib.ExitStack(), {}

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            # To remove a folder that others have mounted something on would unmount it there.
            alone = stack.enter_context(open("/run/lock/conclave-docs", "w", encoding="utf-8"))
            fcntl.flock(alone, fcntl.LOCK_EX)
            self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="conclave-docs-"))
            self.net = stack.enter_context(lan.Lan(self.names))
            for folder in FOLDERS:
                if not os.path.isdir(folder):
                    os.mkdir(folder)
                    stack.callback(remove_if_empty, folder)
            self.write_substitutes()
            for name, clock in zip(self.names, CLOCKS):
                stack.callback(self.stop, name)
                self.start(name, clock)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *how):
        self.stack.close()

    def write_substitutes(self):
        programs = Path(self.folder, "bin")
        programs.mkdir()
        words = {"folder": self.folder, "tool": self.tool, "units": self.units,
                 "python": sys.executable, "here": Path(__file__).resolve().parent}
        for name, text in (("conclave", TOOL), ("scp", SCP), ("date", DATE),
                           ("chronyd", CHRONYD), ("systemctl", SYSTEMCTL)):
            (programs / name).write_text(text.format(**words))
            (programs / name).chmod(0o755)
        hosts = "".join(f"{self.net.address(name)} {name}\n" for name in self.names)
        Path(self.folder, "hosts").write_text("127.0.0.1 localhost\n" + hosts)

    def start(self, name, clock):
        here = Path(self.folder, name)
        binds = [f"mount --bind {self.folder}/hosts /etc/hosts"]
        for folder in FOLDERS:
            Path(str(here) + folder).mkdir(parents=True)
            binds.append(f"mount --bind {here}{folder} {folder}")
        (here / "home").mkdir()
        (here / "home/examples").symlink_to(ROOT / "examples")
        (here / "clock").write_text(clock + "\n")
        script = " && ".join([*binds, f"hostname {name}", "echo up", "exec sleep infinity"])
        self.holders[name] = subprocess.Popen(
            ["ip", "netns", "exec", self.net.space(name), "unshare", "--mount", "--uts",
             "--propagation", "private", "sh", "-c", script],
            stdout=subprocess.PIPE, text=True,
        )
        if self.holders[name].stdout.readline() != "up\n":
            raise OSError(f"{name} does not start")

    def stop(self, name):
        space = ["ip", "netns", "pids", self.net.space(name)]
        for pid in subprocess.run(space, capture_output=True, text=True).stdout.split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)
        if name in self.holders:
            self.holders[name].kill()
            self.holders[name].wait()
            self.holders[name].stdout.close()

    def begin(self, name, line):
        """A command line on one machine."""
        enter = ["nsenter", "--target", str(self.holders[name].pid), "--mount", "--net", "--uts",
                 f"--wdns={self.folder}/{name}/home", "setpriv", "--bounding-set", "-sys_time"]
        path = f"{self.folder}/bin:{os.environ['PATH']}:/usr/sbin:/sbin"
        return subprocess.Popen([*enter, "bash", "-c", line], env={**os.environ, "PATH": path},
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def write(self, name, path, text):
        """A file on one machine, or on all."""
        for each in self.names if name == "all" else [name]:
            place = Path(f"{self.folder}/{each}{path}")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")

    def run(self, name, line, seconds=90):
        """What it prints; on all machines at once where the name is "all", and then of each."""
        names = self.names if name == "all" else [name]
        running = [self.begin(each, line) for each in names]
        return "".join(each.communicate(timeout=seconds)[0] for each in running)

    def logs(self):
        folder = Path(self.folder)
        for file in sorted([*folder.glob("*/*.log"), *folder.glob("*/home/*.log")]):
            machine = file.relative_to(self.folder).parts[0]
            yield f"---- {machine}: {file.name}\n{file.read_text()[-2000:]}"
