"""How our time daemon behaves towards those who run it: manners.py TOOL"""

import socket
import subprocess

import scene
from lan import forge
from scene import PORT, SCALE, Scene, main

OWN = {"mode": "own", "scale": 1}


class Manners(Scene):
    def test_sigterm_ends_it_cleanly(self):
        we = self.daemon(**OWN)
        self.wait_state(we, "master")
        self.assertEqual(we.stop(), 0)

    def test_check_tells_by_its_exit_whether_the_clock_is_right(self):
        key = self.new_key()
        one = self.daemon("--key", key, "--offset", "9ms", trust=(), name="bsd3", **OWN)
        self.wait_state(one, "master")
        two = self.daemon("--key", key, trust=(), **OWN)
        self.wait_for(lambda: two.ask("check", "--within", "5ms").code == 0, "within 5 ms", 30)
        self.assertEqual(two.ask("check", "--within", "1ns").code, 1)

    def test_check_and_status_say_that_there_is_no_daemon(self):
        words = ["--control", "/nonexistent/control"]
        for verb in (["status"], ["check", "--within", "1ms"]):
            asked = subprocess.run([scene.TOOL, "timed", *verb, *words], capture_output=True)
            self.assertNotEqual(asked.returncode, 0)
            self.assertEqual(asked.stderr.count(b"\n"), 1)

    def keyed(self, key, *options, **more):
        return self.daemon("--key", key, *options, trust=(), **OWN, **more)

    def master_and_slave(self, key):
        master = self.keyed(key, name="bsd3")
        self.wait_state(master, "master")
        slave = self.keyed(key)
        self.wait_state(slave, "slave")
        return master, slave

    def test_two_machines_of_one_name_are_told_of_everywhere(self):
        key = self.new_key()
        master, first = self.master_and_slave(key)
        self.stage.run(2)
        self.assertEqual(master.status()["warnings"], [])
        second = self.keyed(key, "--name", "we", name="bsd2")
        for daemon, others in ((master, [first, second]), (first, [second]), (second, [first])):
            told = self.wait_for(lambda d=daemon: (d.status() or {}).get("warnings"),
                                 f"{daemon.name} tells of it", 20)
            self.assertEqual(len(told), 1, told)
            for other in others:
                self.assertIn(other.address[0], told[0])
            self.assertIn("--name", told[0])
            self.assertIn(told[0], daemon.ask("status").output)
            self.assertEqual(daemon.log.read_text().count(told[0]), 1)

    def test_a_machine_that_changes_its_address_is_no_second_one(self):
        key = self.new_key()
        master, before = self.master_and_slave(key)
        before.stop()
        after = self.keyed(key, "--name", "we", name="bsd2")
        self.wait_for(lambda: master.status()["dropped"].get("address"), "it is not believed yet")
        self.wait_for(lambda: after.ask("check", "--within", "1s").code == 0, "it follows", 40)
        self.assertEqual(master.status()["warnings"], [])

    def test_daemons_that_it_does_not_understand_are_told_of(self):
        we = self.keyed(self.new_key())
        self.wait_state(we, "master")
        other = self.keyed(self.new_key(), name="bsd2")
        said = f"the time daemon of {other.address[0]} has another key"
        self.wait_for(lambda: said in we.log.read_text(), "another key is logged", 20)
        self.assertEqual(we.status()["warnings"], [])  # it may be so on purpose
        older = (scene.LAN.address("bsd1"), we.address[1])
        head = bytes([1, 1, 0, 7]).ljust(12, b"\0") + b"bsd1".ljust(256, b"\0")
        for _ in range(3):
            forge(scene.LAN, "bsd1", older, we.address, head + b"tspc" + bytes(40))
        told = self.wait_for(lambda: we.status()["warnings"], "another version is told of")
        self.assertEqual(len(told), 1)
        self.assertIn(f"the time daemon of {older[0]} has another version", told[0])
        self.assertEqual(we.log.read_text().count(told[0]), 1)

    def get(self, daemon, path):
        """What its page of that path says: the first line's code, and the text."""
        with scene.LAN.inside(daemon.name):
            channel = socket.socket()
        with channel:
            channel.settimeout(5)
            channel.connect(("127.0.0.1", 7678))
            channel.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:7678\r\n\r\n".encode())
            answer = b""
            while piece := channel.recv(4096):
                answer += piece
        head, _, text = answer.decode().partition("\r\n\r\n")
        return int(head.split()[1]), text

    def test_its_page_calls_the_clock_synchronised_by_the_standard_of_check(self):
        key, http = self.new_key(), ("--http", "127.0.0.1:7678")
        strict = self.keyed(key, *http, "--within", "1ns", name="bsd3")
        self.wait_state(strict, "master")
        usual = self.keyed(key, *http)
        self.wait_for(lambda: usual.ask("check").code == 0, "its clock is good", 20)
        # A busy machine may make it doubt its clock for a moment.
        self.wait_for(lambda: self.get(usual, "/synchronised")[0] == 200, "its page says so", 20)
        good = "\nconclave_timed_synchronised 1\n"
        self.wait_for(lambda: good in self.get(usual, "/metrics")[1], "so do its metrics", 20)
        self.wait_for(lambda: strict.ask("check", "--within", "1ms").code == 0, "so is its own", 20)
        code, reasons = self.get(strict, "/synchronised")
        self.assertEqual(code, 503)
        self.assertIn("more than 1ns", reasons)
        self.assertIn("\nconclave_timed_synchronised 0\n", self.get(strict, "/metrics")[1])

    def test_status_names_all(self):
        we = self.daemon()
        self.wait_state(we, "master")
        slave = self.peer("bsd1", "slave")
        slave.say("SLAVEUP")
        self.wait_for(lambda: "bsd1" in we.members(), "it has a slave")
        status = we.status()
        wanted = "name state master term mode round synchronised clock members dropped".split()
        self.assertEqual([word for word in wanted if word not in status], [])
        for word in "kind offset_ns drift_ppb bound".split():
            self.assertIn(word, status["clock"])
        for word in "name kind offset_ns rate_ppb jitter_ns error_ns stamps faulty".split():
            self.assertIn(word, status["members"][-1])
        said = we.ask("status").output
        for word in ("we", "bsd1", "master"):
            self.assertIn(word, said)

    def test_bsd_times_are_kept_as_soon_as_a_bsd_timed_is_heard(self):
        we = self.daemon(mode="auto")
        self.wait_state(we, "master")
        self.assertEqual(we.status()["mode"], "own")
        self.peer("bsd1").say("SLAVEUP")
        self.wait_for(lambda: we.status()["mode"] == "bsd", "it keeps BSD's times")

    def test_a_trace_that_is_not_kept_is_not_acknowledged(self):
        we = self.daemon(**OWN)
        self.wait_state(we, "master")
        for kind in ("TRACEON", "TRACEOFF"):
            channel = self.tell_locally(we, kind)
            channel.settimeout(0.5)
            self.assertRaises(TimeoutError, channel.recvfrom, 4096)
        self.assertIn("keeps no trace", we.log.read_text())

    def test_a_clock_of_kind_none_is_only_watched(self):
        master = self.peer("bsd1", "master", offset=5.0)
        self.stage.run(4 / SCALE)
        we = self.daemon("--clock", "none")
        self.wait_heard(master, "SLAVEUP")
        self.stage.run(1)
        self.assertEqual(we.status()["clock"]["kind"], "none")

    def ended(self, *words, inside="we"):
        """How a daemon ends that cannot start, in one sentence."""
        command = ["ip", "netns", "exec", scene.LAN.space(inside), scene.TOOL, "timed", "--clock",
                   "virtual", "--insecure", *words]
        asked = subprocess.run(command, capture_output=True, text=True, timeout=20)
        self.assertEqual(asked.stderr.count("\n"), 1, asked.stderr)
        return asked.returncode, asked.stderr

    def test_what_may_pass_by_itself_ends_with_another_code_than_a_mistake(self):
        """A unit tries again after any code but 2."""
        we = self.daemon(**OWN)
        self.wait_for(we.status, "it runs")
        port = ["--port", str(PORT), "--address", we.address[0]]
        for words, inside, code, why in (
            ([*port, "--no-control"], "we", 125, "Address already in use"),
            ([*port, "--control", str(we.control)], "we", 121, "listens on"),
            (["--no-control"], "hub", 125, "no interface of this machine broadcasts"),
            (["--no-control", "--address", "10.9.9.9"], "we", 125, "no interface has 10.9.9.9"),
            (["--no-control", "--state", "/nonexistent/state"], "we", 125, "No such file"),
        ):
            ended, said = self.ended(*words, inside=inside)
            self.assertEqual(ended, code, said)
            self.assertIn(why, said)

    def test_a_mistake_is_one_sentence_and_exit_2(self):
        base = ["--name", "x", "--address", "127.0.0.1", "--broadcast", "127.255.255.255"]
        for words in (
            ["--insecure", "--mode", "wrong"],
            ["--insecure", "--clock", "sundial"],
            ["--insecure", "--clock", "virtual", "--offset", "soon"],
            ["--insecure", "--clock", "virtual", "--drift", "-"],
            ["--insecure", "--time-scale", "0"],
            ["--insecure", "--round", "0s"],
            ["--insecure", "--port", "70000"],
            ["--key", "/nonexistent/key"],
            [],  # neither key nor trust
        ):
            asked = subprocess.run(
                [scene.TOOL, "timed", *base, "--no-control", *words],
                capture_output=True, text=True, timeout=20,
            )
            self.assertEqual(asked.returncode, 2, f"{words}: {asked.stderr}")
            self.assertEqual(asked.stderr.count("\n"), 1, f"{words}: {asked.stderr}")


if __name__ == "__main__":
    main()
