"""What ./dev test makes of results: counts, parts, and tests that were skipped."""

import os
import unittest

from false_root import FalseRoot


class Results(FalseRoot):
    def test_the_last_line_counts_the_tests(self):
        self.play_ctest({"a.a": "passed", "a.b": "passed"})
        done = self.run_dev("test")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines()[-1], "2 passed, 0 failed")
        self.assertNotIn("said by ctest", done.stdout + done.stderr)

    def test_failed_tests_are_shown_counted_and_end_in_failure(self):
        self.play_ctest({"a.a": "passed", "a.b": "failed", "a.c": "missing"}, status=8)
        done = self.run_dev("test")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 2 failed")
        self.assertIn("said by ctest", done.stderr)

    def test_tests_that_cannot_run_count_as_a_failure(self):
        self.fake("ctest", "echo No tests were found; exit 8")
        done = self.run_dev("test")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed")
        self.assertIn("No tests were found", done.stderr)

    def test_a_failure_of_ctest_that_no_test_shows_is_a_failure(self):
        self.play_ctest({"a.a": "passed"}, status=8)
        self.assertEqual(self.run_dev("test").returncode, 8)

    def test_the_core_leaves_out_the_parts_and_the_long_tests(self):
        self.play_ctest({"a.a": "passed"})
        self.run_dev("test", "-R", "a")
        self.assertIn("--label-exclude soak|^(web|engines|proofs|package)$ -R a\n", self.calls)


class SecondTries(FalseRoot):
    def run_twice(self, label="tests", processors=1, came_again="passed", failed=1):
        names = [f"a.{number}" for number in range(failed)]
        self.play_ctest(
            {"b.b": "passed", **{name: "failed" for name in names}},
            {name: label for name in names},
            status=8,
            again={name: came_again for name in names},
            processors=processors,
        )
        return self.run_dev("test")

    def test_a_test_that_waits_and_passes_alone_has_passed_and_is_named(self):
        done = self.run_twice()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("a.0 failed beside other tests and passed alone\n", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "2 passed, 0 failed")
        self.assertIn(r"-j 1 --output-junit again.xml --tests-regex ^(a\.0)$", self.calls)

    def test_a_test_that_fails_twice_has_failed(self):
        done = self.run_twice(came_again="failed")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 1 failed")

    def test_a_test_that_computes_gets_none(self):
        self.assertEqual(self.run_twice(processors=2).returncode, 1)
        self.assertNotIn("again.xml", self.calls)

    def test_a_test_of_safety_gets_none(self):
        self.assertEqual(self.run_twice(label="safety").returncode, 1)
        self.assertNotIn("again.xml", self.calls)

    def test_many_failures_get_none(self):
        self.assertEqual(self.run_twice(failed=6).returncode, 1)
        self.assertNotIn("again.xml", self.calls)


class Skips(FalseRoot):
    def judge(self, skips, cases):
        self.write("tests/skips.txt", skips)
        self.play_ctest(cases, {name: "tests" for name in cases})
        return self.run_dev("test")

    def refused(self, skips, sentence):
        done = self.judge(skips, {"a.a": "passed", "a.b": "passed"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("tests/skips.txt:" + sentence, done.stdout)

    def test_what_the_list_does_not_name_is_a_failure(self):
        for how in ("skipped", "disabled", "python skipped", "node skipped"):
            done = self.judge("# none\n", {"a.a": how, "a.b": "node passed"})
            self.assertEqual(done.returncode, 1)
            self.assertIn("a.a was skipped, and tests/skips.txt does not say why", done.stdout)
            self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 1 failed")

    def test_what_the_list_names_is_told_with_the_reason(self):
        cases = {"a.a": "skipped", "B/C.d/1": "python skipped", "a.c": "passed"}
        done = self.judge("a.a: no disk here\n\nB/.*: no such thing: never\n", cases)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("a.a was skipped: no disk here\n", done.stdout)
        self.assertIn("B/C.d/1 was skipped: no such thing: never\n", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 0 failed, 2 skipped")

    def test_a_name_is_all_of_a_name(self):
        self.assertEqual(self.judge("a: why\n", {"a": "passed", "ab": "skipped"}).returncode, 1)

    def test_a_test_that_could_not_be_started_has_no_excuse(self):
        self.assertEqual(self.judge("a.a: why\n", {"a.a": "missing"}).returncode, 1)

    def test_a_malformed_list_is_refused(self):
        self.refused("a.a\n", "1: 'a.a' is not a test, a colon and a reason")
        self.refused("# x\na.a:\n", "2: 'a.a:' is not")
        self.refused("a.a: \n", "1: 'a.a: ' is not")
        self.refused("a.a a.b: why\n", "1: 'a.a a.b: why' is not")
        self.refused("a.a: why\na.a: another\n", "2: line 1 names 'a.a' already")
        self.refused("a.(a: why\n", "1: 'a.(a' is no regular expression")

    def test_two_lines_for_a_skipped_test_are_refused(self):
        done = self.judge("a.a: why\na..: why\n", {"a.a": "skipped"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("lines 1 and 2 both name 'a.a'", done.stdout)

    def test_a_line_for_no_test_is_refused_where_all_tests_are_known(self):
        self.refused("a.x: why\n", "1: there is no test 'a.x'")
        self.write("tests/web/x", "")
        self.fake("npm"), self.fake("node")
        self.play_ctest({"web.a": "passed"}, {"web.a": "web"})
        self.assertEqual(self.run_dev("test", "web").returncode, 0)

    @unittest.skipUnless(os.geteuid() == 0, "only root is root")
    def test_root_is_not_excused_by_needs_root(self):
        done = self.judge("a.a: needs root to mount\n", {"a.a": "skipped"})
        self.assertEqual(done.returncode, 1)


class Parts(FalseRoot):
    def test_one_without_tests_says_so_and_passes(self):
        self.play_ctest(labels={"a.a": "tests"})
        done = self.run_dev("test", "proofs")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "proofs: no tests yet")
        self.assertNotIn("label-regex", self.calls)

    def test_a_folder_whose_tests_are_not_registered_fails(self):
        self.write("tests/web/x_test.cpp", "")
        self.write("tests/wasm/run.py", "")
        self.fake("npm"), self.fake("node")
        self.play_ctest(labels={"wasm.a": "web", "web.a": "tests"})
        done = self.run_dev("test", "web")
        self.assertEqual(done.returncode, 1)
        self.assertIn("tests/web is there, but no test 'web...' has label 'web'", done.stdout)

    def test_one_builds_and_runs_its_own_tests(self):
        self.write("tests/install/install.cmake", "")
        self.fake("npm"), self.fake("node")
        self.write("build/packages/a.deb", "")
        self.play_ctest({"install.a": "passed"}, {"install.a": "package", "a.a": "tests"})
        done = self.run_dev("test", "package", "-V")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(self.calls, r"cmake --build --preset dev .*--target package_part\n")
        self.assertRegex(self.calls, r"ctest .* --label-regex \^package\$ -V\n")
        self.assertRegex(done.stdout, r"build \(package\) +[\d.]+ s\n")
        self.assertEqual(done.stdout.splitlines()[-1], "1 passed, 0 failed")

    def test_failures_of_one_end_in_failure(self):
        self.play_ctest({"proofs.a": "failed"}, {"proofs.a": "proofs"}, status=8)
        self.assertEqual(self.run_dev("test", "proofs").returncode, 1)

    def test_folders_of_tests_are_built_and_run_alone(self):
        self.write("tests/wire/a_test.cpp", "")
        self.write("tests/net/b_test.cpp", "")
        self.play_ctest({"A.a": "passed"}, {"A.a": "tests-in-wire"})
        done = self.run_dev("test", "dev", "wire", "net")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(self.calls, r"--preset dev .*--target wire_tests net_tests\n")
        self.assertIn("--label-regex -in-(wire|net)$", self.calls)

    def test_an_unknown_one_is_refused(self):
        done = self.run_dev("test", "wbe")
        self.assertEqual(done.returncode, 2)
        self.assertIn("neither a preset nor a part 'wbe'", done.stderr)


if __name__ == "__main__":
    unittest.main()
