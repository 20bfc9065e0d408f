"""Real nodes whose disks fail at any step of the state file: disk_test.py TOOL TICKER LIBRARY

LIBRARY is disk_faults.cpp, which makes the steps fail. Whatever they do, no two commands live at
one instant, every start has a greater token, and a leader comes back within the printed bound.
OneCommand has what once went wrong; EveryStep takes longer.
"""

import json
import signal
import subprocess
import sys
import time
import unittest

from cluster import Cluster, Failed, boot_time, send_signal, wait_for
from disk import FAULTS
from namespaces import NamespacedCluster, possible

TOOL, TICKER, LIBRARY = sys.argv[1:4]
ALLOWANCE = 1.0  # for a busy machine, see storm.py


def count_failures(result):
    return len(result.failures) + len(result.errors) if result else 0


class Disks(unittest.TestCase):
    def cluster(self, *options, kind=Cluster, library=LIBRARY, command=None):
        made = kind(TOOL, TICKER, list("abc"), ["--expect", "3", *options])
        if library:
            made.give_faulty_disks(library)
        elif not made.mount_states():
            self.skipTest("a small file system of its own needs root")
        if command:
            made.command = lambda: [*command, str(made.ticks_file)]
        made.__enter__()
        self.addCleanup(made.__exit__, None, None, None)
        self.addCleanup(self.show_logs, made)
        return made

    def run(self, result=None):
        self.result, self.failed_before = result, count_failures(result)
        return super().run(result)

    def show_logs(self, cluster):
        if count_failures(self.result) == self.failed_before:
            return
        for node in cluster.nodes.values():
            if node.log.exists():
                print(f"---- {node.name}\n{node.log.read_text()}", file=sys.stderr)

    def settle(self, cluster):
        """Starts it; returns the leader and the others."""
        cluster.start()
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        leader = cluster.nodes[cluster.last_tick().node]
        return leader, *(node for node in cluster.nodes.values() if node is not leader)

    def bound(self, node, row):
        """In seconds."""
        words = ["bound", "--json", "--group", node.cluster.group, "--name", node.name]
        words += ["--state", str(node.state)]
        asked = subprocess.run([TOOL, *words], capture_output=True, timeout=20)
        return json.loads(asked.stdout)[row] / 1e9

    def wait_for_leader(self, cluster, within):
        """One leads, its command runs under the token of its lease, and all know it."""
        since = boot_time()
        cluster.wait_for_work(since + 0.02, within)
        self.assertEqual([n.name for n in cluster.nodes.values() if not n.alive], [])
        cluster.wait_until_settled(20)
        wait_for(lambda: self.token_of_lease(cluster) == cluster.last_tick().token, within,
                 "the command runs under the token of the lease")
        cluster.check_ticks()

    def findings(self, node):
        words = ["doctor", "--group", node.cluster.group, "--name", node.name]
        asked = subprocess.run([TOOL, *words, "--state", str(node.state)], capture_output=True,
                               text=True, timeout=20)
        return asked.returncode, asked.stdout

    def ask(self, node, verb, *words):
        place = ["--group", node.cluster.group, "--name", node.name, "--state", str(node.state)]
        subprocess.run([TOOL, verb, *words, *place], capture_output=True, timeout=20)

    def token_of_lease(self, cluster):
        status = cluster.nodes[cluster.last_tick().node].status()
        return int(status["lease"]["token"]) if status else None

    def crash_with_a_ballot_that_was_reported_lost(self, step, how):
        """A member stands in vain with a ballot that its disk keeps and reports as lost, then goes
        on renewing the leader. Its restart must not free it from what it promised last."""
        if not possible():
            self.skipTest("network namespaces need root, and a machine that allows them")
        detect = 2.0
        cluster = self.cluster("--detect", "2s", "--heartbeat", "200ms", "--grace", "10ms",
                               kind=NamespacedCluster)
        leader, member, third = cluster.nodes.values()
        for priority, node in enumerate((third, member, leader)):
            node.start("--priority", str(priority))
        wait_for(lambda: cluster.settled() and cluster.last_tick().node == leader.name, 60,
                 "the node with the greatest priority leads")
        # The member's promise runs out, and the third one misses the leader, before the lease ends.
        member.disk.fail(step, how)
        cluster.split([[leader.name, third.name], [member.name]])
        time.sleep(detect / 2)
        cluster.split([[leader.name], [member.name, third.name]])
        try:
            wait_for(member.disk.hits, 2 * detect, "the member has stood for election")
        except Failed:
            if step == "open_folder":  # this agent opened it once for all
                return
            raise
        cluster.split([list(cluster.nodes)])
        wait_for(lambda: member.status()["leader"] == leader.name, 20, "it follows again")
        # Now the lease depends on what it promised, and nobody else is bound.
        member.disk.heal()
        cluster.split([[leader.name, member.name], [third.name]])
        time.sleep(1.25 * detect)
        token = cluster.last_tick().token
        member.kill()
        cluster.split([[leader.name], [member.name, third.name]])
        member.start()
        cluster.wait_for_work(0, 20, token)
        time.sleep(detect)  # so long the former lease may run
        cluster.heal()
        self.wait_for_leader(cluster, 20)


class OneCommand(Disks):
    def test_a_folder_that_cannot_be_synchronised_never_gives_two_commands(self):
        self.crash_with_a_ballot_that_was_reported_lost("fsync_folder", "done")

    def test_a_leader_with_a_full_disk_runs_nothing_under_a_token_that_it_gave_back(self):
        cluster = self.cluster("--detect", "1s")
        leader, *_ = self.settle(cluster)
        bound = self.bound(leader, "silent_ns")
        leader.disk.fail("write")
        send_signal(leader.guardian(), signal.SIGKILL)
        time.sleep(0.6)
        self.assertIn("cannot be written (No space left on device)", self.findings(leader)[1])
        leader.disk.heal()
        time.sleep(0.5)
        self.wait_for_leader(cluster, bound + ALLOWANCE)

    def test_a_leader_that_cannot_start_its_command_lets_another_lead_and_says_why(self):
        cluster = self.cluster("--detect", "1s")
        leader, *_ = self.settle(cluster)
        bound = self.bound(leader, "silent_ns")
        leader.disk.fail("record")
        token = cluster.last_tick().token
        send_signal(leader.guardian(), signal.SIGKILL)
        cluster.wait_for_work(0, bound + ALLOWANCE, token)
        self.assertNotEqual(cluster.last_tick().node, leader.name)
        self.assertEqual(self.findings(leader)[0], 1)
        self.assertIn("this node cannot lead", self.findings(leader)[1])
        leader.disk.heal()
        wait_for(lambda: "cannot lead" not in self.findings(leader)[1], 10, "it can lead again")
        cluster.check_ticks()

    def test_a_full_disk_and_a_pause_leave_nobody_without_a_leader_for_ever(self):
        cluster = self.cluster("--detect", "1s")
        leader, *_ = self.settle(cluster)
        bound = self.bound(leader, "silent_ns")
        for _ in range(2):
            leader = cluster.nodes[cluster.last_tick().node]
            leader.disk.fail("write", seconds=2.4)
            healed = boot_time() + 2.4
            leader.signal(signal.SIGSTOP)
            time.sleep(0.9)
            leader.signal(signal.SIGCONT)
            time.sleep(healed - boot_time())
            self.wait_for_leader(cluster, bound + ALLOWANCE)

    def test_every_start_of_the_command_has_a_greater_token(self):
        script = 'timeout 0.1 "$0" "$1"; exit 3'
        cluster = self.cluster("--detect", "400ms", "--restart", "always",
                               command=["sh", "-c", script, TICKER])
        cluster.start()
        starts = lambda: [t for t in cluster.ticks() if t.who == "start"]
        wait_for(lambda: len(starts()) >= 4, 30, "the command has been started four times")
        cluster.check_ticks()


class SlowDisk(Disks):
    def test_a_disk_that_takes_seconds_stops_no_heartbeat(self):
        """A follower must store whom it promises itself to next, and its disk takes three seconds:
        it answers, is not taken for silent, and nobody takes over."""
        cluster = self.cluster("--detect", "1s")
        leader, successor, slow = self.settle(cluster)
        slow.disk.fail("fsync", "slow", seconds=3)
        began, token = boot_time(), cluster.last_tick().token
        self.ask(leader, "transfer", "--to", successor.name)
        cluster.wait_for_work(began, 10, token)
        wait_for(slow.disk.hits, 2, "its disk is slow")
        answers = []
        while boot_time() < began + 3:
            asked = boot_time()
            state = slow.status()
            answers.append(boot_time() - asked)
            self.assertEqual(state["leader"], successor.name)
            time.sleep(0.05)
        self.assertGreater(len(answers), 3)
        self.assertLess(max(answers), 1.0)
        self.assertNotIn(f"'{slow.name}' is silent", successor.log.read_text())
        self.wait_for_leader(cluster, 5)
        self.assertEqual(cluster.last_tick().node, successor.name)
        self.assertEqual(len({t.token for t in cluster.ticks() if t.token > token}), 1)
        # Its promise counts again.
        promises = lambda: successor.status()["lease"]["promises"]
        wait_for(lambda: slow.name in promises(), 5, "it promises again")

    def test_a_leader_to_be_whose_disk_takes_seconds_lets_another_lead(self):
        cluster = self.cluster("--detect", "1s")
        leader, slow, _ = self.settle(cluster)
        bound = self.bound(leader, "silent_ns")
        slow.disk.fail("fsync", "slow", seconds=8)
        began, token = boot_time(), cluster.last_tick().token
        self.ask(leader, "transfer", "--to", slow.name, "--wait", "10ms")
        cluster.wait_for_work(0, bound + ALLOWANCE, token)
        self.assertLess(boot_time() - began, 7)
        self.assertNotEqual(cluster.last_tick().node, slow.name)
        cluster.check_ticks()


class EveryStep(Disks):
    def test_a_folder_that_cannot_be_opened_never_gives_two_commands(self):
        self.crash_with_a_ballot_that_was_reported_lost("open_folder", "fail")

    def test_a_small_file_system_that_is_really_full_is_survived(self):
        cluster = self.cluster("--detect", "1s", library=None)
        leader, *_ = self.settle(cluster)
        bound = self.bound(leader, "silent_ns")
        filler = leader.state / "filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                while file.write(b"x" * 4096):
                    pass
        except OSError:
            pass  # it is full
        send_signal(leader.guardian(), signal.SIGKILL)
        time.sleep(1.5)
        filler.unlink()
        self.wait_for_leader(cluster, bound + ALLOWANCE)

    def test_each_step_may_fail_done_or_not_and_a_leader_comes_back(self):
        cluster = self.cluster("--detect", "400ms")
        leader, *_ = self.settle(cluster)
        bound = self.bound(leader, "restart_ns")
        for step, how in FAULTS:
            with self.subTest(step=step, how=how):
                leader = cluster.nodes[cluster.last_tick().node]
                other = next(n for n in cluster.nodes.values() if n is not leader)
                hits = leader.disk.hits() + other.disk.hits()
                for node in (leader, other):
                    node.disk.fail(step, how, seconds=0.6)
                send_signal(leader.guardian(), signal.SIGKILL)
                time.sleep(0.6)
                self.wait_for_leader(cluster, bound + ALLOWANCE)
                if step != "open_folder":  # which may be opened once for all
                    self.assertGreater(leader.disk.hits() + other.disk.hits(), hits)

    def test_what_was_not_synchronised_may_be_lost_at_a_crash(self):
        cluster = self.cluster("--detect", "400ms")
        leader, *_ = self.settle(cluster)
        bound = self.bound(leader, "restart_ns")
        for step, how in [f for f in FAULTS if f[0] in ("fsync", "rename", "fsync_folder")]:
            with self.subTest(step=step, how=how):
                leader = cluster.nodes[cluster.last_tick().node]
                other = next(n for n in cluster.nodes.values() if n is not leader)
                other.disk.fail(step, how, seconds=0.4)
                leader.stop()
                time.sleep(0.1)
                other.crash()
                other.disk.heal()
                leader.start()
                other.start()
                self.wait_for_leader(cluster, bound + ALLOWANCE)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
