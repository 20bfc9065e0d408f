"""Members that come and go while the command runs: members_test.py TOOL TICKER"""

import json
import subprocess
import sys
import unittest

from cluster import Cluster, boot_time, wait_for

TOOL, TICKER = sys.argv[1:3]


class Members(unittest.TestCase):
    def setUp(self):
        self.cluster = Cluster(TOOL, TICKER, list("abc"), ["--expect", "3", "--detect", "500ms"])
        self.cluster.__enter__()
        self.addCleanup(self.cluster.__exit__, None, None, None)
        self.cluster.start()
        self.cluster.wait_for_work(0, 30)
        self.cluster.wait_until_settled()

    def starts(self):
        return [tick for tick in self.cluster.ticks() if tick.who == "start"]

    def leader(self):
        return self.cluster.nodes[self.cluster.last_tick().node]

    def follower(self):
        return next(n for n in self.cluster.nodes.values() if n is not self.leader())

    def change(self, node, *words):
        outcome = node.change(*words)
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)
        return outcome.stdout

    def names(self, node):
        return sorted(member["name"] for member in node.status()["members"])

    def test_the_command_runs_on_while_followers_come_and_go(self):
        newcomer = self.cluster.admit("d")
        said = self.change(self.follower(), "add", "d")
        self.assertEqual(said, "'d' is a member; the group is a, b, c, d\n")
        newcomer.joins = False
        wait_for(lambda: self.names(newcomer) == list("abcd"), 20, "it knows the others")
        gone = self.follower()
        self.change(gone, "remove", gone.name)
        self.cluster.dismiss(gone)
        self.cluster.wait_for_work(boot_time())
        self.assertEqual(len(self.starts()), 1)  # it was never interrupted
        self.cluster.check_ticks()

    def test_a_leader_that_is_removed_hands_over_once(self):
        former = self.leader()
        self.change(former, "remove", former.name)
        self.cluster.dismiss(former)
        self.cluster.wait_for_work(boot_time())
        self.assertEqual(len(self.starts()), 2)
        self.cluster.check_ticks()

    def test_a_machine_that_is_dead_for_good_is_replaced_and_the_next_leader_may_die(self):
        dead = self.follower()
        dead.crash()
        self.cluster.admit("d")
        self.change(self.leader(), "replace", dead.name, "d")
        del self.cluster.nodes[dead.name]
        wait_for(self.cluster.settled, 20, "all follow")
        former, token = self.leader(), self.cluster.last_tick().token
        former.crash()
        self.cluster.wait_for_work(0, 30, token)
        self.cluster.check_ticks()

    def test_the_command_runs_on_while_the_times_change(self):
        for detect, heartbeat in [("2s", 5e8), ("200ms", 5e7), ("500ms", 1.25e8)]:
            outcome = self.follower().order("set", "detect", detect)
            self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)
            for node in self.cluster.nodes.values():
                wait_for(lambda n=node: n.status()["heartbeat_ns"] == heartbeat, 20, "it knows")
        said = json.loads(self.leader().order("set", "heartbeat", "100ms", "--json").stdout)
        self.assertEqual(
            said["text"],
            "the group has --detect 500ms and --heartbeat 100ms; the group is a, b, c",
        )
        self.cluster.wait_for_work(boot_time())
        self.assertEqual(len(self.starts()), 1)  # it was never interrupted
        self.cluster.check_ticks()

    def test_a_member_started_with_other_times_has_those_of_the_group(self):
        follower = self.follower()
        follower.kill()
        outcome = self.leader().order("set", "detect", "1s")
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)
        follower.start()
        wait_for(lambda: (follower.status() or {}).get("detect_ns") == 1e9, 20, "it learns")
        sentence = ("the group has --detect 1s and --heartbeat 250ms, which count here, too; this "
                    "node was started with --detect 500ms and --heartbeat 125ms")
        for _ in range(5):  # killed before its disk had it, it learns once more
            follower.kill()
            follower.start()
            wait_for(lambda: (follower.status() or {}).get("detect_ns") == 1e9, 20, "it has it")
            if sentence in follower.log.read_text():
                return
        self.fail(follower.log.read_text())

    def test_after_two_of_three_are_lost_for_good_one_goes_on_and_the_group_grows_again(self):
        left = self.follower()
        lost = sorted(name for name in self.cluster.nodes if name != left.name)
        token = self.cluster.last_tick().token
        for name in lost:
            self.cluster.nodes.pop(name).crash()
        phrase = f"{', '.join(lost)} are lost for good"
        asked = lambda *more: left.change("force", left.name, *more)
        wait_for(lambda: "--confirm" in asked().stderr, 30, "nobody else is heard")
        self.assertIn("two commands at once", asked().stderr)
        refused = asked("--confirm", "yes")
        self.assertEqual((refused.returncode, len(self.names(left))), (1, 3))
        self.assertIn(f"the phrase is '{phrase}'", refused.stdout)
        outcome = asked("--confirm", phrase)
        self.assertEqual(outcome.returncode, 0, outcome.stdout + outcome.stderr)
        self.cluster.wait_for_work(0, 30, token)
        for name in "de":
            self.cluster.admit(name)
            self.change(left, "add", name)
        self.assertEqual(self.names(left), sorted([left.name, "d", "e"]))
        token = self.cluster.last_tick().token
        left.crash()
        self.cluster.wait_for_work(0, 30, token)
        self.cluster.check_ticks()

    def test_what_cannot_be_is_said_in_one_line(self):
        for words, said in [
            (["add", "b"], "'b' is a member already: a, b, c"),
            (["remove", "x"], "'x' is no member: a, b, c"),
            (["replace", "c", "d=10.0.0.9"], "find each other without addresses: say d"),
        ]:
            outcome = self.follower().change(*words)
            self.assertEqual(outcome.returncode, 1)
            self.assertIn(said, outcome.stdout)
            self.assertEqual(outcome.stdout.count("\n"), 1)

    def test_a_change_that_waits_says_for_what_and_nothing_has_changed(self):
        outcome = self.follower().change("add", "d", "--json", wait=1)
        self.assertEqual(outcome.returncode, 1)
        said = json.loads(outcome.stdout)
        self.assertFalse(said["done"])
        self.assertIn("nothing has changed yet: waits for 'd': start it there with", said["text"])
        self.assertEqual(self.names(self.leader()), list("abc"))

    def test_whoever_joins_without_being_named_is_refused(self):
        stranger = self.cluster.admit("x")
        self.assertEqual(stranger.process.wait(60), 2)
        self.assertIn("does not expect 'x': say conclave members add x on one of its members",
                      stranger.log.read_text())
        del self.cluster.nodes["x"]

    def test_whoever_joins_without_the_key_hears_why(self):
        key = str(self.cluster.folder / "other.key")
        subprocess.run([TOOL, "keygen", key], check=True, capture_output=True)
        stranger = self.cluster.admit("x")
        stranger.kill()
        stranger.start("--key", key, "--interface", "lo")
        wait_for(lambda: "key" in stranger.log.read_text(), 20, "it hears of another key")
        self.assertEqual(self.names(self.leader()), list("abc"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
