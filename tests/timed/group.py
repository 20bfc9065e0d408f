"""Time daemons of ours on a Lan, each with a virtual clock, and how far apart these are."""

import contextlib
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from daemon import Daemon
from lan import Lan
from stage import Failed
from truth import hold_bound, offset_of, truth_of


def spread(offsets):
    return max(offsets) - min(offsets)


class Group:
    """Use it as a context. `clocks` gives (offset, drift) for each name, as options take them."""

    def __init__(self, tool, clocks, *options, absent=(), mode="own", direct=False):
        self.tool, self.clocks, self.options = str(tool), clocks, list(options)
        self.stack, self.daemons = contextlib.ExitStack(), {}
        self.absent, self.mode, self.direct = set(absent), mode, direct
        self.broken = set()  # clocks that break in this story
        self.looks, self.judged = 0, 0  # error bounds that were held against the truth

    def __enter__(self):
        folder = self.stack.enter_context(tempfile.TemporaryDirectory(prefix="conclave-timed-"))
        key = Path(folder) / "key"
        subprocess.run([self.tool, "keygen", str(key)], check=True, capture_output=True)
        self.lan = self.stack.enter_context(Lan(self.clocks, self.direct))
        self.pool = self.stack.enter_context(ThreadPoolExecutor(len(self.clocks)))
        for name, (offset, drift) in self.clocks.items():
            words = ["--mode", self.mode, "--key", str(key), "--offset", offset, "--drift", drift]
            self.daemons[name] = Daemon(self.tool, self.lan, name, *words, *self.options)
            self.stack.callback(self.daemons[name].end)
        for name in self.clocks:
            if name not in self.absent:
                self.daemons[name].start()
        return self

    def __exit__(self, kind, error, trace):
        for daemon in self.daemons.values():
            daemon.kill()
            if kind is not None and daemon.log.exists():
                print(f"---- {daemon.name}\n{daemon.log.read_text()[-3000:]}")
        self.stack.close()
        if kind is None and self.looks and not self.judged:
            raise Failed("no error bound was held against the truth")

    def alive(self):
        return [name for name, daemon in self.daemons.items() if daemon.alive]

    def look(self, names=None):
        """name -> (moment, status), asked at once; all error bounds must hold meanwhile."""
        self.looks += 1
        seen = self.ask(self.alive() if names is None else names)
        self.hold_bounds({name: status for name, (_, status) in seen.items()})
        return seen

    def hold_bounds(self, seen):
        """Nobody is held to a clock that breaks: that shows only when it is measured."""
        seen = {name: status for name, status in seen.items() if name not in self.broken}
        leaders = [name for name in {s["master"] for s in seen.values()} if name in seen]
        again = {name: status for name, (_, status) in self.ask(leaders).items()}
        truths = {name: truth_of(seen[name], status) for name, status in again.items()}
        for name, status in seen.items():
            truth, leader = truths.get(status["master"]), seen.get(status["master"])
            if truth and name != status["master"] and status["term"] == leader["term"]:
                hold_bound(name, status, offset_of(status), truth)
                self.judged += 1

    def ask(self, names):
        def ask(name):
            before = time.time()
            status = self.daemons[name].status()
            return name, ((before + time.time()) / 2, status)

        found = dict(self.pool.map(ask, names))
        return {name: seen for name, seen in found.items() if seen[1]}

    def offsets(self, names=None):
        """In seconds, of those who answer."""
        seen = self.look(names)
        return {name: status["clock"]["offset_ns"] / 1e9 for name, (_, status) in seen.items()}

    def masters(self, names=None):
        seen = self.look(names)
        return [name for name, (_, status) in seen.items() if status["state"] == "master"]

    def settled(self, names=None):
        """The one master that all follow, or nothing."""
        names = self.alive() if names is None else names
        seen = self.look(names)
        leaders = {status["master"] for _, status in seen.values()}
        if len(seen) == len(names) and len(leaders) == 1:
            leader = leaders.pop()
            return leader if leader in names else None
        return None

    def wait(self, condition, seconds, what):
        """Returns what the condition gave, and after how long."""
        began = time.monotonic()
        while True:
            result = condition()
            passed = time.monotonic() - began
            if result:
                return result, passed
            if passed > seconds:
                for name, (_, status) in self.look().items():
                    print(name, status)
                raise Failed(f"not within {seconds} s: {what}")
            time.sleep(0.02)

    def wait_spread(self, limit, seconds, names=None):
        """Until all of them are that close; then how long it took."""
        count = len(self.alive() if names is None else names)

        def close():
            offsets = self.offsets(names)
            return len(offsets) == count and spread(offsets.values()) < limit

        return self.wait(close, seconds, f"all within {limit * 1e6:.0f} us")[1]

    def worst_spread(self, seconds, names=None):
        """The largest that was seen during that time."""
        worst, end = 0.0, time.monotonic() + seconds
        while time.monotonic() < end:
            offsets = self.offsets(names)
            if len(offsets) > 1:
                worst = max(worst, spread(offsets.values()))
            time.sleep(0.05)
        return worst
