"""What somebody without the key, or without rights, cannot do: forger_test.py TOOL TICKER

A user without rights of the same machine, and a host without the key on the same network, forge,
replay and redirect datagrams; nothing may move and nothing may be redirected. And datagrams that
are only late end no node. Needs root for other users and for network namespaces.
"""

import json
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from cluster import Cluster, boot_time, wait_for
from namespaces import NamespacedCluster, possible, run
from relay import RelayedCluster

from netns import try_run

TOOL, TICKER = sys.argv[1:3]
NOBODY = 65534
KIND, DEATH_NOTICE = 6, 3  # see docs/wire.md

# Runs as the attacker, until its input ends: argv is its own address and, as JSON, what to do.
ATTACKER = """
import json, os, random, select, socket, struct, sys, time
SEALED, KIND, SENDER, HINT, SEQUENCE, BODY, TAG = 5, 6, 16, 44, 48, 56, 16
home, how = sys.argv[1], json.loads(sys.argv[2])
if how["user"]:
    os.setgroups([]); os.setgid(how["user"]); os.setuid(how["user"])
MEETING = ("239.255.76.76", 7676)
ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
ear.bind(MEETING)
ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
               socket.inet_aton(MEETING[0]) + socket.inet_aton(home))
mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
mouth.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(home))
mouth.bind((home, 0))
identities, recorded = {}, []
said = {"heard": 0, "sent": 0, "stolen": 0, "greetings": 0}

def say(datagram, to):
    said["sent"] += 1
    mouth.sendto(datagram, to)

def forged(datagram):
    # The same sender with a later number: that it leaves, that it is dead, and what it said last.
    for sealed in (0, 1):
        for kind, body in ((2, b"\\x02"), (2, b"\\x01\\x00"), (3, datagram[BODY:-TAG]),
                           (0, datagram[BODY:-TAG]), (2, datagram[BODY:-TAG])):
            made = bytearray(datagram[:BODY])
            made[SEALED], made[KIND] = sealed, kind
            if not sealed:
                made[HINT:HINT + 4] = bytes(4)
            number = struct.unpack_from("<Q", made, SEQUENCE)[0] + random.randrange(1, 40)
            struct.pack_into("<Q", made, SEQUENCE, 2**64 - 1 if kind == 3 else number)
            yield bytes(made) + body + (os.urandom(TAG) if sealed else b"")

print("ready", flush=True)
while True:
    ready, _, _ = select.select([ear, mouth, sys.stdin], [], [])
    if sys.stdin in ready:
        break
    if mouth in ready:  # somebody answers the attacker
        datagram, source = mouth.recvfrom(65536)
        said["greetings" if datagram[KIND] == 1 else "stolen"] += 1
        if "relay" in how["do"]:
            receiver = datagram[24:32]
            for place, identity in identities.items():
                if identity == receiver:
                    say(datagram, place)
    if ear not in ready:
        continue
    datagram, source = ear.recvfrom(65536)
    if source == mouth.getsockname() or len(datagram) < BODY + TAG:
        continue
    said["heard"] += 1
    identities[source] = datagram[SENDER:SENDER + 8]
    recorded.append(datagram)
    places = [MEETING, *identities]
    if "repeat" in how["do"]:
        for place in places:
            if place != source:
                say(datagram, place)
    if "forge" in how["do"]:
        for each in forged(datagram):
            for place in places:
                say(each, place)
    if "replay" in how["do"]:
        for each in random.sample(recorded, min(len(recorded), 20)):
            for place in places:
                say(each, place)
print(json.dumps(said))
"""


class Attack:
    """It goes on, as long as the context does."""

    def __init__(self, prefix, home, *what, user=0):
        how = json.dumps({"do": what, "user": user})
        self.words = [*prefix, sys.executable, "-c", ATTACKER, home, how]

    def __enter__(self):
        self.process = subprocess.Popen(
            self.words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.process.stdout.readline()  # it listens
        return self

    def __exit__(self, *ignored):
        output, _ = self.process.communicate(timeout=60)  # its input ends, and so does it
        self.said = json.loads(output)
        print(self.said, file=sys.stderr)


class Attacks(unittest.TestCase):
    def enter(self, made):
        made.__enter__()
        self.addCleanup(made.__exit__, None, None, None)
        return made

    def begin(self, cluster):
        cluster.start()
        cluster.wait_for_work(0, 60)
        cluster.wait_until_settled()
        return cluster

    def stands(self, cluster):
        states = {name: node.status() for name, node in cluster.nodes.items()}
        return {
            name: (s["leader"], s["lease"]["token"], s["lease"]["changes"], s["lease"]["merges"])
            + tuple(sorted((m["name"], m["address"], m["alive"]) for m in s["members"]))
            for name, s in states.items()
        }

    def nothing_moves(self, cluster, attack, seconds=3):
        """Neither while the nodes find each other nor later."""
        with attack:
            self.begin(cluster)
            before = self.stands(cluster)
            time.sleep(seconds)
            self.assertEqual(self.stands(cluster), before)
        said = attack.said
        self.assertGreater(said["heard"], 20)
        self.assertGreater(said["sent"], 50)
        self.assertEqual(said["stolen"], 0, "an answer went to the attacker")
        cluster.check_ticks()
        return said


class OtherUser(Attacks):
    """Of the same machine, without rights."""

    def setUp(self):
        if os.geteuid() != 0:
            self.skipTest("another user needs root")
        options = ["--expect", "3", "--detect", "1s"]
        self.cluster = self.enter(Cluster(TOOL, TICKER, list("abc"), options))

    def attack(self, *what):
        return Attack([], "127.0.0.1", *what, user=NOBODY)

    def test_cannot_forge_in_a_group_without_a_key(self):
        self.nothing_moves(self.cluster, self.attack("forge"))
        log = self.cluster.nodes["a"].log.read_text()
        self.assertIn("is not sealed with this user's key: perhaps another user runs group", log)
        self.assertEqual(log.count("is not sealed with this user's key"), 1)

    def test_cannot_replay_or_redirect_in_a_group_without_a_key(self):
        self.nothing_moves(self.cluster, self.attack("replay", "repeat", "relay"))

    def test_has_a_key_of_its_own(self):
        self.begin(self.cluster)
        folder = self.cluster.folder
        home = folder / "home"
        home.mkdir()
        os.chown(home, NOBODY, NOBODY)
        folder.chmod(0o711)
        before = self.stands(self.cluster)
        words = [TOOL, "agent", "--group", self.cluster.group, "--name", "d", "--expect", "3"]
        words += ["--detect", "1s", "--state", str(home / "state")]
        log = folder / "d.log"
        with open(log, "w") as into:
            stranger = subprocess.Popen(
                words, stderr=into, env={"HOME": str(home)}, user=NOBODY, group=NOBODY
            )
        try:
            time.sleep(2)
            self.assertIsNone(stranger.poll())
        finally:
            stranger.send_signal(signal.SIGTERM)
            stranger.wait(20)
        self.assertEqual(self.stands(self.cluster), before)
        self.assertIn("perhaps another user runs group", log.read_text())
        self.assertIn(
            "perhaps another user runs group", self.cluster.nodes["a"].log.read_text()
        )
        key = home / ".local/state/conclave/loopback.key"
        self.assertEqual(key.stat().st_mode & 0o7777, 0o600)
        self.assertEqual(key.stat().st_uid, NOBODY)


class OtherHost(Attacks):
    """Of the same network, without the key."""

    def setUp(self):
        if not possible():
            self.skipTest("network namespaces need root, and a machine that allows them")
        options = ["--expect", "3", "--detect", "1s"]
        self.cluster = self.enter(NamespacedCluster(TOOL, TICKER, list("abcx"), options))
        self.attacker = self.cluster.nodes.pop("x")
        self.addCleanup(subprocess.run, ["ip", "netns", "del", self.cluster.space("x")])

    def attack(self, *what):
        return Attack(self.cluster.prefix("x"), "10.76.0.4", *what)

    def test_without_the_key_redirects_no_answer(self):
        self.nothing_moves(self.cluster, self.attack("repeat"))

    def test_that_relays_challenges_and_echoes_redirects_no_answer(self):
        said = self.nothing_moves(self.cluster, self.attack("repeat", "relay"))
        self.assertGreater(said["greetings"], 0)  # it was challenged, and passed that on

    def test_without_the_key_forges_and_replays_nothing(self):
        self.nothing_moves(self.cluster, self.attack("forge", "replay"))


    def test_a_member_whose_address_changes_is_found_again(self):
        leader = self.begin(self.cluster).wait_for_work(0)
        moved = next(name for name in "abc" if name != leader.name)
        before = leader.status()["lease"]
        inside = ["ip", "-n", self.cluster.space(moved), "addr"]
        number = 1 + "abc".index(moved)
        run(*inside, "add", f"10.76.0.{number + 20}/24", "dev", "eth0")
        run(*inside, "del", f"10.76.0.{number}/24", "dev", "eth0")
        try_run(*inside, "add", f"10.76.0.{number + 20}/24", "dev", "eth0")  # may go with the first
        new = f"10.76.0.{number + 20}:"
        places = lambda: {m["name"]: m["address"] for m in leader.status()["members"]}
        wait_for(lambda: places()[moved].startswith(new), 20, "it is found at its new address")
        after = leader.status()["lease"]
        self.assertEqual((before["token"], before["changes"]), (after["token"], after["changes"]))
        self.cluster.check_ticks()


class Late(Attacks):
    def test_a_datagram_of_its_former_self_ends_no_node(self):
        options = ["--detect", "1s"]
        cluster = self.begin(self.enter(RelayedCluster(TOOL, TICKER, list("abc"), options)))
        lost = cluster.wait_for_work(0)  # the leader, whom the others then miss
        held, take = [], cluster.relay.take

        def hold(pair, datagram):
            if pair[0] == lost.name:
                held.append((pair, datagram))
            else:
                take(pair, datagram)

        cluster.relay.take = hold
        wait_for(lambda: held, 20, "it says something")
        lost.kill()
        time.sleep(0.1)  # its guardian's death notice does not get through
        cluster.relay.take = take
        for file in Path(lost.state).rglob("*.state"):
            file.unlink()
        lost.start()
        time.sleep(0.5)
        for pair, datagram in held:
            if datagram[KIND] != DEATH_NOTICE:
                cluster.relay.hand_on(pair, datagram)
        time.sleep(2)
        self.assertTrue(lost.alive, lost.log.read_text()[-2000:])
        wait_for(lambda: not lost.status()["lease"]["amnesiac"], 30, "it has its memory back")
        cluster.check_ticks()

    def test_of_two_with_one_name_the_second_ends_with_121_and_the_first_stays(self):
        options = ["--expect", "3", "--detect", "1s"]
        cluster = self.begin(self.enter(Cluster(TOOL, TICKER, list("abc"), options)))
        before, state = self.stands(cluster), cluster.folder / "state-second"
        words = [TOOL, "agent", "--group", cluster.group, "--name", "b", "--state", str(state)]
        began = time.monotonic()
        second = subprocess.run([*words, *options], capture_output=True, text=True, timeout=30)
        self.assertEqual(second.returncode, 121, second.stderr)
        self.assertIn("the name 'b' is taken by another node", second.stderr)
        self.assertGreater(time.monotonic() - began, 1)
        self.assertEqual(self.stands(cluster), before)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
