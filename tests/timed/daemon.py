"""Our time daemon in a namespace of a Lan, and what it says of itself.

Its clock is virtual, so that status can tell how far it is from the machine's, and it runs without
the capability to set that one.
"""

import collections
import json
import math
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from stage import PORT


Asked = collections.namedtuple("Asked", "code output error")


class Daemon:
    def __init__(self, tool, lan, name, *options, prefix=()):
        self.tool, self.lan, self.name = str(tool), lan, name
        self.folder = Path(tempfile.mkdtemp(prefix="conclave-timed-"))
        self.control = self.folder / "control"
        self.log = self.folder / "log"
        self.options, self.prefix, self.process = list(options), list(prefix), None
        self.meanwhile = lambda: time.sleep(0.001)

    @property
    def address(self):
        return (self.lan.address(self.name), PORT)

    def command(self):
        inside = ["ip", "netns", "exec", self.lan.space(self.name)]
        without_clock = ["setpriv", "--bounding-set", "-sys_time"]
        command = [*inside, *without_clock, *self.prefix, self.tool, "timed"]
        if "--name" not in self.options:
            command += ["--name", self.name]
        command += ["--address", self.lan.address(self.name), "--broadcast", self.lan.broadcast]
        command += ["--port", str(PORT), "--state", str(self.folder / "state")]
        if "--no-control" not in self.options:
            command += ["--control", str(self.control)]
        if "--clock" not in self.options:
            command += ["--clock", "virtual"]
        return command + self.options

    def start(self, *more):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command() + list(more), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        return self

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def kill(self):
        if self.alive:
            self.process.kill()
        if self.process:
            self.process.wait()

    def stop(self, seconds=20):
        if self.alive:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds)

    def end(self):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, *words, prefix=()):
        """What the tool printed and how it ended; peers play on meanwhile."""
        command = [*prefix, self.tool, "timed", *words, "--control", str(self.control)]
        said = [tempfile.TemporaryFile("w+") for _ in range(2)]  # a pipe would be full unread
        with said[0] as output, said[1] as error:
            with subprocess.Popen(command, stdout=output, stderr=error) as asking:
                while asking.poll() is None:
                    self.meanwhile()
            for each in said:
                each.seek(0)
            return Asked(asking.returncode, output.read(), error.read())

    def status(self):
        """Nothing while it does not answer."""
        asked = self.ask("status", "--json")
        return json.loads(asked.output) if asked.code == 0 and asked.output else None

    def offset(self):
        """Of its clock from the machine's, in seconds; far off while it does not answer."""
        status = self.status()
        return status["clock"]["offset_ns"] / 1e9 if status else math.inf

    def state(self):
        status = self.status()
        return status["state"] if status else None

    def synchronised(self):
        status = self.status()
        return status is not None and status["has_time"]

    def members(self):
        """Those it corrects, by name."""
        status = self.status()
        return {each["name"]: each for each in status["members"]} if status else {}
