"""The value that a leader publishes, as operators see it: publish_test.py TOOL TICKER"""

import json
import subprocess
import sys
import unittest

from cluster import Cluster, wait_for

TOOL, TICKER = sys.argv[1:3]


class PublishingCluster(Cluster):
    """Every node has a value of its own."""

    def options_of(self, name):
        return [*super().options_of(name), "--publish", f"http://{name}:80"]


class Published(unittest.TestCase):
    def ask(self, node, *words):
        where = ["--group", node.cluster.group, "--name", node.name, "--state", str(node.state)]
        return subprocess.run([TOOL, *words, *where], capture_output=True, text=True, timeout=20)

    def seen(self, node):
        answer = self.ask(node, "leader", "--json")
        return json.loads(answer.stdout) if answer.returncode == 0 else {"leader": None}

    def agreed(self, nodes, former=None):
        """What all of these nodes say of the leader, once it is another and has published."""
        answers = [self.seen(node) for node in nodes]
        first = answers[0]
        same = all(answer == first for answer in answers)
        is_new = first["leader"] not in (None, former)
        return first if same and is_new and first["value"] else None

    def test_every_node_shows_the_leaders_token_address_and_value(self):
        options = ["--expect", "3", "--detect", "400ms"]
        with PublishingCluster(TOOL, TICKER, list("abc"), options) as cluster:
            cluster.start()
            nodes = list(cluster.nodes.values())
            first = wait_for(lambda: self.agreed(nodes), 30, "all see the value")
            self.assertEqual(first["value"], f"http://{first['leader']}:80")
            self.assertRegex(first["address"], r"^127\.0\.0\.1:\d+$")
            leader = cluster.nodes[first["leader"]]
            self.assertIn(first["value"], self.ask(leader, "status").stdout)
            leader.kill()
            others = [node for node in nodes if node is not leader]
            second = wait_for(lambda: self.agreed(others, leader.name), 30, "they see the next")
            self.assertEqual(second["value"], f"http://{second['leader']}:80")
            self.assertGreater(int(second["token"]), int(first["token"]))

    def test_what_cannot_be_published_is_refused_at_the_start(self):
        base = [TOOL, "run", "--group", "g", "--members", "a", "--name", "a"]
        for words, told in (
            (["--publish", "x" * 257], "--publish cannot be 'xxx"),
            (["--publish", "\x1b[2J"], "give text in UTF-8 without control characters"),
            (["--publish", "x", "--witness"], "--witness never leads"),
        ):
            refused = subprocess.run([*base, *words], capture_output=True, text=True, timeout=20)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(told, refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
