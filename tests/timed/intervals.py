"""Programs read the time of three daemons from their pages: intervals.py TOOL READER

All intervals overlap, reading needs no system call, and what a program is told follows the faults:
alone, a daemon is in holdover; without a daemon, the time is unknown; a daemon that is started anew
is found.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time

import lan
from group import Group
from stage import Failed
from system_calls import strace_works

CLOCKS = {"anna": ("3s", "12ppm"), "boris": ("-4s", "-31ppm"), "clara": ("1s", "24ppm")}


def expect(condition, sentence):
    if not condition:
        raise Failed(sentence)


def page_of(daemon):
    return str(daemon.folder / "control.page")


def now(daemon):
    """Its interval, as the tool prints it, and whether it says that the time is known."""
    asked = daemon.ask("now", "--json")
    told = json.loads(asked.output)
    expect((asked.code == 0) == (told["status"] != "unknown"), f"exit {asked.code}: {told}")
    return told


def all_synchronised(group):
    return all(now(daemon)["status"] == "synchronised" for daemon in group.daemons.values())


def overlap(group, reader):
    """While daemons write, and readers crowd the machine."""
    pages = [page_of(daemon) for daemon in group.daemons.values()]
    command = [reader, "2000000", *pages]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    for each in readers:
        said = each.communicate(timeout=120)[0]
        expect(each.returncode == 0, f"intervals do not overlap: {said}")
        print(said.splitlines()[-1])


def no_system_call(group, reader):
    folder = group.daemons["anna"].folder
    pages = [page_of(daemon) for daemon in group.daemons.values()]
    trace = folder / "reader.trace"
    untraced = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}  # that would not bear strace
    subprocess.run(["strace", "-qq", "-o", str(trace), reader, "10000", *pages], check=True,
                   capture_output=True, timeout=60, env=untraced)
    calls = trace.read_text().splitlines()
    begin = next(i for i, line in enumerate(calls) if 'write(1, "begin' in line)
    expect('write(1, "end' in calls[begin + 1], f"reading the time calls {calls[begin + 1]}")
    print("10000 readings, no system call")


def follows_the_daemons(group):
    anna = group.daemons["anna"]
    for name in ("boris", "clara"):
        group.daemons[name].kill()
    group.wait(lambda: now(anna)["status"] == "holdover", 30, "alone it is in holdover")
    first = now(anna)["error_ns"]
    time.sleep(1)
    expect(now(anna)["error_ns"] > first, "the interval does not grow in holdover")
    expect(anna.ask("check", "--within", "1s").code == 1, "check says yes in holdover")
    expect("holdover" in anna.ask("check", "--within", "1s").output, "check does not say why")
    expect(anna.stop() == 0, "it does not end")
    told = now(anna)
    expect(told["status"] == "unknown" and told["earliest"] is None, f"without a daemon: {told}")
    for name in CLOCKS:
        group.daemons[name].start()
    group.wait(lambda: all_synchronised(group), 30, "all are synchronised again")


def a_stopped_daemon_is_told_from_one_that_is_gone(group):
    """To the verbs as well: status ends with a sentence, not never."""
    boris = group.daemons["boris"]
    boris.process.send_signal(19)
    try:
        time.sleep(6)
        expect(now(boris)["status"] == "holdover", f"stopped for 6 s: {now(boris)}")
        began = time.monotonic()
        asked = subprocess.run([boris.tool, "timed", "status", "--control", str(boris.control)],
                               capture_output=True, text=True, timeout=30, check=False)
        expect(asked.returncode == 2 and "is it stopped?" in asked.stderr, asked.stderr)
        expect(time.monotonic() - began < 8, "status waits for a stopped daemon")
    finally:
        boris.process.send_signal(18)


def check_gives_reasons(group):
    anna = group.daemons["anna"]
    three = ["check", "--within", "100ms", "--members", "3"]
    group.wait(lambda: anna.ask(*three).code == 0, 60, "three clocks agree")
    asked = anna.ask("check", "--within", "1ns", "--members", "4")
    expect(asked.code == 1, f"exit {asked.code}")
    lines = asked.output.splitlines()
    expect(len(lines) == 2 and re.match(r"the clock may be off by .* more than 1ns, mostly because",
                                        lines[0]), asked.output)
    expect(lines[1] == "only 3 of 4 clocks are behind the time", asked.output)


def main():
    tool, reader = sys.argv[1:]
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    if not shutil.which("strace") or not strace_works():
        print("skipped: strace is missing, or this machine does not let us trace")
        return 77
    with Group(tool, CLOCKS) as group:
        group.wait(lambda: all_synchronised(group), 40, "all are synchronised")
        check_gives_reasons(group)
        overlap(group, reader)
        no_system_call(group, reader)
        a_stopped_daemon_is_told_from_one_that_is_gone(group)
        follows_the_daemons(group)
    return 0


if __name__ == "__main__":
    sys.exit(main())
