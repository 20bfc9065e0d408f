"""What `--clock system` asks of the kernel, without any clock being moved: system_clock.py TOOL

The daemon runs without CAP_SYS_TIME and under strace, which answers its calls in the kernel's
place; the trace tells what it asked for. Since the clock never moves, the daemon goes on asking.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import lan
from daemon import Daemon
from stage import Failed
from system_calls import end_traced, strace_works
from tsp import pack, timed_packet

SETS = "clock_adjtime,adjtimex,clock_settime,settimeofday"
INSTEAD = ["strace", "-f", "-qq", "-e", f"trace={SETS}", "-e", f"inject={SETS}:retval=0"]
WITHOUT = ["setpriv", "--bounding-set", "-sys_time"]
PPM = 65536
FIELD = re.compile(r"(\w+)=(-?[\w|]+)")
HOST = ("--insecure", "--mode", "own")
SYSTEM = (*HOST, "--clock", "system", "--no-master")


def expect(holds, what):
    if not holds:
        raise Failed(what)


def check_the_stage():
    """The kernel would refuse, and is never asked: only then a mistake of ours is harmless."""
    set_clock = "import time; time.clock_settime(time.CLOCK_REALTIME, time.time())"
    program = [sys.executable, "-c", set_clock]
    bare = subprocess.run([*WITHOUT, *program], capture_output=True, text=True)
    expect("PermissionError" in bare.stderr, f"the kernel would set its clock:\n{bare.stderr}")
    stood_in = [*WITHOUT, *INSTEAD, "-o", "/dev/null", *program]
    injected = subprocess.run(stood_in, capture_output=True, text=True)
    expect(injected.returncode == 0, f"strace does not stand in:\n{injected.stderr}")


class Calls:
    """What was asked of the kernel."""

    def __init__(self, text):
        lines = [line for line in text.splitlines() if "(CLOCK" in line or "(NULL" in line]
        expect(lines and all("(INJECTED)" in line for line in lines), f"not injected:\n{text}")
        strange = [line for line in lines if "clock_adjtime(CLOCK_REALTIME" not in line]
        expect(not strange, f"sets a clock in another way: {strange}")
        self.all = [dict(FIELD.findall(line)) for line in lines]

    def having(self, mode):
        return [call for call in self.all if mode in call["modes"].split("|")]

    def steps(self):
        """In seconds."""
        found = self.having("ADJ_SETOFFSET")
        expect(all("ADJ_NANO" in call["modes"] for call in found), "a step without ADJ_NANO")
        return [int(call["tv_sec"]) + int(call["tv_usec"]) / 1e9 for call in found]

    def rates(self):
        """In ppm."""
        return [int(call["freq"]) / PPM for call in self.having("ADJ_FREQUENCY")]


class Slave:
    """A daemon that believes to steer this machine's clock."""

    def __init__(self, tool, net, name, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="conclave-clock-")
        self.trace = Path(self.folder.name) / "trace"
        prefix = [*INSTEAD, "-o", str(self.trace)]
        self.daemon = Daemon(tool, net, name, *SYSTEM, *options, prefix=prefix).start()

    def finish(self):
        end_traced(self.daemon)
        ended = self.daemon.process.wait(20)
        expect(ended == 0, f"it did not end well:\n{self.daemon.log.read_text()}")
        return Calls(self.trace.read_text())

    def end(self):
        if self.daemon.alive:
            end_traced(self.daemon)
        self.daemon.end()
        self.folder.cleanup()


def wait_set(daemon):
    end = time.monotonic() + 20
    while not daemon.synchronised():
        expect(time.monotonic() < end, f"{daemon.name} has no time:\n{daemon.log.read_text()}")
        time.sleep(0.05)


def found(tool, net, offset):
    """A master that has its own time before anybody comes: clocks that start together average."""
    master = Daemon(tool, net, "one", *HOST, "--offset", offset).start()
    try:
        wait_set(master)
    except Failed:
        master.end()
        raise
    return master


def set_date(master, ahead):
    """As `date` on the master's machine does."""
    with master.lan.inside(master.name):
        channel = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with channel:
        packet = timed_packet("SETDATE", time.time() + ahead, sequence=7, name="date")
        channel.sendto(pack(packet), master.address)


def moves(tool, net):
    """Told the time, it is stepped once; to a date that somebody sets, it is stepped at once."""
    master = found(tool, net, "30ms")
    slaves = [Slave(tool, net, "two"), Slave(tool, net, "three", "--step", "20ms")]
    try:
        for slave in slaves:
            wait_set(slave.daemon)
        time.sleep(2)
        set_date(master, -0.040)
        time.sleep(3)
        usual, stepping = (slave.finish() for slave in slaves)
    finally:
        for slave in slaves:
            slave.end()
        master.end()
    judge_steps(usual.steps(), [0.030, -0.040], "without --step", late=0.020)
    judge_steps(stepping.steps(), [0.030, -0.040], "with --step 20ms", late=0.020)
    for calls in (usual, stepping):
        expect(max(map(abs, calls.rates())) <= 500, f"beyond what kernels take: {calls.rates()}")
        expect(max(calls.rates()) == 500, f"30 ms behind, it does not run faster: {calls.rates()}")
        expect(abs(calls.rates()[-1]) < 5, f"it leaves the clock slewing: {calls.rates()[-3:]}")
    expect(min(stepping.rates()) == -500, f"40 ms ahead, it does not slow: {stepping.rates()}")
    print(f"steps {usual.steps()} and {stepping.steps()} s; {len(usual.all)} calls")


def judge_steps(steps, wanted, whose, late=0.0):
    """The last one may be earlier in time by as much as a busy master took to read its new date."""
    near = [-2e-3 < s - w < 2e-3 for s, w in zip(steps[:-1], wanted[:-1])]
    near += [-2e-3 - late < s - w < 2e-3 for s, w in zip(steps[-1:], wanted[-1:])]
    right = len(steps) == len(wanted) and all(near)
    expect(right, f"{whose}: steps of {steps} s, expected {wanted}")


def coasts(tool, net):
    """Without a master it goes on telling the kernel how wrong its clock may be by now."""
    master = found(tool, net, "-30ms")
    slave = Slave(tool, net, "two")
    try:
        wait_set(slave.daemon)
        master.kill()
        time.sleep(9)  # the error grows by fractions of a microsecond a second
        calls = slave.finish()
    finally:
        slave.end()
        master.end()
    judge_steps(calls.steps(), [-0.030], "at first")
    expect(min(calls.rates()) == -500, f"30 ms ahead, it does not slow down: {calls.rates()}")
    told = calls.having("ADJ_MAXERROR")
    expect(all("ADJ_STATUS" in call["modes"] for call in told), "errors without a status")
    expect({call["status"] for call in told} == {"0"}, f"it stays unsynchronised: {told[-1]}")
    largest, likely = ([int(c[key]) for c in told[-8:]] for key in ("maxerror", "esterror"))
    grows = largest == sorted(largest) and largest[-1] > largest[0] > 0
    expect(grows, f"maxerror does not grow while nobody corrects it: {largest}")
    expect(all(0 < e <= m for e, m in zip(likely, largest)), f"esterror {likely} of {largest}")
    print(f"while it coasts maxerror is {largest} us, esterror {likely} us")


def main():
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    if not strace_works():
        print("skipped: strace is missing, or this machine does not let us trace")
        return 77
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # the search for leaks cannot be traced
    check_the_stage()
    with lan.Lan(["one", "two", "three"]) as net:
        try:
            moves(sys.argv[1], net)
            coasts(sys.argv[1], net)
        except Failed as failure:
            print(f"FAIL: {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
