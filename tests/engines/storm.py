#!/usr/bin/env python3
"""Faults by seed on nodes and servers, and beside them, in the same run, what people use otherwise.

storm.py TOOL TICKER etcd|postgresql [--sequences N] [--first SEED] [--faults N]

For nodes of Conclave: never two commands at one instant, and tokens that grow. For `etcdctl lock`
and for a script that holds pg_advisory_lock the instants with two commands are counted and printed.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from group import Group
from servers import Etcd, Postgresql

DETECT = 1.5


class Rivals:
    """Two processes that run the ticker under a lock of the engine, started again when they end."""

    def __init__(self, ticker, engine):
        self.ticker, self.engine = ticker, engine
        handle, path = tempfile.mkstemp(prefix="conclave-rivals-")
        os.close(handle)
        self.ticks = Path(path)
        self.running, self.sessions = {}, []
        for name in "xy":
            self.start(name)

    def words(self):
        if isinstance(self.engine, Etcd):
            ends = ",".join(f"127.0.0.1:{port}" for port in self.engine.clients)
            return ["etcdctl", "--endpoints", ends, "lock", "--ttl", "2", "rivals",
                    self.ticker, str(self.ticks)]
        return ["psql", "-h", "127.0.0.1", "-p", str(self.engine.ports[0]), "-U", "conclave",
                "-d", "jobs", "-c", "SELECT pg_advisory_lock(7)",
                "-c", f"\\! {self.ticker} {self.ticks}"]

    def start(self, name):
        # A session of its own, so that what it leaves behind can be found in the end.
        self.running[name] = subprocess.Popen(
            self.words(), start_new_session=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env={**os.environ, "CONCLAVE_NODE": name, "CONCLAVE_TOKEN": "0", "ETCDCTL_API": "3"})
        self.sessions.append(self.running[name].pid)

    def tend(self):
        for name, process in list(self.running.items()):
            if process.poll() is not None:
                self.start(name)

    def suffer(self, random_number, kill):
        name = "xy"[random_number % 2]
        self.running[name].send_signal(signal.SIGKILL if kill else signal.SIGSTOP)

    def relieve(self):
        for process in self.running.values():
            process.send_signal(signal.SIGCONT)

    def close(self):
        for session in self.sessions:
            try:
                os.killpg(session, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for process in self.running.values():
            process.wait()
        seconds = doubled(self.ticks.read_text().splitlines())
        self.ticks.unlink()
        return seconds


def doubled(lines):
    """Seconds in which two commands ticked, at 20 ms each."""
    slots = {}
    for line in lines:
        node, _, moment, _ = line.split()
        slots.setdefault(int(float(moment) * 50), set()).add(node)
    return sum(len(nodes) > 1 for nodes in slots.values()) / 50


def strike_server(engine, draw):
    """One fault of the engine, and what ends it."""
    if isinstance(engine, Postgresql):
        engine.end("p")
        time.sleep(draw.uniform(0, 1))
        engine.begin("p")
        return
    kind = draw.choice(["kill", "pause", "kill all"])
    leader = max(engine.leader() - 1, 0)
    places = range(3) if kind == "kill all" else [leader]
    for place in places:
        engine.signal(place, signal.SIGSTOP) if kind == "pause" else engine.kill(place)
    time.sleep(draw.uniform(0.5, 2.5))
    for place in places:
        engine.signal(place, signal.SIGCONT) if kind == "pause" else engine.start(place)


def strike_node(group, rivals, draw):
    name = group.holder() if draw.random() < 0.7 else draw.choice("abc")
    kill = draw.random() < 0.5
    rivals.suffer(draw.randrange(2), kill)
    node = group.nodes[name]
    if kill:
        node.kill()
        node.wait()
        time.sleep(draw.uniform(0, 1))
        group.start(name)
    else:
        node.send_signal(signal.SIGSTOP)
        time.sleep(draw.uniform(0.2, 4))
        node.send_signal(signal.SIGCONT)
    rivals.relieve()


def run_storm(options, seed):
    draw = random.Random(seed)
    engine = Etcd(3) if options.engine == "etcd" else Postgresql()
    group = rivals = None
    try:
        group = Group(options.tool, options.ticker, engine, detect=f"{DETECT}s")
        rivals = Rivals(options.ticker, engine)
        group.holder()
        for _ in range(options.faults):
            if draw.random() < 0.3:
                strike_server(engine, draw)
            else:
                strike_node(group, rivals, draw)
            rivals.tend()
            time.sleep(draw.uniform(0, 1))
        group.holder()
        problem, terms = group.problem(), len({tick.token for tick in group.read()})
        if problem:
            print(group.logs(), file=sys.stderr)
    finally:
        seconds = rivals.close() if rivals else 0
        if group:
            group.close()
        engine.close()
    lock = "etcdctl lock" if options.engine == "etcd" else "pg_advisory_lock"
    print(f"seed {seed}: {terms} terms, never two commands; {lock}: two for {seconds:.1f} s"
          if not problem else f"seed {seed}: {problem}", flush=True)
    return problem is None, seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("engine", choices=["etcd", "postgresql"])
    parser.add_argument("--sequences", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--faults", type=int, default=8)
    options = parser.parse_args()
    results = [run_storm(options, options.first + i) for i in range(options.sequences)]
    doubled_in = sum(seconds > 0 for _, seconds in results)
    print(f"{sum(good for good, _ in results)} of {len(results)} without two commands; the other "
          f"lock had two in {doubled_in}, for {sum(s for _, s in results):.1f} s in all")
    return 0 if all(good for good, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
