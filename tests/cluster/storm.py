"""One fault after another on a cluster of real nodes: storm.py TOOL TICKER [OPTION]...

Whatever the seed makes of it, no two commands may live at one instant, tokens only grow, and the
command runs again within the time that `conclave bound` prints, whenever a majority is connected.
Prints what it did, how long the command was missing, and how long it may have been.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time

from cluster import Cluster, Failed, Terms, boot_time, wait_for
from namespaces import NamespacedCluster, possible, run
from relay import RelayedCluster


# What a bound does not know of: the machine is busy with all nodes at once, with whatever else is
# tested beside them, and with starting processes. Without it a gap is some tens of milliseconds.
ALLOWANCE = 1.0


def send_signal(pid, number):
    """To a process that may just have ended."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


class Storm:
    def __init__(self, cluster, rng, detect, spite=0.7):
        self.cluster, self.rng, self.detect, self.spite = cluster, rng, detect, spite
        self.bound = read_bound(self.leader())
        self.mended = 0.0  # until then what a bound assumes did not hold

    # ---------------------------------------------------------------- whom it strikes

    def leader(self):
        return self.cluster.nodes[self.cluster.last_tick().node]

    def victim(self):
        """The leader more often than not: that is where it hurts."""
        if self.rng.random() < self.spite:
            return self.leader()
        return self.cluster.nodes[self.rng.choice(list(self.cluster.nodes))]

    def pause(self, times=2.0):
        time.sleep(self.rng.uniform(0.05, times) * self.detect)

    # ---------------------------------------------------------------- the faults

    def kill_agent(self, node):
        node.kill()
        self.pause()
        node.start()

    def kill_guardian(self, node):
        if guardian := node.guardian():
            send_signal(guardian, signal.SIGKILL)
        self.pause(0.5)

    def kill_both(self, node):
        guardian = node.guardian()
        node.signal(signal.SIGSTOP)  # so that neither can speak for the other
        if guardian:
            send_signal(guardian, signal.SIGKILL)
        node.kill()
        self.pause()
        node.start()

    def kill_node(self, node):
        """Agent, guardian and every process of the command, as when the machine dies."""
        tree = node.tree()
        node.signal(signal.SIGSTOP)  # so that nobody can speak for it
        for pid in reversed(tree):
            send_signal(pid, signal.SIGKILL)
        node.kill()
        self.pause()
        node.start()

    def pause_agent(self, node):
        node.signal(signal.SIGSTOP)
        self.pause(3)
        node.signal(signal.SIGCONT)

    def pause_guardian(self, node):
        guardian = node.guardian()
        if guardian:
            send_signal(guardian, signal.SIGSTOP)
        self.pause(3)
        if guardian and node.guardian() == guardian:
            send_signal(guardian, signal.SIGCONT)

    def pause_both(self, node):
        guardian = node.guardian()
        if guardian:
            send_signal(guardian, signal.SIGSTOP)
        node.signal(signal.SIGSTOP)
        self.pause(3)
        node.signal(signal.SIGCONT)
        if guardian and node.guardian() == guardian:
            send_signal(guardian, signal.SIGCONT)

    def terminate(self, node):
        node.stop()
        self.pause(0.5)
        node.start()

    def restart_each(self, _):
        for node in self.cluster.nodes.values():
            node.stop()
            node.start()
            self.pause(1)

    def restart_all(self, _):
        for node in self.cluster.nodes.values():
            node.signal(signal.SIGKILL)
        for node in self.cluster.nodes.values():
            node.kill()
            node.start()

    def lose_state(self, node):
        node.kill()
        for file in node.state.rglob("*.state"):
            file.unlink()
        node.start()
        # A second loss beside it would need an operator's word: let it remember first.
        wait_for(lambda: remembers(node), 60, f"{node.name} has its memory again")

    # ---------------------------------------------------------------- those of the disk

    def without_disk(self, node, leader):
        """A leader goes on, for a renewal stores nothing; when it dies, others take over."""
        since = boot_time()
        self.pause(2)
        self.cluster.wait_for_work(since, 60)
        leader.kill()
        self.pause(3)

    def fill_state(self, node):
        leader, filler = self.leader(), node.state / "filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
        except OSError:
            pass  # it is full
        self.without_disk(node, leader)
        filler.unlink()
        self.mend()
        leader.start()

    def freeze_state(self, node):
        leader = self.leader()
        run("mount", "-o", "remount,ro", str(node.state))
        self.without_disk(node, leader)
        run("mount", "-o", "remount,rw", str(node.state))
        self.mend()
        leader.start()

    # ---------------------------------------------------------------- those of the network

    def link_down(self, node):
        self.cluster.link(node.name, False)
        self.pause(3)
        self.cluster.heal()

    def port_silent(self, node):
        self.cluster.silence(node.name)
        self.pause(3)
        self.cluster.heal()

    def deaf(self, node):
        self.cluster.hear(node.name, False)
        self.pause(3)
        self.cluster.heal()

    def split_off(self, node):
        rest = [name for name in self.cluster.nodes if name != node.name]
        self.cluster.split([[node.name], rest])
        self.pause(3)
        self.cluster.heal()

    def split_evenly(self, _):
        names = list(self.cluster.nodes)
        self.rng.shuffle(names)
        self.cluster.split([names[: len(names) // 2], names[len(names) // 2 :]])
        self.pause(3)
        self.cluster.heal()

    def split_thrice(self, _):
        names = list(self.cluster.nodes)
        self.rng.shuffle(names)
        half = 1 + len(names) // 2
        self.cluster.split([names[:1], names[1:half], names[half:]])
        self.pause(3)
        self.cluster.heal()
        self.mend()

    # ---------------------------------------------------------------- those of the relay

    def disturb(self, **how):
        relay = self.cluster.relay
        for name, value in how.items():
            setattr(relay, name, value)
        self.pause(6)
        relay.calm()
        self.mend()

    def lose_some(self, _):
        self.disturb(loss=self.rng.uniform(0.1, 0.5))

    def double_some(self, _):
        self.disturb(double=0.5, delay=0.02)

    def delay_all(self, _):
        self.disturb(delay=self.rng.uniform(0.01, 0.3))

    def cut_off(self, node):
        self.disturb(cut={node.name})

    DISK = [fill_state, freeze_state]
    LOCAL = [kill_agent, kill_guardian, kill_both, kill_node]
    LOCAL += [pause_agent, pause_guardian, pause_both]
    LOCAL += [terminate, restart_each, restart_all, lose_state]
    RELAY = [lose_some, double_some, delay_all, cut_off]
    NETWORK = [link_down, port_silent, deaf, split_off, split_evenly, split_thrice]

    # Which time without the command each is held to; where nobody can speak for the leader, and
    # everywhere else, it is that of a silent one.
    BOUNDS = dict.fromkeys([kill_agent, lose_state], "died_ms")
    BOUNDS |= dict.fromkeys([kill_guardian, terminate], "handover_ms")
    BOUNDS |= dict.fromkeys([restart_each, restart_all], "restart_ms")

    # ---------------------------------------------------------------- one after the other

    def mend(self):
        self.mended = boot_time()

    def bound_of(self, fault, victim):
        """Who has just come up is bound by what it may have promised, as after a restart of all:
        where the others are no majority, it is waited for."""
        others = [node for node in self.cluster.nodes.values() if node is not victim]
        free = [node for node in others if boot_time() - node.started > 1.25 * self.detect]
        enough = len(free) >= self.bound["needed"]
        row = self.BOUNDS.get(fault, "silent_ms") if enough else "restart_ms"
        return self.bound[row] / 1000

    def strike(self, fault):
        node, began = self.victim(), boot_time()
        bound = self.bound_of(fault, node)
        self.mended = 0.0
        fault(self, node)
        # What was struck last may take a moment to die.
        self.cluster.wait_for_work(boot_time() + 0.1, 60)
        self.cluster.wait_until_settled()
        self.check()
        gap = self.longest_gap(began)
        print(
            f"{fault.__name__:15} {node.name}  {gap * 1000:7.0f} ms without the command, "
            f"{bound * 1000:.0f} allowed"
        )
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
    return json.loads(asked.stdout)


def remembers(node):
    status = node.status()
    return status and not status["lease"]["blank"] and status["state"] != "forming"


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
    parser.add_argument("--manners", default="", help="of the ticker: stubborn, daemon")
    parser.add_argument("--each", action="store_true", help="every fault once, on the leader")
    parser.add_argument("--only", default="", help="a fault by its name")
    return parser.parse_args()


def main():
    words = read_words()
    if words.namespaces and not possible():
        print("network namespaces need root, and a machine that allows them")
        return 77
    names = [chr(ord("a") + i) for i in range(words.nodes)]
    options = ["--expect", str(words.nodes), "--detect", f"{words.detect * 1000:.0f}ms"]
    options += ["--algorithm", words.algorithm]
    kind, faults = Cluster, Storm.LOCAL
    if words.namespaces:
        kind, faults = NamespacedCluster, faults + Storm.NETWORK
    elif words.relay:
        kind, faults = RelayedCluster, faults + 2 * Storm.RELAY
    faults = [f for f in faults if words.only in ("", f.__name__)]
    rng = random.Random(words.seed)
    print(f"seed {words.seed}, {words.nodes} nodes, {words.algorithm}, detection {words.detect} s")
    try:
        with kind(words.tool, words.ticker, names, options, words.manners.split()) as cluster:
            if cluster.mount_states():
                faults += [f for f in Storm.DISK if words.only in ("", f.__name__)]
            cluster.start()
            cluster.wait_for_work(0, 60)
            storm = Storm(cluster, rng, words.detect, 1.0 if words.each else 0.7)
            for fault in faults if words.each else rng.choices(faults, k=words.faults):
                if words.each:
                    time.sleep(1.5 * words.detect)  # nobody has just come up
                storm.strike(fault)
            terms = Terms(cluster.ticks())
            print(f"{len(terms)} terms, never two commands at once, tokens only grew")
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
