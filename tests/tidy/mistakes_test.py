"""mistakes.py looks at what has changed and at nothing else; clang-tidy itself is played."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(__file__).with_name("mistakes.py")
PLAYED = """#!/usr/bin/env bash
[[ "$1" != --version ]] || exit 0
files=$(sed -n 's/^#include "\\(.*cpp\\)"$/\\1/p' "${!#}")
printf '%s\\n' ${files:-"${!#}"} >>"$LOOKED_AT"
! grep -hn mistake ${files:-"${!#}"}
"""


class Mistakes(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = Path(kept.name).resolve()
        self.log = self.folder / "log"
        tidy = self.folder / "clang-tidy-19"
        tidy.write_text(PLAYED)
        tidy.chmod(0o755)
        self.write("a.hpp", "int one();\n")
        self.write("a.cpp", '#include "a.hpp"\nint one() { return 1; }\n')
        self.write("b.cpp", "int two() { return 2; }\n")
        self.describe("")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def describe(self, options):
        entries = [
            {
                "directory": str(self.folder),
                "command": f"env X=1 ccache clang++-19 {options} -MD -MF x -o x.o -c {name}",
                "file": str(self.folder / name),
            }
            for name in ("a.cpp", "b.cpp")
        ]
        self.write("compile_commands.json", json.dumps(entries))

    def look(self, *names):
        """The exit code, and which files were given to clang-tidy."""
        self.log.write_text("")
        environment = os.environ | {
            "PATH": f"{self.folder}:{os.environ['PATH']}",
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "LOOKED_AT": str(self.log),
        }
        command = [sys.executable, "-B", str(PROGRAM), str(self.folder)]
        command += [str(self.folder / name) for name in names or ("a.cpp", "b.cpp")]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        self.output = done.stdout + done.stderr
        return done.returncode, sorted(Path(line).name for line in self.log.read_text().split())

    def test_what_was_clean_is_not_looked_at_again(self):
        self.assertEqual(self.look(), (0, ["a.cpp", "b.cpp"]))
        self.assertEqual(self.look(), (0, []))

    def test_a_change_of_code_header_comment_or_command_is_seen(self):
        self.look()
        self.write("a.hpp", "int one();\nint three();\n")
        self.assertEqual(self.look(), (0, ["a.cpp"]))
        self.write("b.cpp", "int two() { return 2; }  // NOLINT\n")
        self.assertEqual(self.look(), (0, ["b.cpp"]))
        self.describe("-DNEW")
        self.assertEqual(self.look(), (0, ["a.cpp", "b.cpp"]))

    def test_a_mistake_is_shown_until_it_is_gone(self):
        self.write("b.cpp", "int mistake();\n")
        for _ in range(2):
            code, looked = self.look()
            self.assertEqual((code, "b.cpp" in looked), (1, True))
            self.assertIn("1:int mistake();", self.output)
        self.write("b.cpp", "int two();\n")
        self.assertEqual(self.look(), (0, ["b.cpp"]))

    def test_a_file_that_only_compiles_behind_another_is_looked_at_alone(self):
        self.write("b.cpp", "int two() { return one(); }\n")
        self.assertEqual(self.look(), (0, ["a.cpp", "b.cpp"]))
        self.write("b.cpp", "int two() { return one(); }  // mistake\n")
        self.assertEqual(self.look()[0], 1)

    def test_a_file_that_the_compiler_cannot_read_is_left_to_clang_tidy(self):
        self.write("a.cpp", '#include "gone.hpp"  // mistake\n')
        self.assertEqual(self.look("a.cpp"), (1, ["a.cpp"]))

    def test_a_file_that_is_not_compiled_is_refused(self):
        self.assertEqual(self.look("c.cpp"), (2, []))
        self.assertIn("c.cpp", self.output)


if __name__ == "__main__":
    unittest.main()
