"""Our daemon with BSD timed: every exchange of the paper. exchanges.py TOOL

Newcomer, mastership, election, two masters; corrections.py has those of clocks, hostile.py those
that must come to nothing.
"""

from scene import SCALE, Packet, Scene, main


class Newcomer(Scene):
    def test_asks_five_times_and_then_is_master(self):
        bsd = self.peer("bsd1")
        self.daemon(scale=5)
        up = self.wait_heard(bsd, "MASTERUP")[0]
        asked = self.heard(bsd, "MASTERREQ")
        self.assertEqual(len(asked), 5)
        self.assertEqual(len({s.packet.sequence for s in asked}), 1)
        gaps = [b.when - a.when for a, b in zip(asked, [*asked[1:], up])]
        for gap, wanted in zip(gaps, (0.2, 0.4, 0.8, 1.6, 3.2)):
            self.assertGreater(gap, wanted / 5 - 0.01)
        self.assertEqual(up.packet.sequence, 0)

    def test_of_a_master_says_slaveup_and_gets_the_time(self):
        bsd = self.peer("bsd1", "master", offset=0.3)
        self.stage.run(4 / SCALE)
        we = self.daemon("--offset", "-30s")
        self.wait_heard(bsd, "ACK")
        order = dict.fromkeys(s.packet.type for s in self.stage.log if s.packet.name == "we")
        self.assertEqual(list(order), ["MASTERREQ", "SLAVEUP", "ACK"])
        self.wait_for(lambda: abs(we.offset() - 0.3) < 0.02, "it has the master's time")
        status = we.status()
        self.assertEqual((status["state"], status["master"]), ("slave", "bsd1"))
        self.assertTrue(status["has_time"])

    def test_is_not_ready_before_it_has_the_time(self):
        bsd = self.peer("bsd1")
        we = self.daemon("--offset", "2s")
        request = self.wait_heard(bsd, "MASTERREQ")[0]
        bsd.say("MASTERACK", request.address, request.packet.sequence)
        self.wait_heard(bsd, "SLAVEUP")
        self.assertEqual(we.ask("wait", "200ms", "--within", "50ms").code, 1)
        bsd.state = "master"
        bsd.master_slaveup(Packet("SLAVEUP", name="we"), we.address)
        self.wait_heard(bsd, "ACK")
        self.assertEqual(we.ask("wait", "10s", "--within", "50ms").code, 0)
        finer = we.ask("wait", "200ms")  # than BSD timed can tell
        self.assertEqual(finer.code, 1)
        self.assertRegex(finer.output, "^the clock may be off by [0-9.]+ ms, more than 1ms, mostly")
        self.assertEqual(finer.output.count("\n"), 1, finer.output)

    def test_tells_the_first_of_two_masters(self):
        one, two = self.peer("bsd1"), self.peer("bsd2")
        self.daemon(scale=2)  # it looks for a second one for 150 ms
        request = self.wait_heard(one, "MASTERREQ")[0]
        one.say("MASTERACK", request.address, request.packet.sequence)
        self.stage.run(0.002)
        two.say("MASTERACK", request.address, request.packet.sequence)
        self.wait_heard(one, "CONFLICT", 5)
        self.assertEqual(self.heard(two, "CONFLICT"), [])


class Election(Scene):
    def slave(self, *options, peers=1, **more):
        """Our daemon as a slave of bsd1, who then falls silent; the others are slaves."""
        master = self.peer("bsd1", "master")
        slaves = [self.peer(f"bsd{i + 2}", "slave") for i in range(peers)]
        self.stage.run(4 / SCALE)
        we = self.daemon(*options, **more)
        self.wait_heard(master, "SLAVEUP")
        self.wait_state(we, "slave")
        master.leave()
        return we, slaves

    def test_is_won_when_all_accept(self):
        we, slaves = self.slave(peers=2)
        began = self.stage.now()
        self.tell_locally(we, "TEST")
        for slave in slaves:
            self.wait_heard(slave, "ELECTION", since=began)
            self.wait_heard(slave, "ACK", since=began)
            self.wait_heard(slave, "MASTERUP", since=began)
        self.wait_state(we, "master")
        for slave in slaves:
            self.wait_for(lambda s=slave: s.corrections, f"{slave.name} is corrected")
            self.assertEqual(slave.master[0], "we")

    def test_that_is_refused_is_given_up(self):
        we, _ = self.slave(peers=0)
        other = self.peer("bsd2")
        began = self.stage.now()
        self.tell_locally(we, "TEST")
        call = self.wait_heard(other, "ELECTION")[0]
        other.insist(Packet("REFUSE"), call.address, "ACK", "we")
        self.wait_heard(other, "ACK", since=began)
        self.silence(other, "MASTERUP", 6 / SCALE, since=began)
        self.assertEqual(we.state(), "slave")

    def test_the_first_candidate_is_accepted_and_the_second_refused(self):
        self.slave(peers=0)
        one, two = self.peer("bsd2", "candidate"), self.peer("bsd3", "candidate")
        one.stand()
        self.wait_heard(one, "ACCEPT")
        two.broadcast(Packet("ELECTION", 99))
        self.wait_heard(two, "REFUSE")
        again = self.stage.now()
        one.broadcast(Packet("ELECTION", 100))
        self.wait_heard(one, "ACCEPT", since=again)
        self.assertEqual(self.heard(two, "ACCEPT"), [])

    def test_an_answer_is_repeated_five_times_at_twice_the_distance(self):
        self.slave(peers=0, scale=5)
        one = self.peer("bsd2")
        one.broadcast(Packet("ELECTION", 1))
        said = self.wait_heard(one, "ACCEPT", count=5)
        self.stage.run(1)
        self.assertEqual(len(self.heard(one, "ACCEPT")), 5)
        self.assertEqual(len({s.packet.sequence for s in said}), 1)
        gaps = [b.when - a.when for a, b in zip(said, said[1:])]
        for gap, wanted in zip(gaps, (0.2, 0.4, 0.8, 1.6)):
            self.assertGreater(gap, wanted / 5 - 0.02)
            self.assertLess(gap, wanted / 5 + 0.2)

    def test_a_candidate_refuses_another_and_stays_one(self):
        we, _ = self.slave(peers=0, scale=2)
        other = self.peer("bsd2")
        self.tell_locally(we, "TEST")
        self.wait_heard(other, "ELECTION")
        other.broadcast(Packet("ELECTION", 5))
        refusal = self.wait_heard(other, "REFUSE")[0]
        other.say("ACK", refusal.address, refusal.packet.sequence)
        self.wait_heard(other, "MASTERUP")

    def test_a_candidate_gives_way_to_a_master(self):
        we, _ = self.slave(peers=0, scale=2)
        other = self.peer("bsd2")
        self.tell_locally(we, "TEST")
        self.wait_heard(other, "ELECTION")
        other.say("MASTERUP")
        self.wait_heard(other, "SLAVEUP")
        self.wait_state(we, "slave")
        self.assertEqual(we.status()["master"], "bsd2")

    def test_masterup_is_answered_with_slaveup(self):
        we, _ = self.slave(peers=0)
        other = self.peer("bsd2")
        other.say("MASTERUP")
        answer = self.wait_heard(other, "SLAVEUP")[0]
        self.assertEqual(answer.packet.sequence, 0)
        self.assertEqual(we.status()["master"], "bsd2")

    def test_one_that_may_not_be_master_never_stands(self):
        we, _ = self.slave("--no-master", peers=0)
        other = self.peer("bsd2")
        began = self.stage.now()
        self.tell_locally(we, "TEST")
        self.silence(other, "ELECTION", 1, since=began)


class Masters(Scene):
    def master(self, *options, scale=SCALE, **more):
        """After its first round and LOOP, which might cross what the test is about."""
        we = self.daemon(*options, scale=scale, **more)
        self.wait_state(we, "master")
        self.stage.run(4 / scale)
        return we

    def test_a_master_answers_with_the_number_it_was_asked_with(self):
        self.master()
        asking = self.peer("bsd1", port=1023)
        for kind in ("MASTERREQ", "RESOLVE"):
            asking.say(kind, sequence=0x1AB3)
            answer = self.wait_heard(asking, "MASTERACK")[-1]  # at the port it asked from
            self.assertEqual(answer.packet.sequence, 0x1AB3)

    def test_a_master_lets_a_candidate_quit_and_takes_it_as_slave(self):
        self.master(scale=60)
        other = self.peer("bsd1", "slave")
        other.stand()
        self.wait_heard(other, "QUIT")
        self.wait_for(lambda: other.state == "slave", "it withdraws")
        self.wait_for(lambda: other.corrections, "it is corrected")

    def test_a_master_that_is_told_to_quit_is_a_slave(self):
        we = self.master()
        other = self.peer("bsd1")
        other.state = "master"  # without a MASTERUP, to which our daemon would say QUIT itself
        other.insist(Packet("QUIT"), we.address, "ACK", "we")
        self.wait_heard(other, "ACK")
        self.wait_heard(other, "SLAVEUP")  # BSD timed would not ask for it
        self.wait_heard(other, "ACK", count=2)  # of SETTIME
        self.wait_state(we, "slave")

    def test_of_two_masters_the_one_whose_loop_is_heard_quits(self):
        we = self.master()
        slave = self.peer("bsd2", "slave")
        slave.say("SLAVEUP")
        self.wait_for(lambda: "bsd2" in we.members(), "it has a slave")
        other = self.peer("bsd1", "master")
        began = self.stage.now()
        other.say("LOOP", sequence=5, hops=10)
        self.wait_heard(other, "QUIT")
        self.wait_for(lambda: other.state == "slave", "it quits")
        self.wait_heard(slave, "MASTERUP", since=began)  # so that its slaves come over
        self.wait_state(we, "master")

    def test_a_master_says_loop_after_a_round(self):
        self.master(scale=60)
        other = self.peer("bsd1", "slave")
        self.assertEqual(self.wait_heard(other, "LOOP")[0].packet.hops, 10)

    def test_a_conflict_is_resolved(self):
        we = self.master()
        other, newcomer = self.peer("bsd1"), self.peer("bsd2")
        other.state = "master"
        began = self.stage.now()
        newcomer.insist(Packet("CONFLICT"), we.address, "ACK", "we")
        self.wait_heard(newcomer, "ACK")
        self.wait_heard(other, "RESOLVE", since=began)
        self.wait_heard(other, "QUIT", since=began)
        self.wait_for(lambda: other.state == "slave", "the other one quits")
        self.wait_heard(newcomer, "MASTERUP", since=began)
        self.wait_state(we, "master")

    def test_a_slave_that_is_silent_is_forgotten(self):
        we = self.master(scale=200)
        other = self.peer("bsd1", "slave", scale=200)
        other.say("SLAVEUP")
        self.wait_for(lambda: "bsd1" in we.members(), "it knows its slave")
        other.leave()
        self.wait_for(lambda: "bsd1" not in we.members(), "it has forgotten its slave", 30)


if __name__ == "__main__":
    main()
