"""How real nodes behave towards those who run them: manners_test.py TOOL TICKER"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from cluster import Cluster, boot_time, wait_for

TOOL, TICKER = sys.argv[1:3]
DETECT = ["--detect", "400ms"]


class CommandCluster(Cluster):
    """With any command instead of the ticker."""

    def command(self):
        return self.words


class Manners(unittest.TestCase):
    def cluster(self, *options, names="abc", words=None):
        kind = CommandCluster if words else Cluster
        made = kind(TOOL, TICKER, list(names), [*DETECT, *options])
        made.words = words
        self.enterContext(made) if hasattr(self, "enterContext") else self.enter(made)
        return made

    def enter(self, made):
        made.__enter__()
        self.addCleanup(made.__exit__, None, None, None)

    def ask(self, node, *words):
        where = ["--group", node.cluster.group, "--name", node.name, "--state", str(node.state)]
        return subprocess.run(
            [TOOL, *words, *where], capture_output=True, text=True, timeout=20
        )

    def leader_of(self, cluster):
        def found():
            for node in cluster.nodes.values():
                if self.ask(node, "is-leader").returncode == 0:
                    return node
            return None

        return wait_for(found, 30, "somebody leads")

    def token_of(self, cluster):
        """A leader may act a moment before its command has written anything."""
        return wait_for(cluster.last_tick, 30, "the command runs").token

    def test_one_leads_all_know_it_and_resign_moves_it(self):
        cluster = self.cluster("--expect", "3")
        cluster.start()
        leader = self.leader_of(cluster)
        others = [n for n in cluster.nodes.values() if n is not leader]
        wait_for(
            lambda: all(self.ask(n, "leader").stdout.strip() == leader.name for n in others),
            20,
            "all know who leads",
        )
        self.assertEqual([self.ask(n, "is-leader").returncode for n in others], [1, 1])
        self.assertEqual(self.ask(others[0], "resign").returncode, 1)
        token = self.token_of(cluster)
        self.assertEqual(self.ask(leader, "resign", "--to", others[0].name).returncode, 0)
        self.assertIs(cluster.wait_for_work(0, 20, token), others[0])
        self.assertIn(f"'{leader.name}' gave the lease back", self.ask(leader, "why").stdout)
        self.assertIn("leads", self.ask(leader, "members").stdout)
        cluster.check_ticks()

    def test_at_rest_only_the_renewals_and_their_answers_are_sent(self):
        cluster = self.cluster("--expect", "3")
        cluster.start()
        self.leader_of(cluster)
        time.sleep(1)
        since, before = boot_time(), self.sent(cluster)  # asking takes time, too
        time.sleep(2)
        sent = self.sent(cluster) - before
        beats = (boot_time() - since) / 0.1 + 1
        self.assertLessEqual(sent, 3 * beats)

    def sent(self, cluster):
        return sum(node.status()["traffic"]["sent"] for node in cluster.nodes.values())

    def test_the_exit_code_is_passed_on_and_the_next_node_runs_the_command(self):
        script = 'echo "$CONCLAVE_GROUP $CONCLAVE_NODE $CONCLAVE_LEADER" >>"$0"; sleep 0.2; exit 7'
        cluster = self.cluster("--expect", "3", "--when-done", "leave",
                               words=["sh", "-c", script, "?"])
        cluster.words[-1] = str(cluster.folder / "said")
        cluster.start()
        ended = lambda: [n for n in cluster.nodes.values() if not n.alive]
        wait_for(lambda: len(ended()) >= 2, 30, "two have run it and ended")
        self.assertEqual({n.process.returncode for n in ended()}, {7})
        lines = (cluster.folder / "said").read_text().splitlines()
        first = lines[0].split()
        self.assertEqual(first, [cluster.group, first[1], first[1]])
        self.assertEqual(len({line.split()[1] for line in lines}), len(lines))

    def test_a_command_that_ends_at_once_is_started_again_after_pauses(self):
        script = 'echo "$CONCLAVE_REASON" >>"$0"'
        cluster = self.cluster("--expect", "2", "--restart", "always", names="ab",
                               words=["sh", "-c", script, "?"])
        cluster.words[-1] = str(cluster.folder / "said")
        cluster.start()
        said = lambda: (cluster.folder / "said").read_text().splitlines()
        wait_for(lambda: (cluster.folder / "said").exists() and len(said()) >= 3, 30, "it ran")
        time.sleep(1)
        self.assertLessEqual(len(said()), 6)  # 0.1, 0.2, 0.4, 0.8 and 1.6 seconds between
        self.assertEqual(set(said()), {"elected"})
        states = [node.status() for node in cluster.nodes.values()]
        leader = cluster.nodes[states[0]["leader"]]
        since = boot_time()
        self.assertEqual(leader.stop(), 0)  # while it waits to start it again
        self.assertLess(boot_time() - since, 5)

    def test_the_command_knows_why_its_node_leads(self):
        script = 'echo "$CONCLAVE_NODE $CONCLAVE_REASON" >>"$0"; exec sleep 600'
        cluster = self.cluster("--expect", "3", words=["sh", "-c", script, "?"])
        cluster.words[-1] = str(cluster.folder / "said")
        cluster.start()
        leader = self.leader_of(cluster)
        cluster.wait_until_settled()
        leader.kill()
        said = lambda: (cluster.folder / "said").read_text().splitlines()
        wait_for(lambda: len(said()) == 2, 30, "another runs it")
        self.assertEqual(said()[0], f"{leader.name} elected")
        self.assertRegex(said()[1], f"[abc] '{leader.name}' (died|is silent)$")

    def test_a_leader_without_a_majority_knows_why_it_no_longer_leads(self):
        cluster = self.cluster("--expect", "3")
        cluster.start()
        leader = self.leader_of(cluster)
        cluster.wait_until_settled()
        for node in cluster.nodes.values():
            if node is not leader:
                node.kill()
        wait_for(lambda: leader.status()["state"] == "leaderless", 30, "it no longer leads")
        said = self.ask(leader, "why").stdout
        self.assertIn(f"since the lease of '{leader.name}' ended: no majority renewed it", said)

    def test_a_leader_that_was_paused_comes_back_with_its_vote(self):
        self.pause_leader("bully")

    def test_a_leader_that_was_paused_comes_back_with_its_vote_with_tempo(self):
        self.pause_leader("tempo")

    def pause_leader(self, algorithm):
        cluster = self.cluster("--expect", "3", "--algorithm", algorithm)
        said = cluster.folder / "hooks"
        follows = 'echo "$CONCLAVE_NODE $CONCLAVE_LEADER $CONCLAVE_TOKEN"'
        cluster.options += ["--on-follower", f"{follows} >>{said}"]
        cluster.start()
        former, token = self.leader_of(cluster), self.token_of(cluster)
        cluster.wait_until_settled()
        before = len(said.read_text().splitlines())
        former.signal(signal.SIGSTOP)
        leader = cluster.wait_for_work(0, 20, token)
        former.signal(signal.SIGCONT)
        promises = lambda: len(leader.status()["lease"]["promises"])
        wait_for(lambda: promises() == 3, 10, "all have promised")
        state = former.state / cluster.group / f"{former.name}.state"
        written = state.stat().st_ino
        time.sleep(1)
        self.assertEqual(state.stat().st_ino, written)  # at rest nothing is stored
        self.assertEqual(promises(), 3)
        token = leader.status()["lease"]["token"]
        known = [node.status()["lease"]["token"] for node in cluster.nodes.values()]
        self.assertEqual(known, [token] * 3)
        self.assertEqual(token, str(cluster.last_tick().token))  # a number would be rounded
        heard = [line.split()[1:] for line in said.read_text().splitlines()[before:]]
        self.assertEqual({name for name, _ in heard}, {leader.name})
        self.assertLessEqual({said for _, said in heard}, {"0", str(token)})  # 0: not known yet

    def test_sigterm_ends_a_node_with_code_0_and_the_others_go_on(self):
        cluster = self.cluster("--expect", "3")
        cluster.start()
        leader, token = self.leader_of(cluster), self.token_of(cluster)
        self.assertEqual(leader.stop(), 0)
        self.assertIsNot(cluster.wait_for_work(0, 20, token), leader)

    STUBBORN = ["sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"]

    def test_sigterm_ends_a_node_however_long_its_command_takes_to_stop(self):
        cluster = self.cluster("--expect", "1", "--stop-timeout", "1s", names="a",
                               words=self.STUBBORN)
        cluster.start()
        leader = self.leader_of(cluster)
        self.assertEqual(leader.stop(), 0)
        self.assertEqual(leader.log.read_text().count("starts its work"), 1)

    def test_a_hand_over_reaches_its_heir_however_long_the_command_takes_to_stop(self):
        cluster = self.cluster("--expect", "3", "--stop-timeout", "1s", words=self.STUBBORN)
        cluster.start()
        for _ in range(3):
            leader = self.leader_of(cluster)
            successor = next(n for n in cluster.nodes.values() if n is not leader)
            moved = self.ask(leader, "transfer", "--to", successor.name)
            self.assertEqual(moved.returncode, 0, moved.stderr)
            self.assertIs(self.leader_of(cluster), successor)

    def test_who_restarts_with_shorter_times_waits_for_what_it_promised(self):
        cluster = self.cluster("--expect", "3", "--detect", "4s")
        cluster.start()
        leader = cluster.wait_for_work(0, 30)
        others = [n for n in cluster.nodes.values() if n is not leader]
        leader.signal(signal.SIGSTOP)  # its guardian and its command go on
        for node in others:
            node.stop()
            node.start("--detect", "300ms")
        cluster.wait_for_work(0, 30, cluster.last_tick().token)
        time.sleep(1)
        leader.signal(signal.SIGCONT)
        cluster.check_ticks()

    def test_everybody_is_asked_and_watched(self):
        cluster = self.cluster("--expect", "3")
        cluster.start()
        leader = self.leader_of(cluster)
        next(node for node in cluster.nodes.values() if node is not leader).kill()
        lines = self.ask(leader, "status", "--all").stdout.splitlines()
        self.assertEqual(len(lines), 3, lines)
        for words in ("leads", f"follows {leader.name}", "no answer"):
            self.assertEqual(sum(words in line for line in lines), 1, lines)
        rows = json.loads(self.ask(leader, "status", "--all", "--json").stdout)
        self.assertEqual([row["leader"] for row in rows if row["answered"]], [leader.name] * 2)
        table = self.ask(leader, "watch", "--count", "1").stdout
        self.assertIn(f"node {leader.name}: leader", table)
        line = self.ask(leader, "watch", "--json", "--count", "1").stdout
        self.assertEqual(json.loads(line)["leader"], leader.name)

    def test_a_command_that_is_not_there_is_refused_at_once(self):
        cluster = self.cluster("--expect", "3", words=["/nonexistent"])
        cluster.nodes["a"].start()
        self.assertEqual(cluster.nodes["a"].process.wait(20), 2)
        self.assertIn("the command '/nonexistent' is not there", cluster.nodes["a"].log.read_text())

    def test_a_name_that_is_taken_is_refused_on_both_sides(self):
        cluster = self.cluster("--expect", "3")
        cluster.start()
        self.leader_of(cluster)
        state = str(cluster.folder / "other")
        twin = subprocess.run(
            [TOOL, "run", "--group", cluster.group, "--name", "a", "--state", state]
            + ["--expect", "3", *DETECT, "--", TICKER, str(cluster.ticks_file)],
            capture_output=True,
            text=True,
            timeout=30,
        )
        self.assertEqual(twin.returncode, 121, twin.stderr)
        self.assertIn("--name", twin.stderr)
        self.assertIn("bears the name 'a', too", cluster.nodes["a"].log.read_text())
        cluster.check_ticks()

    def test_a_fourth_node_is_refused_by_a_group_of_three(self):
        cluster = self.cluster("--expect", "3", names="abcd")
        for name in "abc":
            cluster.nodes[name].start()
        wait_for(lambda: cluster.last_tick(), 30, "three have formed the group")
        cluster.nodes["d"].start()
        self.assertEqual(cluster.nodes["d"].process.wait(30), 2)
        self.assertIn("is complete with a, b, c", cluster.nodes["d"].log.read_text())

    def test_a_witness_votes_and_never_leads(self):
        cluster = self.cluster("--expect", "3")
        for name in "ab":
            cluster.nodes[name].start()
        cluster.nodes["c"].start("--witness")
        leader, token = self.leader_of(cluster), self.token_of(cluster)
        leader.kill()
        successor = cluster.wait_for_work(0, 30, token)
        self.assertNotIn("c", [leader.name, successor.name])
        successor.kill()
        time.sleep(1)
        self.assertNotIn("c", {tick.node for tick in cluster.ticks()})

    def test_the_node_with_the_greatest_priority_leads_first(self):
        cluster = self.cluster("--expect", "3")
        for name, priority in zip("abc", "910"):
            cluster.nodes[name].start("--priority", priority)
        self.assertEqual(self.leader_of(cluster).name, "a")

    def test_members_with_addresses_need_no_multicast(self):
        from relay import RelayedCluster

        cluster = RelayedCluster(TOOL, TICKER, list("abc"), DETECT)
        self.enter(cluster)
        cluster.start()
        token = cluster.wait_for_work(0, 30) and cluster.last_tick().token
        self.leader_of(cluster).signal(signal.SIGKILL)
        cluster.wait_for_work(0, 30, token)
        cluster.check_ticks()

    def test_members_may_have_addresses_of_ipv6(self):
        try:
            with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as tried:
                tried.bind(("::1", 0))
        except OSError:
            self.skipTest("this machine does not speak IPv6")
        from relay import free_ports

        places = [f"{name}=[::1]:{port}" for name, port in zip("abc", free_ports(3))]
        cluster = self.cluster("--members", ",".join(places))
        cluster.start()
        token = cluster.wait_for_work(0, 30) and cluster.last_tick().token
        self.leader_of(cluster).kill()
        cluster.wait_for_work(0, 30, token)
        cluster.check_ticks()

    def test_a_node_of_an_ordinary_user_contains_its_command(self):
        nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        cluster = self.cluster("--expect", "1", names="a")
        tried = [*nobody, TOOL, "--version"] if os.geteuid() == 0 else ["false"]
        if not shutil.which("setpriv") or subprocess.run(tried, capture_output=True).returncode:
            self.skipTest("needs root, setpriv, and a tool that anybody may execute")
        cluster.folder.chmod(0o777)
        nobody = ["env", f"HOME={cluster.folder}", *nobody]  # for its own key
        cluster.prefix = lambda name: nobody
        cluster.start()
        node = cluster.nodes["a"]
        if wait_for(lambda: not node.alive or node.status(), 20, "it runs, or is refused") is True:
            return self.assertIn("containment user is refused", node.log.read_text())
        cluster.wait_for_work(0, 30)
        self.assertEqual(node.status()["work"]["containment"], "user")
        asked = self.ask_by(nobody, node, "doctor")
        self.assertIn("can be contained by user; containment pid is refused", asked.stdout)

    def ask_by(self, prefix, node, verb):
        where = ["--group", node.cluster.group, "--state", str(node.state)]
        return subprocess.run(
            [*prefix, TOOL, verb, *where], capture_output=True, text=True, timeout=20
        )

    def test_where_namespaces_are_refused_a_command_needs_contain_group(self):
        none = "echo 0 >/proc/sys/user/max_pid_namespaces && exec \"$@\""  # within its own only
        without = ["unshare", "--user", "--map-root-user", "sh", "-c", none, "sh"]
        if not shutil.which("unshare") or subprocess.run([*without, "true"]).returncode:
            self.skipTest("needs unshare, and user namespaces to refuse others in")
        cluster = self.cluster("--expect", "1", names="a")
        cluster.prefix = lambda name: without
        node = cluster.nodes["a"]
        for more in ([], ["--contain", "pid"], ["--contain", "user"]):
            node.start(*more)
            self.assertEqual(node.process.wait(20), 2)
            sentence = node.log.read_text().splitlines()[-1]
            self.assertRegex(sentence, "--contain (best|pid|user): .*containment user is refused")
            self.assertIn("or choose --contain group, which is weaker", sentence)
        self.assertEqual(cluster.ticks(0), [])
        node.start("--contain", "group")
        cluster.wait_for_work(0, 30)
        self.assertEqual(node.status()["work"]["containment"], "group")
        self.assertIn("refuses a command without --contain group",
                      self.ask_by(without, node, "doctor").stdout)

    def test_hooks_say_what_happened(self):
        cluster = self.cluster("--expect", "3")
        said = cluster.folder / "hooks"
        for event in ("leader", "follower", "lost", "no-leader"):
            words = f'echo "{event} $CONCLAVE_NODE $CONCLAVE_LEADER" >>{said}'
            cluster.options += [f"--on-{event}", words]
        cluster.start()
        leader = self.leader_of(cluster).name
        read = lambda: said.read_text().splitlines() if said.exists() else []
        wait_for(lambda: f"leader {leader} {leader}" in read(), 20, "the leader's hook has run")
        self.ask(cluster.nodes[leader], "resign")
        wait_for(lambda: any(l.startswith(f"lost {leader}") for l in read()), 20, "on-lost has run")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
