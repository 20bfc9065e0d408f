"""The peer behaves as BSD timed was seen to behave, before anything of ours is tried with it.

The vectors were captured from a running BSD timed; the exchanges are played in imaginary time.
"""

import itertools
import unittest

from imaginary import ImaginaryChannel
from stage import ImaginaryStage
from tsp import Malformed, Packet, pack, some_noise, stray_bytes, timed_packet, unpack
from tsp_peer import Peer, rounded

VECTORS = {
    "MASTERREQ": "03 01 f2 c2 bd 55 00 00 00 00 00 00 62 73 64 31 00 00 00 00 00 00 00 00 bd d9",
    "MASTERACK": "04 01 1a b3 00 00 00 00 00 00 00 00 62 73 64 31 00 00 00 00 00 00 00 00 00",
    "SETTIME": "05 01 f2 c3 6a fa 14 4f 00 04 3b 89 62 73 64 31 00 00 00 00 00 00 00 00 e0 17",
    "ACK": "02 01 f2 c3 00 00 00 00 00 00 00 00 62 73 64 32 00 00 00 00 00 00 00 00 00 00",
    "BACK": "01 01 b1 8c ff ff ff fd 00 08 64 70 6e 31 00 00 80 ca bf 1f 9c 55 00 00 a0 a2",
    "FORTH": "01 01 b1 8d 00 00 00 02 00 06 41 90 6e 31 00 00 80 ca bf 1f 9c 55 00 00 a0",
    "ELECTION": "08 01 d7 2a 62 55 00 00 00 00 00 00 62 73 64 32 00 68 2a d7 62 55 00 00",
    "REFUSE": "0a 01 8f 8b ee 55 00 00 00 00 00 00 62 73 64 34 00 a8 23 95 ee 55 00 00",
    "QUIT": "0d 01 f2 cd 0a 00 00 00 00 00 00 00 62 73 64 31 00 00 00 00 00 00 00 00",
    "LOOP": "18 01 f2 c5 0a 00 00 00 00 00 00 00 62 73 64 31 00 00 00 00 00 00 00 00 00 dd",
    "SETDATEREQ": "17 01 1a b6 6a fa 14 6e 00 00 00 22 62 73 64 32 00",
    "DATEACK": "10 01 1a b6 00 00 00 00 00 00 00 00 62 73 64 31 00",
}


def captured(name):
    return bytes.fromhex(VECTORS[name]).ljust(268, b"\0")


def fields(packet):
    return packet.type, packet.sequence, packet.name


class Datagrams(unittest.TestCase):
    def test_what_was_captured_is_read(self):
        expected = {
            "MASTERREQ": ("MASTERREQ", 0xF2C2, "bsd1"),
            "MASTERACK": ("MASTERACK", 0x1AB3, "bsd1"),
            "SETTIME": ("SETTIME", 0xF2C3, "bsd1"),
            "ACK": ("ACK", 0xF2C3, "bsd2"),
            "BACK": ("ADJTIME", 0xB18C, "n1"),
            "FORTH": ("ADJTIME", 0xB18D, "n1"),
            "ELECTION": ("ELECTION", 0xD72A, "bsd2"),
            "REFUSE": ("REFUSE", 0x8F8B, "bsd4"),
            "QUIT": ("QUIT", 0xF2CD, "bsd1"),
            "LOOP": ("LOOP", 0xF2C5, "bsd1"),
            "SETDATEREQ": ("SETDATEREQ", 0x1AB6, "bsd2"),
            "DATEACK": ("DATEACK", 0x1AB6, "bsd1"),
        }
        for name, value in expected.items():
            self.assertEqual(fields(unpack(captured(name))), value)
        times = {"SETTIME": 1794774095.277385, "BACK": -2.45, "FORTH": 2.41}
        for name, value in times.items():
            self.assertAlmostEqual(unpack(captured(name)).time, value, places=5)
        self.assertEqual(unpack(captured("LOOP")).hops, 10)
        self.assertEqual(unpack(captured("SETDATEREQ")).microseconds, 34)

    def test_what_is_used_is_written_as_captured(self):
        self.assertEqual(pack(Packet("MASTERACK", 0x1AB3, "bsd1")), captured("MASTERACK"))
        self.assertEqual(pack(Packet("ACK", 0xF2C3, "bsd2")), captured("ACK"))
        back = pack(timed_packet("ADJTIME", -2.45, sequence=0xB18C, name="n1"))
        self.assertEqual(back[:15], captured("BACK")[:15])
        loop = pack(Packet("LOOP", 0xF2C5, "bsd1", hops=10))
        self.assertEqual(loop[:24], captured("LOOP")[:24])
        self.assertEqual(len(loop), 268)

    def test_stray_bytes_are_seen(self):
        self.assertEqual(stray_bytes(captured("ACK")), [])
        self.assertEqual(stray_bytes(captured("MASTERREQ")), [4, 5, 24, 25])
        noisy = pack(Packet("QUIT", 7, "x"), some_noise(1))
        self.assertGreater(len(stray_bytes(noisy)), 200)

    def test_odd_packets_are_refused(self):
        good = captured("ACK")
        for bad in (good[:43], b"\x19" + good[1:], b"\x02\x02" + good[2:]):
            self.assertRaises(Malformed, unpack, bad)
        self.assertRaises(Malformed, unpack, good[:12] + b"a" * 256)
        self.assertEqual(unpack(good[:44]).name, "bsd2")
        self.assertEqual(unpack(good + b"more").trailer, b"more")

    def test_corrections_are_rounded_askew(self):
        results = [rounded(ms / 1000) for ms in (0, 1, 2, 6, 7, 11, -2, -7)]
        self.assertEqual(results, [0, 0, 0.005, 0.005, 0.01, 0.01, -0.005, -0.01])


class Exchanges(unittest.TestCase):
    def setUp(self):
        self.stage = ImaginaryStage()
        self.count = itertools.count(1)

    def peer(self, **more):
        number = next(self.count)
        return Peer(
            self.stage, ImaginaryChannel(self.stage, number), f"n{number}", seed=number, **more
        )

    def group(self, size):
        """A master and its slaves, after some rounds."""
        peers = [self.peer() for _ in range(size)]
        for one in peers:
            one.start()
            self.stage.run(10)
        self.assertEqual([p.state for p in peers], ["master"] + ["slave"] * (size - 1))
        self.stage.run(300)
        return peers

    def sent_since(self, moment):
        return [
            unpack(image).type for when, _, _, image in self.stage.sent if when >= moment
        ]

    def test_a_lone_newcomer_asks_five_times_in_6_2_seconds_and_is_master(self):
        self.peer().start()
        self.stage.run(7)
        asked = [w for w, _, _, image in self.stage.sent if unpack(image).type == "MASTERREQ"]
        for got, wanted in zip(asked, (0, 0.2, 0.6, 1.4, 3.0)):
            self.assertAlmostEqual(got, wanted)
        up = [w for w, _, _, image in self.stage.sent if unpack(image).type == "MASTERUP"]
        self.assertAlmostEqual(up[0], 6.2)

    def test_a_newcomer_gets_the_time(self):
        one = self.peer()
        one.start()
        self.stage.run(20)
        two = self.peer(offset=90.0)
        began = self.stage.now()
        two.start()
        self.stage.run(1)
        self.assertEqual(
            self.sent_since(began), ["MASTERREQ", "MASTERACK", "SLAVEUP", "SETTIME", "ACK"]
        )
        self.assertAlmostEqual(two.offset, 0, places=2)

    def test_an_election_among_three_survivors_has_8_messages(self):
        peers = self.group(4)
        peers[0].leave()
        patience = min(p.patience for p in peers[1:])
        peers[1].arm(), peers[2].arm(), peers[3].arm()
        began = self.stage.now()
        self.stage.run(patience + 5)
        kinds = self.sent_since(began)
        count = sum(kinds.count(k) for k in "ELECTION ACCEPT ACK MASTERUP SLAVEUP".split())
        self.assertEqual(kinds[: kinds.index("MASTERUP")].count("ELECTION"), 1)
        self.assertEqual(count, 8)
        self.assertEqual([p.state for p in peers[1:]].count("master"), 1)

    def test_two_candidates_of_three_have_10_messages_and_2_slaveups(self):
        peers = self.group(4)
        peers[0].leave()
        began = self.stage.now()
        peers[1].stand()
        self.stage.run(0.0001)
        peers[2].stand()
        self.stage.run(5)
        kinds = self.sent_since(began)
        self.assertEqual(kinds.count("SLAVEUP"), 2)
        self.assertEqual(len(kinds) - 2, 10)
        self.assertNotIn("master", [p.state for p in peers[1:]])

    def test_three_at_once_have_no_master_for_an_election_timer(self):
        peers = [self.peer() for _ in range(3)]
        for one in peers:
            one.start()
            self.stage.run(0.5)
        self.stage.run(300)
        self.assertEqual([p.state for p in peers], ["slave"] * 3)
        self.stage.run(650)
        self.assertEqual([p.state for p in peers].count("master"), 1)

    def test_loop_ends_a_double_mastership(self):
        peers = self.two_masters()
        self.stage.run(241)
        self.assertEqual([p.state for p in peers].count("master"), 1)

    def two_masters(self):
        one, two = self.peer(), self.peer()
        self.stage.cut.add(frozenset((one.channel.address[0], two.channel.address[0])))
        one.start()
        self.stage.run(2)  # else their LOOPs would cross, and both quit
        two.start()
        self.stage.run(20)
        self.stage.cut.clear()
        self.assertEqual([one.state, two.state], ["master", "master"])
        return [one, two]

    def test_a_newcomer_reports_a_conflict(self):
        peers = self.two_masters()
        began = self.stage.now()
        peers.append(self.peer())
        peers[-1].start()
        self.stage.run(14)
        kinds = self.sent_since(began)
        self.assertEqual(kinds.count("CONFLICT"), 5)  # which nobody acknowledges
        for kind in ("RESOLVE", "QUIT", "MASTERUP"):
            self.assertIn(kind, kinds)
        self.assertEqual(sorted(p.state for p in peers), ["master", "slave", "slave"])


if __name__ == "__main__":
    unittest.main()
