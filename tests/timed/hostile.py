"""What strangers and broken hosts send to our daemon must come to nothing. hostile.py TOOL

Each known hole of BSD timed (docs/security.md) has its test here.
"""

import time

import scene
from lan import Capture, forge
from scene import PORT, SCALE, Packet, Scene, main, pack
from tsp import timed_packet


class Stranger(Scene):
    """`evil` is on the network but not trusted."""

    def slave(self, *options, **more):
        self.master = self.peer("bsd1", "master")
        self.stage.run(4 / SCALE)
        we = self.daemon(*options, **more)
        self.wait_heard(self.master, "ACK")
        self.wait_for(we.synchronised, "it is synchronised")
        return we

    def alone(self, *options, **more):
        we = self.daemon(*options, **more)
        self.wait_state(we, "master")
        return we

    def unchanged(self, we, before, seconds=1.0):
        self.stage.run(seconds)
        status = we.status()
        self.assertAlmostEqual(status["clock"]["offset_ns"] / 1e9, before, delta=0.002)
        return status

    def test_cannot_adjust_a_slave(self):
        we, evil = self.slave(), self.peer("evil")
        before = we.offset()
        evil.send(timed_packet("ADJTIME", 0.5, sequence=77), we.address)
        evil.send(timed_packet("SETTIME", time.time() + 1000, sequence=78), we.address)
        status = self.unchanged(we, before)
        self.assertEqual(status["master"], "bsd1")
        self.assertGreater(sum(status["dropped"].values()), 0)

    def test_cannot_take_a_living_hosts_name(self):
        we, evil = self.slave(scale=60), self.peer("evil")
        self.stage.cancel(self.master.timer)
        before = we.offset()
        for wait in (0, 4):  # BSD timed says nothing for four minutes, here for 4 s
            self.stage.run(wait)
            packet = timed_packet("ADJTIME", 0.5, sequence=77 + wait, name="bsd1")
            evil.send(packet, we.address)
            self.unchanged(we, before)

    def test_cannot_pretend_to_come_from_the_daemons_own_address(self):
        we = self.slave()
        began = self.stage.now()
        image = pack(Packet("TEST", 3, "timedc"))
        for source in (we.address[0], "127.0.0.1"):
            forge(scene.LAN, "evil", (source, 1023), we.address, image)
        self.stage.run(0.7)
        self.assertEqual(self.heard(self.master, "ELECTION", since=began), [])

    def test_cannot_take_over_by_masterup(self):
        we, evil = self.slave(), self.peer("evil")
        evil.say("MASTERUP")
        self.stage.run(0.5)
        self.assertEqual(we.status()["master"], "bsd1")
        self.assertEqual(self.heard(evil, "SLAVEUP"), [])

    def test_cannot_make_a_master_quit(self):
        we, evil = self.alone(), self.peer("evil")
        evil.say("QUIT", we.address, 5)
        evil.say("LOOP", sequence=5, hops=10)
        evil.say("CONFLICT", we.address, 6)
        evil.say("RESOLVE", sequence=7)
        self.stage.run(1)
        self.assertEqual(we.state(), "master")

    def test_cannot_win_an_election(self):
        we, evil = self.slave(), self.peer("evil")
        self.master.leave()
        evil.broadcast(Packet("ELECTION", 1))
        self.stage.run(1)
        self.assertEqual(self.heard(evil, "ACCEPT"), [])

    def test_cannot_end_an_election_by_refusing(self):
        we, evil = self.slave(scale=4), self.peer("evil")
        self.master.leave()
        self.tell_locally(we, "TEST")
        self.wait_heard(evil, "ELECTION")
        evil.say("REFUSE", we.address, 9)
        evil.say("QUIT", we.address, 10)
        self.wait_heard(evil, "MASTERUP")

    def test_cannot_set_the_date(self):
        we, evil = self.alone(), self.peer("evil")
        before = we.offset()
        for kind in ("SETDATE", "SETDATEREQ"):
            evil.send(timed_packet(kind, time.time() + 1000, sequence=4), we.address)
        self.unchanged(we, before)
        self.assertEqual(self.heard(evil, "DATEACK"), [])

    def test_gets_no_answer_to_the_questions_of_timedc(self):
        we, evil = self.slave(), self.peer("evil", port=1023)
        began = self.stage.now()
        for kind in ("MSITE", "MSITEREQ", "TEST", "TRACEON", "TRACEOFF"):
            evil.say(kind, we.address, 3)
        self.stage.run(1)
        answers = [s for s in self.stage.log if s.who == "evil" and s.way == "in"]
        self.assertEqual([str(s) for s in answers if s.address == we.address], [])
        self.assertEqual(self.heard(self.master, "ELECTION", since=began), [])

    def test_on_the_same_machine_gets_one(self):
        we = self.slave()
        channel = self.tell_locally(we, "MSITE")
        image, _ = channel.recvfrom(4096)
        self.assertEqual((image[0], image[12:17]), (2, b"bsd1\0"))

    def test_with_the_daemons_own_name_is_a_stranger(self):
        we, evil = self.slave(), self.peer("evil")
        began = self.stage.now()
        evil.send(Packet("TEST", 3, name="we"), we.address)
        self.stage.run(0.7)
        self.assertEqual(self.heard(self.master, "ELECTION", since=began), [])

    def test_gets_no_more_bytes_than_it_sent(self):
        we = self.alone()
        for number in range(25):
            evil = self.peer("evil", port=2000 + number)
            request = bytearray(pack(Packet("ACK", 7, "stranger"))[:44])
            request[0] = number
            evil.put(bytes(request), we.address)
        self.stage.run(1)
        self.assertEqual([str(s) for s in self.answers_to("evil") if len(s.image) > 44], [])

    def test_nor_does_who_is_trusted(self):
        we = self.alone(trust=("bsd1",))
        bsd = self.peer("bsd1", port=2000)
        for kind in ("MASTERREQ", "MSITEREQ"):
            bsd.put(pack(Packet(kind, 7, "bsd1"))[:44], we.address)
        self.wait_for(lambda: len(self.answers_to("bsd1")) == 2, "both are answered")
        self.assertLessEqual(max(len(s.image) for s in self.answers_to("bsd1")), 44)

    def answers_to(self, name):
        said = (s for s in self.stage.log if s.who == name and s.way == "in")
        return [s for s in said if s.address[1] == PORT]

    def test_cannot_suppress_an_election_by_asking_for_the_master(self):
        self.suppress(self.slave(scale=240.0), self.peer("evil"))

    def test_nor_can_a_trusted_host_by_asking_for_ever(self):
        self.suppress(self.slave(scale=240.0), self.peer("bsd2"))

    def suppress(self, we, asking):
        """Timers of 1.5 to 3.75 s, and a question every 50 ms."""
        self.master.leave()
        end = self.stage.now() + 15
        while not self.heard(asking, "ELECTION"):
            self.assertLess(self.stage.now(), end, "no election")
            asking.say("MASTERREQ", sequence=3)
            self.stage.run(0.05)


class Broken(Scene):
    """Packets that no sane host sends, and some that one does."""

    def setUp(self):
        super().setUp()
        self.we = self.daemon(trust=("bsd1", "we"))
        self.wait_state(self.we, "master")
        self.asking = self.peer("bsd1")
        self.request = pack(Packet("MASTERREQ", 0x0102, "bsd1"), self.asking.noise)

    def answered(self, image, seconds=2.0):
        began = self.stage.now()
        self.asking.put(image, self.we.address)
        end = began + seconds
        while self.stage.now() < end:
            self.stage.run(0.02)
            if answers := self.heard(self.asking, "MASTERACK", since=began):
                return answers
        return []

    def test_lengths_from_44_on_are_taken(self):
        for length in (44, 76, 268, 280, 1000):
            answer = self.answered(self.request.ljust(length, b"x")[:length])
            self.assertTrue(answer, f"{length} bytes")
            self.assertEqual(answer[0].packet.sequence, 0x0102)

    def test_the_others_are_dropped(self):
        for image in (b"", b"\3", self.request[:12], self.request[:43]):
            self.assertEqual(self.answered(image, 0.2), [])
        self.still_answers()

    def test_wrong_versions_types_and_names_are_dropped(self):
        request = self.request
        bad = [
            b"\3\2" + request[2:],
            b"\x19\1" + request[2:],
            b"\xff\1" + request[2:],
            request[:12] + b"n" * 256,
            request[:12] + b"n" * 32,
            request[:12] + b"n" * 400,
        ]
        for image in bad:
            self.assertEqual(self.answered(image, 0.2), [])
        self.assertTrue(self.answered(b"\3\0" + request[2:]))  # version 0: as BSD takes it
        self.still_answers()

    def test_noise_does_no_harm(self):
        for _ in range(3000):
            length = self.asking.random.randrange(400)
            image = bytearray(self.asking.noise.randbytes(length))
            if length > 2:
                image[0], image[1] = image[0] % 27, 1
            self.asking.channel.send(bytes(image), self.we.address)
        self.still_answers()

    def test_a_host_with_our_own_name_is_not_answered(self):
        self.assertEqual(self.answered(pack(Packet("MASTERREQ", 5, "we")), 0.3), [])
        self.still_answers()

    def still_answers(self):
        self.assertTrue(self.answered(self.request, 5))
        self.assertTrue(self.we.alive)
        self.assertEqual(self.we.state(), "master")


class Keyed(Scene):
    """With a key, what does not carry it changes nothing, whatever its name."""

    def test_unauthenticated_tsp_changes_nothing(self):
        key = self.new_key()
        we = self.daemon("--key", key, trust=())
        self.wait_state(we, "master")
        before = we.offset()
        bsd = self.peer("bsd1")
        for kind in ("ADJTIME", "SETTIME", "SETDATE", "SETDATEREQ"):
            bsd.send(timed_packet(kind, 1e6, sequence=12), we.address)
        for kind in ("QUIT", "MASTERUP", "LOOP", "CONFLICT", "ELECTION", "SLAVEUP", "REFUSE"):
            bsd.say(kind, we.address, 13)
        self.stage.run(1)
        status = we.status()
        self.assertAlmostEqual(status["clock"]["offset_ns"] / 1e9, before, delta=0.001)
        self.assertEqual((status["state"], status["members"][1:]), ("master", []))

    def test_a_bsd_timed_that_is_named_may_take_part(self):
        we = self.daemon("--key", self.new_key(), trust=("bsd1",))
        self.wait_state(we, "master")
        bsd, other = self.peer("bsd1", "slave"), self.peer("bsd2", "slave")
        other.say("SLAVEUP")
        bsd.say("SLAVEUP")
        self.wait_for(lambda: "bsd1" in we.members(), "it has a slave")
        self.assertNotIn("bsd2", we.members())

    def test_who_has_sealed_once_is_not_believed_unsealed(self):
        """Though its network is trusted, and the address is forged as well."""
        key, words = self.new_key(), {"mode": "own", "trust": ("10.77.0.0/24",), "scale": 1}
        master = self.daemon("--key", key, name="bsd3", **words)
        self.wait_state(master, "master")
        slave = self.daemon("--key", key, **words)
        self.wait_for(slave.synchronised, "it is synchronised")
        before = slave.offset()
        packet = timed_packet("ADJTIME", 0.5, sequence=7, name="bsd3")
        forge(scene.LAN, "evil", master.address, slave.address, pack(packet))
        self.stage.run(0.5)
        self.assertAlmostEqual(slave.offset(), before, delta=0.0002)

    def test_another_key_is_a_strangers(self):
        one = self.daemon("--key", self.new_key(), mode="own", trust=(), scale=1)
        self.wait_state(one, "master")
        two = self.daemon("--key", self.new_key(), mode="own", trust=(), scale=1, name="bsd3")
        self.wait_state(two, "master")
        self.stage.run(1)
        self.assertEqual([one.state(), two.state()], ["master", "master"])

    def test_a_recording_is_not_obeyed(self):
        """Neither while its sender lives nor when it is gone, nor by one that was started anew."""
        key = self.new_key()
        words = {"mode": "own", "trust": (), "scale": 1}
        master = self.daemon("--key", key, "--offset", "30ms", name="bsd3", **words)
        self.wait_state(master, "master")
        capture = Capture(self.stage, scene.LAN)
        slave = self.daemon("--key", key, **words)
        together = lambda: abs(slave.offset() - master.offset()) < 0.001  # noqa: E731
        self.wait_for(together, "it is corrected")
        capture.close()
        recorded = [image for _, source, _, image in capture.seen if source == master.address]
        self.assertGreater(len(recorded), 3)
        self.replay(recorded, master, slave, "replayed")
        master.kill()
        slave.kill()
        slave.start()
        self.wait_for(slave.state, "it is up")
        self.replay(recorded, master, slave, "stranger")
        self.assertNotEqual(slave.status()["master"], "bsd3")

    def replay(self, recorded, master, slave, reason):
        before = slave.status()["dropped"].get(reason, 0)
        for image in recorded:
            forge(scene.LAN, "evil", master.address, slave.address, image)
        self.stage.run(0.3)
        after = slave.status()["dropped"].get(reason, 0)
        self.assertGreaterEqual(after - before, len(recorded))


if __name__ == "__main__":
    main()
