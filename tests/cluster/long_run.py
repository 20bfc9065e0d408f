"""Three nodes for long, a fault a minute: long_run.py TOOL TICKER --seconds S [--plot FILE.svg]

The faults leave the agents alive, so that one process takes part in all of them. Never two
commands, every start with a greater token, the command back within its bound each time; and at the
end no agent has more memory or more open files than in the second quarter of the run. --plot draws
both over time.
"""

import argparse
import random
import sys
import threading
import time
from pathlib import Path

from cluster import Failed, Terms, boot_time
from faults import Faults
from namespaces import NamespacedCluster, possible
from storm import Storm

EVERY = 60  # seconds from fault to fault
LOOK = 5  # seconds from one measurement to the next
# What an allocator may keep in between; a leak of a datagram's 100 bytes every heartbeat would be
# 1.4 MB in an hour.
ALLOWANCE_KB = 256
ALLOWANCE_FILES = 4  # a command that runs takes some, and so do questions of this test
FAULTS = [Faults.kill_guardian, Faults.kill_command, Faults.pause_agent, Faults.pause_guardian,
          Faults.pause_both, Faults.link_down, Faults.port_silent, Faults.deaf, Faults.split_off]
COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57"]


class Sample:
    def __init__(self, pid):
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        fields = dict(line.split(":", 1) for line in status.splitlines())
        self.memory = int(fields["RssAnon"].split()[0])  # in KB; what the process alone has
        self.files = len(list(Path(f"/proc/{pid}/fd").iterdir()))


class Watch(threading.Thread):
    """Looks at every agent from time to time."""

    def __init__(self, cluster):
        super().__init__(daemon=True)
        self.pids = {node.name: node.process.pid for node in cluster.nodes.values()}
        self.samples = {name: [] for name in self.pids}
        self.began, self.over = time.monotonic(), threading.Event()

    def run(self):
        while not self.over.wait(LOOK):
            for name, pid in self.pids.items():
                self.samples[name].append((time.monotonic() - self.began, Sample(pid)))

    def quarters(self, name, what):
        """The greatest value in the second quarter of the run, and in the last."""
        values = [getattr(sample, what) for _, sample in self.samples[name]]
        quarter = len(values) // 4
        return max(values[quarter : 2 * quarter]), max(values[-quarter:])


def line(points, colour):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.2"/>'


def panel(watch, what, title, top):
    """One of the two drawings, 200 high."""
    highest = max(getattr(s, what) for each in watch.samples.values() for _, s in each) * 1.1
    last = max(t for each in watch.samples.values() for t, _ in each)
    yield f'<text x="50" y="{top - 8}">{title}: 0 to {highest:.0f}; {last / 60:.0f} minutes</text>'
    yield (f'<rect x="50" y="{top}" width="640" height="180" fill="none" stroke="#999"/>')
    for (name, samples), colour in zip(watch.samples.items(), COLOURS):
        points = [(50 + 640 * t / last, top + 180 * (1 - getattr(s, what) / highest))
                  for t, s in samples]
        yield line(points, colour)
        at = 600 + 30 * list(watch.samples).index(name)
        yield f'<text x="{at}" y="{top - 8}" fill="{colour}">{name}</text>'


def plot(watch, path):
    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 460" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="720" height="460" fill="white"/>',
             *panel(watch, "memory", "memory of each agent in KB", 30),
             *panel(watch, "files", "open files of each agent", 255), "</svg>"]
    Path(path).write_text("\n".join(parts) + "\n", encoding="utf-8")


def check_flat(watch):
    for name in watch.samples:
        for what, most in (("memory", ALLOWANCE_KB), ("files", ALLOWANCE_FILES)):
            early, late = watch.quarters(name, what)
            print(f"{name}: {what} {early} in the second quarter, {late} in the last")
            if late > early + most:
                raise Failed(f"{name}: {what} grew from {early} to {late}")


def rage(words, cluster):
    cluster.start()
    cluster.wait_for_work(0, 60)
    rng, end = random.Random(words.seed), boot_time() + words.seconds
    storm, watch = Storm(cluster, rng, words.detect, FAULTS), Watch(cluster)
    watch.start()
    faults = 0
    while boot_time() < end:
        time.sleep(max(0.0, min(EVERY, end - boot_time())))
        storm.strike(rng.choice(FAULTS))
        faults += 1
    watch.over.set()
    watch.join()
    if words.plot:
        plot(watch, words.plot)
    alive = [node.name for node in cluster.nodes.values() if node.process.pid in
             watch.pids.values()]
    print(f"{words.seconds} s, {faults} faults, {len(Terms(cluster.ticks()))} terms, the same "
          f"agents throughout: {', '.join(alive)}")
    check_flat(watch)


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--detect", type=float, default=0.4, help="seconds")
    parser.add_argument("--plot", default="")
    words = parser.parse_args()
    if not possible():
        print("network namespaces need root, and a machine that allows them")
        return 77
    options = ["--expect", "3", "--detect", f"{words.detect * 1000:.0f}ms", "--restart", "always"]
    try:
        with NamespacedCluster(words.tool, words.ticker, list("abc"), options) as cluster:
            rage(words, cluster)
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
