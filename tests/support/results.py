"""What came of a run of ctest, and of tests that were skipped.

results.py partly BUILD       reads BUILD/results.xml; the last line counts, 1 if something failed
results.py whole BUILD        the same, where BUILD has all tests
results.py part NAME BUILD    before a part runs: 3 if it has no tests yet, 1 if some are lost

A skipped test is a failure, unless tests/skips.txt says why it may be skipped: on each line a name
or a regular expression for all of a name, a colon, and the reason. A reason that begins with "needs
root" excuses nobody who is root. Where BUILD has all tests, a line that fits none is refused.
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
    """The names and labels of all tests that ctest knows."""
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Refusal(f"ctest cannot list the tests of {build}:\n{done.stdout}{done.stderr}")
    tests = {}
    for test in json.loads(done.stdout)["tests"]:
        properties = {each["name"]: each["value"] for each in test.get("properties", [])}
        tests[test["name"]] = properties.get("LABELS", [])
    return tests


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


def judge(text, skips, is_root):
    """What to print for the results in this XML, and whether all is well."""
    lines, counts = [], {"passed": 0, "failed": 0, "skipped": 0}
    for case in xml.fromstring(text).iter("testcase"):
        came, name = outcome(case), case.get("name")
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
    try:
        text = (Path(build) / "results.xml").read_text(errors="replace")
    except FileNotFoundError:
        print("0 passed, 1 failed")  # ctest itself could not run
        return 1
    lines, well = judge(text, skips, os.geteuid() == 0)
    print("\n".join(lines))
    return 0 if well else 1


def tell_part(part, build):
    match = re.search(rf"^{part}:(.*)$", PARTS.read_text(), re.M)
    if not match:
        raise Refusal(f"{PARTS} has no part '{part}'")
    names = [name for name, labels in registered(build).items() if part in labels]
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
            case ["part", part, build]:
                return tell_part(part, build)
    except Refusal as refusal:
        print(refusal)
        return 1
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
