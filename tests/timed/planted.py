"""Rules of the clocks and the time daemon, broken one at a time: planted.py [TREE [NAME]...]

Without a tree: each fault can still be planted, because its text is in its file exactly once, and
the tests that guard its rule exist. In a TREE, a clone that nobody else works in, configured with
the preset dev: all faults are planted at once, each behind a number, so that everything is built
once. Then the tests that guard a rule run with the number of its fault in the environment, for each
fault or for those whose name contains NAME: at least one must fail. Rules that stand in for each
other are broken together as well. Without a number all tests must pass. docs/clocks.md has the
outcome. The tree stays as it is then: git checkout . makes it sound.
"""

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

HERE = Path(__file__).resolve().parents[2]
CLOCK, TIMED, ELECTION = "conclave/clock/", "conclave/timed/", "conclave/election/"
DAEMON = TIMED + "daemon/"
LONGEST = 400  # seconds of a test; one that waits for ever has failed as well

SWITCH = """// Made by tests/timed/planted.py: is the fault of this number planted?
#pragma once
#include <cstdlib>
#include <type_traits>
namespace conclave {
// As bits; the environment has them as a number.
inline unsigned long long planted_faults() {
    static const char* const faults = std::getenv("PLANTED");
    return faults == nullptr ? 0 : std::strtoull(faults, nullptr, 10);
}
constexpr bool planted(int number) {
    return !std::is_constant_evaluated() && (planted_faults() >> number & 1) != 0;
}
}  // namespace conclave
"""


@dataclass
class Fault:
    name: str  # the rule that is broken
    file: str
    old: str
    new: str  # BROKEN is true where the fault is planted, and nowhere else
    tests: list  # "PROGRAM WORD...": each is expected to fail


def simulated(name):
    return f"simulator_tests --gtest_filter={name}"


def example(name):
    return f"scenarios_tests --gtest_filter={name}"


def unit(name):
    return f"clock_tests --gtest_filter={name}"


def daemon(name):
    return f"timed_tests --gtest_filter={name}"


def scene(name):
    return f"scenes.py {name}"


BAD_MASTERS = example("BadMasters.resign*")
BOUNDS = simulated("TimeBounds.hold_in_*")
MENDED = simulated("TimeRun.a_clock_that_was_set_slept_or_was_paused*")
FOUNDER = example("LoneFounder.that_is_an_hour_wrong*")
LOSS = example("ClockExamples.three_packets_in_ten*")
REROUTE = example("ClockExamples.a_path_that_changes*")


def part(name, old):
    """One of the five parts of the error bound."""
    new = old.replace(name, f"(BROKEN ? Duration{{0}} : {name})")
    return Fault(f"the bound has no part for {name}", CLOCK + "error_bound.hpp", old, new, [BOUNDS])


FAULTS = [
    # A bad master that resigned comes back.
    Fault("a clock that went wrong counts at once", CLOCK + "clock_standing.hpp",
          "sound_ = false;", "sound_ = BROKEN;",
          [unit("Keeper.a_clock_that_went_wrong*"), unit("MasterCount.*"), BAD_MASTERS]),
    Fault("a master believes what a member claims to have behind it", CLOCK + "master_time.cpp",
          "if (best.count <= ours) return;",
          "std::size_t claimed = best.count;\n"
          "    for (const Member* other : others)\n"
          "        if (BROKEN) claimed = std::max<std::size_t>(claimed, other->report.clocks);\n"
          "    if (claimed <= ours) return;",
          [unit("Master.takes_over_the_time_that_more*")]),
    # A bound that is false, or a clock that nobody confirms.
    part("estimate", "return estimate +"),
    part("slew", "+ slew +"),
    part("visible", "+ visible +"),
    part("path", "+ path +"),
    part("growth", "+ growth;"),
    Fault("a node that hears nobody stays synchronised", CLOCK + "keeper.hpp",
          "return raw - backed_ <= fresh ? Trust::synchronised",
          "return BROKEN || raw - backed_ <= fresh ? Trust::synchronised",
          [unit("Trust.ends_when_nobody*")]),
    Fault("a lone founder is synchronised", CLOCK + "keeper.hpp",
          "if (!set_ || doubted_ || backed_ == never ||",
          "if (BROKEN && set_ && backed_ == never) return Trust::synchronised;\n"
          "        if (!set_ || doubted_ || backed_ == never ||",
          [unit("Trust.ends_when_nobody*")]),
    Fault("the kernel is told the error of the estimate alone", TIMED + "timepiece.cpp",
          "return {in_us(bound.total()),",
          "return {in_us(BROKEN ? bound.estimate : bound.total()),", [daemon("Timepiece.*")]),
    # A clock that was set, slept or was paused.
    Fault("nobody looks where the visible clock is", CLOCK + "steering.hpp",
          "return ordered_ ? shown", "return ordered_ && !BROKEN ? shown",
          [simulated("TimeRun.a_clock_that_slept*"), "system_clock.py is_disturbed"]),
    Fault("slews end at 500 ppm", CLOCK + "servo.hpp",
          "const Duration most = over(limit,",
          "const Duration most = over(BROKEN ? clamp(limit, ppm(500)) : limit,",
          [simulated("TimeRun.a_jump_is_mended_without_a_step*")]),
    Fault("errors larger than a second are not stepped", CLOCK + "servo.hpp",
          "if (counts && magnitude(error)", "if (counts && !BROKEN && magnitude(error)",
          [MENDED, "system_clock.py is_disturbed"]),
    Fault("a slave never gives in", CLOCK + "keeper.hpp",
          "if (refused_ < patience ||", "if (BROKEN || refused_ < patience ||",
          [MENDED, "system_clock.py is_disturbed"]),
    Fault("a master goes on though its own clock was moved", DAEMON + "daemon_slave.cpp",
          "if (reign_) resign();", "if (reign_ && !BROKEN) resign();",
          ["system_clock.py all_are_set"]),
    # The date on a BSD master.
    Fault("a date of a BSD master is slewed, however far", DAEMON + "differences.hpp",
          "return small ? Response::slew", "return small || BROKEN ? Response::slew",
          [scene("test_an_hour_forth"), scene("test_an_hour_back")]),
    Fault("seconds are slewed no faster than milliseconds", CLOCK + "keeper.hpp",
          "clamp((fast ? 10 : 1)", "clamp((fast && !BROKEN ? 10 : 1)",
          [unit("Keeper.makes_up_for_seconds*"), scene("test_three_seconds_forth")]),
    # The first one up.
    Fault("newcomers have no vote", CLOCK + "master_time.cpp",
          "if (!founded_ || established_) return;",
          "if (BROKEN || !founded_ || established_) return;",
          [FOUNDER, "bad_clocks.py a_wrong_founder_is_outvoted"]),
    Fault("members that were set have no opinion any more", CLOCK + "clock_standing.hpp",
          "{ opinion_ = opinion; }", "{ opinion_ = BROKEN ? Duration{0} : opinion; }",
          [FOUNDER, unit("Master.what_was_brought*")]),
    Fault("a newcomer is moved before others can be of its opinion", CLOCK + "master.cpp",
          "return !member.report.set && member.report.sound",
          "return !BROKEN && !member.report.set && member.report.sound",
          [unit("Master.a_newcomer_that_would_be_moved_far*")]),
    Fault("wiped machines outvote an established time", CLOCK + "master_time.cpp",
          "established_ = agreed_ != never &&", "established_ = !BROKEN && agreed_ != never &&",
          [example("LoneFounder.wiped_machines*")]),
    # Election timers that collide.
    Fault("election timers are drawn once", ELECTION + "tempo_timing.hpp",
          "t.fresh = true;", "t.fresh = !BROKEN;", [daemon("TempoHost.*")]),
    Fault("beside BSD timed election timers are drawn once", DAEMON + "timing.hpp",
          "t.election.fresh = true;", "t.election.fresh = !BROKEN;", [daemon("TempoHost.*")]),
    Fault("timers are set to the least time when the times change", DAEMON + "tempo_host.cpp",
          "election.set_after(draw());", "election.set_after(BROKEN ? settings_.r : draw());",
          [daemon("TempoHost.*")]),
    Fault("a daemon that must not lead waits for the least time again", DAEMON + "tempo_host.cpp",
          "->set(loop_.time() + draw());",
          "->set(loop_.time() + (BROKEN ? settings_.r : draw()));", [daemon("TempoHost.*")]),
    # Loss.
    Fault("a slave stands without asking its master again", ELECTION + "tempo_timing.hpp",
          "bool ask_again() {", "bool ask_again() {\n        if (BROKEN) return false;",
          [LOSS, daemon("TempoHost.a_slave_asks*")]),
    Fault("a slave asks three times instead of thirty", ELECTION + "tempo_timing.hpp",
          "if (asked == most)", "if (asked == (BROKEN ? 3 : most))",
          [LOSS, daemon("TempoHost.a_slave_asks*")]),
    # Path or clock.
    Fault("a longer path is not noticed", CLOCK + "estimator.hpp",
          "if (!knows_rate() || all.size() < Reroute::sight",
          "if (BROKEN || !knows_rate() || all.size() < Reroute::sight",
          [REROUTE, unit("Estimator.a_path_that_grows*")]),
    Fault("a shorter path is not noticed", CLOCK + "estimator.hpp",
          "if (!knows_rate() || all.size() < Reroute::fewest)",
          "if (BROKEN || !knows_rate() || all.size() < Reroute::fewest)",
          [unit("Estimator.a_path_that_becomes_shorter*")]),
    Fault("a longer round trip excuses nothing", CLOCK + "estimator.hpp",
          "return beside > excess / 2 +", "return beside > (BROKEN ? Duration{0} : excess) / 2 +",
          [REROUTE, unit("Estimator.a_path_that_grows*")]),
    # Queues in one direction.
    Fault("the method changes on the evidence of few samples", CLOCK + "floor.hpp",
          "- height_) / memory;", "- height_) / (BROKEN ? 8 : memory);",
          [example("ClockExamples.queues_in_one_direction*")]),
    # Beside BSD timed.
    Fault("every round begins with LOOP, whoever is believed", DAEMON + "daemon_rivals.cpp",
          "if (bsd_times_ || wanted)", "if (BROKEN || bsd_times_ || wanted)",
          [scene("test_a_bystander_is_not_bothered")]),
    Fault("a QUIT that is not believed changes nothing", DAEMON + "daemon_rivals.cpp",
          "unwanted_until_ = loop_.time() + bsd_timing",
          "unwanted_until_ = loop_.time() + (BROKEN ? 0 : 1) * bsd_timing",
          [scene("test_a_bystander_is_bothered_no_more")]),
    Fault("a date is read as it stands in the datagram", DAEMON + "daemon_date.cpp",
          "Duration by = nearest_to(network_now(), datagram.time) - network_now();",
          "Duration by = (BROKEN ? datagram.time : nearest_to(network_now(), datagram.time)) -"
          " network_now();",
          [scene("test_dates_beyond_2038")]),
    Fault("BSD timed is told dates that it does not understand", DAEMON + "wire_date.hpp",
          "return date >= -most && date < most;",
          "return date >= -most && (BROKEN || date < most);",
          [scene("test_dates_beyond_2038"), daemon("WireDate.bsd_timed*")]),
    Fault("a slave does not pass a date on", DAEMON + "daemon_date.cpp",
          "date_asked_ = request;", "if (BROKEN) return;\n        date_asked_ = request;",
          [scene("test_date_on_a_slave_of_ours")]),
    Fault("a master does not take a date from a slave", DAEMON + "daemon_date.cpp",
          "if (net::unix_time() - request.stamp > date_waits)",
          "if (BROKEN && brain_.leads() && request.heard.datagram.type == Type::setdatereq)"
          " return;\n    if (net::unix_time() - request.stamp > date_waits)",
          [scene("test_date_on_a_slave_of_bsd_timed"), scene("test_date_on_a_slave_of_ours")]),
    Fault("a lone BSD master is obeyed at once", DAEMON + "daemon_rivals.cpp",
          "peer.contested < contests", "peer.contested < (BROKEN ? 0 : contests)",
          [scene("test_a_lone_bsd_master_does_not_depose")]),
    Fault("a slave whose master was deposed waits", DAEMON + "daemon_receiving.cpp",
          "if (brain_.leader() == peer.id) return lose_master(peer);",
          "if (brain_.leader() == peer.id && BROKEN) return;\n"
          "            if (brain_.leader() == peer.id) return lose_master(peer);",
          [scene("Orphans")]),
]
# Rules that are broken at once, and the tests that show it.
TOGETHER = {(FAULTS[0].name, FAULTS[1].name): [BAD_MASTERS]}


def names_in(root):
    """What the tests are called: Suite.name in C++; in Python, the functions and classes of each
    file, and of all that scenes.py plays under its name."""
    cases = [f"{suite}.{name}" for file in root.glob("tests/*/*.cpp")
             for suite, name in re.findall(r"^(?:RC_G)?TEST\w*\(\s*(\w+),\s*(\w+)",
                                           file.read_text(encoding="utf-8"), re.MULTILINE)]
    found = {file.name: re.findall(r"^ *(?:def|class) (\w+)", file.read_text(encoding="utf-8"),
                                   re.MULTILINE) for file in root.glob("tests/timed/*.py")}
    scenes = (root / "tests/timed/scenes.py").read_text(encoding="utf-8")
    played = re.findall(r"^import (\w+)", scenes, re.MULTILINE)
    found["scenes.py"] = [name for module in played for name in found[f"{module}.py"]]
    return cases, found


def exists(test, cases, found):
    program, word = test.split()
    if program == "scenes.py":
        return any(word in name for name in found[program])
    if program.endswith(".py"):
        return word in found.get(program, [])
    return any(fnmatchcase(name, word.removeprefix("--gtest_filter=")) for name in cases)


def problems(root):
    cases, found = names_in(root)
    if len(FAULTS) > 64:
        yield "at most 64 faults have a bit each"
    for fault in FAULTS:
        for test in fault.tests:
            if not exists(test, cases, found):
                yield f"{fault.name}: there is no test '{test}'"
        count = (root / fault.file).read_text(encoding="utf-8").count(fault.old)
        if count != 1:
            yield f"{fault.file}: '{fault.old}' is there {count} times ({fault.name})"
        if "BROKEN" not in fault.new:
            yield f"{fault.name}: what is planted has no BROKEN"


def plant_all(tree):
    (tree / "conclave/core/planted.hpp").write_text(SWITCH, encoding="utf-8")
    texts = {}
    for number, fault in enumerate(FAULTS):
        path = tree / fault.file
        text = texts.get(path) or path.read_text(encoding="utf-8")
        texts[path] = text.replace(fault.old, fault.new.replace("BROKEN", f"planted({number})"))
    for path, text in texts.items():
        first = text.index("#include")
        text = text[:first] + '#include "conclave/core/planted.hpp"\n' + text[first:]
        path.write_text(text, encoding="utf-8")


def build(tree):
    targets = {test.split()[0] for fault in FAULTS for test in fault.tests}
    targets = {t for t in targets if not t.endswith(".py")} | {"conclave", "kernel_clock"}
    subprocess.run(["ninja", "-j2", "-C", "build/dev", *sorted(targets)], cwd=tree, check=True)


def command(tree, test):
    program, *words = test.split()
    built = tree / "build/dev"
    if not program.endswith(".py"):
        return [str(built / "bin" / program), *words]
    given = [] if program == "scenes.py" else [str(built / "libkernel_clock.so")]
    return [sys.executable, "-B", f"tests/timed/{program}", str(built / "bin/conclave"), *given,
            *words]


def evidence(text):
    """What a failed test says first, in one line."""
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.endswith(": Failure"):
            return " ".join(word.strip() for word in lines[at + 1 : at + 6])[:200]
        if line.startswith(("AssertionError", "stage.Failed", "Failed", "FAIL: ")):
            return line[:200]
    return lines[-1][:200] if lines else "it says nothing"


def run_test(tree, test, faults):
    """How it ended: passed, failed, or vacuous where no test has this name; and what it says."""
    planted = {**os.environ, "PLANTED": str(faults)}
    try:
        done = subprocess.run(command(tree, test), cwd=tree, capture_output=True, text=True,
                              timeout=LONGEST, check=False, env=planted)
    except subprocess.TimeoutExpired:
        return "failed", "it does not end"
    if "Running 0 tests" in done.stdout:
        return "vacuous", ""
    return ("passed", "") if done.returncode == 0 else ("failed", evidence(done.stdout))


def run_all(tree, tests, faults):
    """With these planted, as bits."""
    outcomes = {}
    for test in tests:
        began = time.monotonic()
        outcomes[test], words = run_test(tree, test, faults)
        passed = time.monotonic() - began
        print(f"    {outcomes[test]:8}{test} ({passed:.0f} s) {words}", flush=True)
    return outcomes


def try_faults(tree, wanted):
    all_of_them = [(fault.name, 1 << n, fault.tests) for n, fault in enumerate(FAULTS)]
    for names, tests in TOGETHER.items():
        bits = sum(bit for name, bit, _ in all_of_them if name in names)
        all_of_them.append((", and ".join(names), bits, tests))
    chosen = [each for each in all_of_them if any(word in each[0] for word in wanted)]
    print("nothing is planted", flush=True)
    tests = sorted({test for _, _, tests in chosen for test in tests})
    odd = [test for test, outcome in run_all(tree, tests, 0).items() if outcome != "passed"]
    for name, bits, tests in chosen:
        print(name, flush=True)
        if "failed" not in run_all(tree, tests, bits).values():
            odd.append(name)
    print(f"{len(chosen)} faults; not as expected: {len(odd)}", *odd, sep="\n")
    return 1 if odd or not chosen else 0


def main():
    tree = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None
    if tree is None:
        found = list(problems(HERE))
        print("\n".join(found) or f"{len(FAULTS)} faults can be planted")
        return 1 if found else 0
    if not (tree / "conclave/core/planted.hpp").exists():
        if found := list(problems(tree)):
            print("\n".join(found))
            return 1
        plant_all(tree)
    build(tree)
    return try_faults(tree, sys.argv[2:] or [""])


if __name__ == "__main__":
    sys.exit(main())
