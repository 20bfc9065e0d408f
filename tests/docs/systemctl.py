"""A substitute for systemctl, for pages: systemctl.py MACHINE UNITS VERB UNIT

Starts the unit's own ExecStart with its environment, waits for READY=1 where its type is notify,
and stops it by SIGTERM. chrony runs with -x: it must not correct this machine's clock.
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

CHRONYD = "ExecStart=chronyd -x -d -f /etc/chrony/chrony.conf -u root\n"


def read_unit(machine, folder, name):
    """The unit's text, with its instance in place of %i, and its credentials in that of %d."""
    if name == "chrony":
        return CHRONYD
    base, at, instance = name.partition("@")
    text = Path(folder, base + at + ".service").read_text(encoding="utf-8")
    return text.replace("%i", instance).replace("%d", credentials(machine, name))


def credentials(machine, name):
    return f"{machine}/{name}.credentials"


def values(unit, key):
    return re.findall(rf"^{key}=(.*)$", unit, re.MULTILINE)


def environment(unit):
    lines = [word for line in values(unit, "Environment") for word in line.split()]
    for path in values(unit, "EnvironmentFile"):
        file = Path(path.removeprefix("-"))
        lines += file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")


def command(unit, given):
    """${NAME} is one word, $NAME as many as it has."""
    words = []
    for word in values(unit, "ExecStart")[0].split():
        if word.startswith("$") and not word.startswith("${"):
            words += given.get(word[1:], "").split()
        else:
            words.append(re.sub(r"\$\{(\w+)\}", lambda m: given.get(m[1], ""), word))
    return ["conclave" if words[0].endswith("/conclave") else words[0], *words[1:]]


def load_credentials(machine, unit, name):
    folder = Path(credentials(machine, name))
    folder.mkdir(mode=0o700, exist_ok=True)
    for value in values(unit, "LoadCredential"):
        called, source = value.split(":")
        shutil.copy(source, folder / called)


def start(machine, unit, name):
    load_credentials(machine, unit, name)
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    path = f"{machine}/{name}.notify"
    Path(path).unlink(missing_ok=True)
    notify.bind(path)
    with open(f"{machine}/{name}.log", "ab") as log:
        process = subprocess.Popen(
            ["setsid", *command(unit, environment(unit))], stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, env={**os.environ, "NOTIFY_SOCKET": path},
        )
    Path(f"{machine}/{name}.pid").write_text(str(process.pid))
    notify.settimeout(60)
    if values(unit, "Type") == ["notify"]:
        while b"READY=1" not in notify.recv(4096):
            pass


def stop(machine, name):
    file = Path(f"{machine}/{name}.pid")
    if not file.exists():
        return
    pid = int(file.read_text())
    file.unlink()
    with contextlib.suppress(ProcessLookupError):  # it has ended by itself
        os.kill(pid, signal.SIGTERM)
    for _ in range(200):
        if not Path(f"/proc/{pid}/cmdline").exists():
            return
        time.sleep(0.05)
    sys.exit(f"{name} does not stop")


def main():
    machine, units, *words = sys.argv[1:]
    verb, name = words[0], words[-1]
    if verb not in ("enable", "start", "restart", "stop", "kill", "daemon-reload"):
        sys.exit(f"systemctl {verb} has no substitute")
    if verb == "kill":
        os.kill(int(Path(f"{machine}/{name}.pid").read_text()), signal.SIGKILL)
    if verb in ("restart", "stop"):
        stop(machine, name)
    if verb in ("enable", "start", "restart") and not Path(f"{machine}/{name}.pid").exists():
        start(machine, read_unit(machine, units, name), name)


if __name__ == "__main__":
    main()
