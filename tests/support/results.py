"""What came of a run of ctest, and of tests that were skipped.

results.py partly BUILD       reads BUILD/results.xml; the last line counts, 1 if something failed
results.py whole BUILD        the same, where BUILD has all tests
results.py again BUILD        a regular expression for the failed tests that get a second try
results.py part NAME BUILD    before a part runs: 3 if it has no tests yet, 1 if some are lost

A skipped test is a failure, unless tests/skips.txt says why it may be skipped: on each line a name
or a regular expression for all of a name, a colon, and the reason. A reason that begins with "needs
root" excuses nobody who is root. Where BUILD has all tests, a line that fits none is refused.

A machine that stands still for some milliseconds fails a test that waits for real processes, so
such a test is tried once more, by itself, and the report names it. Tests that compute (PROCESSORS
2) give the same answer each time, and those labelled safety look for what must never happen even
once: neither gets a second try. Nor does anything where more than MOST_AGAIN tests failed.
BUILD/again.xml has the second results.
"""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

SKIPS = Path("tests/skips.txt")
PARTS = Path("tests/parts.txt")
MOST_AGAIN = 5
# Of a program of Python's or Node's that left out some of its tests, only its last lines tell.
LEFT_OUT = re.compile(r"^OK \(.*\bskipped=\d|^(#|ℹ) (skipped|todo) [1-9]", re.M)


class Refusal(Exception):
    """What is wrong with one of the lists."""


class Skip:
    def __init__(self, line, name, reason):
        self.line, self.name, self.reason = line, name, reason
        try:
            self.fits = re.compile(name).fullmatch
        except re.error as error:
            raise Refusal(f"{SKIPS}:{line}: '{name}' is no regular expression: {error}") from None

    def excuses(self, is_root):
        return not (is_root and self.reason.startswith("needs root"))


def read_skips(text):
    skips = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = re.fullmatch(r"(\S+):\s+(\S.*)", line)
        if not match:
            raise Refusal(f"{SKIPS}:{number}: '{line}' is not a test, a colon and a reason")
        name, reason = match[1], match[2]
        if name in skips:
            raise Refusal(f"{SKIPS}:{number}: line {skips[name].line} names '{name}' already")
        skips[name] = Skip(number, name, reason)
    return list(skips.values())


def registered(build):
    """The properties of all tests that ctest knows, by name."""
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refusal(f"ctest cannot list the tests of {build}:\n{done.stdout}{done.stderr}")
    tests = {}
    for test in json.loads(done.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        tests[test["name"]] = properties
    return tests


def labels(properties):
    return properties.get("LABELS", [])


def waits(properties):
    """Whether a second try can tell a slow machine from a fault."""
    return properties.get("PROCESSORS") != 2 and "safety" not in labels(properties)


def refuse_stale(skips, names):
    for skip in skips:
        if not any(skip.fits(name) for name in names):
            raise Refusal(f"{SKIPS}:{skip.line}: there is no test '{skip.name}'")


def outcome(case):
    """passed, failed or skipped; a test that ctest could not start has failed."""
    status = case.get("status")
    if status == "disabled":
        return "skipped"
    if status == "notrun":
        skipped = case.find("skipped")
        meant = skipped is not None and skipped.get("message", "").startswith("SKIP_")
        return "skipped" if meant else "failed"
    said = case.findtext("system-out") or ""
    if status == "run" and LEFT_OUT.search(said):
        return "skipped"
    return "passed" if status == "run" else "failed"


def reason_for(name, skips, is_root):
    """None if the list has none."""
    fitting = [skip for skip in skips if skip.fits(name)]
    if len(fitting) > 1:
        lines = " and ".join(str(skip.line) for skip in fitting)
        raise Refusal(f"{SKIPS}: lines {lines} both name '{name}'")
    if fitting and fitting[0].excuses(is_root):
        return fitting[0].reason
    return None


def read_cases(path):
    """The test cases of a file that ctest wrote; none if ctest itself could not run."""
    try:
        text = path.read_text(errors="replace")
    except FileNotFoundError:
        return []
    return list(xml.fromstring(text).iter("testcase"))


def judge(cases, passed_again, skips, is_root):
    """What to print for these results, and whether all is well."""
    lines, counts = [], {"passed": 0, "failed": 0, "skipped": 0}
    for case in cases:
        came, name = outcome(case), case.get("name")
        if came == "failed" and name in passed_again:
            came = "passed"
            lines.append(f"{name} failed beside other tests and passed alone")
        if came == "skipped":
            reason = reason_for(name, skips, is_root)
            if reason is None:
                came = "failed"
                lines.append(f"{name} was skipped, and {SKIPS} does not say why it may be")
            else:
                lines.append(f"{name} was skipped: {reason}")
        counts[came] += 1
    summary = "{passed} passed, {failed} failed".format(**counts)
    if counts["skipped"]:
        summary += ", {skipped} skipped".format(**counts)
    return lines + [summary], counts["failed"] == 0


def tell_run(build, whole):
    skips = read_skips(SKIPS.read_text())
    if whole and skips:
        refuse_stale(skips, registered(build))
    cases = read_cases(Path(build) / "results.xml")
    if not cases:
        print("0 passed, 1 failed")
        return 1
    again = read_cases(Path(build) / "again.xml")
    passed_again = {case.get("name") for case in again if outcome(case) == "passed"}
    lines, well = judge(cases, passed_again, skips, os.geteuid() == 0)
    print("\n".join(lines))
    return 0 if well else 1


def tell_again(build):
    cases = read_cases(Path(build) / "results.xml")
    failed = [case.get("name") for case in cases if outcome(case) == "failed"]
    if not failed or len(failed) > MOST_AGAIN:
        return 0
    known = registered(build)
    names = [name for name in failed if waits(known[name])]
    if names:
        print("^(" + "|".join(re.escape(name) for name in names) + ")$")
    return 0


def tell_part(part, build):
    match = re.search(rf"^{part}:(.*)$", PARTS.read_text(), re.M)
    if not match:
        raise Refusal(f"{PARTS} has no part '{part}'")
    names = [name for name, each in registered(build).items() if part in labels(each)]
    for folder in match[1].split():
        if not (PARTS.parent / folder).is_dir():
            continue
        if not any(name.startswith(folder + ".") for name in names):
            raise Refusal(f"tests/{folder} is there, but no test '{folder}...' has label '{part}'")
    if not names:
        print(f"{part}: no tests yet")
        return 3
    return 0


def main(arguments):
    try:
        match arguments:
            case ["whole" | "partly" as built, build]:
                return tell_run(build, built == "whole")
            case ["again", build]:
                return tell_again(build)
            case ["part", part, build]:
                return tell_part(part, build)
    except Refusal as refusal:
        print(refusal)
        return 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
