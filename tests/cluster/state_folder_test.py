"""State folders that cannot be written to: state_folder_test.py TOOL TICKER

Each node's is a small file system of its own, which can be full or read-only. Needs root.
"""

import http.client
import subprocess
import sys
import time
import unittest

from cluster import Cluster, wait_for
from relay import free_ports

TOOL, TICKER = sys.argv[1:3]


class StateFolders(unittest.TestCase):
    def cluster(self, *options):
        made = Cluster(TOOL, TICKER, list("abc"), ["--expect", "3", "--detect", "400ms", *options])
        made.__enter__()
        self.addCleanup(made.__exit__, None, None, None)
        self.assertTrue(made.mount_states())
        return made

    def doctor(self, node):
        where = ["--group", node.cluster.group, "--name", node.name, "--state", str(node.state)]
        asked = subprocess.run([TOOL, "doctor", *where], capture_output=True, text=True, timeout=20)
        return asked.stdout

    def health(self, port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/health")
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def fill(self, node):
        filler = node.state / "filler"
        try:
            with open(filler, "wb", buffering=0) as file:
                while file.write(b"x" * 4096):
                    pass
        except OSError:
            pass  # it is full
        return filler

    def test_a_full_disk_at_the_start_is_waited_out_with_a_warning(self):
        cluster = self.cluster()
        a = cluster.nodes["a"]
        filler = self.fill(a)
        cluster.start()
        wait_for(lambda: a.log.exists() and "is full; make room" in a.log.read_text(), 20, "told")
        time.sleep(1)
        self.assertTrue(a.alive)
        self.assertEqual(a.log.read_text().count("is full"), 1)
        filler.unlink()
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        self.assertIn("there is room again", a.log.read_text())
        cluster.check_ticks()

    def test_a_follower_that_writes_nothing_knows_that_it_could_not(self):
        (port,) = free_ports(1)
        cluster = self.cluster()
        for node in cluster.nodes.values():
            more = ["--http", f"127.0.0.1:{port}"] if node.name == "a" else []
            node.start("--priority", "0" if node.name == "a" else "1", *more)
        cluster.wait_for_work(0, 30)
        cluster.wait_until_settled()
        a, token = cluster.nodes["a"], cluster.last_tick().token
        self.assertEqual(self.health(port), (200, "healthy\n"))
        for way, words in (("ro", "Read-only file system"), ("full", "No space left on device")):
            with self.subTest(way):
                if way == "ro":
                    self.remount(a, "ro")
                else:
                    filler = self.fill(a)
                wait_for(lambda: words in a.status()["remark"], 10, "status knows")
                self.assertIn(words, self.doctor(a))
                self.assertIn(words, a.status()["fitness"]["obstacle"])
                status, said = self.health(port)
                self.assertEqual(status, 503)
                self.assertIn(words, said)
                self.remount(a, "rw") if way == "ro" else filler.unlink()
                wait_for(lambda: self.health(port)[0] == 200, 10, "it can be written again")
        self.assertNotIn("cannot lead", self.doctor(a))
        self.assertEqual(cluster.last_tick().token, token)  # nobody had to stop for that

    def remount(self, node, how):
        words = ["mount", "-o", f"remount,{how}", str(node.state)]
        subprocess.run(words, check=True, capture_output=True)


if __name__ == "__main__":
    probe = Cluster(TOOL, TICKER, ["a"])
    with probe:
        possible = probe.mount_states()
    if not possible:
        print("a small file system of its own needs root")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
