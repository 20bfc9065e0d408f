"""The virtual address of examples/virtual-ip moves, and two machines never have it at once.

virtual_ip_test.py TOOL TICKER
"""

import signal
import subprocess
import sys
import threading
import unittest
from pathlib import Path

from cluster import wait_for
from namespaces import NamespacedCluster, possible

TOOL, TICKER = sys.argv[1:3]
SCRIPT = Path(__file__).resolve().parents[2] / "examples/virtual-ip/virtual-ip"
ADDRESS = "10.76.0.100/24"


class VirtualIp(NamespacedCluster):
    def command(self):
        return [str(SCRIPT), "hold", ADDRESS, "eth0"]

    def has(self, name):
        show = ["ip", "-n", self.space(name), "-o", "address", "show", "dev", "eth0"]
        listing = subprocess.run(show, capture_output=True, text=True, check=True).stdout
        return f" {ADDRESS} " in listing

    def holders(self):
        return [name for name in self.nodes if self.has(name)]


class Watch(threading.Thread):
    """Looks for two that have it: one before and after the look at the other."""

    def __init__(self, cluster):
        super().__init__(daemon=True)
        self.cluster, self.over, self.looks, self.overlaps = cluster, False, 0, []

    def run(self):
        while not self.over:
            self.looks += 1
            for name in self.cluster.nodes:
                if not self.cluster.has(name):
                    continue
                others = [n for n in self.cluster.nodes if n != name and self.cluster.has(n)]
                if others and self.cluster.has(name):
                    self.overlaps.append((name, others))


class Moves(unittest.TestCase):
    def setUp(self):
        if not possible():
            sys.exit(77)
        drop = f"{SCRIPT} drop {ADDRESS} eth0"
        options = ["--expect", "3", "--detect", "1s", "--on-stopped", drop]
        self.cluster = VirtualIp(TOOL, TICKER, list("abc"), options)
        self.enterContext(self.cluster)
        self.cluster.start()
        self.watch = Watch(self.cluster)
        self.watch.start()

    def tearDown(self):
        self.watch.over = True
        self.watch.join()
        self.assertGreater(self.watch.looks, 10)
        self.assertEqual(self.watch.overlaps, [])

    def holder_but(self, *former):
        def found():
            holders = self.cluster.holders()
            return holders[0] if len(holders) == 1 and holders[0] not in former else None

        return wait_for(found, 30, f"somebody but {former} has the address")

    def test_it_moves_when_the_agent_is_killed_asked_to_end_or_cut_off(self):
        first = self.holder_but()
        self.cluster.nodes[first].signal(signal.SIGKILL)
        second = self.holder_but(first)
        self.cluster.nodes[first].kill()
        self.cluster.nodes[first].start()
        self.cluster.nodes[second].stop()
        third = self.holder_but(second)
        self.cluster.nodes[second].start()
        wait_for(lambda: self.cluster.nodes[second].status(), 20, "it is back")
        others = [name for name in self.cluster.nodes if name != third]
        self.cluster.split([[third], others])
        self.holder_but(third)
        self.cluster.heal()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
