"""Many storms, some at a time: storms.py TOOL TICKER --disk-faults LIBRARY --sequences 300

Seeds alternate between 3 and 5 nodes and between the times of detection. Prints a line for each
sequence and a total. What a failed one said is kept in the folder --logs, and

    storm.py TOOL TICKER --namespaces --disk-faults LIBRARY --seed S --nodes N --detect D

plays its faults again; the processes' timing differs from run to run.
"""

import argparse
import concurrent.futures
import itertools
import subprocess
import sys
import time
from pathlib import Path

STORM = Path(__file__).resolve().parent / "storm.py"
# What a failed storm says last, and under which name it is counted.
KINDS = {
    "two commands lived": "overlap",
    "a start without": "stale token",
    "and its bound is": "bound",
    "not within": "stuck",
}


def play(words, seed, nodes, detect):
    command = [sys.executable, "-B", str(STORM), words.tool, words.ticker, "--namespaces"]
    command += ["--seed", str(seed), "--nodes", str(nodes), "--detect", str(detect)]
    command += ["--faults", str(words.faults), "--disk-faults", words.disk_faults]
    command += ["--only", words.only, *(["--changes"] if words.changes else [])]
    began = time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = ended.stdout.splitlines()
    last = lines[-1] if lines else "it said nothing"
    kind = "held"
    if ended.returncode != 0:
        kind = next((name for text, name in KINDS.items() if text in last), "other")
        (Path(words.logs) / f"storm-{seed}-{nodes}-{detect}.log").write_text(ended.stdout)
    struck = sum(" allowed" in line for line in lines)
    print(f"seed {seed}, {nodes} nodes, detection {detect} s: {kind}, {struck} faults in "
          f"{time.monotonic() - began:.0f} s: {last}", flush=True)
    return kind, struck


def read_words():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--disk-faults", required=True, help="the library that makes disks fail")
    parser.add_argument("--sequences", type=int, default=300)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--faults", type=int, default=20, help="of each sequence")
    parser.add_argument("--nodes", default="3,5")
    parser.add_argument("--detect", default="0.5,1", help="seconds")
    parser.add_argument("--only", default="", help="faults by their names: disk_fails,kill_node")
    parser.add_argument("--changes", action="store_true", help="members come and go")
    parser.add_argument("--jobs", type=int, default=2, help="so many at a time")
    parser.add_argument("--logs", default=".", help="the folder for what failed sequences said")
    return parser.parse_args()


def main():
    words = read_words()
    Path(words.logs).mkdir(parents=True, exist_ok=True)
    kinds = itertools.product(words.detect.split(","), words.nodes.split(","))
    seeds = range(words.first, words.first + words.sequences)
    plays = zip(seeds, itertools.cycle(list(kinds)))
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        results = [pool.submit(play, words, seed, int(nodes), float(detect))
                   for seed, (detect, nodes) in plays]
        results = [result.result() for result in results]
    counts = {name: 0 for name in ["held", *KINDS.values(), "other"]}
    for kind, _ in results:
        counts[kind] += 1
    said = ", ".join(f"{name} {count}" for name, count in counts.items())
    print(f"{len(results)} sequences, {sum(struck for _, struck in results)} faults in "
          f"{time.monotonic() - began:.0f} s: {said}")
    return 0 if counts["held"] == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
