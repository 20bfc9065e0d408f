"""What `./dev up` shows of real nodes: show_test.py TOOL"""

import re
import signal
import subprocess
import sys
import unittest
import urllib.request
from pathlib import Path

from cluster import wait_for
from show import Show, Stage

TOOL = sys.argv[1]


class Picture(unittest.TestCase):
    def test_it_shows_who_leads_under_which_token_who_stands_still_and_who_is_dead(self):
        with Show(TOOL, "", ["anna", "boris", "clara"], ["--detect", "400ms"]) as cluster:
            cluster.start()
            cluster.wait_for_work(0, 30)
            cluster.wait_until_settled()
            stage, leader = Stage(cluster, True), cluster.last_tick().node
            token = cluster.last_tick().token
            first, second = [n for n in cluster.nodes.values() if n.name != leader]
            led = cluster.nodes[leader]
            expected = f"{leader} +leads   token {token}   lease +[0-9]+ ms"
            self.assertRegex(stage.line(led), expected)
            self.assertIn(f"follows {leader}", stage.line(first))
            wait_for(lambda: "♥" in stage.line(led), 20, "a heart beats")
            wait_for(lambda: "♥" in stage.line(first), 20, "another answers it")
            first.signal(signal.SIGSTOP)
            wait_for(lambda: "stands still" in stage.line(first), 20, "it stands still")
            first.signal(signal.SIGCONT)
            second.kill()
            self.assertIn("dead", stage.line(second))
            with urllib.request.urlopen(f"http://{cluster.web}/", timeout=20) as page:
                self.assertIn("<title>Conclave</title>", page.read().decode())
            stage.cut = {leader}
            self.assertIn("cut off", stage.line(led))

    def test_it_prints_where_the_live_page_is_and_how_to_open_the_laboratory(self):
        script = Path(__file__).with_name("show.py")
        shown = subprocess.Popen([sys.executable, "-B", script, TOOL], text=True,
                                 stdout=subprocess.PIPE)
        try:
            lines = [shown.stdout.readline() for _ in range(3)]
            found = re.fullmatch(r"in a browser: (http://\S+/); the laboratory: (\S+) lab\n",
                                 lines[2])
            self.assertTrue(found, lines)
            with urllib.request.urlopen(found[1], timeout=20) as page:
                self.assertIn("<title>Conclave</title>", page.read().decode())
            dev = script.parent.parent.parent / found[2]
            told = subprocess.run([dev, "help"], capture_output=True, text=True, check=True)
            self.assertRegex(told.stdout, "\n  lab +build the laboratory's page")
        finally:
            shown.send_signal(signal.SIGINT)  # Ctrl-C: it ends what it started
            shown.communicate(timeout=60)
        self.assertEqual(shown.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
