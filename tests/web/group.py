"""Three nodes in network namespaces, for a browser on this machine: group.py TOOL TICKER

Reads a JSON object a line, {"do": "kill", "name": "anna"}, does it, and answers with one. First it
says where the nodes' pages are. A second link of each namespace, which the nodes do not use for
their datagrams, leads to their HTTP ports: a page can be read while its node is cut off.
With --possible it only says, by its exit code, whether this machine allows all of that.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cluster"))

from namespaces import NamespacedCluster, possible, run  # noqa: E402

NAMES = ["anna", "boris", "clara"]
DETECT = "1500ms"  # machines that run tests are busy
OPTIONS = ["--expect", "3", "--detect", DETECT, "--interface", "eth0"]


class Group(NamespacedCluster):
    def __init__(self, tool, ticker):
        super().__init__(tool, ticker, NAMES, OPTIONS)
        self.group = "jobs"
        self.net = f"172.30.{os.getpid() % 250}"

    def web(self, name):
        """Address of the node's HTTP port; its neighbour, one less, is this machine's."""
        return f"{self.net}.{4 * NAMES.index(name) + 2}"

    def options_of(self, name):
        return ["--http", f"{self.web(name)}:7677"]

    def build(self):
        super().build()
        for number, name in enumerate(NAMES):
            space, port = self.space(name), f"cw{self.mark}-{name}"
            run("ip", "link", "add", port, "type", "veth", "peer", "name", "web0", "netns", space)
            run("ip", "addr", "add", f"{self.net}.{4 * number + 1}/30", "dev", port)
            run("ip", "link", "set", port, "up")
            run("ip", "-n", space, "addr", "add", f"{self.web(name)}/30", "dev", "web0")
            run("ip", "-n", space, "link", "set", "web0", "up")

    # ---------------------------------------------------------------- what a test asks for

    def do_kill(self, name):
        self.nodes[name].kill()

    def do_start(self, name):
        self.nodes[name].start()

    def do_pause(self, name):
        self.nodes[name].signal(signal.SIGSTOP)

    def do_resume(self, name):
        self.nodes[name].signal(signal.SIGCONT)

    def do_cut(self, name):
        self.split([[each for each in NAMES if each != name], [name]])

    def do_block(self, name, other):
        """Neither hears the other; both hear everybody else."""
        for here, there in ((name, other), (other, name)):
            from_there = f"ip saddr 10.76.0.{NAMES.index(there) + 1} drop"
            rules = ("add table ip block; add chain ip block input { type filter hook input "
                     f"priority 0; }}; add rule ip block input {from_there}")
            run(*self.prefix(here), "nft", rules)

    def do_heal(self):
        self.heal()
        for name in NAMES:
            run(*self.prefix(name), "nft", "flush", "ruleset")

    def do_run(self, name, words):
        """A verb of the tool, asked of that node."""
        where = ["--group", self.group, "--name", name, "--state", str(self.nodes[name].state)]
        asked = subprocess.run([self.tool, *words, *where], capture_output=True, text=True,
                               timeout=40)
        return {"code": asked.returncode, "out": asked.stdout, "error": asked.stderr}

    def do_settle(self):
        """Ends every fault, and says which leader all follow then."""
        self.do_heal()
        for node in self.nodes.values():
            node.signal(signal.SIGCONT)
            if not node.alive:
                node.start()
        self.wait_until_settled()
        self.check_ticks()
        return {"leader": next(iter(self.nodes.values())).status()["leader"]}


def serve(group):
    group.start()
    group.wait_for_work(0, 30)
    pages = {name: f"http://{group.web(name)}:7677/" for name in NAMES}
    print(json.dumps({"pages": pages}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        done = getattr(group, "do_" + asked.pop("do"))(**asked)
        print(json.dumps(done or {}), flush=True)


def main():
    if not possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    if "--possible" in sys.argv:
        return 0
    with Group(*sys.argv[1:3]) as group:
        serve(group)
    return 0


if __name__ == "__main__":
    sys.exit(main())
