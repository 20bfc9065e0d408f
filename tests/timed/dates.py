"""The date of a network of our daemons and BSD timed, changed by whoever may. dates.py TOOL"""

import calendar
import json
import signal
import time

from scene import SCALE, Scene, main

OURS = ("we", "bsd1", "bsd2", "bsd3")
BEYOND_2038 = calendar.timegm((2040, 2, 29, 12, 0, 0))
LATE = 2  # a peer that a busy machine keeps waiting sends a date that is so old, in seconds


class Dates(Scene):
    def group(self, *names, **more):
        """Daemons of ours that follow one of them, which comes first."""
        options = {"mode": "own", "trust": OURS, **more}
        return self.settle([self.daemon(name=name, **options) for name in names])

    def settle(self, daemons):
        self.wait_for(lambda: all(map(self.settled, daemons)), "all follow one", 30)
        return sorted(daemons, key=lambda daemon: daemon.state() != "master")

    @staticmethod
    def settled(daemon):
        status = daemon.status()
        return status and status["has_time"] and status["master"]

    def wait_offset(self, daemon, wanted, within, seconds=15):
        self.wait_for(lambda: abs(daemon.offset() - wanted()) < within,
                      f"{daemon.name} is at {wanted()}", seconds)


class Bsd(Dates):
    """The date is changed on a BSD timed that is the master."""

    def network(self, scale=SCALE):
        """bsd1 measures the clocks of bsd2 and of ours."""
        master = self.peer("bsd1", "master", slews=True, scale=scale)
        slave = self.peer("bsd2", "slave", slews=True, scale=scale)
        self.stage.run(4 / scale)
        slave.say("SLAVEUP")
        we = self.daemon(scale=scale)
        self.wait_heard(master, "ACK")
        self.wait_for(we.synchronised, "it is synchronised")
        self.look(we)
        we.meanwhile = lambda: time.sleep(0.001)  # peers stand still while it is asked
        master.measure = lambda address: self.measure(master, slave, we, address)
        return master, slave, we

    def measure(self, master, slave, we, address):
        if address == slave.channel.address:
            return slave.offset - master.offset
        before = master.offset
        self.look(we)
        return self.seen - (before + master.offset) / 2

    def look(self, we):
        status = we.status()
        self.seen = status["clock"]["offset_ns"] / 1e9
        return status

    def follow(self, change, scale):
        """For five rounds, and never better in its own eyes than in those of the others."""
        master, slave, we = self.network(scale)
        master.set_date(change)
        end = self.stage.now() + 5 * 240 / scale
        while self.stage.now() < end:
            self.stage.run(0.1)
            self.assertLess(self.hold_bound(master, we), 0.1)
        for clock in (master.offset, slave.offset, self.seen):
            self.assertAlmostEqual(clock, change, delta=0.05)

    def hold_bound(self, master, we, late=0.0):
        """Its clock is within its error bound of its master's. How far they are apart."""
        before, status = master.offset, self.look(we)
        apart = min(abs(self.seen - before), abs(self.seen - master.offset))
        self.assertNotEqual(status["trust"], "unknown")
        self.assertLess(apart, status["clock"]["bound"]["total_ns"] / 1e9 + late)
        return apart

    def oldest_date(self, master, we):
        """How old a date was when the master sent it: nobody can tell who is sent one."""
        sent = {s.packet.sequence: s for s in reversed(self.stage.log)
                if s.who == master.name and s.way == "out" and s.packet.type == "SETTIME"
                and s.address == we.address}
        ages = [self.stage.epoch + s.when + master.offset - s.packet.time for s in sent.values()]
        return max(age for age in ages if age < LATE)  # the date that was before is an hour old

    def test_three_seconds_forth_are_followed_in_the_rounds_of_bsd_timed(self):
        self.follow(3.0, SCALE)

    def test_three_seconds_back_are_followed_in_the_rounds_of_bsd_timed(self):
        self.follow(-3.0, SCALE)

    def test_an_hour_forth_is_followed_at_once(self):
        self.hour(3600.0)

    def test_an_hour_back_is_followed_at_once(self):
        self.hour(-3600.0)

    def hour(self, change):
        master, slave, we = self.network(200)
        master.set_date(change)
        self.wait_offset(we, lambda: change, LATE, 10)
        self.assertIn("moves the network's time by", we.log.read_text())
        end = self.stage.now() + 5 * 240 / 200
        while self.stage.now() < end:
            self.stage.run(0.1)
            self.hold_bound(master, we, self.oldest_date(master, we))
        for clock in (master.offset, slave.offset, self.seen):
            self.assertAlmostEqual(clock, change, delta=LATE)

    def test_set_on_a_slave_of_ours_moves_its_bsd_master(self):
        master, slave, we = self.network(200)
        we.meanwhile = lambda: self.stage.step(self.stage.now() + 0.001)
        answer = we.ask("set", "+100s")
        self.assertEqual(answer.code, 0, answer.error)
        self.assertIn("was moved by +100s by bsd1, a BSD timed", answer.output)
        self.wait_offset(we, lambda: 100, 0.05, 3)
        self.assertAlmostEqual(master.offset, 100, delta=0.05)

    def test_date_on_a_slave_of_ours_moves_its_bsd_master_and_is_acknowledged(self):
        master, slave, we = self.network(200)
        channel = self.tell_locally(we, "SETDATE", "date", 11, time.time() - 100)
        self.wait_for(lambda: abs(master.offset + 100) < 0.05, "the master follows", 3)
        image, _ = channel.recvfrom(4096)
        self.assertEqual((image[0], image[3]), (16, 11))  # DATEACK

    def test_a_bsd_master_beyond_2038_is_followed_there_and_back(self):
        master = self.peer("bsd1", "master")
        self.stage.run(4 / SCALE)
        we = self.daemon()
        self.wait_heard(master, "ACK")
        self.wait_for(we.synchronised, "it is synchronised")
        for change in (BEYOND_2038 - time.time(), time.time() - BEYOND_2038):
            wanted = master.offset + change
            master.set_date(change)
            self.wait_offset(we, lambda w=wanted: w, 0.1)


class Ours(Dates):
    """The date is changed where one of ours is the master."""

    def test_date_on_a_slave_of_ours_moves_all_without_a_key(self):
        master, slave = self.group("we", "bsd3")
        channel = self.tell_locally(slave, "SETDATE", "date", 9, time.time() + 100)
        self.wait_offset(master, lambda: 100, 0.05)
        self.wait_offset(slave, lambda: 100, 0.05)
        image, _ = channel.recvfrom(4096)
        self.assertEqual((image[0], image[3]), (16, 9))  # DATEACK

    def test_date_on_a_slave_of_bsd_timed_moves_all_without_a_key(self):
        master, slave = self.group("we", "bsd3", mode="bsd")
        bsd = self.peer("bsd1", "slave")
        bsd.say("SLAVEUP")
        self.wait_for(lambda: bsd.corrections, "it has the time")
        bsd.send_date(time.time() - 50)
        self.wait_heard(bsd, "DATEACK", seconds=5, by=master.name)
        for daemon in (master, slave):
            self.wait_offset(daemon, lambda: -50, 0.05)
        self.wait_for(lambda: abs(bsd.offset + 50) < 0.05, "BSD timed follows")

    def test_dates_beyond_2038_are_the_same_for_all_and_so_is_the_way_back(self):
        master, slave = self.group("we", "bsd3", mode="bsd", scale=4)
        bsd = self.peer("bsd1", "slave")
        bsd.say("SLAVEUP")
        self.wait_for(lambda: bsd.corrections, "it has the time")
        for number, date in enumerate((BEYOND_2038, BEYOND_2038 + 3e8, time.time() - 7200)):
            change = date - time.time()
            self.tell_locally(master, "SETDATE", "date", 40 + number, date)
            for daemon in (master, slave):
                self.wait_offset(daemon, lambda c=change: c, 0.1)
            self.wait_for(lambda c=change: abs(bsd.offset - c) < 0.1, "BSD timed follows")

    def test_a_bsd_slave_that_slews_does_not_take_the_date_back(self):
        """Their kernels answer with the machine's time, as if they hung back for ever."""
        we = self.daemon(scale=200)
        self.wait_state(we, "master")
        self.stage.run(4 / 200)
        for name in ("bsd1", "bsd2"):
            self.peer(name, "slave", scale=200).say("SLAVEUP")
        self.wait_for(lambda: len(we.members()) == 2, "it has two slaves")
        self.tell_locally(we, "SETDATE", "date", 3, time.time() + 3)
        self.wait_offset(we, lambda: 3, 0.05)
        self.stage.run(2 * 240 / 200)
        self.assertAlmostEqual(we.offset(), 3, delta=0.05)


class Set(Dates):
    """conclave timed set, on any machine."""

    def keyed(self, *names):
        key = self.new_key()
        daemons = [self.daemon("--key", key, "--drift", f"{20 * i - 20}ppm", name=name, trust=(),
                               mode="own", scale=1) for i, name in enumerate(names)]
        return self.settle(daemons)

    def test_moves_all_clocks_and_says_by_how_much(self):
        daemons = self.keyed("we", "bsd2", "bsd3")
        for asked, change, total in (
            (daemons[1], "+3s", 3), (daemons[0], "-1h", -3597), (daemons[2], "+1h", 3),
        ):
            answer = asked.ask("set", change)
            self.assertEqual(answer.code, 0, answer.output)
            self.assertIn(f"was moved by {change}", answer.output)
            self.assertIn(f"under the master {daemons[0].name}", answer.output)
            for daemon in daemons:
                if asked is not daemons[0]:  # else it has waited for all
                    self.wait_offset(daemon, lambda t=total: t, 0.01, 3)
                self.assertAlmostEqual(daemon.offset(), total, delta=0.01)
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1000))
        said = json.loads(daemons[1].ask("set", date, "--json").output)
        self.assertTrue(said["done"])
        self.assertAlmostEqual(said["moved_ns"] / 1e9, 997, delta=2)
        for daemon in daemons:
            self.wait_offset(daemon, lambda: 1000, 2, 3)

    def test_refuses_what_is_no_date(self):
        we = self.keyed("we")[0]
        zone, year = "give one with its time zone", "between 1970 and 2100"
        for words, remedy in (
            ([], "such as 2026-11-17T10:30:00Z"), (["soon"], zone), (["2026-11-17T10:30:00"], zone),
            (["2026-11-17"], "no time of day"), (["2026-13-17T10:30:00Z"], zone),
            (["2026-11-17T10:30:00Z", "now"], "one word too many"), (["+3"], "+3s or -1h"),
            (["+-3s"], zone), (["3s"], zone), (["1969-01-01T00:00:00Z"], zone),
            (["2099-12-31T23:59:59Z"], "68 years"), (["-600000h"], "68 years"),
            (["-500000h"], year),
        ):
            asked = we.ask("set", *words)
            self.assertEqual(asked.code, 2, words)
            self.assertIn(remedy, asked.error)
            self.assertEqual(asked.error.count("\n"), 1, asked.error)
        self.assertLess(abs(we.offset()), 1)

    def test_is_refused_to_other_users(self):
        we = self.keyed("we")[0]
        we.control.chmod(0o777)
        we.folder.chmod(0o755)
        nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        for words in (["set", "+3s"], ["resign"]):
            asked = we.ask(*words, prefix=nobody)
            self.assertEqual(asked.code, 2)
            self.assertIn("only root and the user of the daemon may", asked.error)
        self.assertLess(abs(we.offset()), 1)

    def stopped(self, daemon):
        daemon.process.send_signal(signal.SIGSTOP)
        self.addCleanup(daemon.process.send_signal, signal.SIGCONT)

    def continued(self, daemons, wanted):
        """All clocks agree afterwards, and are where they should be."""
        for daemon in daemons:
            daemon.process.send_signal(signal.SIGCONT)
        self.stage.run(3)
        for daemon in daemons:
            self.wait_offset(daemon, lambda: wanted, 0.05, 15)

    def test_an_order_that_a_stopped_daemon_did_not_take_is_not_carried_out_later(self):
        daemons = self.keyed("we", "bsd2", "bsd3")
        self.stopped(daemons[0])
        for words in (["set", "+100s"], ["resign"]):
            asked = daemons[0].ask(*words)
            self.assertEqual(asked.code, 2)
            self.assertIn("is it stopped?", asked.error)
        self.continued(daemons, 0)
        self.assertNotIn("asks", daemons[0].log.read_text())

    def test_a_date_that_a_stopped_master_did_not_take_is_not_set_twice(self):
        daemons = self.keyed("we", "bsd2", "bsd3")
        self.stopped(daemons[0])
        asked = daemons[1].ask("set", "+100s")
        self.stage.run(6)  # so long it would be repeated
        self.continued(daemons, 100 if asked.code == 0 else 0)
        self.assertNotIn("asks", daemons[0].log.read_text())

    def test_nothing_is_ordered_in_holdover(self):
        daemons = self.keyed("we", "bsd2")
        self.wait_for(lambda: daemons[0].status()["trust"] == "synchronised", "two clocks", 20)
        daemons[1].kill()
        self.wait_for(lambda: daemons[0].status()["trust"] == "holdover", "it is alone", 30)
        for words in (["set", "+100s"], ["resign"]):
            asked = daemons[0].ask(*words)
            self.assertEqual(asked.code, 1)
            self.assertIn("(it is in holdover)", asked.output)
        self.assertLess(abs(daemons[0].offset()), 1)

    def test_resign_hands_over_and_keeps_out(self):
        daemons = self.keyed("we", "bsd2", "bsd3")
        former = daemons[0]
        self.stage.run(2)  # a deputy is named once a round
        elsewhere = daemons[1].ask("resign")
        self.assertEqual(elsewhere.code, 1)
        self.assertIn(f"is not the master: conclave timed resign works on {former.name}",
                      elsewhere.output)
        self.assertEqual(former.ask("resign").code, 0)
        self.wait_for(lambda: [d.state() for d in daemons].count("master") == 1 and
                      former.status()["master"] not in (None, former.name), "another leads", 4)
        self.wait_state(former, "slave", 2)
        self.assertLess(max(d.offset() for d in daemons) - min(d.offset() for d in daemons), 0.001)
        for daemon in daemons[1:]:
            daemon.kill()
        self.stage.run(6)  # two election timers
        self.assertNotEqual(former.state(), "master")
        self.wait_state(former, "master", 15)  # nobody else is there

    def test_resign_is_refused_where_nobody_else_may_be_master(self):
        we = self.keyed("we")[0]
        asked = we.ask("resign", "--json")
        self.assertEqual(asked.code, 1)
        self.assertFalse(json.loads(asked.output)["done"])
        self.assertIn("no other daemon that may become master", asked.output)
        self.assertEqual(we.state(), "master")


if __name__ == "__main__":
    main()
