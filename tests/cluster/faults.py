"""What a storm does to real nodes: each fault strikes, waits a while, and is mended."""

import signal
import time
from concurrent.futures import ThreadPoolExecutor

from cluster import Failed, boot_time, send_signal, wait_for
from disk import FAULTS
from namespaces import run


class Faults:
    def __init__(self, cluster, rng, detect, faults, spite=0.7):
        self.cluster, self.rng, self.detect, self.spite = cluster, rng, detect, spite
        self.faults = faults  # those that can be had here
        self.mended = 0.0     # until then something that a bound assumes did not hold
        self.words = ""       # what the fault was in particular

    # ---------------------------------------------------------------- whom it strikes

    def leader(self):
        return self.cluster.nodes[self.cluster.last_tick().node]

    def victim(self):
        """The leader more often than not: that is where it hurts."""
        if self.rng.random() < self.spite:
            return self.leader()
        return self.cluster.nodes[self.rng.choice(list(self.cluster.nodes))]

    def pause(self, times=1.7):
        """Most is decided around the end of a lease, at once the time of detection."""
        time.sleep(self.rng.uniform(0.05, times) * self.detect)

    def mend(self):
        self.mended = boot_time()

    # ---------------------------------------------------------------- processes

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
        node.crash()
        self.pause()
        node.start()

    def kill_command(self, node):
        """Its agent starts it again."""
        for pid in node.commands():
            send_signal(pid, signal.SIGKILL)
        self.pause(0.5)

    def pause_agent(self, node):
        node.signal(signal.SIGSTOP)
        self.pause()
        node.signal(signal.SIGCONT)

    def pause_guardian(self, node):
        guardian = node.guardian()
        if guardian:
            send_signal(guardian, signal.SIGSTOP)
        self.pause()
        if guardian and node.guardian() == guardian:
            send_signal(guardian, signal.SIGCONT)

    def pause_both(self, node):
        guardian = node.guardian()
        if guardian:
            send_signal(guardian, signal.SIGSTOP)
        node.signal(signal.SIGSTOP)
        self.pause()
        node.signal(signal.SIGCONT)
        if guardian and node.guardian() == guardian:
            send_signal(guardian, signal.SIGCONT)

    def freeze_node(self, node):
        """Agent, guardian and command at once, without a signal."""
        node.freezer.freeze(True)
        self.pause()
        node.freezer.freeze(False)

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

    # ---------------------------------------------------------------- operators

    def change(self, *words):
        """Asked for at any member, while something happens to one, perhaps."""
        nodes = [node for node in self.cluster.nodes.values() if not node.joins]
        asked, struck = self.rng.sample(nodes, 2)
        with ThreadPoolExecutor(1) as beside:
            outcome = beside.submit(asked.change, *words, wait=60)
            if self.rng.random() < 0.5 and struck.name not in words:
                fault = self.rng.choice([f for f in self.MEANWHILE if f in self.faults])
                self.pause(0.3)
                fault(self, struck)
                self.words = fault.__name__
        self.words = f"{' '.join(words)} at {asked.name}; {self.words}"
        if outcome.result().returncode != 0:
            raise Failed(f"not within 60 s: {self.words}: {outcome.result().stdout}")

    def spare(self):
        return [name for name in self.cluster.names if name not in self.cluster.nodes]

    def add_member(self, _):
        if not self.spare():
            return self.remove_member(self.victim())
        name = self.rng.choice(self.spare())
        comer = self.cluster.admit(name)
        self.change("add", name)
        comer.joins = False

    def remove_member(self, node):
        if len(self.cluster.nodes) <= 3:
            return self.add_member(node)
        self.change("remove", node.name)
        self.cluster.dismiss(node)

    def replace_member(self, node):
        """One that is dead, half of the time."""
        if not self.spare():
            return self.remove_member(node)
        name = self.rng.choice(self.spare())
        dead = self.rng.random() < 0.5
        if dead:
            node.crash()
        comer = self.cluster.admit(name)
        node.joins = True  # nobody asks it
        self.change("replace", node.name, name)
        comer.joins = node.joins = False
        if dead:
            node.start()
        self.cluster.dismiss(node)

    # ---------------------------------------------------------------- the disk

    def without_disk(self, leader):
        """A leader goes on, for a renewal stores nothing; when it dies, others take over."""
        since = boot_time()
        self.pause(1)
        self.cluster.wait_for_work(since, 60)
        leader.kill()
        self.pause()

    def fill_state(self, node):
        leader, filler = self.leader(), node.state / "filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(b"x" * 4096)
        except OSError:
            pass  # it is full
        self.without_disk(leader)
        filler.unlink()
        self.mend()
        leader.start()

    def read_only_state(self, node):
        leader = self.leader()
        run("mount", "-o", "remount,ro", str(node.state))
        self.without_disk(leader)
        run("mount", "-o", "remount,rw", str(node.state))
        self.mend()
        leader.start()

    def disk_fails(self, node):
        """A step of the state file fails for a while or some times, on one node or on all, and
        something else happens meanwhile."""
        step, how = self.rng.choice(FAULTS)
        nodes = [node] if self.rng.random() < 0.7 else list(self.cluster.nodes.values())
        seconds, count = self.rng.uniform(0.8, 3) * self.detect, self.rng.choice([0, 0, 1, 3])
        beside = self.rng.choices([f for f in self.BESIDE if f in self.faults], k=3)
        healed, hits = boot_time() + seconds, self.hits()
        for each in nodes:
            each.disk.fail(step, how, count, seconds)
        for fault in beside:
            if boot_time() < healed:
                fault(self, self.victim())
        time.sleep(max(0.0, healed - boot_time()))
        self.mend()
        self.words = f"{step} {how} on {len(nodes)} for {seconds:.2f} s, {self.hits() - hits} times"
        self.words += "; " + ", ".join(fault.__name__ for fault in beside)
        for each in self.cluster.nodes.values():
            if not each.alive:  # a node does not start without its disk
                each.start()

    def hits(self):
        return sum(node.disk.hits() for node in self.cluster.nodes.values())

    # ---------------------------------------------------------------- the network

    def link_down(self, node):
        self.cluster.link(node.name, False)
        self.pause()
        self.cluster.heal()

    def port_silent(self, node):
        self.cluster.silence(node.name)
        self.pause()
        self.cluster.heal()

    def deaf(self, node):
        self.cluster.hear(node.name, False)
        self.pause()
        self.cluster.heal()

    def split_off(self, node):
        rest = [name for name in self.cluster.nodes if name != node.name]
        self.cluster.split([[node.name], rest])
        self.pause()
        self.cluster.heal()

    def split_evenly(self, _):
        names = list(self.cluster.nodes)
        self.rng.shuffle(names)
        self.cluster.split([names[: len(names) // 2], names[len(names) // 2 :]])
        self.pause()
        self.cluster.heal()

    def split_thrice(self, _):
        names = list(self.cluster.nodes)
        self.rng.shuffle(names)
        half = 1 + len(names) // 2
        self.cluster.split([names[:1], names[1:half], names[half:]])
        self.pause()
        self.cluster.heal()
        self.mend()

    # ---------------------------------------------------------------- the relay

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

    MEMBERS = 3 * [add_member, remove_member, replace_member]
    MEANWHILE = [kill_agent, kill_guardian, kill_node, pause_agent, terminate, split_off]
    FREEZERS = [freeze_node]
    MOUNTS = [fill_state, read_only_state]
    DISKS = 3 * [disk_fails]
    LOCAL = [kill_agent, kill_guardian, kill_both, kill_node, kill_command]
    LOCAL += [pause_agent, pause_guardian, pause_both]
    LOCAL += [terminate, restart_each, restart_all, lose_state]
    RELAY = [lose_some, double_some, delay_all, cut_off]
    NETWORK = [link_down, port_silent, deaf, split_off, split_evenly, split_thrice]
    # These need no disk to be mended, and change leaders.
    BESIDE = [kill_agent, kill_guardian, kill_both, kill_node, pause_agent, pause_both, split_off]
    BESIDE += [split_evenly, link_down]

    # Which time without the command each is held to; where nobody can speak for the leader, and
    # everywhere else, it is that of a silent one.
    BOUNDS = dict.fromkeys([kill_agent, lose_state], "died")
    BOUNDS |= dict.fromkeys([kill_guardian, terminate], "handover")
    BOUNDS |= dict.fromkeys([restart_each, restart_all, disk_fails], "restart")


def remembers(node):
    status = node.status()
    return status and not status["lease"]["amnesiac"] and status["state"] != "forming"
