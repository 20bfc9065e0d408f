"""Datagrams between nodes of this machine go through here, and not all arrive as they were sent.

Node x knows node y by a port of the relay's; what it sends there leaves for y from the port by
which y knows x. So the relay can lose, delay and double what passes, or cut a node off, without
root.
"""

import heapq
import itertools
import random
import select
import socket
import threading
import time

from cluster import Cluster, Failed

HOME = "127.0.0.1"


def open_socket():
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    opened.bind((HOME, 0))
    return opened


def free_ports(count):
    """Ports that nobody has just now, below those that the kernel gives to whoever asks for any:
    otherwise a socket opened a moment later, by this test or another, could get one of them."""
    free = []
    for port in random.sample(range(10000, 32000), 1000):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
            try:
                tried.bind((HOME, port))
            except OSError:
                continue
        free.append(port)
        if len(free) == count:
            return free
    raise Failed(f"of a thousand ports fewer than {count} are free")


class Relay:
    def __init__(self, names, seed):
        self.ports = dict(zip(names, free_ports(len(names))))
        self.doors = {pair: open_socket() for pair in itertools.permutations(names, 2)}
        self.rng = random.Random(seed)
        # Cut off are nodes, and ways: (from, to).
        self.cut, self.loss, self.double, self.delay = set(), 0.0, 0.0, 0.0
        self.waiting, self.count, self.passed = [], itertools.count(), 0
        self.running = True
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def members_for(self, name):
        """The members as this node is to be told of them."""
        doors = {other: self.doors[name, other] for other in self.ports if other != name}
        address = {other: door.getsockname()[1] for other, door in doors.items()}
        address[name] = self.ports[name]
        return ",".join(f"{each}={HOME}:{address[each]}" for each in self.ports)

    def calm(self):
        self.cut, self.loss, self.double, self.delay = set(), 0.0, 0.0, 0.0

    def run(self):
        pairs = {door: pair for pair, door in self.doors.items()}
        while self.running:
            ready, _, _ = select.select(list(pairs), [], [], self.patience())
            for door in ready:
                self.take(pairs[door], door.recv(65536))
            while self.waiting and self.waiting[0][0] <= time.monotonic():
                _, _, pair, datagram = heapq.heappop(self.waiting)
                self.hand_on(pair, datagram)

    def patience(self):
        if not self.waiting:
            return 0.05
        return max(0.0, min(0.05, self.waiting[0][0] - time.monotonic()))

    def take(self, pair, datagram):
        self.passed += 1
        for _ in range(1 + (self.rng.random() < self.double)):
            if self.rng.random() < self.loss:
                continue
            due = time.monotonic() + self.rng.uniform(0, self.delay)
            heapq.heappush(self.waiting, (due, next(self.count), pair, datagram))

    def hand_on(self, pair, datagram):
        sender, receiver = pair
        if self.cut & {sender, receiver, pair}:
            return
        try:
            self.doors[receiver, sender].sendto(datagram, (HOME, self.ports[receiver]))
        except OSError:
            pass  # nobody listens there now

    def close(self):
        self.running = False
        self.thread.join()
        for door in self.doors.values():
            door.close()


class RelayedCluster(Cluster):
    def __init__(self, tool, ticker, names, options=(), manners=(), seed=1):
        options = list(options)
        if "--expect" in options:  # the members are named instead
            at = options.index("--expect")
            del options[at : at + 2]
        super().__init__(tool, ticker, names, options, manners)
        self.relay = Relay(names, seed)

    def options_of(self, name):
        return ["--members", self.relay.members_for(name)]

    def __exit__(self, kind, error, trace):
        super().__exit__(kind, error, trace)
        self.relay.close()
