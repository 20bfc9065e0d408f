"""A network of this machine's own: each node in a network namespace, all on a bridge.

A part of the network is cut off by moving its ports to another bridge. Needs root.
"""

import os
import sys
from pathlib import Path

from cluster import Cluster

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))

from netns import possible, run, try_run  # noqa: E402

__all__ = ["NamespacedCluster", "possible", "run"]


class NamespacedCluster(Cluster):
    def __init__(self, tool, ticker, names, options=(), manners=()):
        super().__init__(tool, ticker, names, options, manners)
        self.mark = f"{os.getpid() % 100000:x}"
        self.bridges = [f"cb{self.mark}-{i}" for i in range(max(3, len(names)))]
        key = self.folder / "group.key"
        run(self.tool, "keygen", str(key))
        self.options += ["--key", str(key)]

    def space(self, name):
        return f"cn{self.mark}-{name}"

    def port(self, name):
        return f"cv{self.mark}-{name}"

    def prefix(self, name):
        return ["ip", "netns", "exec", self.space(name)]

    def __enter__(self):
        try:
            self.build()
        except BaseException:
            self.tear_down()
            raise
        return self

    def build(self):
        for bridge in self.bridges:
            run("ip", "link", "add", bridge, "type", "bridge", "mcast_snooping", "0")
            run("ip", "link", "set", bridge, "up")
        for number, name in enumerate(self.names, 1):
            space, port = self.space(name), self.port(name)
            run("ip", "netns", "add", space)
            run("ip", "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space)
            run("ip", "link", "set", port, "master", self.bridges[0], "up")
            inside = ["ip", "-n", space]
            run(*inside, "link", "set", "lo", "up")
            run(*inside, "addr", "add", f"10.76.0.{number}/24", "dev", "eth0")
            run(*inside, "link", "set", "eth0", "up")

    def __exit__(self, kind, error, trace):
        super().__exit__(kind, error, trace)
        self.tear_down()

    def tear_down(self):
        for name in self.names:
            try_run("ip", "netns", "del", self.space(name))
            try_run("ip", "link", "del", self.port(name))
        for bridge in self.bridges:
            try_run("ip", "link", "del", bridge)

    # ---------------------------------------------------------------- faults and their end

    def split(self, parts):
        """Each part on a bridge of its own: split([["a"], ["b", "c"]])."""
        for bridge, part in zip(self.bridges, parts):
            for name in part:
                run("ip", "link", "set", self.port(name), "master", bridge)

    def heal(self):
        self.split([list(self.nodes)])
        for name in self.nodes:
            run("ip", "link", "set", self.port(name), "up")
            try_run("ip", "-n", self.space(name), "link", "set", "eth0", "up")
            self.hear(name, True)

    def link(self, name, up):
        run("ip", "-n", self.space(name), "link", "set", "eth0", "up" if up else "down")

    def silence(self, name):
        """The bridge's port goes down: the node sees no carrier and hears nothing."""
        run("ip", "link", "set", self.port(name), "down")

    def hear(self, name, on):
        """Off: what others say no longer reaches the node, what it says reaches them."""
        word, port = "on" if on else "off", self.port(name)
        run("bridge", "link", "set", "dev", port, "mcast_flood", word, "flood", word)
        run("bridge", "link", "set", "dev", port, "bcast_flood", word, "learning", word)
        run("ip", "link", "set", port, "type", "bridge_slave", "fdb_flush")
