"""Members named by host: looked up again while silent, and followed when they move.

host_names_test.py TOOL TICKER
"""

import sys
import unittest

from cluster import wait_for
from namespaces import NamespacedCluster, possible, run

TOOL, TICKER = sys.argv[1:3]
MEMBERS = "a=host-a,b=host-b,c=host-c"


class NamedHosts(NamespacedCluster):
    """Every node has an /etc/hosts of its own."""

    def hosts(self, name):
        return self.folder / f"hosts-{name}"

    def prefix(self, name):
        bind = 'mount --bind "$0" /etc/hosts && exec "$@"'
        words = ["unshare", "-m", "sh", "-c", bind, str(self.hosts(name))]
        return [*super().prefix(name), *words]

    def know(self, name, numbers):
        """In place, for a mount shows the very file."""
        lines = [f"10.76.0.{number} host-{other}\n" for other, number in numbers.items()]
        with open(self.hosts(name), "w", encoding="utf-8") as file:
            file.writelines(["127.0.0.1 localhost\n", *lines])

    def move(self, name, old, new):
        inside = ["ip", "-n", self.space(name), "addr"]
        run(*inside, "del", f"10.76.0.{old}/24", "dev", "eth0")  # first: it takes others along
        run(*inside, "add", f"10.76.0.{new}/24", "dev", "eth0")

    def address_seen(self, by, of):
        status = self.nodes[by].status()
        members = {member["name"]: member for member in status["members"]} if status else {}
        return members.get(of, {}).get("address", "")


class Hosts(unittest.TestCase):
    def setUp(self):
        if not possible():
            sys.exit(77)
        options = ["--members", MEMBERS, "--detect", "1s"]
        self.cluster = NamedHosts(TOOL, TICKER, list("abc"), options)
        self.enterContext(self.cluster)

    def await_address(self, by, of, number):
        def seen():
            return self.cluster.address_seen(by, of).startswith(f"10.76.0.{number}:")

        wait_for(seen, 30, f"{by} sees {of} at its new address")

    def test_a_name_that_becomes_known_later_is_found(self):
        for name in "abc":
            self.cluster.know(name, {"a": 1, "b": 2} if name != "c" else {})
        self.cluster.start()
        wait_for(lambda: "host-c" in self.cluster.nodes["a"].log.read_text(), 20, "a asks for c")
        self.assertEqual(self.cluster.ticks(), [])  # a new group waits for all of its members
        for name in "ab":
            self.cluster.know(name, {"a": 1, "b": 2, "c": 3})
        self.cluster.wait_for_work(0, 30)

    def test_a_member_that_moves_is_followed(self):
        for name in "abc":
            self.cluster.know(name, {"a": 1, "b": 2, "c": 3})
        self.cluster.start()
        self.cluster.wait_for_work(0, 30)
        leader = self.cluster.last_tick().node  # those who follow speak to nobody else
        numbers = dict(zip("abc", (1, 2, 3)))
        mover, stranger = [name for name in "abc" if name != leader]
        # It speaks from its new address, and proves with the key that it is there.
        self.cluster.move(mover, numbers[mover], 12)
        self.await_address(leader, mover, 12)
        # One that knows nobody's name can only be found by its own, when that is looked up again.
        self.cluster.nodes[stranger].kill()
        self.cluster.move(stranger, numbers[stranger], 13)
        self.cluster.know(stranger, {})
        self.cluster.know(leader, {**numbers, mover: 12, stranger: 13})
        self.cluster.nodes[stranger].start()
        self.await_address(leader, stranger, 13)
        status = self.cluster.nodes[stranger].status
        wait_for(lambda: status() and status()["leader"] == leader, 30, "it follows")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
