"""A root with ./dev in it and false programs in place of the package tools, cmake and ctest."""

import json
import os
import pty
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BASICS = "bash env dirname nproc cat mktemp rm head grep ln sed xargs mkdir awk mv sleep".split()
BASICS += ["python3", "stat"]
KEPT = ["dev", "scripts/steps.sh", "scripts/packages.sh", "tests/parts.txt"]
KEPT += ["tests/support/results.py", "bench/build.py", "bench/verb.sh", "packaging/verb.sh"]
ALL_INSTALLED = 'shift 3; for p in "$@"; do printf "%s:installed " "$p"; done'
CASES = {
    "passed": '<testcase name="{}" status="run"><system-out>fine</system-out></testcase>',
    "failed": '<testcase name="{}" status="fail"><failure message=""/></testcase>',
    "skipped": '<testcase name="{}" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>'
    "</testcase>",
    "missing": '<testcase name="{}" status="notrun"><skipped message="Unable to find executable"/>'
    "</testcase>",
    "disabled": '<testcase name="{}" status="disabled"><system-out>Disabled</system-out>'
    "</testcase>",
    "node skipped": '<testcase name="{}" status="run"><system-out># pass 3\n# skipped 1\n'
    "# todo 0\n</system-out></testcase>",
    "node passed": '<testcase name="{}" status="run"><system-out># pass 3\n# skipped 0\n'
    "# todo 0\n</system-out></testcase>",
    "python skipped": '<testcase name="{}" status="run"><system-out>Ran 3 tests\n\n'
    "OK (skipped=1)\n</system-out></testcase>",
}


def results_xml(cases):
    """What ctest writes for {name: one of CASES}."""
    texts = [CASES[came].format(name) for name, came in cases.items()]
    return '<?xml version="1.0" encoding="UTF-8"?>\n<testsuite>' + "\n".join(texts) + "</testsuite>"


class FalseRoot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.log = self.root / "log"
        self.log.touch()
        (self.root / "bin").mkdir()
        self.write("conclave/tool/main.cpp", "")
        self.write("tests/skips.txt", "# none\n")
        for name in KEPT:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)
        for name in BASICS:
            (self.root / "bin" / name).symlink_to(shutil.which(name))
        self.write("packaging/site/make.py", "")
        self.write("packaging/package.py", "")
        self.fake("dpkg-query", ALL_INSTALLED)
        self.fake("apt-get", "[[ $1 != download ]] || : >package.deb")
        self.fake("dpkg-deb", 'mkdir -p "$3/usr/sbin"')
        self.fake("cmake", "mkdir -p build")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def fake(self, name, body=""):
        """A program that notes how it was called, then does as told."""
        path = self.root / "bin" / name
        path.unlink(missing_ok=True)
        path.write_text(f'#!/usr/bin/env bash\necho "{name} $*" >>"{self.log}"\n{body}\n')
        path.chmod(0o755)

    def environment(self, more):
        return {"PATH": str(self.root / "bin"), "TMPDIR": str(self.root), **more}

    def run_dev(self, *arguments, **more):
        command = [str(self.root / "dev"), *arguments]
        done = subprocess.run(
            command, capture_output=True, text=True, env=self.environment(more)
        )
        self.calls = self.log.read_text()
        return done

    def run_on_terminal(self, *arguments):
        """All that is written to a terminal."""
        ours, theirs = pty.openpty()
        command = [str(self.root / "dev"), *arguments]
        running = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=self.environment({}))
        os.close(theirs)
        written = b""
        try:
            while more := os.read(ours, 4096):
                written += more
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(running.wait(), 0)
        return written.decode()

    def play_ctest(self, cases=None, labels=None, status=0, again=None, processors=1):
        """A ctest that knows {test: label}, and whose runs come out as the cases say: the first,
        and again if it is asked to run some of them once more."""
        tests = [
            {
                "name": name,
                "properties": [
                    {"name": "LABELS", "value": [label]},
                    {"name": "PROCESSORS", "value": processors},
                ],
            }
            for name, label in (labels or {}).items()
        ]
        self.write("known.json", json.dumps({"tests": tests}))
        self.write("results", results_xml(cases or {}))
        self.write("again", results_xml(again or {}))
        self.write("build/dev/there", "")
        self.fake(
            "ctest",
            f'[[ "$*" != *json-v1* ]] || {{ cat "{self.root}/known.json"; exit; }}\n'
            f'[[ "$*" != *again.xml* ]] || '
            f'{{ cat "{self.root}/again" >build/dev/again.xml; exit; }}\n'
            f'cat "{self.root}/results" >build/dev/results.xml\n'
            f"echo said by ctest; exit {status}",
        )
