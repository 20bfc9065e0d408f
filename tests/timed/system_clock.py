"""What `--clock system` asks of the kernel, and how it bears being disturbed:
system_clock.py TOOL KERNEL_CLOCK [SCENE]...

No clock is moved: the daemon runs without CAP_SYS_TIME, and kernel_clock.cpp, preloaded, stands in
for the kernel's clock. It obeys like one, notes what it was asked for, and can be set from outside
or made to stand still with the daemon.
"""

import mmap
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import lan
from daemon import Daemon
from stage import Failed
from tsp import pack, timed_packet
from truth import hold_bound, offset_of, truth_of

WITHOUT = ["setpriv", "--bounding-set", "-sys_time"]
PPM = 65536
TICK = 10_000
FIELD = re.compile(r"(\w+)=(-?[\w|]+)")
HOST = ("--insecure", "--mode", "own")
SYSTEM = (*HOST, "--clock", "system")
SECOND = 10**9
UNSYNCHRONISED = 0x40  # STA_UNSYNC
ONE_MOMENT = 10e-6  # in which kernel_clock.cpp reads two clocks


def expect(holds, what):
    if not holds:
        raise Failed(what)


def check_the_stage():
    """The kernel would refuse: only then a mistake of ours is harmless."""
    set_clock = "import time; time.clock_settime(time.CLOCK_REALTIME, time.time())"
    program = [sys.executable, "-c", set_clock]
    bare = subprocess.run([*WITHOUT, *program], capture_output=True, text=True)
    expect("PermissionError" in bare.stderr, f"the kernel would set its clock:\n{bare.stderr}")


class Calls:
    """What was asked of the kernel."""

    def __init__(self, text):
        self.all = [dict(FIELD.findall(line)) for line in text.splitlines()]
        expect(self.all, "it asked for nothing")

    def having(self, mode):
        return [call for call in self.all if mode in call["modes"].split("|")]

    def steps(self):
        """In seconds."""
        found = self.having("setoffset")
        expect(all("nano" in call["modes"] for call in found), "a step without nanoseconds")
        return [int(call["sec"]) + int(call["nsec"]) / 1e9 for call in found]

    def rates(self):
        """In ppm."""
        return [
            int(call["freq"]) / PPM
            + (int(call["tick"]) - TICK) * 1e6 / TICK * ("tick" in call["modes"].split("|"))
            for call in self.having("frequency")
        ]


class Slave:
    """A daemon that believes to steer this machine's clock."""

    def __init__(self, tool, kernel, net, name, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="conclave-clock-")
        state = Path(self.folder.name) / "clock"
        state.write_bytes(bytes(24))
        self.log = Path(f"{state}.log")
        with open(state, "r+b") as file:
            self.shared = mmap.mmap(file.fileno(), 24)
        prefix = ["env", f"LD_PRELOAD={kernel}", f"KERNEL_CLOCK={state}"]
        self.daemon = Daemon(tool, net, name, *SYSTEM, *(options or ("--no-master",)),
                             prefix=prefix).start()

    def disturb(self, moved=0.0, stood=0.0):
        """In seconds, added to what was before."""
        before = struct.unpack_from("qq", self.shared)
        more = (round(moved * SECOND), round(stood * SECOND))
        struct.pack_into("qq", self.shared, 0, *(a + b for a, b in zip(before, more)))

    def stand_still(self, seconds, asleep):
        """The machine sleeps; or it is a virtual one, and is paused without being told."""
        self.daemon.process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        self.disturb(moved=0 if asleep else -seconds, stood=seconds)
        self.daemon.process.send_signal(signal.SIGCONT)

    def ahead(self):
        """What its people see minus the machine's clock, in seconds."""
        return struct.unpack_from("q", self.shared, 16)[0] / SECOND

    def trust(self):
        status = self.daemon.status()
        return status["trust"] if status else None

    def is_near(self, master, judged):
        """Its clock is its master's and it says so. Where it says more than is true, it fails."""
        before, status, ahead = master.status(), self.daemon.status(), self.ahead()
        truth = truth_of(before, master.status())
        if truth and judged:
            first, last, more = truth
            hold_bound(self.daemon.name, status, ahead, (first, last, more + ONE_MOMENT))
        near = abs(ahead - offset_of(before)) < 1e-3
        return near and status["trust"] == "synchronised"

    def wait_near(self, master, seconds, unnoticed=0.0):
        """How long it took until its clock is right and stays so for three seconds. Meanwhile its
        error bound holds, but for the first seconds after what does not show inside a machine."""
        begun = time.monotonic()
        since = None
        while (passed := time.monotonic() - begun) < seconds:
            near = self.is_near(master, passed >= unnoticed)
            since = (since or time.monotonic()) if near else None
            if since and time.monotonic() - since > 3:
                return since - begun
            time.sleep(0.2)
        log = self.daemon.log.read_text()
        raise Failed(f"{self.ahead() - master.offset():+.6f} s off after {seconds} s:\n{log}")

    def finish(self):
        ended = self.daemon.stop()
        expect(ended == 0, f"it did not end well:\n{self.daemon.log.read_text()}")
        return Calls(self.log.read_text())

    def end(self):
        self.daemon.end()
        self.shared.close()
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


def moves(tool, kernel, net):
    """Told the time, it is stepped once; to a date that somebody sets, it is stepped at once."""
    master = found(tool, net, "30ms")
    slaves = [Slave(tool, kernel, net, "two"),
              Slave(tool, kernel, net, "three", "--no-master", "--step", "20ms")]
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
    judge_steps(usual.steps(), [0.030, -0.070], "without --step", late=0.020)
    judge_steps(stepping.steps(), [0.030, -0.070], "with --step 20ms", late=0.020)
    for calls in (usual, stepping):
        expect(max(map(abs, calls.rates())) <= 1000, f"it slews what it stepped: {calls.rates()}")
        expect(abs(calls.rates()[-1]) < 5, f"it leaves the clock slewing: {calls.rates()[-3:]}")
    print(f"steps {usual.steps()} and {stepping.steps()} s; {len(usual.all)} calls")


def judge_steps(steps, wanted, whose, late=0.0):
    """The last one may be earlier in time by as much as a busy master took to read its new date."""
    near = [-2e-3 < s - w < 2e-3 for s, w in zip(steps[:-1], wanted[:-1])]
    near += [-2e-3 - late < s - w < 2e-3 for s, w in zip(steps[-1:], wanted[-1:])]
    right = len(steps) == len(wanted) and all(near)
    expect(right, f"{whose}: steps of {steps} s, expected {wanted}")


def coasts(tool, kernel, net):
    """Without a master it goes on telling the kernel how wrong its clock may be by now."""
    master = found(tool, net, "-30ms")
    slave = Slave(tool, kernel, net, "two")
    try:
        wait_set(slave.daemon)
        master.kill()
        time.sleep(9)  # the error grows by fractions of a microsecond a second
        calls = slave.finish()
    finally:
        slave.end()
        master.end()
    judge_steps(calls.steps(), [-0.030], "at first")
    told = calls.having("maxerror")
    expect(all("status" in call["modes"] for call in told), "errors without a status")
    expect({call["status"] for call in told} == {"0"}, f"it stays unsynchronised: {told[-1]}")
    largest, likely = ([int(c[key]) for c in told[-6:]] for key in ("maxerror", "esterror"))
    expect(largest[-1] > largest[0] > 0, f"maxerror does not grow while alone: {largest}")
    expect(all(0 < e <= m for e, m in zip(likely, largest)), f"esterror {likely} of {largest}")
    print(f"while it coasts maxerror is {largest} us, esterror {likely} us")


def is_disturbed(tool, kernel, net):
    """A clock that was set, slept or was paused is noticed, never trusted, and mended.

    Of two clocks nobody could tell which one is wrong, so there is a third.
    """
    master = found(tool, net, "30ms")
    third = Daemon(tool, net, "three", *HOST, "--offset", "30ms").start()
    slave = Slave(tool, kernel, net, "two")
    noticed = "this machine's clock was moved by"
    try:
        wait_set(third)
        slave.wait_near(master, 20)
        begun = len(Calls(slave.log.read_text()).steps())
        slave.disturb(moved=0.4)
        set_back = slave.wait_near(master, 30)
        slave.stand_still(4, asleep=True)
        slept = slave.wait_near(master, 30)
        calls = Calls(slave.log.read_text())
        expect(len(calls.steps()) == begun, f"it stepped: {calls.steps()}")
        expect(-51_000 < min(calls.rates()) < -49_000, f"not slewed by 5 %: {min(calls.rates())}")
        expect(slave.daemon.log.read_text().count(noticed) == 2, "not noticed, or too often")
        doubted = {(call["status"], call["maxerror"]) for call in calls.having("status")
                   if call["status"] != "0" or call["maxerror"] == "16000000"}
        expect(doubted == {(str(UNSYNCHRONISED), "16000000")},
               f"a clock that cannot be trusted is called {doubted}")
        slave.stand_still(8, asleep=False)
        paused = slave.wait_near(master, 40, unnoticed=5)
        steps = slave.finish().steps()[begun:]
        expect(len(steps) == 1 and 7 < steps[0] < 9, f"a pause of 8 s is mended by {steps}")
    finally:
        slave.end()
        third.end()
        master.end()
    print(f"right again {set_back:.1f} s after it was set by 0.4 s, {slept:.1f} s after it slept,")
    print(f"{paused:.1f} s after a pause of 8 s")


def one_master(nodes):
    masters = {(node.daemon.status() or {}).get("master") for node in nodes}
    return len(masters) == 1 and None not in masters


def max_apart(nodes):
    seen = [node.ahead() for node in nodes]
    return max(seen) - min(seen)


def all_are_set(tool, kernel, net):
    """Somebody sets the clocks of all machines: none is trusted then, and they find together."""
    names = ("one", "two", "three")
    nodes = [Slave(tool, kernel, net, name, "--no-master=false") for name in names]
    try:
        for node in nodes:
            wait_set(node.daemon)
        time.sleep(3)
        for node in nodes:
            node.disturb(moved=10)
        begun = time.monotonic()
        time.sleep(3)
        expect("synchronised" not in [node.trust() for node in nodes], "one is still trusted")
        while not one_master(nodes) or max_apart(nodes) > 1e-3:
            logs = "\n".join(node.daemon.log.read_text() for node in nodes)
            expect(time.monotonic() - begun < 60, f"no master, or apart, after 60 s:\n{logs}")
            time.sleep(0.2)
        passed = time.monotonic() - begun
        expect(abs(nodes[0].ahead() - 10) < 1, f"they agree on {nodes[0].ahead()} s, not on 10")
    finally:
        for node in nodes:
            node.end()
    print(f"all clocks were set by 10 s; they have a master and agree {passed:.1f} s later")


SCENES = [moves, coasts, is_disturbed, all_are_set]


def main():
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    check_the_stage()
    with lan.Lan(["one", "two", "three"]) as net:
        try:
            for scene in (s for s in SCENES if s.__name__ in sys.argv[3:] or len(sys.argv) == 3):
                scene(sys.argv[1], sys.argv[2], net)
        except Failed as failure:
            print(f"FAIL: {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
