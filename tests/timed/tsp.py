"""The datagram of TSP as others write it: by struct, sharing nothing with conclave/wire.

A peer that used our own codec would agree with its mistakes. Unused bytes are filled with noise, as
BSD timed leaves in them what its stack held; `clean` is what we promise to send ourselves.
"""

import random
import struct
from dataclasses import dataclass

NAMES = (
    "ANY ADJTIME ACK MASTERREQ MASTERACK SETTIME MASTERUP SLAVEUP ELECTION ACCEPT REFUSE CONFLICT "
    "RESOLVE QUIT DATE DATEREQ DATEACK TRACEON TRACEOFF MSITE MSITEREQ TEST SETDATE SETDATEREQ LOOP"
).split()
TYPES = {name: number for number, name in enumerate(NAMES)}
TIMED = {"ADJTIME", "SETTIME", "SETDATE", "SETDATEREQ"}
SELF_ALLOWED = {"SETDATE", "TEST", "MSITE", "TRACEON", "TRACEOFF", "LOOP"}

LENGTH, SHORTEST, NAME_AT = 268, 44, 12
VERSION = 1


class Malformed(Exception):
    pass


@dataclass
class Packet:
    type: str
    sequence: int = 0
    name: str = ""
    seconds: int = 0  # floored, so that a negative time has positive microseconds
    microseconds: int = 0
    hops: int = 0
    version: int = VERSION
    trailer: bytes = b""

    @property
    def time(self):
        return self.seconds + self.microseconds / 1e6

    @time.setter
    def time(self, value):
        self.seconds, self.microseconds = divmod(round(value * 1e6), 1_000_000)


def timed_packet(kind, time, **more):
    packet = Packet(kind, **more)
    packet.time = time
    return packet


def pack(packet, noise=None):
    """268 bytes. With a generator as `noise`, what the type does not use is not zero."""
    image = bytearray(noise.randbytes(LENGTH) if noise else LENGTH)
    struct.pack_into("!BBH", image, 0, TYPES[packet.type], packet.version, packet.sequence)
    if packet.type in TIMED:
        seconds = (packet.seconds + 2**31) % 2**32 - 2**31
        struct.pack_into("!ii", image, 4, seconds, packet.microseconds)
    if packet.type == "LOOP":
        image[4] = packet.hops
    name = packet.name.encode() + b"\0"
    image[NAME_AT : NAME_AT + len(name)] = name
    return bytes(image)


def unpack(image):
    if len(image) < SHORTEST:
        raise Malformed(f"{len(image)} bytes")
    number, version, sequence = struct.unpack_from("!BBH", image)
    if number >= len(NAMES):
        raise Malformed(f"type {number}")
    if version > VERSION:
        raise Malformed(f"version {version}")
    name, end, _ = image[NAME_AT:LENGTH].partition(b"\0")
    if not end:
        raise Malformed("a name without an end")
    packet = Packet(NAMES[number], sequence, name.decode(errors="replace"), version=version)
    if packet.type in TIMED:
        packet.seconds, packet.microseconds = struct.unpack_from("!ii", image, 4)
    if packet.type == "LOOP":
        packet.hops = image[4]
    packet.trailer = bytes(image[LENGTH:])
    return packet


def stray_bytes(image):
    """The places of bytes that the type does not use and that are not zero."""
    packet = unpack(image)
    used = set(range(4)) | set(range(NAME_AT, NAME_AT + len(packet.name)))
    if packet.type in TIMED:
        used |= set(range(4, 12))
    if packet.type == "LOOP":
        used.add(4)
    return [place for place in range(min(len(image), LENGTH)) if image[place] and place not in used]


def some_noise(seed):
    return random.Random(seed)
