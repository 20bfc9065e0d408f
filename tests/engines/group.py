"""Nodes of a group that shares a cell, each `conclave run --via` around the ticker."""

import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "cluster"))

from servers import wait_for  # noqa: E402
from ticks import Terms, Tick, stale_start  # noqa: E402


def boot_time():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Group:
    def __init__(self, tool, ticker, engine, detect="1s", names="abc"):
        self.tool, self.ticker, self.engine, self.detect = tool, ticker, engine, detect
        self.folder = Path(tempfile.mkdtemp(prefix="conclave-via-"))
        self.ticks = self.folder / "ticks"
        self.ticks.touch()
        self.nodes = {}
        for name in names:
            self.start(name)

    def words(self, name):
        words = [self.tool, "run", "--via", self.engine.via(), "--group", "jobs", "--name", name,
                 "--state", str(self.folder / name), "--detect", self.detect]
        if hasattr(self.engine, "credentials"):
            words += ["--via-credentials", self.engine.credentials()]
        return words

    def start(self, name):
        with open(self.folder / f"{name}.log", "ab") as log:
            self.nodes[name] = subprocess.Popen([*self.words(name), "--", self.ticker, self.ticks],
                                                stdout=log, stderr=log)

    def ask(self, name, *words):
        answer = subprocess.run([self.tool, *words, "--group", "jobs", "--name", name, "--state",
                                 str(self.folder / name)], capture_output=True, text=True,
                                timeout=20)
        return answer.stdout.strip() + answer.stderr.strip()

    def read(self):
        return [Tick(line) for line in self.ticks.read_text().splitlines(keepends=True)
                if line.endswith("\n")]

    def last(self):
        ticks = self.read()
        return max(ticks, key=lambda t: t.time) if ticks else None

    def runs(self, after=0.0):
        """The newest tick, if it is from after that moment."""
        tick = self.last()
        return tick if tick and tick.time > after else None

    def holder(self, seconds=60):
        """The node whose command ticks now."""
        now = boot_time()
        return wait_for(lambda: self.runs(now), seconds, "a command runs\n" + self.logs()).node

    def start_after(self, moment, seconds=60):
        """When the next start of a command was, after that moment."""
        def found():
            times = [t.time for t in self.read() if t.who == "start" and t.time > moment]
            return min(times) if times else None
        return wait_for(found, seconds, "the command starts again\n" + self.logs())

    def problem(self):
        ticks = self.read()
        return Terms(ticks).problem() or stale_start(ticks)

    def logs(self):
        return "\n".join(f"{path.name}: {path.read_text()[-1500:]}"
                         for path in sorted(self.folder.glob("*.log")))

    def close(self):
        for node in self.nodes.values():
            try:
                node.send_signal(signal.SIGCONT)
                node.terminate()
            except ProcessLookupError:
                pass
        for node in self.nodes.values():
            try:
                node.wait(20)
            except subprocess.TimeoutExpired:
                node.kill()
                node.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
