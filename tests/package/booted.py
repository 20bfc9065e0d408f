"""Machines with a real systemd: bare Debian roots, booted as containers on a network of their own.

The interface is that of tests/docs/machines.py, so that pages can be played on them. Lines that
begin with apt run with the network of the host, because a mirror is not on the machines' own.
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import roots

sys.path.insert(0, str(roots.ROOT / "tests/timed"))

import lan  # noqa: E402

SCP = """#!/bin/sh
# There is no ssh on a bare machine: the machines see each other's roots here.
for last; do :; done
while [ $# -gt 2 ]; do shift; done
exec cp -p "$1" "{folder}/${{last%%:*}}/root${{last#*:}}"
"""
PATIENCE = 90


class Booted:
    """Use it as a context, in a process that roots.alone() has started."""

    def __init__(self, names, repository=None):
        self.names, self.repository = names, repository
        self.stack, self.machines = contextlib.ExitStack(), {}

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            made = tempfile.TemporaryDirectory(prefix="conclave-machines-")
            self.folder = Path(stack.enter_context(made))
            base = roots.unpack(self.folder / "base")
            self.net = stack.enter_context(lan.Lan(self.names))
            self.prepare(base)
            for name in self.names:
                stack.callback(self.unmount, name)
                self.mount(name)
            for name in self.names:
                stack.callback(self.end, name)
                self.begin_machine(name)
            for name in self.names:
                self.wait_for_boot(name)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *how):
        self.stack.close()

    def prepare(self, base):
        hosts = "".join(f"{self.net.address(name)} {name}\n" for name in self.names)
        (base / "etc/hosts").write_text("127.0.0.1 localhost\n" + hosts, encoding="utf-8")
        scp = base / "usr/local/bin/scp"
        scp.write_text(SCP.format(folder=self.folder), encoding="utf-8")
        scp.chmod(0o755)
        (base / "srv/conclave").mkdir(parents=True)

    def mount(self, name):
        here = self.folder / name
        for part in ("upper", "work", "root"):
            (here / part).mkdir(parents=True)
        (here / "upper/etc").mkdir()
        (here / "upper/etc/hostname").write_text(name + "\n", encoding="utf-8")
        layers = f"lowerdir={self.folder}/base,upperdir={here}/upper,workdir={here}/work"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, str(here / "root")],
                       check=True)

    def unmount(self, name):
        subprocess.run(["umount", "-R", str(self.folder / name / "root")], check=False)

    def begin_machine(self, name):
        here, group = self.folder / name, Path(f"/sys/fs/cgroup/{self.net.space(name)}")
        group.mkdir()
        binds = [f"--bind={self.folder}"]
        if self.repository:
            binds.append(f"--bind-ro={self.repository}:/srv/conclave")
        boot = ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--console=pipe",
                f"--directory={here}/root", f"--machine={name}", "--resolv-conf=off",
                f"--network-namespace-path=/run/netns/{self.net.space(name)}", *binds, "--boot"]
        script = f'echo $$ >{group}/cgroup.procs; exec "$@"'
        with open(here / "console.log", "wb") as log:
            self.machines[name] = subprocess.Popen(
                ["sh", "-c", script, "sh", *boot], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
            )

    def init(self, name):
        """The process id of the machine's own process 1, seen from here."""
        pid = self.machines[name].pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
        return children[0] if children else None

    def wait_for_boot(self, name):
        end, state = time.monotonic() + PATIENCE, "not started"
        while time.monotonic() < end and self.machines[name].poll() is None:
            if self.init(name):
                state = self.run(name, "systemctl is-system-running").strip()
                if state.endswith(("running", "degraded")):
                    return
            time.sleep(0.3)
        raise OSError(f"{name} does not boot ({state}):\n" + "\n".join(self.logs()))

    def end(self, name):
        machine = self.machines.get(name)
        if machine and machine.poll() is None:
            init = self.init(name)
            if init:
                os.kill(int(init), signal.SIGKILL)
            try:
                machine.wait(timeout=20)
            except subprocess.TimeoutExpired:
                machine.kill()
                machine.wait()
        self.remove_groups(Path(f"/sys/fs/cgroup/{self.net.space(name)}"))

    def remove_groups(self, group):
        for folder in sorted(group.rglob("*"), key=lambda path: -len(path.parts)):
            if folder.is_dir():
                self.remove_group(folder)
        self.remove_group(group)

    def remove_group(self, folder):
        for _ in range(50):  # its processes are on their way out
            try:
                return folder.rmdir()
            except OSError:
                time.sleep(0.1)

    def begin(self, name, line):
        spaces = ["--mount", "--uts", "--ipc", "--pid", "--cgroup"]
        if not line.startswith("apt"):
            spaces.append("--net")
        enter = ["nsenter", "--target", self.init(name), *spaces, "--root", "--wdns=/root"]
        clean = ["env", "-i", "HOME=/root", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
                 "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]
        clean += [f"{key}={value}" for key, value in os.environ.items() if key.endswith("_proxy")]
        return subprocess.Popen([*enter, *clean, "bash", "-c", line], stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def write(self, name, path, text):
        """A file on one machine, or on all."""
        for each in self.names if name == "all" else [name]:
            place = Path(f"{self.folder}/{each}/root{path}")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")

    def run(self, name, line, seconds=300):
        """What it prints; on all machines at once where the name is "all", and then of each."""
        names = self.names if name == "all" else [name]
        running = [self.begin(each, line) for each in names]
        return "".join(each.communicate(timeout=seconds)[0] for each in running)

    def logs(self):
        for name in self.names:
            journal = ""
            with contextlib.suppress(Exception):
                journal = self.run(name, "journalctl --no-pager -n 40 -u 'conclave*'", 20)
            console = (self.folder / name / "console.log").read_text(errors="replace")[-2000:]
            yield f"---- {name}\n{console}\n{journal}"
