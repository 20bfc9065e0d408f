"""The daemon makes no system call that a simulator of clocks and networks could not stand in for.

Traces it with strace through start, mastership and a slave's life: it waits in poll or select only,
opens no other sockets than UDP (and raw ICMP, where it may), starts no thread and no process, keeps
few descriptors, reads no clock but three and sets none by a way of its own. Then it has to do where
sockets know neither flags nor stamps. system_calls.py TOOL [CLOCK_WATCH]
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import lan
from daemon import Daemon
from stage import Failed

WAITS = {"poll", "select"}
OTHER_WAITS = set(
    "epoll_wait epoll_pwait epoll_pwait2 epoll_create epoll_create1 ppoll pselect6 io_uring_setup "
    "io_uring_enter nanosleep clock_nanosleep pause rt_sigsuspend rt_sigtimedwait sigtimedwait "
    "signalfd signalfd4 recvmmsg".split()
)
STARTS = {"fork", "vfork", "clone", "clone3"}
SETS_CLOCK = {"settimeofday", "clock_settime", "adjtimex", "clock_adjtime"}
SOCKETS = [
    r"AF_INET, SOCK_DGRAM[A-Z_|]*, IPPROTO_(IP|UDP)",
    r"AF_INET, SOCK_RAW[A-Z_|]*, IPPROTO_ICMP",
]
OPENS = {"socket", "open", "openat", "dup", "dup2", "dup3", "timerfd_create", "eventfd2", "accept4"}
LINE = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\w+)")
DESCRIPTORS = 100


def strace_works():
    tried = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True)
    return tried.returncode == 0


def read_calls(text):
    """(name, arguments, result) of every call that is whole, or begun and not ended."""
    for line in text.splitlines():
        if match := LINE.match(line):
            yield match.groups()
        elif match := re.match(r"^\d+ +(\w+)\((.*) <unfinished \.\.\.>", line):
            yield match[1], match[2], "?"


def problems(calls):
    """What the trace shows that it should not."""
    waited = False
    for name, words, result in calls:
        waited = waited or name in WAITS
        if name in OTHER_WAITS:
            yield f"waits by {name}({words})"
        if name in STARTS:
            yield f"starts something by {name}({words})"
        if name.startswith("send") and "255.255.255.255" in words:
            yield f"calls all networks: {name}({words[:80]})"
        if name in SETS_CLOCK:
            yield f"sets a clock: {name}({words})"
        if name == "socket" and not any(re.match(kind, words) for kind in SOCKETS):
            yield f"opens another socket: socket({words})"
        if name in OPENS and result.isdigit() and int(result) >= DESCRIPTORS:
            yield f"descriptor {result} of {name}({words})"
        if name == "futex" and "WAIT" in words:
            yield f"waits by {name}({words})"
    if not waited:
        yield "never waits in poll or select"


def one_receipt_per_wait(calls):
    """Of each socket one message is read between two waits, and what its error queue holds."""
    read = set()
    for name, words, result in calls:
        if name in WAITS:
            read.clear()
        elif name in ("recvmsg", "recvfrom", "recv") and "MSG_ERRQUEUE" not in words:
            socket = words.split(",")[0]
            if socket in read:
                yield f"reads twice after one wait: {name}({words[:80]})"
            if result.isdigit():
                read.add(socket)


def check_the_checker():
    """A check that finds nothing in a bad trace would be worth nothing."""
    bad = [
        "7 epoll_wait(3, [], 1, -1) = 0",
        "7 socket(AF_UNIX, SOCK_STREAM, 0) = 4",
        "7 socket(AF_NETLINK, SOCK_RAW|SOCK_CLOEXEC, NETLINK_ROUTE) = 4",
        "7 clone3({flags=CLONE_VM}, 88) = 9",
        "7 clock_settime(CLOCK_REALTIME, {tv_sec=1}) = 0",
        "7 openat(AT_FDCWD, \"x\", O_RDONLY) = 100",
        '7 sendmsg(3, {msg_name={sin_addr=inet_addr("255.255.255.255")}}, 0) = 9',
    ]
    fine = '7 poll([{fd=3, events=POLLIN}], 1, 5) = 1\n7 socket(AF_INET, SOCK_DGRAM|SOCK_CLOEXEC, '
    fine += "IPPROTO_IP) = 3\n"
    if found := list(problems(read_calls(fine))):
        raise Failed(f"a fine trace is refused: {found}")
    for line in bad:
        if not list(problems(read_calls(fine + line))):
            raise Failed(f"a bad trace is not seen: {line}")
    twice = fine + 2 * "7 recvmsg(3, {msg_namelen=16}, MSG_DONTWAIT) = 268\n"
    if not list(one_receipt_per_wait(read_calls(twice))):
        raise Failed("a second message is not seen")
    if len(list(problems([]))) != 1:
        raise Failed("an empty trace is not seen")


def trace(tool, net, seconds, folder):
    """Two daemons that meet, one of them traced, until it is told to end."""
    options = ["--no-control", "--insecure", "--mode", "own"]
    file = folder / "trace"
    strace = ["strace", "-f", "-qq", "-o", str(file)]
    one = Daemon(tool, net, "one", *options, "--offset", "20ms", prefix=strace)
    two = Daemon(tool, net, "two", *options)
    try:
        one.start()
        two.start()
        time.sleep(seconds)
        if not (one.alive and two.alive):
            raise Failed(f"it ended by itself:\n{one.log.read_text()}\n{two.log.read_text()}")
        end_traced(one)
        if one.process.wait(20) != 0:
            raise Failed(f"SIGTERM did not end it cleanly: {one.process.returncode}")
        return file.read_text()
    finally:
        one.end()
        two.end()


def lacking(tool, net, folder):
    """Its own socket knows no flags and gives no stamps, and it is 2010 or so."""
    faults = ["-e", "trace=socket,setsockopt", "-e", "inject=socket:error=EINVAL:when=2",
              "-e", "inject=setsockopt:error=ENOPROTOOPT:when=3"]
    file = folder / "lacking"
    strace = ["strace", "-f", "-qq", "-o", str(file), *faults]
    options = ["--insecure", "--mode", "own", "--offset"]
    one = Daemon(tool, net, "one", *options, "-503999999980ms", prefix=strace)
    two = Daemon(tool, net, "two", *options, "-504000000000ms")
    try:
        one.start()
        two.start()
        end = time.monotonic() + 20
        while True:
            members = one.members() | two.members()
            offsets = one.offset(), two.offset()
            stamps = {each["stamps"] for each in members.values()}
            if "user" in stamps and abs(offsets[0] - offsets[1]) < 1e-3:
                break
            if time.monotonic() > end:
                raise Failed(f"stamps by {stamps}, offsets {offsets}\n{one.log.read_text()}")
            time.sleep(0.1)
        for refused in (r"socket\(.*SOCK_NONBLOCK.* = -1 EINVAL", r"SO_TIMESTAMPING.* ENOPROTOOPT"):
            if not re.search(refused, file.read_text()):
                raise Failed(f"something else was refused than {refused}:\n{file.read_text()}")
    finally:
        if one.alive:
            end_traced(one)
        one.end()
        two.end()


def reads_clocks(tool, net, watch):
    """It meets another, with a library around it that ends it when it reads a strange clock."""
    options = ["--insecure", "--mode", "own"]
    preload = ["env", f"LD_PRELOAD={watch}"]
    one = Daemon(tool, net, "one", *options, prefix=preload)
    two = Daemon(tool, net, "two", *options)
    try:
        one.start()
        two.start()
        end = time.monotonic() + 20
        while one.state() not in ("master", "slave") or two.state() not in ("master", "slave"):
            if not one.alive or time.monotonic() > end:
                raise Failed(f"under {watch}: {one.state()}, {two.state()}: {one.log.read_text()}")
            time.sleep(0.1)
        time.sleep(2)
        if not one.alive:
            raise Failed(f"under {watch}: {one.log.read_text()}")
    finally:
        one.end()
        two.end()


def end_traced(daemon):
    """strace keeps SIGTERM from its child, so the child is told itself."""
    listing = Path(f"/proc/{daemon.process.pid}/task/{daemon.process.pid}/children")
    for child in listing.read_text().split():
        subprocess.run(["kill", "-TERM", child], check=True)
    daemon.process.wait(20)


def main():
    check_the_checker()
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    if not shutil.which("strace") or not strace_works():
        print("skipped: strace is missing, or this machine does not let us trace")
        return 77
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"  # the search for leaks starts a thread
    with tempfile.TemporaryDirectory(prefix="conclave-strace-") as folder:
        with lan.Lan(["one", "two"]) as net:
            text = trace(sys.argv[1], net, 4.0, Path(folder))
            lacking(sys.argv[1], net, Path(folder))
            if len(sys.argv) > 2:
                reads_clocks(sys.argv[1], net, sys.argv[2])
    calls = list(read_calls(text))
    after = calls[next(i for i, c in enumerate(calls) if c[0] in WAITS):]
    found = list(problems(calls)) + list(one_receipt_per_wait(after))
    if "/libc.so" not in text:
        found.append("is not linked dynamically to libc")
    for line in dict.fromkeys(found):
        print(line)
    kinds = sorted({name for name, _, _ in after})
    print(f"{len(calls)} calls; after the first wait: {' '.join(kinds)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
