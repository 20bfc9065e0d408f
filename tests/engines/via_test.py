#!/usr/bin/env python3
"""conclave run --via with real servers that fail: via_test.py TOOL TICKER [unittest options]."""

import os
import signal
import statistics
import subprocess
import sys
import time
import unittest
from pathlib import Path

from group import Group, boot_time
from servers import Etcd, Postgresql, wait_for

TOOL, TICKER = sys.argv[1:3]
DETECT = 1.5


class Engine:
    """What is true of both engines."""

    def setUp(self):
        self.engine = self.make()
        self.addCleanup(self.engine.close)
        self.group = Group(TOOL, TICKER, self.engine, detect=f"{DETECT}s")
        self.addCleanup(self.group.close)
        self.addCleanup(self.judge)

    def judge(self):
        self.assertIsNone(self.group.problem())

    def test_a_killed_agent_hands_over_by_the_guardians_note(self):
        spans = []
        for _ in range(5):
            name = self.group.holder()
            killed = boot_time()
            self.group.nodes[name].kill()
            self.group.nodes[name].wait()
            spans.append(self.group.start_after(killed) - killed)
            self.group.start(name)
            time.sleep(0.5)
        print(f"{type(self).__name__}: agent killed, next start after "
              f"{[round(1000 * span) for span in spans]} ms", flush=True)
        self.assertLess(statistics.median(spans), DETECT / 2)

    def test_without_the_note_the_lease_is_waited_for(self):
        name = self.group.holder()
        agent = self.group.nodes[name]
        pids = Path(f"/proc/{agent.pid}/task/{agent.pid}/children").read_text().split()
        scribes = [int(pid) for pid in pids
                   if "conclave-engine" in Path(f"/proc/{pid}/cmdline").read_text()]
        self.assertEqual(len(scribes), 1)
        killed = boot_time()
        os.kill(scribes[0], signal.SIGKILL)
        agent.kill()
        agent.wait()
        self.assertGreater(self.group.start_after(killed) - killed, DETECT / 2)

    def test_a_silent_holder_is_replaced_and_its_command_killed_before(self):
        name = self.group.holder()
        paused = boot_time()
        self.group.nodes[name].send_signal(signal.SIGSTOP)
        span = self.group.start_after(paused) - paused
        time.sleep(0.5)
        self.group.nodes[name].send_signal(signal.SIGCONT)
        self.group.holder()
        print(f"{type(self).__name__}: holder paused, next start after {1000 * span:.0f} ms",
              flush=True)
        self.assertGreater(span, DETECT / 2)

    def test_operators_look_and_steer_and_what_makes_no_sense_is_refused(self):
        name = self.group.holder()
        wait_for(lambda: "yes" in self.group.ask(name, "is-leader"), 20, "it says that it leads")
        self.assertEqual(self.group.ask(name, "leader"), name)
        self.assertIn("leader", self.group.ask(name, "status"))
        self.assertIn("assumed", self.group.ask(name, "bound"))
        self.assertIn("no members that vote", self.group.ask(name, "vouch"))
        self.assertIn("no members that vote", self.group.ask(name, "members", "add", "d"))
        asked = boot_time()
        self.group.ask(name, "resign")
        self.group.start_after(asked)
        refused = subprocess.run([*self.group.words("x"), "--expect", "3", "--", "true"],
                                 capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--expect cannot go with --via", refused.stderr)

    def test_a_node_that_is_asked_to_end_hands_over_and_ends(self):
        name = self.group.holder()
        asked = boot_time()
        self.group.nodes[name].terminate()
        self.assertEqual(self.group.nodes[name].wait(30), 0)
        self.assertNotEqual(self.group.holder(), name)
        self.assertLess(self.group.start_after(asked) - asked, 10 * DETECT)


class WithEtcd(Engine, unittest.TestCase):
    def make(self):
        return Etcd(3)

    def test_its_leader_is_killed_paused_and_all_are_restarted(self):
        self.group.holder()
        leader = self.engine.leader() - 1
        self.engine.kill(leader)
        time.sleep(2 * DETECT)
        self.group.holder()
        self.engine.start(leader)
        place = wait_for(self.engine.leader, 60, "etcd has a leader") - 1
        self.engine.signal(place, signal.SIGSTOP)
        time.sleep(2 * DETECT)
        self.group.holder()
        self.engine.signal(place, signal.SIGCONT)
        for each in range(3):
            self.engine.kill(each)
        time.sleep(2 * DETECT)
        now = boot_time()
        time.sleep(0.3)
        self.assertIsNone(self.group.runs(now))  # nobody can renew
        for each in range(3):
            self.engine.start(each)
        self.group.holder()

    def test_doctor_finds_a_server_that_does_not_answer(self):
        name = self.group.holder()
        follower = self.engine.leader() % 3
        self.engine.kill(follower)
        port = str(self.engine.clients[follower])
        wait_for(lambda: port in self.group.ask(name, "doctor"), 60, "doctor names the server")


class WithPostgresql(Engine, unittest.TestCase):
    def make(self):
        return Postgresql()

    def test_it_is_restarted_and_its_standby_stops(self):
        self.group.holder()
        self.engine.end("p")
        self.engine.begin("p")
        self.group.holder()
        self.engine.end("s")  # no commit is confirmed any more
        time.sleep(2 * DETECT)
        now = boot_time()
        time.sleep(0.3)
        self.assertIsNone(self.group.runs(now))
        self.engine.begin("s")
        self.group.holder()

    def test_doctor_finds_an_asynchronous_standby(self):
        name = self.group.holder()
        self.engine.synchronise("")
        wait_for(lambda: "asynchronous" in self.group.ask(name, "doctor"), 60, "doctor says so")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
