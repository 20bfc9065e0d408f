"""The laboratory in Chromium beside the native tool: lab.py CONCLAVE-LAB

Prints bytes transferred, first paint, frames while scrubbing, and the rates of simulator and
checker in WebAssembly against the native ones, in one run.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SWEEP = {"algorithm": "chang-roberts", "nodes": "1000", "order": "descending", "initiators": "all"}
CHECK = {"algorithm": "hirschberg-sinclair", "nodes": "6", "initiators": "all",
         "order": "ascending", "lose": "2", "property": "one-leader"}
SEEDS = "1..20"


def request(verb, words):
    return verb + "\n" + "".join(f"{word}={value}\n" for word, value in words.items())


def options(words):
    given = [words["algorithm"]]
    for word, value in words.items():
        if word != "algorithm":
            given += [f"--{word}"] + ([] if word == "detector" else [value])
    return given


def native(tool, *words):
    done = subprocess.run([tool, *words], capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr)
    return done.stdout.strip().splitlines()[-1]


def native_sweep(tool):
    """Nanoseconds a delivery, the start of the program taken off."""
    def seconds(seeds):
        began = os.times().elapsed
        printed = native(tool, "sim", *options(SWEEP), "--seeds", seeds, "--threads", "1", "--json")
        return os.times().elapsed - began, json.loads(printed)["summary"]
    best = min(seconds(SEEDS)[0] for _ in range(3))
    _, summary = seconds(SEEDS)
    empty = min(seconds("1..1")[0] for _ in range(3))
    runs = summary["runs"]
    return (best - empty) / ((runs - 1) * summary["messages"]["mean"]) * 1e9


def main():
    tool = sys.argv[1]
    done = subprocess.run(["node", "--no-warnings", ROOT / "tests/web/measure.mjs",
                           request(f"sweep {SEEDS}", SWEEP), request("check", CHECK)],
                          env=dict(os.environ, CONCLAVE_LAB=tool), capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    measured = json.loads(done.stdout)
    summary = measured["sweep"]["answer"]["summary"]
    browser_ns = measured["sweep"]["ms"] * 1e6 / (summary["runs"] * summary["messages"]["mean"])
    native_ns = native_sweep(tool)
    checked = json.loads(native(tool, "check", *options(CHECK), "--threads", "1", "--json"))
    browser_rate = measured["check"]["answer"]["verdict"]["states_per_s"]
    for case, metric, value in [
            ("page", "bytes without the checker", measured["transfer"]["without"]),
            ("page", "bytes with the checker", measured["transfer"]["with"]),
            ("a link to the lease", "bytes", measured["lease"]),
            ("a link to clocks", "bytes", measured["clocks"]),
            ("page", "first paint ms", round(measured["paint"], 1)),
            ("scrub 200 nodes and 50000 messages", "p50 ms", round(measured["scrub"]["p50"], 1)),
            ("scrub 200 nodes and 50000 messages", "p95 ms", round(measured["scrub"]["p95"], 1)),
            ("simulator", "ns a delivery in Chromium", round(browser_ns, 1)),
            ("simulator", "ns a delivery native", round(native_ns, 1)),
            ("simulator", "ratio of rates", round(native_ns / browser_ns, 2)),
            ("checker", "states", checked["states"]),
            ("checker", "states a second in Chromium", browser_rate),
            ("checker", "states a second native", checked["states_per_s"]),
            ("checker", "ratio of rates", round(browser_rate / checked["states_per_s"], 2))]:
        print(f"bench,{case},{metric},{value}")


if __name__ == "__main__":
    main()
