"""What a node costs while nothing happens: rest.py TOOL TICKER [OPTION]...

Groups of three and five in network namespaces, with a heartbeat of one second: datagrams that all
nodes together send in a heartbeat, memory of the leader's agent and guardian (proportional, and
with all that they share), share of a core. Beside them, in the same networks, a program that only
sends and receives such datagrams (bench/limit/rest.cpp): what these cost on this machine anyhow.
Needs root.
"""

import argparse
import contextlib
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "cluster"))

from cluster import wait_for  # noqa: E402
from namespaces import NamespacedCluster  # noqa: E402

HEARTBEAT = 1.0


def kilobytes(pid, what):
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith(what + ":"):
            return int(line.split()[1])
    return 0


def run_ns(pid):
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])


def processes(node):
    """The agent below `ip netns exec`, which becomes it, and the guardian where there is one."""
    found = [node.process.pid]
    if guardian := node.guardian():
        found.append(guardian)
    return found


def sent(cluster):
    return sum(node.status()["traffic"]["sent"] for node in cluster.nodes.values())


def settled(cluster):
    states = [node.status() for node in cluster.nodes.values()]
    leaders = {state["leader"] if state else "" for state in states}
    return len(leaders) == 1 and "" not in leaders and all(s["uptime_ns"] > 6e9 for s in states)


def measure(words, count, way):
    names = [chr(ord("a") + i) for i in range(count)]
    options = ["--detect", f"{4 * HEARTBEAT:.0f}s", "--algorithm", words.algorithm]
    if way == "unicast":
        members = ",".join(f"{name}=10.76.0.{i}" for i, name in enumerate(names, 1))
        options += ["--members", members]
    else:
        options += ["--expect", str(count)]
    with NamespacedCluster(words.tool, words.ticker, names, options) as cluster:
        cluster.start()
        wait_for(lambda: settled(cluster), 60, "the group is at rest")
        nodes = cluster.nodes.values()
        pids = {node.name: processes(node) for node in nodes}
        before = {name: sum(map(run_ns, own)) for name, own in pids.items()}
        datagrams, began = sent(cluster), time.monotonic()
        time.sleep(words.seconds)
        passed = time.monotonic() - began
        datagrams = sent(cluster) - datagrams
        cpu = {name: sum(map(run_ns, own)) - before[name] for name, own in pids.items()}
        leader = next(iter(nodes)).status()["leader"]
        pss, rss = (sum(kilobytes(p, what) for p in pids[leader]) for what in ("Pss", "Rss"))
        others = max(cpu[name] for name in cpu if name != leader)
        print(
            f"{count}  {way:9}  {datagrams / (passed / HEARTBEAT):8.2f}  "
            f"{pss / 1024:10.2f}  {rss / 1024:7.2f}  "
            f"{cpu[leader] / passed / 1e7:9.4f}  {others / passed / 1e7:8.4f}",
            flush=True,
        )


def measure_limit(words, count):
    names = [chr(ord("a") + i) for i in range(count)]
    program = Path(words.tool).with_name("limit_rest")
    with (
        NamespacedCluster(words.tool, words.ticker, names) as cluster,
        contextlib.ExitStack() as all,
    ):
        pids = []
        for i, name in reversed(list(enumerate(names, 1))):  # the leader last
            role = "leads" if i == 1 else "follows"
            command = [*cluster.prefix(name), str(program), role, str(count), f"10.76.0.{i}"]
            process = subprocess.Popen(command)
            all.callback(process.wait)
            all.callback(process.kill)
            pids.append([process.pid])
        time.sleep(3)
        children = Path(f"/proc/{pids[-1][0]}/task/{pids[-1][0]}/children").read_text().split()
        pids[-1] += map(int, children)  # it ends with its leader
        before = [sum(map(run_ns, own)) for own in pids]
        time.sleep(words.seconds)
        cpu = [sum(map(run_ns, own)) - was for own, was in zip(pids, before)]
        shares = [ns / words.seconds / 1e7 for ns in cpu]
        print(f"{count}  limit  {' ' * 33} {shares[-1]:12.4f}  {max(shares[:-1]):8.4f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--algorithm", default="bully")
    words = parser.parse_args()
    print("            datagrams  PSS, leader      RSS  CPU %, leader   others")
    print("N  way      /heartbeat          MB       MB")
    for count in (3, 5):
        for way in ("multicast", "unicast"):
            measure(words, count, way)
        measure_limit(words, count)


main()
