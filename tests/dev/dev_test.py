"""What ./dev promises, tried with false programs in place of the package tools, cmake and ctest."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

DEV = Path(__file__).resolve().parents[2] / "dev"
BASICS = "bash env dirname nproc cat mktemp rm head tr grep ln sed xargs mkdir awk mv".split()
ALL_INSTALLED = 'shift 3; for p in "$@"; do printf "%s:installed " "$p"; done'
RESULTS = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)"
\ttests="7"
\tfailures="{failures}"
\tdisabled="0"
\tskipped="1"
\thostname=""
>"""


class Dev(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.log = self.root / "log"
        self.log.touch()
        (self.root / "bin").mkdir()
        (self.root / "conclave/cli").mkdir(parents=True)
        (self.root / "conclave/cli/main.cpp").touch()
        shutil.copy(DEV, self.root / "dev")
        for name in BASICS:
            (self.root / "bin" / name).symlink_to(shutil.which(name))
        self.fake("dpkg-query", ALL_INSTALLED)
        self.fake("apt-get")
        self.fake("cmake", "mkdir -p build")

    def fake(self, name, body=""):
        """A program that notes how it was called, then does as told."""
        path = self.root / "bin" / name
        path.unlink(missing_ok=True)
        path.write_text(f'#!/usr/bin/env bash\necho "{name} $*" >>"{self.log}"\n{body}\n')
        path.chmod(0o755)

    def run_dev(self, *arguments, **more):
        environment = {"PATH": str(self.root / "bin"), "TMPDIR": str(self.root), **more}
        command = [str(self.root / "dev"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        self.calls = self.log.read_text()
        return done

    def test_help_names_every_verb(self):
        done = self.run_dev("help")
        self.assertEqual(done.returncode, 0)
        for verb in "up test soak build tables bench lint format help".split():
            self.assertIn(f"\n  {verb} ", done.stdout)

    def test_an_unknown_verb_is_refused(self):
        done = self.run_dev("dance")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'dance'", done.stderr)

    def test_nothing_is_installed_when_nothing_is_missing(self):
        self.assertEqual(self.run_dev("build").returncode, 0)
        self.assertNotIn("apt-get", self.calls)

    @unittest.skipUnless(os.geteuid() == 0, "only root installs without sudo")
    def test_only_what_is_missing_is_installed(self):
        self.fake("dpkg-query", ALL_INSTALLED.replace("printf", "[[ $p == cmake ]] || printf"))
        done = self.run_dev("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("apt-get update", self.calls)
        self.assertRegex(self.calls, r"apt-get install .* cmake\n")

    @unittest.skipUnless(os.geteuid() == 0, "only root installs without sudo")
    def test_a_failed_installation_is_shown(self):
        self.fake("dpkg-query")
        self.fake("apt-get", "echo no such mirror; exit 100")
        done = self.run_dev("build")
        self.assertEqual(done.returncode, 100)
        self.assertIn("no such mirror", done.stderr)

    def test_without_apt_the_packages_are_listed(self):
        (self.root / "bin/apt-get").unlink()
        done = self.run_dev("build")
        self.assertEqual(done.returncode, 2)
        self.assertIn("libcli11-dev", done.stderr)
        self.assertEqual(self.calls, "")

    def test_without_apt_it_can_be_told_that_all_is_there(self):
        (self.root / "bin/apt-get").unlink()
        self.assertEqual(self.run_dev("build", DEV_INSTALL="no").returncode, 0)

    def test_build_leaves_the_tool_where_it_says(self):
        self.run_dev("build")
        self.assertEqual(os.readlink(self.root / "build/conclave"), "release/bin/conclave")

    def test_a_step_that_fails_is_shown_and_ends_it(self):
        self.fake("cmake", "echo boom; exit 3")
        done = self.run_dev("test")
        self.assertEqual(done.returncode, 3)
        self.assertIn("boom", done.stderr)
        self.assertNotIn("ctest", self.calls)

    def test_a_step_that_works_is_quiet(self):
        self.fake("cmake", "mkdir -p build; echo chatter")
        done = self.run_dev("build")
        self.assertNotIn("chatter", done.stdout + done.stderr)

    def run_tests(self, failures):
        xml = RESULTS.format(failures=failures)
        (self.root / "build/dev").mkdir(parents=True)
        (self.root / "xml").write_text(xml)
        body = f'cat "{self.root}/xml" >build/dev/results.xml; echo said by ctest; exit {failures}'
        self.fake("ctest", body)
        return self.run_dev("test")

    def test_the_last_line_counts_the_tests(self):
        done = self.run_tests(failures=0)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "6 passed, 0 failed")
        self.assertIn("1 tests were skipped", done.stdout)
        self.assertNotIn("said by ctest", done.stdout + done.stderr)

    def test_failed_tests_are_shown_counted_and_end_in_failure(self):
        done = self.run_tests(failures=2)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "4 passed, 2 failed")
        self.assertIn("said by ctest", done.stderr)

    def test_tests_that_cannot_run_count_as_a_failure(self):
        self.fake("ctest", "echo No tests were found; exit 8")
        done = self.run_dev("test")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed")

    def test_tables_are_measured_anew_and_the_rest_of_the_page_stays(self):
        tool = self.root / "build/release/bin/conclave"
        tool.parent.mkdir(parents=True)
        tool.write_text('#!/usr/bin/env bash\necho "measured by $*"\necho "·"\n')
        tool.chmod(0o755)
        page = self.root / "docs/algorithms/README.md"
        page.parent.mkdir(parents=True)
        marks = "<!-- tables: ./dev tables -->\n{}<!-- end of tables -->\n"
        page.write_text("before\n" + marks.format("old\n") + "after\n")
        self.assertEqual(self.run_dev("tables").returncode, 0)
        new = marks.format("measured by claims --tables\n·\n")
        self.assertEqual(page.read_text(), "before\n" + new + "after\n")

    def test_an_unknown_benchmark_is_refused_with_those_there_are(self):
        (self.root / "bench").mkdir()
        (self.root / "bench/ring.cpp").touch()
        done = self.run_dev("bench", "rign")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'rign': choose from ring", done.stderr)


if __name__ == "__main__":
    unittest.main()
