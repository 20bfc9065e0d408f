"""Where peers play: time, timers, and a network that is real (a Lan) or imaginary.

The imaginary one lets minutes of BSD timers pass in milliseconds, so that the peer itself can be
held against what was seen of BSD timed before anything of ours is tried with it.
"""

import heapq
import itertools
import select
import time

PORT = 525


class Failed(Exception):
    pass


class Stage:
    """Timers and the log of all that was sent and received by peers."""

    def __init__(self):
        self.timers, self.order = [], itertools.count()
        self.log = []  # of Said

    def after(self, seconds, action):
        entry = [self.now() + seconds, next(self.order), action]
        heapq.heappush(self.timers, entry)
        return entry

    @staticmethod
    def cancel(entry):
        if entry:
            entry[2] = None

    def run_timers(self):
        while self.timers and self.timers[0][0] <= self.now():
            action = heapq.heappop(self.timers)[2]
            if action:
                action()

    def next_time(self):
        while self.timers and self.timers[0][2] is None:
            heapq.heappop(self.timers)
        return self.timers[0][0] if self.timers else None

    def run(self, seconds):
        end = self.now() + seconds
        while self.now() < end:
            self.step(end)

    def wait_for(self, condition, seconds, what):
        """Plays until the condition holds, and returns what it gave."""
        end = self.now() + seconds
        while True:
            result = condition()
            if result:
                return result
            if self.now() >= end:
                raise Failed(f"not within {seconds} s: {what}\n{self.story()}")
            self.step(min(end, self.now() + 0.05))

    def story(self, last=40):
        return "\n".join(map(str, self.log[-last:]))


class Said:
    """One packet that a peer sent or received."""

    def __init__(self, when, who, way, address, packet, image):
        self.when, self.who, self.way, self.address = when, who, way, address
        self.packet, self.image = packet, image

    def __str__(self):
        arrow = "->" if self.way == "out" else "<-"
        p = self.packet
        return (
            f"{self.when:10.4f} {self.who:5} {arrow} {self.address[0]}:{self.address[1]} "
            f"{p.type} {p.sequence} {p.name}" + (f" {p.time:.6f}" if p.time else "")
        )


class RealStage(Stage):
    """On sockets; peers register theirs."""

    def __init__(self):
        super().__init__()
        self.began = time.monotonic()
        self.readers = {}
        self.epoch = min(self.look_at_clocks() for _ in range(10))[1]

    def look_at_clocks(self):
        """How long it took, and what the wall clock showed at 0: nothing came between at best."""
        before, wall, after = self.now(), time.time(), self.now()
        return after - before, wall - before

    def now(self):
        return time.monotonic() - self.began

    def listen(self, channel, action):
        self.readers[channel] = action

    def forget(self, channel):
        self.readers.pop(channel, None)

    def step(self, end):
        due = self.next_time()
        wait = max(0.0, min(end, due if due is not None else end) - self.now())
        ready, _, _ = select.select(list(self.readers), [], [], wait)
        for channel in ready:
            if channel in self.readers:
                self.readers[channel]()
        self.run_timers()


class ImaginaryStage(Stage):
    """Every datagram arrives after `delay`; `cut` holds pairs of addresses that cannot talk."""

    BROADCAST = "10.0.0.255"

    def __init__(self, delay=0.0005):
        self.time = 0.0
        super().__init__()
        self.delay = delay
        self.ports, self.cut = {}, set()
        self.sent = []  # (time, source address, destination address, image)

    def now(self):
        return self.time

    def step(self, end):
        due = self.next_time()
        self.time = end if due is None or due > end else due
        self.run_timers()

    def plug(self, address, receive):
        self.ports[address] = receive

    def unplug(self, address):
        self.ports.pop(address, None)

    def carry(self, source, target, image):
        self.sent.append((self.time, source, target, image))
        everyone = target[0] == self.BROADCAST
        for address in list(self.ports) if everyone else [target]:
            if frozenset((source[0], address[0])) in self.cut:
                continue
            self.after(self.delay, lambda a=address: self.deliver(source, a, image))

    def deliver(self, source, address, image):
        if address in self.ports:
            self.ports[address](image, source)
