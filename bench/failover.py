"""How long the work is missing when its node fails: failover.py TOOL TICKER [OPTION]...

Groups of real nodes in network namespaces, and keepalived beside them with the same detection time,
or groups with different algorithms, in the same run and turn by turn. A fault's clock starts when
it is struck and stops when the command runs elsewhere, or keepalived says MASTER elsewhere. `heal`
is the time from the end of a cut until the one who was cut off follows the leader of the others.
Datagrams are what all nodes of the group together sent for one fault. Needs root.
"""

import argparse
import contextlib
import os
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "cluster"))

from cluster import Failed, boot_time, wait_for  # noqa: E402
from namespaces import NamespacedCluster, run  # noqa: E402

ADVERT = 0.1  # keepalived's, in seconds: a backup waits for 3 of them and its skew
DETECT = 3 * ADVERT + ADVERT * (256 - 100) / 256

CONFIG = """global_defs {{
    router_id {name}
    vrrp_version 3
    notify_fifo {fifo}
}}
vrrp_instance I {{
    interface eth0
    state BACKUP
    virtual_router_id 76
    priority {priority}
    advert_int {advert}
    nopreempt
    virtual_ipaddress {{ 10.76.0.99/24 }}
}}
"""


def ask(node, request):
    """On the control socket itself: to start a program takes longer than what is measured."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(5)
        line.connect(str(node.state / node.cluster.group / f"{node.name}.sock"))
        line.sendall(request.encode() + b"\n")
        return line.recv(4096).decode().strip()


class Ours:
    """conclave run around the ticker."""

    def __init__(self, words, count, algorithm, mark):
        names = [chr(ord("a") + i) for i in range(count)]
        options = ["--expect", str(count), "--detect", f"{DETECT * 1000:.0f}ms"]
        options += ["--algorithm", algorithm]
        self.cluster = NamespacedCluster(words.tool, words.ticker, names, options)
        self.cluster.group += mark
        self.cluster.mark += mark  # beside the other networks of this process
        self.cluster.bridges = [f"cb{self.cluster.mark}-{i}" for i in range(count)]
        self.heals, self.datagrams = [], []

    def __enter__(self):
        self.cluster.__enter__()
        self.cluster.start()
        self.cluster.wait_for_work(0, 60)
        return self

    def __exit__(self, *how):
        self.cluster.__exit__(*how)

    def leader(self):
        return self.cluster.wait_for_work(boot_time(), 60)

    def settle(self):
        """Everybody is up, knows the leader, and can take over."""
        count = len(self.cluster.nodes)

        def ready():
            states = [node.status() for node in self.cluster.nodes.values()]
            if not all(s and s["leader"] for s in states):
                return False
            leading = [s for s in states if s["state"] == "leader"]  # who hears them all
            return leading and sum(m["alive"] for m in leading[0]["members"]) == count

        wait_for(ready, 60, "the group is whole again")

    def sent(self):
        states = [node.status() for node in self.cluster.nodes.values()]
        return {s["node"]: s["traffic"]["sent"] for s in states if s}

    def strike(self, fault):
        self.settle()
        node, before = self.leader(), self.sent()
        token, began = self.cluster.last_tick().token, boot_time()
        getattr(self, fault)(node)
        self.cluster.wait_for_work(began, 60, token)
        passed = self.cluster.first_tick(began, token).time - began
        after = self.sent()  # of a node that has ended nothing is known any more
        self.datagrams.append(sum(after[name] - before[name] for name in after if name in before))
        if fault == "cut":
            self.mend(node)
        if fault in ("kill", "terminate"):
            node.process.wait(30)
            node.start()
            time.sleep(1.5 * DETECT)  # who has come up promises nothing for so long (R3)
        self.cluster.check_ticks()
        return passed

    def mend(self, node):
        leader = self.cluster.last_tick().node
        time.sleep(2 * DETECT)  # so that it has noticed, and its command is gone
        port = self.cluster.port(node.name)
        run("ip", "link", "set", port, "master", self.cluster.bridges[0])
        began = boot_time()
        wait_for(lambda: ask(node, "leader") == leader, 60, "the one cut off follows again")
        self.heals.append(boot_time() - began)

    def kill(self, node):
        node.kill()

    def cut(self, node):
        run("ip", "link", "set", self.cluster.port(node.name), "master", self.cluster.bridges[1])

    def terminate(self, node):
        node.signal(signal.SIGTERM)

    def resign(self, node):
        ask(node, "resign")


class Keepalived:
    """VRRP version 3 by multicast; who is MASTER is told by a pipe."""

    FAULTS = ("kill", "cut", "terminate")

    def __init__(self, words, count):
        self.names = [chr(ord("a") + i) for i in range(count)]
        self.net = NamespacedCluster(words.tool, words.ticker, self.names)
        self.net.mark += "k"  # beside the other network of this process
        self.net.bridges = [f"cb{self.net.mark}-{i}" for i in range(count)]
        self.folder = Path(tempfile.mkdtemp(prefix="conclave-keepalived-"))
        self.pipes, self.running, self.states = {}, {}, {}

    def __enter__(self):
        self.net.__enter__()
        for name in self.names:
            os.mkfifo(self.folder / f"{name}.fifo")
            self.pipes[name] = os.open(self.folder / f"{name}.fifo", os.O_RDWR | os.O_NONBLOCK)
            self.start(name)
        self.wait_for_master(None)
        return self

    def __exit__(self, *how):
        for name, process in self.running.items():
            self.end(name, signal.SIGKILL)
            process.wait()
        for pipe in self.pipes.values():
            os.close(pipe)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.net.__exit__(None, None, None)

    def start(self, name):
        config = self.folder / f"{name}.conf"
        priority = 100 + self.names.index(name)
        fifo = self.folder / f"{name}.fifo"
        config.write_text(
            CONFIG.format(name=name, fifo=fifo, priority=priority, advert=ADVERT)
        )
        files = []
        for kind in ("pid", "vrrp_pid"):
            file = self.folder / f"{name}.{kind}"
            file.unlink(missing_ok=True)  # of a former life, which it would take for a live one
            files.append(f"--{kind}={file}")
        run("ip", "-n", self.net.space(name), "addr", "flush", "dev", "eth0", "to", "10.76.0.99")
        command = ["keepalived", "--dont-fork", "--vrrp", f"--use-file={config}", *files]
        with open(self.folder / f"{name}.log", "ab") as log:
            self.running[name] = subprocess.Popen(
                [*self.net.prefix(name), *command], stdout=log, stderr=log
            )

    def end(self, name, number):
        """Parent and child at once, as when the machine's memory runs out."""
        process = self.running[name]
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        except OSError:
            children = []
        process.send_signal(number)
        if number == signal.SIGKILL:
            for child in children:
                try:
                    os.kill(int(child), number)
                except ProcessLookupError:
                    pass

    def read_news(self, seconds):
        """Those who said MASTER, with the time."""
        masters = []
        ready, _, _ = select.select(list(self.pipes.values()), [], [], seconds)
        now = boot_time()
        for name, pipe in self.pipes.items():
            words = os.read(pipe, 65536).split() if pipe in ready else []
            for word in words:
                if word in (b"MASTER", b"BACKUP", b"FAULT"):
                    self.states[name] = word
            if b"MASTER" in words:
                masters.append((name, now))
        return masters

    def find_master(self):
        """Of several that said so one after the other, the one that did not take it back."""
        self.read_news(0)
        masters = [name for name, state in self.states.items() if state == b"MASTER"]
        return masters[0] if len(masters) == 1 else None

    def wait_for_master(self, former):
        end = boot_time() + 60
        while boot_time() < end:
            for name, when in self.read_news(0.5):
                if name != former:
                    return when
        raise Failed("keepalived has no master")

    def strike(self, fault):
        time.sleep(3 * ADVERT)
        wait_for(self.find_master, 60, "keepalived has one master")
        former, began = self.find_master(), boot_time()
        if fault == "cut":
            run("ip", "link", "set", self.net.port(former), "master", self.net.bridges[1])
        else:
            self.end(former, signal.SIGKILL if fault == "kill" else signal.SIGTERM)
        passed = self.wait_for_master(former) - began
        if fault == "cut":
            self.end(former, signal.SIGKILL)  # else both would go on as masters
        self.running[former].wait()
        self.states.pop(former, None)
        self.net.heal()
        self.start(former)
        time.sleep(0.5)  # it must have heard the new master
        return passed


def summary(name, times):
    times = sorted(times)
    p95 = times[min(len(times) - 1, int(len(times) * 0.95))]
    return (
        f"{name:11} median {statistics.median(times) * 1000:7.1f} ms  "
        f"p95 {p95 * 1000:7.1f}  worst {times[-1] * 1000:7.1f}  (n = {len(times)})"
    )


def compare(words, count):
    algorithms = words.algorithms.split(",")
    with contextlib.ExitStack() as stack:
        ours = {
            name: stack.enter_context(Ours(words, count, name, chr(ord("p") + place)))
            for place, name in enumerate(algorithms)
        }
        other = None if words.alone else stack.enter_context(Keepalived(words, count))
        for fault in words.faults.split(","):
            times = {name: [] for name in [*algorithms, "keepalived"]}
            for _ in range(words.times):
                for name, each in ours.items():
                    times[name].append(each.strike(fault))
                if other and fault in Keepalived.FAULTS:
                    times["keepalived"].append(other.strike(fault))
            for name, each in times.items():
                if each:
                    print(f"N = {count}, {fault}: {summary(name, each)}", flush=True)
            for name, each in ours.items():
                mean = statistics.mean(each.datagrams)
                print(f"N = {count}, {fault}: {name:11} {mean:.1f} datagrams for a fault")
                each.datagrams.clear()
        for name, each in ours.items():
            if each.heals:
                print(f"N = {count}, heal: {summary(name, each.heals)}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--times", type=int, default=30)
    parser.add_argument("--nodes", default="3,5")
    parser.add_argument("--algorithms", default="bully", help="bully,tempo compares them")
    parser.add_argument("--alone", action="store_true", help="without keepalived")
    parser.add_argument("--faults", default="kill,cut,terminate,resign")
    words = parser.parse_args()
    print(f"detection time {DETECT * 1000:.0f} ms, heartbeat a quarter of it")
    print("kill: SIGKILL of the agent (of keepalived)")
    for count in map(int, words.nodes.split(",")):
        compare(words, count)


main()
