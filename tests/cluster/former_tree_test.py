"""A restarted node whose former command cannot be killed yet: former_tree_test.py TOOL TICKER

A process that writes to a frozen file system is in uninterruptible sleep: SIGKILL does not end it.
Its node must not say that it is gone, so nobody takes over before the lease has run out.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from cluster import Cluster, boot_time, wait_for

TOOL, TICKER = sys.argv[1:3]
DETECT_S = 4


def run(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True)


class FrozenDisk:
    """A file system of its own that can be frozen; `usable` is false where the machine refuses."""

    def __init__(self, folder):
        self.place = folder / "frozen"
        self.place.mkdir()
        image = folder / "image"
        with open(image, "wb") as file:
            file.truncate(8 << 20)
        made = run("mkfs.ext4", "-q", image).returncode == 0
        self.usable = made and run("mount", "-o", "loop", image, self.place).returncode == 0

    def freeze(self):
        return run("fsfreeze", "--freeze", self.place).returncode == 0

    def thaw(self):
        run("fsfreeze", "--unfreeze", self.place)

    def close(self):
        self.thaw()
        run("umount", "-l", self.place)


class WritingCluster(Cluster):
    """Beside the ticker, every command has a process that writes to the disk all the time."""

    def command(self):
        write = f"while :; do echo x >{self.disk.place}/$CONCLAVE_NODE; sleep 0.01; done"
        return ["/bin/sh", "-c", f"({write}) & exec {self.ticker} {self.ticks_file}"]


def state_of(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def stays_asleep(pid):
    """In the kernel for as long as we look: the ticker also waits for a disk, but only briefly."""
    for _ in range(20):
        if state_of(pid) != "D":
            return False
        time.sleep(0.01)
    return True


class FormerTree(unittest.TestCase):
    def setUp(self):
        needed = ("mkfs.ext4", "mount", "umount", "fsfreeze")
        if os.geteuid() != 0 or not all(map(shutil.which, needed)):
            self.skipTest("needs root, " + ", ".join(needed))
        options = ["--detect", f"{DETECT_S}s", "--heartbeat", "250ms", "--expect", "3"]
        self.cluster = WritingCluster(TOOL, TICKER, list("abc"), options)
        self.cluster.__enter__()
        self.addCleanup(self.cluster.__exit__, None, None, None)
        self.cluster.disk = FrozenDisk(self.cluster.folder)
        self.addCleanup(self.cluster.disk.close)
        if not self.cluster.disk.usable:
            self.skipTest("no file system can be mounted here")

    def freeze_leader(self):
        """The leader's node, its token, and one of its processes that cannot be killed."""
        self.cluster.start()
        leader = self.cluster.wait_for_work(0, 60)
        token = self.cluster.last_tick().token
        tree = leader.tree()
        if not self.cluster.disk.freeze():
            self.skipTest("no file system can be frozen here")
        asleep = lambda: next(filter(stays_asleep, leader.tree()), None)
        stuck = wait_for(asleep, 10, "a process of the command sleeps in the kernel")
        self.assertGreater(len(tree), 3)
        return leader, token, stuck

    @staticmethod
    def kill_at_once(node):
        guardian = node.guardian()
        os.kill(node.process.pid, signal.SIGSTOP)  # neither can do anything about the other
        os.kill(guardian, signal.SIGKILL)
        node.kill()

    @staticmethod
    def kill_in_turn(node):
        os.kill(node.guardian(), signal.SIGKILL)
        time.sleep(0.4)  # in which the agent looks after what the guardian left
        node.kill()

    @staticmethod
    def pause_first_and_kill_in_turn(node):
        guardian = node.guardian()
        first = Path(f"/proc/{guardian}/task/{guardian}/children").read_text()
        os.kill(int(first), signal.SIGSTOP)
        node.kill()
        time.sleep(0.4)  # in which the guardian looks after what does not end
        os.kill(guardian, signal.SIGKILL)

    def kill_and_lose_record(self, node):
        self.kill_at_once(node)
        for record in node.state.rglob("*.tree"):
            record.unlink()

    def check_nobody_takes_over(self, contain, kill):
        self.cluster.options += ["--contain", contain]
        leader, token, stuck = self.freeze_leader()
        kill(leader)
        killed = boot_time()
        leader.start()
        while boot_time() < killed + DETECT_S / 2:
            newer = self.cluster.runner(token_over=token)
            waited = boot_time() - killed
            self.assertFalse(
                newer and state_of(stuck) == "D",
                f"a new command {waited * 1000:.0f} ms after the kill, beside process {stuck}",
            )
            time.sleep(0.005)
        self.assertEqual(state_of(stuck), "D")
        if contain == "pid":  # else its first process lives, and the node waits for it to start
            status = wait_for(leader.status, 10, "the restarted node answers")
            self.assertIn("former command", status["remark"])
        thawed = boot_time()
        self.cluster.disk.thaw()
        self.cluster.wait_for_work(thawed, 20, token)
        first = self.cluster.first_tick(thawed, token)
        self.assertLess(first.time - thawed, DETECT_S / 3, "its lease was not given back")
        print(f"the next command ran {(first.time - thawed) * 1000:.0f} ms after the thaw")
        self.cluster.check_ticks()

    def test_nobody_takes_over_while_a_process_of_the_former_command_lives(self):
        self.check_nobody_takes_over("pid", self.kill_at_once)

    def test_an_agent_that_outlives_its_guardian_leaves_proof_of_what_it_could_not_end(self):
        self.check_nobody_takes_over("group", self.kill_in_turn)

    def test_a_guardian_that_outlives_its_agent_wakes_the_first_process_and_spares_it(self):
        self.check_nobody_takes_over("group", self.pause_first_and_kill_in_turn)

    def test_nobody_takes_over_before_the_lease_expires_if_the_record_is_lost(self):
        self.cluster.options += ["--contain", "pid"]
        leader, token, stuck = self.freeze_leader()
        self.kill_and_lose_record(leader)
        killed = boot_time()
        leader.start()
        status = wait_for(leader.status, 10, "the restarted node answers")
        self.assertIn("cannot tell whether the former command is gone", status["remark"])
        self.cluster.wait_for_work(killed, 4 * DETECT_S, token)
        self.assertEqual(state_of(stuck), "D")
        waited = self.cluster.first_tick(killed, token).time - killed
        print(f"the next command ran {waited * 1000:.0f} ms after the kill")
        self.assertGreater(waited, DETECT_S * 3 / 4)  # the last renewal came before the kill

    def test_nobody_takes_over_while_the_first_process_of_a_group_cannot_end_the_others(self):
        self.check_nobody_takes_over("group", self.kill_at_once)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
