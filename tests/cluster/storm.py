"""One fault after another on a cluster of real nodes: storm.py TOOL TICKER [OPTION]...

Whatever the seed makes of it, no two commands may live at one instant, every start has a greater
token, and the command runs again within the time that `conclave bound` prints, whenever a majority
is connected. Prints what it did, how long the command was missing, and how long it may have been.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import time

from cluster import Cluster, Failed, Terms, boot_time
from faults import Faults
from namespaces import NamespacedCluster, possible
from relay import RelayedCluster


# What a bound does not know of: the machine is busy with all nodes at once, with whatever else is
# tested beside them, and with starting processes. Without it a gap is some tens of milliseconds.
ALLOWANCE = 1.0
STUCK = 30  # seconds without the command, or without agreement: nobody comes any more


class Storm(Faults):
    def __init__(self, cluster, rng, detect, faults, spite=0.7):
        super().__init__(cluster, rng, detect, faults, spite)
        self.bound = read_bound(self.leader())
        self.said = {}  # how much of each node's log was there before

    def bound_of(self, fault, victim):
        """In seconds. A node that has just come up is bound by what it may have promised, as after
        a restart of all: where the others are no majority, it is waited for."""
        others = [node for node in self.cluster.nodes.values() if node is not victim]
        free = [node for node in others if boot_time() - node.started > 1.25 * self.detect]
        enough = len(free) >= self.bound["needed"]
        row = self.BOUNDS.get(fault, "silent") if enough else "restart"
        return self.bound[row]

    def backoff(self):
        """The pauses of --restart since the last look, which no bound counts."""
        pauses = 0.0
        for node in self.cluster.nodes.values():
            text = node.log.read_text()
            new = text[self.said.get(node.name, 0) :]
            self.said[node.name] = len(text)
            for number, unit in re.findall(r"starts it again after ([0-9.]+) ?(ms|s)\b", new):
                pauses += float(number) / (1000 if unit == "ms" else 1)
        return pauses

    def strike(self, fault):
        self.backoff()
        node, began = self.victim(), boot_time()
        bound = self.bound_of(fault, node)
        self.mended, self.words = 0.0, ""
        fault(self, node)
        # What was struck last may take a moment to die.
        self.cluster.wait_for_work(boot_time() + 0.1, STUCK)
        self.cluster.wait_until_settled(STUCK)
        gap = self.longest_gap(began)
        bound += self.backoff()
        print(
            f"{fault.__name__:15} {node.name}  {gap * 1000:7.0f} ms without the command, "
            f"{bound * 1000:.0f} allowed  {self.words}",
            flush=True,
        )
        self.check()
        self.bound = read_bound(self.leader())  # of as many members as there are now
        if gap > bound + ALLOWANCE:
            raise Failed(f"{gap:.3f} s without the command, and its bound is {bound:.3f} s")

    def longest_gap(self, since):
        """Of what lies behind the mending, where something had to be mended."""
        times = sorted(t.time for t in self.cluster.ticks(since - 0.1))
        return max((b - max(a, self.mended) for a, b in zip(times, times[1:])), default=0.0)

    def check(self):
        self.cluster.check_ticks()
        for node in self.cluster.nodes.values():
            if not node.alive:
                raise Failed(f"{node.name} ended with code {node.process.returncode}")


def read_bound(node):
    words = ["bound", "--json", "--group", node.cluster.group, "--name", node.name]
    words += ["--state", str(node.state)]
    asked = subprocess.run([node.cluster.tool, *words], capture_output=True, timeout=20)
    return in_seconds(json.loads(asked.stdout))


def in_seconds(bound):
    """Without the units in the names. A former program says milliseconds."""
    units = {"_ns": 1e9, "_ms": 1e3}
    return {
        name[:-3] if name[-3:] in units else name: value / units.get(name[-3:], 1)
        for name, value in bound.items()
        if isinstance(value, (int, float))
    }


def read_words():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--faults", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--detect", type=float, default=0.4, help="seconds")
    parser.add_argument("--algorithm", default="bully")
    parser.add_argument("--namespaces", action="store_true")
    parser.add_argument("--relay", action="store_true", help="datagrams go through a relay")
    parser.add_argument("--disk-faults", default="", help="the library that makes disks fail")
    parser.add_argument("--manners", default="", help="of the ticker: stubborn, daemon")
    parser.add_argument("--changes", action="store_true", help="members come and go")
    parser.add_argument("--each", action="store_true", help="every fault once, on the leader")
    parser.add_argument("--only", default="", help="faults by their names: disk_fails,kill_node")
    return parser.parse_args()


def make_cluster(words):
    """The cluster, and the faults that are possible in it."""
    names = [chr(ord("a") + i) for i in range(words.nodes)]
    options = ["--expect", str(words.nodes), "--detect", f"{words.detect * 1000:.0f}ms"]
    options += ["--algorithm", words.algorithm, "--restart", "always"]
    kind, faults = Cluster, Faults.LOCAL
    if words.namespaces:
        kind, faults = NamespacedCluster, faults + Faults.NETWORK
    elif words.relay:
        kind, faults = RelayedCluster, faults + 2 * Faults.RELAY
    cluster = kind(words.tool, words.ticker, names, options, words.manners.split())
    if words.changes:
        cluster.reserve([chr(ord("a") + i) for i in range(words.nodes, words.nodes + 3)])
        faults = faults + Faults.MEMBERS
    if words.disk_faults:
        cluster.give_faulty_disks(words.disk_faults)
        faults = faults + Faults.DISKS
    return cluster, faults


def rage(words, cluster, faults):
    if cluster.give_freezers():
        faults = faults + Faults.FREEZERS
    if cluster.mount_states():
        faults = faults + Faults.MOUNTS
    chosen = [f for f in faults if not words.only or f.__name__ in words.only.split(",")]
    cluster.start()
    cluster.wait_for_work(0, 60)
    rng = random.Random(words.seed)
    storm = Storm(cluster, rng, words.detect, faults, 1.0 if words.each else 0.7)
    for fault in chosen if words.each else rng.choices(chosen, k=words.faults):
        if words.each:
            time.sleep(1.5 * words.detect)  # nobody has just come up
        storm.strike(fault)
    print(f"{len(Terms(cluster.ticks()))} terms, never two commands at once, every start with a "
          "greater token")


def main():
    words = read_words()
    if words.namespaces and not possible():
        print("network namespaces need root, and a machine that allows them")
        return 77
    print(f"seed {words.seed}, {words.nodes} nodes, {words.algorithm}, detection {words.detect} s")
    cluster, faults = make_cluster(words)
    try:
        with cluster:
            rage(words, cluster, faults)
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
