"""Clocks between our daemon and BSD timed: who corrects whom and how much. corrections.py TOOL"""

from scene import SCALE, Scene, main
from tsp import timed_packet


class Slave(Scene):
    """Our daemon as a slave of BSD timed."""

    def slave(self, *options, **more):
        if "--step" not in options:
            options = [*options, "--step", "128ms"]
        self.master = self.peer("bsd1", "master")
        self.stage.run(4 / SCALE)
        we = self.daemon(*options, **more)
        self.wait_heard(self.master, "ACK")  # of SETTIME
        self.wait_for(we.synchronised, "it is synchronised")
        self.master.state = "puppet"
        self.stage.cancel(self.master.timer)
        return we

    def correct(self, we, kind, seconds, sequence, by=None):
        by = by or self.master
        began = self.stage.now()
        by.send(timed_packet(kind, seconds, sequence=sequence), we.address)
        answer = self.wait_heard(by, "ACK", since=began)[0]
        self.assertEqual(answer.packet.sequence, sequence)

    def moved(self, we, before, seconds, within=0.0005):
        self.wait_for(
            lambda: abs(we.offset() - before - seconds) < within, f"it has moved by {seconds}", 30
        )

    def test_obeys_adjtime(self):
        we = self.slave()
        before = we.offset()
        self.correct(we, "ADJTIME", 0.010, 501)
        self.moved(we, before, 0.010)
        self.correct(we, "ADJTIME", -0.0025, 502)  # seconds -1, microseconds 997500
        self.moved(we, before, 0.0075)

    def test_slews_where_it_must_not_step(self):
        we = self.slave("--step", "never", scale=40.0)
        before = we.offset()
        self.correct(we, "SETTIME", self.master.channel.time() + 1.0, 601)
        self.stage.run(1.0)
        self.assertLess(we.offset() - before, 0.3)  # at 100 000 ppm, and asking takes time
        self.assertGreater(we.offset() - before, 0.005)

    def test_obeys_settime(self):
        we = self.slave()
        # Well beyond the second from which its slew is fast.
        self.correct(we, "SETTIME", self.master.channel.time() + 1.5, 601)
        self.moved(we, 0.0, 1.5, within=0.02)

    def test_refuses_an_adjustment_that_no_bsd_timed_sends_until_its_master_insists(self):
        we = self.slave()
        before = we.offset()
        for number in range(3):
            self.correct(we, "ADJTIME", 100.0, 620 + number)
            self.stage.run(0.3)
            self.assertLess(abs(we.offset() - before), 0.01)
        self.correct(we, "ADJTIME", 100.0, 630)
        self.moved(we, before, 100.0, within=0.05)

    def test_acknowledges_a_repetition_and_does_not_apply_it_twice(self):
        we = self.slave()
        before = we.offset()
        for _ in range(3):
            self.correct(we, "ADJTIME", 0.010, 700)
        self.moved(we, before, 0.010)
        self.stage.run(1.0)
        self.moved(we, before, 0.010)

    def test_keeps_the_election_timer_at_rest_while_it_is_corrected(self):
        we = self.slave(scale=480.0)  # its timer is 0.75 to 1.9 s
        began = self.stage.now()
        for number in range(10):
            self.correct(we, "ADJTIME", 0.0, 800 + number)
            self.stage.run(0.3)
        self.assertEqual(self.heard(self.master, "ELECTION", since=began), [])
        self.wait_heard(self.master, "ELECTION", 10)

    def test_reads_a_time_after_2038_as_the_nearest(self):
        we = self.slave()
        now = self.master.channel.time()
        packet = timed_packet("SETTIME", now + 1.5 - 2**32, sequence=900)
        self.master.send(packet, we.address)
        self.wait_heard(self.master, "ACK")
        self.moved(we, 0.0, 1.5, within=0.02)


class Master(Scene):
    """Our daemon as the master of BSD timed."""

    def master(self, *options, **more):
        we = self.daemon(*options, **more)
        self.wait_state(we, "master")
        self.wait_for(we.synchronised, "it knows its time")
        return we

    def test_gives_a_newcomer_the_time(self):
        self.master("--offset", "40s")
        self.stage.run(4 / SCALE)
        slave = self.peer("bsd1", offset=0.0)
        slave.start()
        self.wait_for(lambda: slave.corrections, "it has the time")
        kind, change = slave.corrections[0]
        self.assertEqual(kind, "SETTIME")
        self.assertAlmostEqual(change, 40.0, delta=0.05)

    def adjustments(self, slave):
        """The slave's kernel answers with the machine's time, whatever the slave was told."""
        slave.say("SLAVEUP")
        self.wait_for(lambda: [c for c in slave.corrections if c[0] == "ADJTIME"], "ADJTIME")
        return [change for kind, change in slave.corrections if kind == "ADJTIME"]

    def test_moves_both_to_the_mean(self):
        we = self.master("--offset", "18ms", scale=200)
        change = self.adjustments(self.peer("bsd1", "slave", scale=200))[0]
        self.assertAlmostEqual(change, 0.009, delta=0.003)
        self.wait_for(lambda: we.offset() < 0.012, "it follows the mean", 30)

    def test_moves_a_clock_that_is_far_off_to_the_majority(self):
        we = self.master("--offset", "200ms", scale=200)
        change = self.adjustments(self.peer("bsd1", "slave", scale=200))[0]
        self.assertAlmostEqual(change, 0.2, delta=0.003)
        self.assertAlmostEqual(we.offset(), 0.2, delta=0.002)

    def test_tells_what_it_measured(self):
        we = self.master("--offset", "50ms", scale=200)
        slave = self.peer("bsd1", "slave", scale=200)
        slave.say("SLAVEUP")
        measured = lambda: we.members().get("bsd1", {}).get("stamps") == "icmp"  # noqa: E731
        self.wait_for(measured, "it is measured")
        self.assertEqual(we.members()["bsd1"]["kind"], "bsd")

    def test_repeats_an_adjustment_under_the_same_number(self):
        self.master(scale=5)
        slave = self.peer("bsd1")
        slave.say("SLAVEUP")
        said = self.wait_heard(slave, "SETTIME", count=5)
        self.assertEqual(len({s.packet.sequence for s in said}), 1)
        self.assertNotEqual(said[0].packet.sequence, 0)
        gaps = [b.when - a.when for a, b in zip(said, said[1:])]
        for gap, wanted in zip(gaps, (0.2, 0.4, 0.8, 1.6)):
            self.assertGreater(gap, wanted / 5 - 0.02)

    def test_a_zero_correction_is_sent_all_the_same(self):
        self.master(scale=200)
        slave = self.peer("bsd1", "slave", scale=200)
        slave.say("SLAVEUP")
        self.wait_heard(slave, "ADJTIME", count=3)

    def test_loses_no_slave_to_a_lost_acknowledgement(self):
        we = self.master(scale=50)
        slave = self.peer("bsd1")
        slave.say("SLAVEUP")
        first = self.wait_heard(slave, "SETTIME", count=2)[0]
        slave.say("ACK", we.address, first.packet.sequence)
        self.stage.run(0.5)
        self.assertIn("bsd1", we.members())


if __name__ == "__main__":
    main()
