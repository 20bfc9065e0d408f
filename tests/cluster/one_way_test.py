"""One way of a link is blocked, and doctor says which: one_way_test.py TOOL TICKER

Nodes of this machine behind a relay that hands on nothing from one node to one other.
"""

import subprocess
import sys
import unittest

from cluster import wait_for
from relay import RelayedCluster

TOOL, TICKER = sys.argv[1:3]


class OneWay(unittest.TestCase):
    def cluster(self):
        options = ["--detect", "400ms"]
        made = RelayedCluster(TOOL, TICKER, list("abc"), options)
        made.group += str(len(self._cleanups))
        made.__enter__()
        self.addCleanup(made.__exit__, None, None, None)
        return made

    def doctor(self, node):
        where = ["--group", node.cluster.group, "--name", node.name, "--state", str(node.state)]
        asked = subprocess.run([TOOL, "doctor", *where], capture_output=True, text=True, timeout=20)
        return asked.stdout

    def wait_for_finding(self, node, *parts):
        def found():
            said.append(self.doctor(node))
            return any(all(p in line for p in parts) for line in said[-1].splitlines())

        said = []
        try:
            wait_for(found, 20, f"doctor of {node.name} says {parts}")
        except Exception:
            print(said[-1], node.log.read_text())
            raise

    def settled(self, leader):
        """Those who follow say nothing to each other unasked; the leader speaks to all."""
        cluster = self.cluster()
        for node in cluster.nodes.values():
            node.start("--priority", "1" if node.name == leader else "0")
        cluster.wait_for_work(0, 30)
        wait_for(lambda: cluster.settled() and cluster.last_tick().node == leader, 30, "it leads")
        return cluster

    def test_the_way_from_one_to_another_is_named_at_both_its_ends(self):
        for leader in "abc":
            with self.subTest(leader):
                cluster = self.settled(leader)
                cluster.relay.cut.add(("a", "b"))
                a, b = cluster.nodes["a"], cluster.nodes["b"]
                self.wait_for_finding(b, "'a' has been silent", "'c' hears it",
                                      "the way from it to here is blocked")
                self.wait_for_finding(a, "'b' is heard, but does not hear this node",
                                      "the way from here to it is blocked")

    def test_a_way_that_was_always_blocked_is_named_at_both_its_ends(self):
        cluster = self.cluster()
        cluster.relay.cut.add(("a", "b"))
        cluster.start()
        a, b = cluster.nodes["a"], cluster.nodes["b"]
        door = cluster.relay.doors["a", "b"].getsockname()[1]
        self.wait_for_finding(a, f"127.0.0.1:{door} is heard, but answers nothing",
                              "the way from here to it is blocked", f"open udp port {door}")
        self.wait_for_finding(b, "'a' was never heard", "'c' hears it",
                              "the way from it to here is blocked")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
