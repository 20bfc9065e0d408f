"""A network of this machine's own for time daemons: namespaces on a bridge, and sockets in them.

The bridge lives in a namespace too, so that nothing of this machine is touched; a part is cut off
by moving its ports to another bridge. Daemons run without CAP_SYS_TIME: a mistake of ours cannot
move the machine's clock. Needs root.
"""

import contextlib
import ctypes
import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from stage import PORT

sys.path.append(str(Path(__file__).resolve().parent.parent / "support"))

from netns import possible, run, try_run  # noqa: E402

__all__ = ["Capture", "Lan", "RealChannel", "forge", "possible"]

LIBC = ctypes.CDLL(None, use_errno=True)
NETWORK = "10.77.0"
SO_TIMESTAMPNS = 35
ETH_P_IP = 0x0800
ETH_P_ALL = 0x0003


def enter(descriptor):
    if LIBC.setns(descriptor, 0x40000000) != 0:
        raise OSError(ctypes.get_errno(), "setns")


class Lan:
    """Use it as a context: it removes what it made."""

    def __init__(self, names, direct=False, wide=False):
        self.mark = f"ct{os.getpid() % 100000:x}"
        self.names = list(names)
        self.hub = f"{self.mark}-hub"
        self.direct = direct  # two nodes on one cable, without a bridge
        self.wide = wide  # a network of 65536 addresses, not of 256

    def space(self, name):
        return f"{self.mark}-{name}"

    def address(self, name):
        return f"{NETWORK}.{self.names.index(name) + 1}"

    @property
    def broadcast(self):
        return "10.77.255.255" if self.wide else f"{NETWORK}.255"

    def __enter__(self):
        try:
            self.build()
        except BaseException:
            self.tear_down()
            raise
        return self

    def __exit__(self, *how):
        self.tear_down()

    def build(self):
        run("ip", "netns", "add", self.hub)
        for bridge in ("br0", "br1"):
            run("ip", "-n", self.hub, "link", "add", bridge, "type", "bridge")
            run("ip", "-n", self.hub, "link", "set", bridge, "up")
        if self.direct:
            return self.join_two()
        for name in self.names:
            self.add_port(name)

    def join_two(self):
        one, two = map(self.space, self.names)
        run("ip", "netns", "add", one)
        run("ip", "netns", "add", two)
        run("ip", "-n", one, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0",
            "netns", two)
        for name in self.names:
            self.set_address(name)

    def add_port(self, name):
        space = self.space(name)
        run("ip", "netns", "add", space)
        self.batch(self.hub, [
            f"link add v-{name} type veth peer name eth0 netns {space}",
            f"link set v-{name} master br0 up",
        ])
        self.set_address(name)

    def set_address(self, name):
        bits = 16 if self.wide else 24
        self.batch(self.space(name), [
            "link set lo up",
            f"addr add {self.address(name)}/{bits} broadcast {self.broadcast} dev eth0",
            "link set eth0 up",
        ])

    @staticmethod
    def batch(space, lines):
        subprocess.run(["ip", "-n", space, "-batch", "-"], input="\n".join(lines), text=True,
                       check=True, capture_output=True, timeout=20)

    def tear_down(self):
        for name in self.names:
            try_run("ip", "netns", "del", self.space(name))
        try_run("ip", "netns", "del", self.hub)

    def move(self, names, bridge):
        """To a bridge of the other half, or back: "br1", "br0"."""
        self.batch(self.hub, [f"link set v-{name} master {bridge}" for name in names])

    @contextlib.contextmanager
    def inside(self, name):
        """Sockets that are made meanwhile belong to that namespace; "hub" has the bridges."""
        home = os.open("/proc/self/ns/net", os.O_RDONLY)
        there = os.open(f"/var/run/netns/{self.space(name)}", os.O_RDONLY)
        try:
            enter(there)
            yield
        finally:
            enter(home)
            os.close(home)
            os.close(there)


class RealChannel:
    """A peer's UDP socket, in the namespace `name` of a Lan."""

    def __init__(self, stage, lan, name, port=PORT, to_port=PORT):
        self.stage, self.lan, self.place = stage, lan, name
        self.address = (lan.address(name), port)
        self.broadcast = (lan.broadcast, to_port)
        self.port, self.socket = port, None

    def open(self, receive):
        with self.lan.inside(self.place):
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self.socket.bind(("0.0.0.0", self.port))
        self.socket.setblocking(False)
        self.stage.listen(self.socket, lambda: self.read(receive))

    def read(self, receive):
        while self.socket:
            try:
                image, stamps, _, source = self.socket.recvmsg(4096, 64)
            except BlockingIOError:
                return
            self.note_arrival(stamps)
            receive(image, source)

    def note_arrival(self, stamps):
        """When the kernel had it: a busy machine lets us read late."""
        self.arrived = self.stage.now()
        for _, kind, data in stamps:
            if kind == SO_TIMESTAMPNS:
                seconds, nanoseconds = struct.unpack("qq", data[:16])
                self.arrived = seconds + nanoseconds / 1e9 - self.stage.epoch

    def close(self):
        if self.socket:
            self.stage.forget(self.socket)
            self.socket.close()
            self.socket = None

    def send(self, image, target):
        if self.socket:
            self.socket.sendto(image, target)

    def time(self):
        return time.time()


def forge(lan, place, source, target, image):
    """Sends it from a namespace as if it came from another address."""
    with lan.inside(place):
        raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
    udp = struct.pack("!HHHH", source[1], target[1], 8 + len(image), 0) + image
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, socket.IPPROTO_UDP, 0,
                         socket.inet_aton(source[0]), socket.inet_aton(target[0]))
    with raw:
        raw.sendto(header + udp, target)


class Capture:
    """All datagrams of the port, each once: as it comes out of a node, into the bridge."""

    def __init__(self, stage, lan, port=PORT):
        self.stage, self.port = stage, port
        self.seen = []  # (time, source, target, payload of UDP)
        with lan.inside("hub"):
            all_kinds = socket.htons(ETH_P_ALL)
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, all_kinds)
        self.socket.setblocking(False)
        stage.listen(self.socket, self.read)

    def read(self):
        while True:
            try:
                frame, where = self.socket.recvfrom(4096)
            except BlockingIOError:
                return
            device, protocol, direction = where[:3]
            arrives = device.startswith("v-") and direction != socket.PACKET_OUTGOING
            if arrives and protocol == ETH_P_IP:
                self.take(frame)

    def take(self, frame):
        header = (frame[0] & 15) * 4
        if frame[9] != socket.IPPROTO_UDP or len(frame) < header + 8:
            return
        source, target = socket.inet_ntoa(frame[12:16]), socket.inet_ntoa(frame[16:20])
        source_port, target_port, length = struct.unpack_from("!HHH", frame, header)
        payload = frame[header + 8 : header + length]
        if payload and self.port in (source_port, target_port):  # an empty one warms the way
            self.seen.append((self.stage.now(), (source, source_port), (target, target_port),
                              payload))

    def close(self):
        self.stage.forget(self.socket)
        self.socket.close()
