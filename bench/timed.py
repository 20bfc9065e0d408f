"""Time daemons on real sockets: timed.py TOOL TICKER [PART]...

Parts: `network`, faults of five nodes, with the promised limits; `estimate`, how well a
master knows the offset of a slave; `load`, what 1000 slaves cost their master. All in network
namespaces, with virtual clocks. Needs root. Ends with lines bench,CASE,METRIC,VALUE.
"""

import math
import resource
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "timed"))

import lan  # noqa: E402
import network  # noqa: E402
from daemon import Daemon  # noqa: E402
from group import Group  # noqa: E402
from stage import Failed  # noqa: E402

SLAVES = 1000
SHARE = 0.30  # of a core, at most


def run_network(tool):
    for story in network.STORIES:
        print(f"-- {story.__name__}")
        story(tool, network.PROMISED)


# ---------------------------------------------------------------- how good an estimate is


def estimate(tool):
    pair = {"anna": ("3ms", "12ppm"), "boris": ("-4ms", "-31ppm")}
    errors = {}
    for direct in (True, False):
        with Group(tool, pair, direct=direct) as group:
            master, _ = group.wait(group.settled, 20, "both follow one master")
            time.sleep(20)
            errors[direct] = rms_error(group, master, 20)
        where = "on one cable" if direct else "through a bridge"
        network.say(f"rms error of the estimated offset {where}: {errors[direct] * 1e6:.2f} us")
    network.FIGURES["estimate_bridge,rms_us"] = errors[False] * 1e6
    network.hold(errors[True], 0.1e-6, "estimate_cable,rms_us", "of these on one cable")
    network.hold(errors[False], 1e-6, "estimate_bridge,rms_us", "of these through a bridge")


def rms_error(group, master, seconds):
    """Of what the master says of the slave, against what their clocks truly show."""
    slave = next(name for name in group.daemons if name != master)
    errors, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        seen = {name: status for name, (_, status) in group.look().items()}
        told = [m for m in seen[master]["members"] if m["name"] == slave]
        offsets = {name: status["clock"]["offset_ns"] for name, status in seen.items()}
        errors.append((told[0]["offset_ns"] - (offsets[slave] - offsets[master])) / 1e9)
        time.sleep(0.25)
    return math.sqrt(sum(e * e for e in errors) / len(errors))


# ---------------------------------------------------------------- what many slaves cost


def load(tool):
    """The slaves live in another program, on addresses of their own in one namespace."""
    slaves_tool = Path(tool).parent / "bench_slaves"
    with lan.Lan(["master", "crowd"], wide=True) as net:
        net.batch(net.space("crowd"), ["route add local 10.77.8.0/21 dev lo"])
        by_one = f"route add 10.77.8.0/21 via {net.address('crowd')}"  # one neighbour, not 1000
        net.batch(net.space("master"), [by_one])
        master = Daemon(tool, net, "master", "--insecure", "--mode", "own")
        crowd = None
        try:
            master.start()
            wait(lambda: master.state() == "master", 20, "the master is up")
            command = ["ip", "netns", "exec", net.space("crowd"), str(slaves_tool), str(SLAVES)]
            crowd = subprocess.Popen([*command, net.address("master")], preexec_fn=many_files)
            wait(lambda: len(master.members()) >= SLAVES, 60, "all slaves are known")
            report_load(master)
        finally:
            if crowd:
                crowd.kill()
                crowd.wait()
            master.end()


def many_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))


def report_load(master, seconds=20):
    time.sleep(12)  # the first, quick probes are over
    before = run_ns(master.process.pid)
    began = time.monotonic()
    time.sleep(seconds)
    share = (run_ns(master.process.pid) - before) / 1e9 / (time.monotonic() - began)
    if dropped := master.status()["dropped"].get("malformed"):
        raise Failed(f"{dropped} datagrams were malformed: build bench_slaves anew")
    network.hold(share, SHARE, f"slaves_{SLAVES},core_percent",
                 f"share of a core for {SLAVES} slaves, 1 round a second", 100, "%")


def run_ns(pid):
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])


def wait(condition, seconds, what):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise Failed(f"not within {seconds} s: {what}")
        time.sleep(0.1)


PARTS = {"network": run_network, "estimate": estimate, "load": load}


def main():
    tool, chosen = sys.argv[1], sys.argv[3:] or list(PARTS)
    if not lan.possible():
        print("this machine does not let us make network namespaces")
        return 2
    missed = 0
    for part in chosen:
        if part not in PARTS:
            print(f"there is no part '{part}': choose from {' '.join(PARTS)}")
            return 2
        try:
            PARTS[part](tool)
        except Failed as failure:
            print(f"missed: {failure}")
            missed = 1
    for figure, value in network.FIGURES.items():
        print(f"bench,{figure},{value:.3g}")
    return missed


sys.exit(main())
