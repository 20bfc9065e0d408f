"""What ./dev promises, tried with false programs in place of the package tools, cmake and ctest."""

import json
import os
import re
import subprocess
import unittest

from false_root import ALL_INSTALLED, ROOT, FalseRoot

NINJA = "mkdir -p build; echo '[3/7] Building x.o'; sleep {}; echo '[7/7] Linking x'"


class Verbs(FalseRoot):
    def test_help_names_every_verb(self):
        done = self.run_dev("help")
        self.assertEqual(done.returncode, 0)
        for verb in "up test soak build package docs tables bench lint format help".split():
            self.assertIn(f"\n  {verb} ", done.stdout)

    def test_an_unknown_verb_is_refused(self):
        done = self.run_dev("dance")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'dance'", done.stderr)

    def test_build_leaves_the_tool_where_it_says(self):
        self.run_dev("build")
        self.assertEqual(os.readlink(self.root / "build/conclave"), "release/bin/conclave")
        self.assertRegex(self.calls, "--target conclave conclave-lab conclave-guardian\n")

    def test_up_builds_only_what_it_shows(self):
        self.write("tests/cluster/show.py", "import sys; print('shown', *sys.argv[1:])")
        done = self.run_dev("up")
        self.assertEqual(done.stdout.splitlines()[-1], "shown build/release/bin/conclave")
        self.assertRegex(self.calls, "--target conclave conclave-guardian\n")
        self.assertNotIn("conclave-lab", self.calls)

    def test_lab_builds_modules_page_and_tool_and_opens_it(self):
        for program in "npm", "node":
            self.fake(program)
        self.write("build/release/bin/conclave", "#!/usr/bin/env bash\necho opened $*\n")
        (self.root / "build/release/bin/conclave").chmod(0o755)
        done = self.run_dev("lab", "--port", "0")
        self.assertEqual(done.stdout.splitlines()[-1], "opened lab --open --port 0")
        steps = ["--build --preset wasm", "npm --prefix web install", "node web/build.mjs"]
        steps += ["conclave-lab"]
        places = [self.calls.find(step) for step in steps]
        self.assertEqual(places, sorted(places))
        self.assertNotIn(-1, places)

    def test_package_builds_page_programs_and_packages_and_lists_them(self):
        for program in "npm", "node":
            self.fake(program)
        packs = "import os\nos.makedirs('build/packages', exist_ok=True)\n"
        packs += "open('build/packages/a.deb', 'w').write(4000 * 'x')"
        self.write("packaging/package.py", packs)
        done = self.run_dev("package", "--repository", "there")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ +4000 bytes  build/packages/a\.deb$")
        steps = ["node web/build.mjs", "--build --preset package", "--build --preset static"]
        places = [self.calls.find(step) for step in steps]
        self.assertEqual(places, sorted(places))
        self.assertNotIn(-1, places)

    def test_package_refuses_words_before_it_compiles(self):
        for name in "package.py", "repository.py", "image.py", "archive.py":
            self.write(f"packaging/{name}", (ROOT / "packaging" / name).read_text())
        for words, sentence in (
            (["--key", "x"], "--key signs a repository: say where, with --repository DIR"),
            (["--revision", "0"], "--revision cannot be '0': give a whole number, such as 2"),
            (["--repositry", "x"], "unrecognized arguments: --repositry x"),
        ):
            done = self.run_dev("package", *words)
            self.assertEqual(done.returncode, 2)
            self.assertIn(sentence, done.stderr)
            self.assertNotIn("cmake --", self.calls)

    def test_the_commit_is_given_to_what_others_run_and_to_no_test(self):
        self.fake("git", "echo 123456789abc")
        self.run_dev("build")
        self.assertIn("cmake --preset release -D CONCLAVE_COMMIT=123456789abc\n", self.calls)
        self.run_dev("bench", "--compile")
        self.assertIn("cmake --preset dev -D CONCLAVE_COMMIT=\n", self.calls)

    def test_docs_builds_the_site(self):
        self.write("packaging/site/make.py", "import sys; open('made', 'w').write(sys.argv[1])")
        done = self.run_dev("docs")
        self.assertEqual(done.returncode, 0)
        self.assertEqual((self.root / "made").read_text(), "build")

    def test_tables_are_measured_anew_and_the_rest_of_the_page_stays(self):
        self.write("build/release/bin/conclave", '#!/usr/bin/env bash\necho "by $*"\necho "·"\n')
        (self.root / "build/release/bin/conclave").chmod(0o755)
        page = "docs/algorithms/README.md"
        marks = "<!-- tables: ./dev tables -->\n{}<!-- end of tables -->\n"
        self.write(page, "before\n" + marks.format("old\n") + "after\n")
        self.assertEqual(self.run_dev("tables").returncode, 0)
        new = marks.format("by claims --tables\n·\n")
        self.assertEqual((self.root / page).read_text(), "before\n" + new + "after\n")

    def test_lint_has_a_build_folder_in_which_every_file_stands_alone(self):
        self.fake("git", "echo conclave/a.cpp")
        self.fake("clang-format-19")
        self.write("tests/tidy/mistakes.py", "import sys; sys.exit(' '.join(sys.argv[1:]))")
        done = self.run_dev("lint")
        self.assertIn("cmake --preset lint\n", self.calls)
        self.assertIn("build/lint conclave/a.cpp", done.stderr)

    def test_ci_runs_every_part(self):
        self.assertEqual(
            re.findall(r"^([a-z]+):", (ROOT / "tests/parts.txt").read_text(), re.M),
            re.findall(r"^run \./dev test ([a-z]+)$", (ROOT / ".ci/run").read_text(), re.M)[:-1],
        )  # the last is tsan


    def test_ci_compiles_the_benchmarks_which_the_tests_do_not(self):
        self.assertIn("\nrun ./dev bench --compile\n", (ROOT / ".ci/run").read_text())
        self.assertEqual(self.run_dev("bench", "--compile").returncode, 0)
        self.assertRegex(self.calls, "--build --preset dev .*--target benches\n")

    def test_ci_runs_the_tests_with_the_compiler_of_the_release(self):
        self.assertIn("\nexport DEV_PRESET=gcc ", (ROOT / ".ci/run").read_text())
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        gcc = next(preset for preset in presets if preset["name"] == "gcc")
        self.assertEqual(gcc["environment"]["CXX"], "g++")
        for program in "npm", "node":  # they build the page
            self.fake(program)
        for arguments in ["test"], ["test", "web"], ["bench", "--compile"]:
            self.run_dev(*arguments, DEV_PRESET="gcc")
        self.assertEqual(self.calls.count("cmake --build --preset gcc "), 3)
        self.assertNotIn("--preset dev", self.calls)


class Packages(FalseRoot):
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
        self.assertIn("libtomlplusplus-dev", done.stderr)
        self.assertEqual(self.calls, "")

    def test_without_apt_it_can_be_told_that_all_is_there(self):
        (self.root / "bin/apt-get").unlink()
        self.assertEqual(self.run_dev("build", DEV_INSTALL="no").returncode, 0)


    def test_what_would_start_a_service_is_unpacked_and_not_installed(self):
        self.fake("cmake", 'echo "$PATH" >>paths')
        self.run_dev("test")
        self.assertIn("apt-get download -qq chrony\n", self.calls)
        self.assertNotIn("install", self.calls)
        self.assertIn("/build/unpacked/chrony/usr/sbin:", (self.root / "paths").read_text())


class Steps(FalseRoot):
    def test_one_that_fails_is_shown_and_ends_it(self):
        self.fake("cmake", "echo '[1/2] Building'; echo 'bo\\om' >&2; printf unended; exit 3")
        done = self.run_dev("test")
        self.assertEqual(done.returncode, 3)
        self.assertIn("[1/2] Building\nbo\\om\nunended", done.stderr)
        self.assertIn("build (dev): failed after", done.stderr)
        self.assertNotIn("ctest", self.calls)

    def test_a_line_that_comes_in_pieces_is_shown_as_one(self):
        self.fake("cmake", "printf 'one '; sleep 1.5; echo line; exit 3")
        self.assertIn("one line\n", self.run_dev("build").stderr)

    def test_one_that_works_is_quiet(self):
        self.fake("cmake", "mkdir -p build; echo chatter; echo '[1/2] Building'")
        done = self.run_dev("build")
        self.assertNotIn("chatter", done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"^build both programs +\d\.\d s\n$")

    def test_a_long_one_says_how_far_it_is_where_there_is_no_terminal(self):
        self.fake("cmake", NINJA.format(2.5))
        done = self.run_dev("build", DEV_PROGRESS="1")
        self.assertRegex(done.stdout, r"(?m)^build both programs +[12] s  3 of 7 files$")
        self.assertNotIn("\r", done.stdout)

    def test_a_long_one_without_a_count_says_nothing_where_there_is_no_terminal(self):
        self.fake("cmake", "mkdir -p build; sleep 2.5")
        done = self.run_dev("build", DEV_PROGRESS="1")
        self.assertEqual(done.stdout.count("\n"), 1)

    def test_on_a_terminal_one_line_is_drawn_anew(self):
        self.fake("cmake", NINJA.format(1.5))
        written = self.run_on_terminal("build")
        self.assertRegex(written, r"\rbuild both programs +1 s  3 of 7 files")
        self.assertRegex(written, r"7 of 7 files.*\r\x1b\[Kbuild both programs +[\d.]+ s\r\n$")
        self.assertEqual(written.count("\n"), 1)

    def test_ninja_is_asked_to_count(self):
        self.fake("cmake", 'mkdir -p build; echo "$NINJA_STATUS" >>status')
        self.run_dev("build")
        self.assertIn("[%f/%t] \n", (self.root / "status").read_text())


class Benchmarks(FalseRoot):
    def setUp(self):
        super().setUp()
        self.fake("strip", 'echo 1234567 >"$2"')
        tool = "build/bench-build/release/bin/conclave"
        self.fake(
            "cmake",
            f'echo "ccache disabled: $CCACHE_DISABLE" >>"{self.log}"\n'
            f'mkdir -p {os.path.dirname(tool)}; ln -sf "{self.root}/bin/env" {tool}',
        )

    def test_an_unknown_one_is_refused_with_those_there_are(self):
        self.write("bench/ring.cpp", "")
        done = self.run_dev("bench", "rign")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, "'rign': choose from .*ring")

    def test_an_unknown_row_of_the_build_is_refused_before_anything_is_removed(self):
        self.write("build/bench-build/kept", "")
        done = self.run_dev("bench", "build", "up", "upp")
        self.assertEqual(done.returncode, 2)
        self.assertIn("'upp': choose from up programs tests", done.stderr)
        self.assertTrue((self.root / "build/bench-build/kept").exists())
        self.assertNotIn("cmake --", self.calls)

    def test_only_the_rows_named_are_measured_beside_their_limits(self):
        self.write("build/bench-build/old", "")
        done = self.run_dev("bench", "build", "programs", "up", "size", "version")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.root / "build/bench-build/old").exists())
        self.assertRegex(done.stdout, r"dev up from nothing +[\d.]+ s +[\d.]+ s +130 s CPU")
        self.assertRegex(done.stdout, r"(?m)^both programs .* 300 s CPU$")
        self.assertRegex(done.stdout, r"(?m)^conclave --version.* ms   5 ms$")
        self.assertNotIn("touched", done.stdout)
        self.assertRegex(self.calls, r"cmake --preset release -B \S+/build/bench-build/release\n")
        self.assertIn("ccache disabled: 1", self.calls)

    def test_a_header_is_touched_built_tested_and_left_as_it_was(self):
        self.fake("ctest")
        self.write("conclave/election/tempo.hpp", "")
        header = self.root / "conclave/election/tempo.hpp"
        os.utime(header, (1, 1))
        done = self.run_dev("bench", "build", "tempo")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(self.calls, r"ctest --test-dir \S+/build/bench-build/dev -R Tempo ")
        self.assertEqual(header.stat().st_mtime, 1)
        disabled = re.findall("ccache disabled: (1?)", self.calls)
        self.assertEqual(disabled, ["", "", "1"])  # what comes before the touch is not measured

    def test_lint_is_measured_with_an_empty_memory(self):
        self.write("dev", '#!/usr/bin/env bash\n"${0%dev}bin/env" >seen\n')
        self.fake("cmake")
        command = ["python3", "-B", str(self.root / "bench/build.py"), "lint"]
        subprocess.run(command, check=True, capture_output=True, env=self.environment({}))
        self.assertIn("/build/bench-build/lint\n", (self.root / "seen").read_text())

    def test_a_row_that_fails_is_shown_and_the_others_are_measured(self):
        self.fake("cmake", '[[ $* != *conclave-lab* ]] || { echo boom; exit 3; }')
        done = self.run_dev("bench", "build", "up", "programs")
        self.assertEqual(done.returncode, 1)
        self.assertIn("boom", done.stderr)
        self.assertRegex(done.stdout, r"dev up from nothing +[\d.]+ s +[\d.]+ s +130 s CPU")
        self.assertRegex(done.stdout, r"(?m)^both programs .* none +none +300 s CPU$")


if __name__ == "__main__":
    unittest.main()
