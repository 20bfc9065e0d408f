"""Nodes in network namespaces, seen and examined: network_test.py TOOL TICKER

What a group without a quorum does in a partition, what an observer sees, how nodes meet by
broadcast and after a link was down, and what `conclave doctor` finds when something is wrong with
names, network, keys, versions or times.
"""

import json
import subprocess
import sys
import time
import unittest

from cluster import boot_time, wait_for
from namespaces import NamespacedCluster, possible, run
from storm import ALLOWANCE, read_bound

TOOL, TICKER = sys.argv[1:3]
DETECT = ["--detect", "400ms"]


class Network(unittest.TestCase):
    def cluster(self, *options, names="abc", base=DETECT):
        made = NamespacedCluster(TOOL, TICKER, list(names), [*base, *options])
        made.__enter__()
        self.addCleanup(made.__exit__, None, None, None)
        return made

    def ask(self, node, *words):
        where = ["--group", node.cluster.group, "--name", node.name, "--state", str(node.state)]
        return subprocess.run([TOOL, *words, *where], capture_output=True, text=True, timeout=20)

    def wait_for_finding(self, node, *parts):
        """What doctor says, once all parts are in one of its lines."""

        def found():
            asked = self.ask(node, "doctor")
            lines = [l for l in asked.stdout.splitlines() if all(p in l for p in parts)]
            return asked if lines else None

        try:
            asked = wait_for(found, 20, f"doctor of {node.name} says {parts}")
        except Exception:
            print(self.ask(node, "doctor").stdout, node.log.read_text())
            raise
        self.assertEqual(asked.returncode, 1)

    def runners(self, cluster, seconds=0.2):
        since = boot_time()
        time.sleep(seconds)
        return {tick.node for tick in cluster.ticks(since)}

    def test_a_firewall_need_open_no_other_port_than_udp_7675_and_7676(self):
        cluster = self.cluster("--expect", "3")
        script = (
            "import socket, sys, time\n"
            "s = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))\n"
            "s.settimeout(0.1)\n"
            "ports = set()\n"
            "while sys.argv[1] == 'listen':\n"
            "    try:\n"
            "        data, where = s.recvfrom(4096)\n"
            "    except TimeoutError:\n"
            "        continue\n"
            "    port = int.from_bytes(data[22:24], 'big')\n"
            "    if where[2] != 4 and data[9] == 17 and port not in ports:\n"  # not our own
            "        ports.add(port), print(port, flush=True)\n"
        )
        listeners = [
            subprocess.Popen([*cluster.prefix(name), sys.executable, "-c", script, "listen"],
                             stdout=subprocess.PIPE, text=True)
            for name in cluster.nodes
        ]
        time.sleep(0.5)
        cluster.start()
        leader = cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        token = cluster.last_tick().token
        leader.stop()
        cluster.wait_for_work(boot_time(), 30, token)
        for listener in listeners:
            listener.kill()
        heard = [set(listener.communicate()[0].split()) for listener in listeners]
        self.assertEqual(heard, [{"7675", "7676"}] * 3)

    # ------------------------------------------------------------------ roles

    def test_without_a_quorum_every_part_has_a_leader_and_one_is_left_when_they_meet(self):
        cluster = self.cluster("--expect", "3", "--no-quorum")
        cluster.start()
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        leader = cluster.last_tick().node
        rest = [name for name in cluster.nodes if name != leader]
        cluster.split([[leader], rest])
        wait_for(lambda: len(self.runners(cluster)) == 2, 30, "both parts run the command")
        self.assertIn("two may lead at once", cluster.nodes[leader].status()["remark"])
        bound = json.loads(self.ask(cluster.nodes[leader], "bound", "--json").stdout)
        self.assertTrue(bound["no_quorum"])
        cluster.heal()
        wait_for(lambda: len(self.runners(cluster)) == 1, 30, "one command is left")
        cluster.wait_until_settled()

    def test_an_observer_sees_the_leader_and_is_not_counted(self):
        cluster = self.cluster("--expect", "3", names="abco")
        observer = cluster.nodes.pop("o")
        cluster.start()
        cluster.wait_for_work(0, 30)
        words = [*cluster.prefix("o"), TOOL, "agent", "--group", cluster.group, "--name", "o"]
        words += ["--state", str(observer.state), *DETECT, "--observer"]
        words += cluster.options[-2:]  # the key
        with open(observer.log, "ab") as log:
            observer.process = subprocess.Popen(words, stdout=log, stderr=log)
        cluster.nodes["o"] = observer  # it is ended like the others
        cluster.wait_until_settled()
        state = observer.status()
        self.assertEqual(state["state"], "observer")
        self.assertEqual([m["name"] for m in state["members"]], ["a", "b", "c"])
        cluster.nodes[state["leader"]].kill()
        wait_for(
            lambda: observer.status()["leader"] not in ("", state["leader"]), 30, "it sees the next"
        )

    def expect_next_leader(self, cluster):
        cluster.start()
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        token = cluster.last_tick().token
        cluster.nodes[cluster.last_tick().node].kill()
        cluster.wait_for_work(0, 30, token)
        cluster.check_ticks()

    def test_nodes_meet_by_broadcast(self):
        cluster = self.cluster("--expect", "3", "--broadcast")
        self.expect_next_leader(cluster)

    def test_nodes_meet_by_multicast_of_ipv6(self):
        cluster = self.cluster("--expect", "3", "--meeting", "[ff02::7676]")
        self.expect_next_leader(cluster)

    def expect_return_of_link(self, *more):
        """Of three members one is dead, so the leader and the other need each other."""
        cluster = self.cluster("--expect", "3", *more)
        cluster.start()
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        leader = cluster.nodes[cluster.last_tick().node]
        bound = read_bound(leader)["silent"] + ALLOWANCE
        next(node for node in cluster.nodes.values() if node is not leader).kill()
        cluster.link(leader.name, False)
        # A node looks at its interfaces every 5 s, from its start on. The link comes back soon
        # after a look, so that a node that only looks would be late by far more than the bound.
        time.sleep(2 + (4 - (boot_time() - leader.started)) % 5)
        self.assertEqual(self.runners(cluster), set())
        returned = boot_time()
        cluster.link(leader.name, True)
        cluster.wait_for_work(returned, 30)
        gap = min(tick.time for tick in cluster.ticks(returned)) - returned
        self.assertLess(gap, bound)
        cluster.check_ticks()

    def test_the_command_runs_within_the_bound_when_a_link_comes_back(self):
        self.expect_return_of_link()

    def expect_meeting_on_loopback(self, *more):
        cluster = self.cluster("--expect", "2", "--interface", "lo", *more, names="ab")
        cluster.prefix = lambda _: ["ip", "netns", "exec", cluster.space("a")]
        cluster.start()
        cluster.wait_for_work(0, 30)
        self.assertIn("meets the others on lo", cluster.nodes["a"].log.read_text())

    def test_nodes_of_one_machine_meet_by_multicast_on_the_loopback_if_it_is_named(self):
        self.expect_meeting_on_loopback()

    def test_nodes_of_one_machine_meet_by_broadcast_on_the_loopback_if_it_is_named(self):
        self.expect_meeting_on_loopback("--broadcast")

    # ------------------------------------------------------------------ what doctor finds

    def test_doctor_finds_nothing_in_a_healthy_group(self):
        cluster = self.cluster("--expect", "3", base=["--detect", "2s"])
        cluster.start()
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()

        def well():
            lines = self.ask(cluster.nodes["a"], "doctor").stdout.splitlines()
            # A busy machine is late, and says so.
            return lines[0] == "all is well" or all("late" in line for line in lines)

        wait_for(well, 20, "doctor finds nothing")

    def test_doctor_finds_unequal_times(self):
        cluster = self.cluster("--members", "a,b,c", base=[])
        cluster.nodes["a"].start("--detect", "1s")
        cluster.nodes["b"].start("--detect", "2s")
        self.wait_for_finding(cluster.nodes["a"], "'b' has --detect 2s", "this node 1s")
        self.wait_for_finding(cluster.nodes["b"], "'a' has --detect 1s", "this node 2s")

    def test_doctor_finds_a_name_that_two_bear(self):
        cluster = self.cluster("--members", "a,b,c")
        cluster.nodes["a"].start()
        wait_for(lambda: cluster.nodes["a"].status(), 20, "it is up")
        cluster.nodes["b"].start("--name", "a")
        code = cluster.nodes["b"].process.wait(20)
        self.assertEqual(code, 121)
        self.assertIn("the name 'a' is taken", cluster.nodes["b"].log.read_text())
        self.wait_for_finding(cluster.nodes["a"], "bears the name 'a', too", "--name")

    def test_doctor_finds_another_key(self):
        cluster = self.cluster("--members", "a,b,c")
        cluster.nodes["a"].start()
        other = cluster.folder / "other.key"
        run(TOOL, "keygen", str(other))
        cluster.nodes["b"].start("--key", str(other))
        self.wait_for_finding(cluster.nodes["a"], "another key", "every node of the group the same")

    def test_doctor_finds_a_version_that_is_not_spoken(self):
        cluster = self.cluster("--members", "a,b,c")
        cluster.nodes["a"].start()
        wait_for(lambda: cluster.nodes["a"].status(), 20, "it is up")
        datagram = "cncv" + "\\xff" + "\\0" * 59
        script = (
            "import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
            f"s.sendto(b'{datagram}', ('239.255.76.76', 7676))"
        )
        run("ip", "-n", cluster.space("b"), "route", "add", "239.0.0.0/8", "dev", "eth0")

        def send():
            run(*cluster.prefix("b"), sys.executable, "-c", script)
            return "version" in self.ask(cluster.nodes["a"], "doctor").stdout

        wait_for(send, 20, "the datagram is counted")
        self.wait_for_finding(cluster.nodes["a"], "a version that is not spoken here", "upgrade")

    def test_doctor_finds_blocked_multicast(self):
        cluster = self.cluster("--members", "a,b,c")
        inside = ["ip", "-n", cluster.space("a")]
        run(*inside, "link", "set", "eth0", "multicast", "off")
        run(*inside, "link", "set", "lo", "down")
        cluster.nodes["a"].start()
        self.wait_for_finding(cluster.nodes["a"], "multicast", "name the members with addresses")
        words = "no network interface can multicast: name the members with addresses"
        self.assertIn(words, cluster.nodes["a"].log.read_text())

    def test_doctor_finds_a_one_way_link(self):
        cluster = self.cluster("--members", "a,b,c")
        cluster.start()
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        deaf = next(n for n in cluster.nodes if n != cluster.last_tick().node)
        cluster.hear(deaf, False)
        hearing = next(n for n in cluster.nodes if n != deaf)
        self.wait_for_finding(
            cluster.nodes[hearing], f"'{deaf}' is heard, but does not hear this node", "blocked"
        )


if __name__ == "__main__":
    if not possible():
        print("network namespaces need root, and a machine that allows them")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
