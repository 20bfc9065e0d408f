"""Rules of the house that no compiler checks. Usage: tidy.py [ROOT]; prints what breaks them.

Every rule is a function that takes a file and yields (line number, sentence).
"""

import re
import subprocess
import sys
from pathlib import Path

import cpp_text
import language

LINES_MAX = 400
FUNCTION_LINES_MAX = 60
FIELDS_MAX = 25
COLUMNS_MAX = 100

PURE = {"core", "election", "lease", "clock", "member", "algorithms.hpp"}
IMPURE_HEADERS = set(
    "iostream fstream ostream istream sstream iosfwd syncstream filesystem thread mutex "
    "shared_mutex condition_variable future semaphore latch barrier stop_token random ctime "
    "csignal exception stdexcept".split()
)
IMPURE_WORDS = re.compile(
    r"\b(?:throw|try|catch)\b|::now\s*\(|\b\w+_clock\b|\bstd::(?:s?rand|time|getenv|system)\s*\("
)
UNFINISHED = re.compile(r"\b(?:" + "|".join(["TO" "DO", "FIX" "ME", "X" "XX", "HA" "CK"]) + r")\b")
MACHINE_PATHS = re.compile(r"(?<![\w.~-])/(?:home|root|work|Users)/\w|/tmp/" r"w/")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.M)

CPP = (".cpp", ".hpp", ".cpp.in")
CODE = CPP + (".py", ".cmake", ".sh", ".js", ".ts", ".css", "CMakeLists.txt", "/dev", ".ci/run")
BINARY = (".png", ".gif", ".ico", ".wasm", ".pdf", ".pcap", ".bin")


class File:
    def __init__(self, root, name):
        self.name = name
        self.root = root
        self.text = (root / name).read_text(encoding="utf-8", errors="replace")
        self.lines = self.text.splitlines()

    def is_a(self, kinds):
        return ("/" + self.name).endswith(kinds)

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1


def member_of(path):
    """conclave/core/turn.hpp -> core; conclave/elector.cpp -> elector.hpp"""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else re.sub(r"\.cpp$", ".hpp", parts[-1])


def read_layers(root):
    """Those that each member may include, by conclave/layers.txt."""
    lines = (root / "conclave/layers.txt").read_text().splitlines()
    layers = [line.split(":") for line in lines if line and not line.startswith("#")]
    return {member: set(uses.split()) for member, uses in layers}


def layers_are_kept(file):
    if not file.name.startswith("conclave/") or not file.is_a(CPP):
        return
    layers = read_layers(file.root)
    here = member_of(file.name)
    if here not in layers:
        yield 1, f"{here} has no layer: give it a place in conclave/layers.txt"
        return
    for match in INCLUDE.finditer(file.text):
        line, header = file.line_of(match.start()), match[2]
        if match[1] == "<":
            continue
        if "@" in header:
            continue
        if not header.startswith("conclave/"):
            yield line, f'"{header}" is no file of conclave/: include it from the root, or with <>'
            continue
        there = member_of(header)
        if there not in layers:
            yield line, f"{there} has no layer: give it a place in conclave/layers.txt"
        elif there != here and there not in layers[here]:
            yield line, f"{here} must not include {there}: conclave/layers.txt does not say so"


def core_is_pure(file):
    if not file.name.startswith("conclave/") or member_of(file.name) not in PURE:
        return
    if not file.is_a(CPP):
        return
    for match in INCLUDE.finditer(file.text):
        header = match[2]
        if match[1] == "<" and (header in IMPURE_HEADERS or "." in header or "/" in header):
            yield file.line_of(match.start()), f"<{header}> is not for {member_of(file.name)}"
    for number, line in enumerate(cpp_text.bare(file.text).split("\n"), 1):
        if match := IMPURE_WORDS.search(line):
            yield number, f"'{match[0].strip()}' is not for {member_of(file.name)}"


# The agent performs what a member decides: of members it knows what view.hpp shows, and it feeds
# values without a turn of their own, which answer what to do: how a group forms, what is done, when
# a command starts, whether a newcomer gives way. Where it hosts a member it includes viewing.hpp,
# and with it the member.
AGENT_SEES = {
    "member": set(
        "done.hpp duty.hpp formation.hpp newcomer.hpp stretch.hpp terms.hpp view.hpp wish.hpp "
        "viewing.hpp".split()
    ),
    "election": {"deployed/deployed_@NAME@.hpp"},
}
# Facts that a member has: an agent that keeps one has a second opinion. A name that ends in _ is a
# field; View and Sight are read, never written.
AGENT_KEEPS = re.compile(
    r"\b(?:leader|suspect\w*|candida\w+|eligib\w+|elected|ballot|promise\w*|quorum|votes?)_\b"
)
AGENT_WRITES = re.compile(
    r"\b(?:view|sight)(?:\(\w*\))?\.(?:\w+\.)*\w+\s*=(?!=)|\b(?:Suspect|Trust|Call|Elect)\{"
)


def agents_do_not_decide(file):
    if not file.name.startswith("conclave/agent/") or not file.is_a(CPP):
        return
    for match in INCLUDE.finditer(file.text):
        folder, _, header = match[2].removeprefix("conclave/").partition("/")
        if folder in AGENT_SEES and header not in AGENT_SEES[folder]:
            seen = ", ".join(sorted(AGENT_SEES[folder]))
            yield file.line_of(match.start()), f"{match[2]} decides: an agent includes {seen} only"
    for number, line in enumerate(cpp_text.bare(file.text).split("\n"), 1):
        if match := AGENT_KEEPS.search(line) or AGENT_WRITES.search(line):
            yield number, f"'{match[0].strip()}' is the member's to know: an agent reads its view"


# Whom a member believes to lead has one writer, believe(): all else follows from it.
LEADER_WRITTEN = re.compile(
    r"(?:^\s*|[\w)]\s*(?:\.|->)\s*)leader\s*=(?!=)|std::exchange\([\w.]*\bleader\b"
)
LEADER_WRITER = "conclave/member/belief.hpp"


def the_leader_has_one_writer(file):
    if not file.name.startswith("conclave/member/") or not file.is_a(CPP):
        return
    written = 0
    for number, line in enumerate(cpp_text.bare(file.text).split("\n"), 1):
        written += 1 if LEADER_WRITTEN.search(line) else 0
        if LEADER_WRITTEN.search(line) and (file.name != LEADER_WRITER or written > 1):
            yield number, "the leader is written by believe() alone"


# Larger than they should be, by so many fields: they may shrink, and then leave this list.
LARGE_CLASSES = {
    ("conclave/agent/settings/node_config.hpp", "Config"): 38,  # one field for each option
    ("conclave/checker/query.hpp", "Query"): 40,
    ("conclave/clock/keeper.hpp", "Keeper"): 26,
    ("conclave/lab/check_given.hpp", "CheckGiven"): 43,
    ("conclave/simulator/scenario/scenario.hpp", "Scenario"): 34,
    ("conclave/simulator/world/world.hpp", "World"): 31,
    ("conclave/timed/daemon_config.hpp", "DaemonConfig"): 26,
    ("conclave/timed/daemon/daemon.hpp", "Daemon"): 57,
}


def classes_are_small(file):
    if not file.name.startswith("conclave/") or not file.is_a(CPP):
        return
    for line, name, fields in cpp_text.classes(file.text):
        most = LARGE_CLASSES.get((file.name, name), FIELDS_MAX)
        if fields > most:
            yield line, f"{name} has {fields} fields: at most {most}, make parts of it"


def files_are_short(file):
    if file.is_a(CODE) and len(file.lines) > LINES_MAX:
        yield LINES_MAX + 1, f"{len(file.lines)} lines: at most {LINES_MAX}"


def functions_are_short(file):
    if not file.is_a(CPP):
        return
    for first, last in cpp_text.functions(file.text):
        if last - first + 1 > FUNCTION_LINES_MAX:
            yield first, f"a function of {last - first + 1} lines: at most {FUNCTION_LINES_MAX}"


def lines_are_short(file):
    if not file.is_a(CODE):
        return
    for number, line in enumerate(file.lines, 1):
        if len(line) > COLUMNS_MAX:
            yield number, f"{len(line)} columns: at most {COLUMNS_MAX}"


def nothing_is_unfinished(file):
    for number, line in enumerate(file.lines, 1):
        if match := UNFINISHED.search(line):
            yield number, f"{match[0]}: finish it, or write down what is missing as a sentence"


def no_machine_is_named(file):
    for number, line in enumerate(file.lines, 1):
        if match := MACHINE_PATHS.search(line):
            yield number, f"'{match[0]}...' is a path of one machine"


def tests_share_no_files(file):
    """ctest runs the tests of one program side by side."""
    if not file.name.startswith("tests/") or not file.is_a(CPP):
        return
    for match in re.finditer(r"\bTempDir\(\)", cpp_text.bare(file.text)):
        yield file.line_of(match.start()), "TempDir() is everybody's: use tests::Folder"


def headers_explain_themselves(file):
    if not file.is_a((".hpp",)):
        return
    if not file.text.startswith("// "):
        yield 1, "a header starts with a comment that says what it is for"
    first = next((line for line in file.lines if line.strip() and not line.startswith("//")), "")
    if first != "#pragma once":
        yield 1, "after its comment a header says #pragma once"


RULES = [
    layers_are_kept,
    core_is_pure,
    agents_do_not_decide,
    the_leader_has_one_writer,
    classes_are_small,
    files_are_short,
    functions_are_short,
    lines_are_short,
    nothing_is_unfinished,
    no_machine_is_named,
    tests_share_no_files,
    headers_explain_themselves,
    *language.RULES,
]


def list_files(root):
    """What git knows or would add; all files where there is no git."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, capture_output=True, text=True)
    if listing.returncode == 0:
        names = listing.stdout.splitlines()
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
        names = [name for name in names if not name.startswith(("build", "."))]
    return sorted(name for name in names if (root / name).is_file() and not name.endswith(BINARY))


def repeated_headers(names):
    """A header of conclave/ is known by its name alone: in an editor, a stack trace, a sentence."""
    first = {}
    for name in names:
        if not name.startswith("conclave/") or not name.endswith(".hpp"):
            continue
        other = first.setdefault(Path(name).name, name)
        if other != name:
            yield f"{name}:1: {other} has the same name: choose one that tells them apart"


def complaints(root):
    names = list_files(root)
    yield from repeated_headers(names)
    for name in names:
        file = File(root, name)
        for rule in RULES:
            for line, sentence in rule(file):
                yield f"{name}:{line}: {sentence}"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    found = list(complaints(root))
    print("\n".join(found) if found else "tidy")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
