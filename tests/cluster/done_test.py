"""Commands that end, and nodes that stay: done_test.py TOOL TICKER

The command writes a line and ends, well or with a code, as the test wants.
"""

import subprocess
import sys
import time
import unittest

from cluster import Cluster, wait_for
from relay import RelayedCluster

TOOL, TICKER = sys.argv[1:3]


class Done(unittest.TestCase):
    def cluster(self, code, kind=Cluster):
        made = kind(TOOL, TICKER, list("abc"), ["--expect", "3", "--detect", "400ms"])
        self.said = made.folder / "said"
        script = f'echo "$CONCLAVE_NODE $CONCLAVE_TOKEN" >>"{self.said}"; sleep 0.1; exit {code}'
        made.command = lambda: ["sh", "-c", script]
        made.__enter__()
        self.addCleanup(made.__exit__, None, None, None)
        made.start()
        return made

    def starts(self):
        """Node and token of each start of the command."""
        lines = self.said.read_text().splitlines() if self.said.exists() else []
        return [(node, int(token)) for node, token in map(str.split, lines)]

    def ask(self, node, verb):
        where = ["--group", node.cluster.group, "--name", node.name, "--state", str(node.state)]
        return subprocess.run([TOOL, verb, *where], capture_output=True, text=True, timeout=20)

    def knows(self, node, token):
        status = node.status()
        return status and status["work"]["done"]["token"] == str(token)

    def wait_until_done(self, cluster, nodes=None):
        wait_for(self.starts, 30, "it was started")
        name, token = self.starts()[-1]
        for node in nodes or cluster.nodes.values():
            wait_for(lambda: self.knows(node, token), 20, f"{node.name} knows that it is done")
        return cluster.nodes[name], token

    def test_done_is_done_whoever_leads_and_whoever_was_started_anew(self):
        cluster = self.cluster(0)
        leader, token = self.wait_until_done(cluster)
        cluster.wait_until_settled()
        self.assertEqual(leader.status()["leader"], leader.name)
        self.assertIn("conclave resume starts it again", leader.status()["remark"])
        leader.kill()
        others = [node for node in cluster.nodes.values() if node is not leader]
        wait_for(lambda: self.ask(others[0], "leader").stdout.strip() == others[0].name
                 or self.ask(others[1], "leader").stdout.strip() == others[1].name, 20, "led")
        for node in others:
            node.kill()
        cluster.start()
        cluster.wait_until_settled()
        time.sleep(1)
        self.assertEqual(self.starts(), [(leader.name, token)])
        self.assertTrue(all(node.alive for node in cluster.nodes.values()))

    def test_resume_on_any_node_starts_it_again_once(self):
        cluster = self.cluster(0)
        leader, token = self.wait_until_done(cluster)
        cluster.wait_until_settled()
        follower = next(node for node in cluster.nodes.values() if node is not leader)
        self.assertEqual(self.ask(follower, "resume").returncode, 0)
        wait_for(lambda: len(self.starts()) == 2, 20, "it was started again")
        self.assertGreater(self.starts()[1][1], token)
        self.wait_until_done(cluster)
        time.sleep(1)
        self.assertEqual(len(self.starts()), 2)

    def test_a_node_that_was_cut_off_when_it_ended_does_not_start_it_later(self):
        cluster = self.cluster(0, RelayedCluster)
        wait_for(self.starts, 30, "it was started")
        leader = cluster.nodes[self.starts()[0][0]]
        lost, other = (node for node in cluster.nodes.values() if node is not leader)
        self.wait_until_done(cluster)
        self.ask(leader, "resume")
        wait_for(lambda: len(self.starts()) == 2, 20, "it was started again")
        cluster.relay.cut.add(lost.name)
        leader, token = self.wait_until_done(cluster, [n for n in (leader, other)])
        self.assertFalse(self.knows(lost, token))
        cluster.relay.cut.clear()
        leader.crash()  # those that are left: one knows, one does not
        wait_for(lambda: (lost.status() or {}).get("leader"), 20, "somebody leads")
        wait_for(lambda: self.knows(lost, token), 20, "it knows")
        time.sleep(1)
        self.assertEqual(len(self.starts()), 2)

    def test_a_node_where_it_failed_hands_over_and_votes_on(self):
        cluster = self.cluster(7)
        wait_for(lambda: len(self.starts()) == 3, 30, "each has tried")
        time.sleep(1)
        self.assertEqual({node for node, _ in self.starts()}, set("abc"))
        self.assertEqual(len(self.starts()), 3)
        for node in cluster.nodes.values():
            self.assertTrue(node.alive)
            self.assertIn("ended here with code 7", node.status()["remark"])
        self.assertEqual(self.ask(cluster.nodes["b"], "resume").returncode, 0)
        wait_for(lambda: len(self.starts()) == 4, 20, "b tries again, elected by all")
        self.assertEqual(self.starts()[3][0], "b")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
