"""The same scenarios simulated and with real processes: who leads when agrees within the bound.

both_ways.py TOOL LAB TICKER [NAME]...

A scenario is a list of (seconds, what, node). Members a, b and c of the real group are 1, 2 and 3
of the simulated one; c leads at the start. The command of a real node ticks, that of a simulated
one is in its trace. Both give the terms: who led, from when, and each start of the command is one.
The runs agree if the same nodes led in the same order, and each term began at the same time, within
the bound that the group prints.
"""

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cluster import boot_time, send_signal, wait_for
from namespaces import NamespacedCluster, possible

IDS = {"a": 1, "b": 2, "c": 3}
SECONDS = 8.0  # a run, counted from the first fault of a scenario at 0
LEAD_TIME = 3.0  # of the simulated run, in which c comes to lead

SCENARIOS = {
    "the agent is killed and returns": [(0, "agent-dies", "c"), (3, "agent-returns", "c")],
    "the agent is asked to end and returns": [(0, "agent-leaves", "c"), (3, "agent-returns", "c")],
    "the leader hands over": [(0, "asked-to-leave", "c")],
    "the guardian is killed": [(0, "guardian-dies", "c")],
    "the agent pauses and goes on": [(0, "agent-pauses", "c"), (3, "agent-resumes", "c")],
    "the leader is cut off": [(0, "cut-off", "c"), (4, "joined", "c")],
    "the next one is set aside": [(0, "agent-set-aside", "b"), (1, "agent-dies", "c")],
    "two lead after each other": [
        (0, "agent-dies", "c"),
        (2, "agent-returns", "c"),
        (4, "agent-dies", "b"),
    ],
}


# ---------------------------------------------------------------- in imaginary time


def sim_words(scenario):
    words = []
    cut = {node: at for at, what, node in scenario if what == "cut-off"}
    for at, what, node in scenario:
        when = f"{(LEAD_TIME + at) * 1000:.0f}ms"
        if what == "joined":
            since = f"{(LEAD_TIME + cut[node]) * 1000:.0f}ms"
            others = ",".join(str(i) for n, i in IDS.items() if n != node)
            words += ["--partition", f"{IDS[node]}/{others}@{since}..{when}"]
        elif what != "cut-off":
            words += ["--fault", f"{what}:{IDS[node]}@{when}"]
    return words


def simulated(lab, scenario):
    """[(node, seconds from the first fault)]: whose command began to run."""
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "run.json"
        settings = ["promise=1s", "lease=998ms", "heartbeat=250ms", "answer=50ms", "repeat=50ms"]
        words = [lab, "sim", "bully", "--cluster", "--nodes", "3", "--trace", str(trace)]
        words += ["--until", f"{LEAD_TIME + SECONDS:.0f}s"]
        words += [word for each in settings for word in ("--set", each)]
        subprocess.run([*words, *sim_words(scenario)], check=True, capture_output=True, timeout=60)
        events = json.loads(trace.read_text())
    events = events["traceEvents"] if isinstance(events, dict) else events
    names = {number: name for name, number in IDS.items()}
    runs = sorted(
        (event["ts"] / 1e6 - LEAD_TIME, names[event["tid"]], event["name"])
        for event in events
        if event.get("ph") == "X" and event["name"].endswith("work running")
    )
    return terms_of((at, node, round_of(label)) for at, node, label in runs)


def round_of(label):
    """Of "holds 2, work running"; None of "paused, work running", which goes on under it."""
    holds = re.match(r"holds (\d+)", label)
    return int(holds[1]) if holds else None


def terms_of(runs):
    """One for each start of a command, (at, node, token): of the same node, too, as when its
    guardian is killed. The first began before the first fault. A token of None is the last one."""
    terms, last = [], None
    for at, node, token in runs:
        if not terms or terms[-1][0] != node or token not in (None, last):
            terms.append((node, at))
        last = token if token is not None else last
    return terms


# ---------------------------------------------------------------- with real processes


class BothWays(NamespacedCluster):
    def act(self, what, name):
        node = self.nodes[name]
        where = ["--group", self.group, "--name", name, "--state", str(node.state)]
        if what == "agent-dies":
            node.kill()
        elif what == "agent-returns":
            if node.alive:
                node.process.wait(5)
            node.start()
        elif what == "agent-leaves":
            node.signal(signal.SIGTERM)
        elif what == "asked-to-leave":  # the next member is named as its successor
            subprocess.run([self.tool, "transfer", "--to", "a", *where], check=True)
        elif what in ("agent-pauses", "agent-resumes"):
            node.signal(signal.SIGSTOP if what == "agent-pauses" else signal.SIGCONT)
        elif what == "guardian-dies":
            send_signal(node.guardian(), signal.SIGKILL)
        elif what == "agent-set-aside":
            subprocess.run([self.tool, "pause", *where], check=True)
        elif what == "cut-off":
            self.split([[name], [n for n in self.nodes if n != name]])
        elif what == "joined":
            self.heal()
        else:
            raise ValueError(what)

    def begin_with(self, name):
        self.start()
        self.wait_for_work(0, 60)
        self.wait_until_settled()
        first = self.last_tick().node
        if first != name:
            where = ["--group", self.group, "--name", first]
            where += ["--state", str(self.nodes[first].state)]
            subprocess.run([self.tool, "transfer", "--to", name, *where], check=True)
            wait_for(lambda: self.last_tick().node == name, 20, f"{name} leads")
            self.wait_until_settled()

    def bound(self):
        node = self.nodes["a"]
        where = ["--group", self.group, "--name", "a", "--state", str(node.state)]
        said = subprocess.run(
            [self.tool, "bound", "--json", *where], capture_output=True, text=True, check=True
        )
        bound = json.loads(said.stdout)
        return max(bound["silent_ns"], bound["died_ns"], bound["handover_ns"]) / 1e9


def real(tool, ticker, scenario):
    options = ["--expect", "3", "--detect", "1s"]
    with BothWays(tool, ticker, list(IDS), options) as cluster:
        cluster.begin_with("c")
        bound = cluster.bound()
        began = boot_time()
        for at, what, name in scenario:
            time.sleep(max(0.0, began + at - boot_time()))
            cluster.act(what, name)
        time.sleep(max(0.0, began + SECONDS - boot_time()))
        ticks = [(t.time - began, t.node, t.token) for t in cluster.ticks(began - 0.5)]
    return terms_of(sorted(ticks)), bound


# ---------------------------------------------------------------- compared


def difference(imagined, seen, bound):
    if [node for node, _ in imagined] != [node for node, _ in seen]:
        return "other nodes led"
    for (node, at), (_, other) in list(zip(imagined, seen))[1:]:
        if abs(at - other) > bound:
            return f"{node} began {abs(at - other):.2f} s apart, and the bound is {bound:.2f} s"
    return None


def tell(terms):
    return ", ".join(f"{node} at {at:.2f}" for node, at in terms)


def main():
    tool, lab, ticker, *names = sys.argv[1:]
    if not possible():
        return 77
    failed = 0
    for name, scenario in SCENARIOS.items():
        if names and name not in names:
            continue
        imagined = simulated(lab, scenario)
        seen, bound = real(tool, ticker, scenario)
        problem = difference(imagined, seen, bound)
        print(f"{name}: simulated {tell(imagined)}; real {tell(seen)}; bound {bound:.2f}")
        if problem:
            print(f"  DIFFERENT: {problem}")
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
