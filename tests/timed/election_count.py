"""An election of N has 3N-1 messages on the wire, a broadcast counting once. election_count.py TOOL

Section 7 of the paper: ELECTION 1, ACCEPT N-1, ACK N-1, MASTERUP 1, SLAVEUP N-1. They are counted
from the packets that come out of each node, whatever the nodes say of themselves: among daemons
of ours with BSD's timers, and with peers that play BSD timed between them.
"""

import collections
import sys

from lan import Capture
from scene import Scene, main
from tsp import unpack

SCALE = 5.0  # so that nothing is repeated because the machine was busy
KINDS = ("ELECTION", "ACCEPT", "REFUSE", "QUIT", "ACK", "MASTERUP", "SLAVEUP")


class Count(Scene):
    def test_three_survivors_of_ours(self):
        self.elect(ours=["we", "bsd1", "bsd2", "bsd3"], theirs=[])

    def test_two_survivors_of_ours(self):
        self.elect(ours=["we", "bsd1", "bsd2"], theirs=[])

    def test_ours_among_bsd_timed(self):
        self.elect(ours=["we", "bsd1"], theirs=["bsd2", "bsd3"])

    def elect(self, ours, theirs):
        """The first but one stands when the first, the master, is killed."""
        lan = sys.modules["scene"].LAN
        daemons = {}
        for name in ours:
            daemons[name] = self.daemon(name=name, scale=SCALE, trust=[*ours, *theirs])
            if name == ours[0]:
                self.wait_state(daemons[name], "master")
        slaves = [self.peer(name, "slave", scale=SCALE) for name in theirs]
        for slave in slaves:
            slave.say("SLAVEUP")
        for name in ours[1:]:
            self.wait_for(daemons[name].synchronised, f"{name} is in")
        daemons[ours[0]].kill()
        self.stage.run(1)
        capture = Capture(self.stage, lan)
        self.tell_locally(daemons[ours[1]], "TEST")
        self.wait_state(daemons[ours[1]], "master")
        self.stage.run(4 / SCALE)
        capture.close()
        self.check(capture, len(ours) + len(theirs) - 1)

    def check(self, capture, survivors):
        counted = self.count(capture)
        print(f"N = {survivors}: {dict(counted)}, {counted.total()} messages")
        self.assertEqual(counted["MASTERUP"], 1)
        self.assertEqual(counted["ELECTION"], 1)
        self.assertEqual(counted.total(), 3 * survivors - 1)

    @staticmethod
    def count(capture):
        """Of acknowledgements, those of answers to the candidate; not those of corrections."""
        counted, answers = collections.Counter(), set()
        for _, source, target, image in capture.seen:
            packet = unpack(image)
            if packet.type in ("ACCEPT", "REFUSE", "QUIT"):
                answers.add((source, packet.sequence))
            if packet.type in KINDS:
                of_election = packet.type != "ACK" or (target, packet.sequence) in answers
                counted[packet.type] += of_election
        return counted


if __name__ == "__main__":
    main()
