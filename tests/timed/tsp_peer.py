"""A TSP peer that behaves as BSD timed was seen to: newcomer, slave, candidate, master.

It shares no line with conclave/: it is what our daemon is tried against. All times are BSD's,
divided by `scale`. Its clock is a number, `offset`, that corrections move at once, or with `slews`
as fast as those of a BSD kernel.
"""

import random
from dataclasses import dataclass

from bsd_clock import MAX_ADJUST, BsdClock
from stage import Said
from tsp import SELF_ALLOWED, Malformed, Packet, pack, some_noise, unpack

RESEND, COPIES = 0.2, 5
SECOND_MASTER = 0.3
CANDIDATE = 3.0
ACCEPT_HOLD = 30.0
QUIET = 3.0  # after MASTERUP: no SETTIME, then the first round
ROUND = 240.0
ELECTION_TIMER = (360.0, 900.0)
REPLY_DELAY = 0.1
DICTATED_SLEWING, DICTATED_STEPPING = 3, 2  # rounds, after a change of the date
LOST = 3
HOPS = 10
RIVALS = 3

OBEYING = {"ADJTIME", "SETTIME", "ACCEPT", "REFUSE", "TRACEON", "TRACEOFF", "QUIT"}
ACKED = {
    "puppet": set(),  # a test pulls its strings
    "startup": {"TRACEON", "TRACEOFF", "QUIT"},
    "slave": OBEYING,
    "candidate": OBEYING,
    "master": {"TRACEON", "TRACEOFF", "QUIT", "MSITEREQ"},
}


@dataclass
class Host:
    address: tuple
    fresh: bool = True  # has not been given the time since it was added
    misses: int = 0


@dataclass
class Sending:
    """What is repeated until its answer comes."""

    packet: Packet
    target: tuple
    answer: str
    by: str  # who must answer; empty: anybody
    copies: int
    done: object
    wait: float
    timer: object = None


def rounded(seconds):
    """To 5 ms, askew as BSD does it: 0 and 1 ms become 0, 2 to 6 become 5."""
    size = 5 * ((int(abs(seconds) * 1000) + 3) // 5) / 1000
    return size if seconds >= 0 else -size


class Peer(BsdClock):
    def __init__(self, stage, channel, name, scale=1.0, seed=1, eligible=True, offset=0.0,
                 slews=False):
        self.stage, self.channel, self.name = stage, channel, name
        self.scale, self.eligible, self.slews = scale, eligible, slews
        self.offset = offset
        self.random, self.noise = random.Random(seed), some_noise(seed)
        self.sequence = self.random.randrange(1, 2**16)
        self.patience = self.random.uniform(*ELECTION_TIMER)
        self.reply_delay = self.random.uniform(0, REPLY_DELAY)
        self.state, self.master = "puppet", None
        self.hosts, self.queue, self.heard = {}, [], set()
        self.last = 0  # sequence number of the last correction
        self.corrections = []  # (type, seconds) as obeyed
        self.accepted, self.accepted_at = None, None
        self.timer, self.quiet_until = None, 0.0
        self.measure = lambda address: 0.0
        self.dictates = 0  # so many rounds more it does not ask the others
        self.dates = set()  # the numbers of those it was asked for
        channel.open(self.receive)

    # ---------------------------------------------------------------- speaking

    def after(self, seconds, action):
        return self.stage.after(seconds / self.scale, action)

    def send(self, packet, target, noisy=True):
        packet.name = packet.name or self.name
        self.put(pack(packet, self.noise if noisy else None), target, packet)

    def put(self, image, target, packet=None):
        """Any bytes; `packet` is what the log shall show."""
        shown = packet or Packet("ANY", name=f"{len(image)} bytes")
        self.stage.log.append(Said(self.stage.now(), self.name, "out", target, shown, image))
        self.channel.send(image, target)

    def broadcast(self, packet, noisy=True):
        self.send(packet, self.channel.broadcast, noisy)

    def say(self, kind, target=None, sequence=0, **more):
        packet = Packet(kind, sequence, **more)
        clean = kind in {"ACK", "MASTERACK", "MASTERUP", "SLAVEUP", "DATEACK"}
        self.send(packet, target or self.channel.broadcast, noisy=not clean)

    def insist(self, packet, target, answer, by="", done=None, copies=COPIES):
        """Sends it until it is answered, one after the other as BSD does."""
        self.queue.append(Sending(packet, target, answer, by, copies, done, RESEND))
        if len(self.queue) == 1:
            self.begin_sending()

    def begin_sending(self):
        self.queue[0].packet.sequence = self.sequence
        self.repeat()

    def repeat(self):
        sending = self.queue[0]
        if sending.copies == 0:
            return self.end_sending(None, None)
        sending.copies -= 1
        self.send(sending.packet, sending.target)
        sending.timer = self.after(sending.wait, self.repeat)
        sending.wait *= 2

    def end_sending(self, packet, source):
        sending = self.queue[0]
        self.stage.cancel(sending.timer)
        self.sequence = self.sequence % 65535 + 1  # never 0: it would be taken for a duplicate
        self.queue.pop(0)
        if self.queue:
            self.begin_sending()
        if sending.done:
            sending.done(packet, source)

    # ---------------------------------------------------------------- hearing

    def receive(self, image, source):
        try:
            packet = unpack(image)
        except Malformed:
            return
        if packet.name == self.name and packet.type not in SELF_ALLOWED:
            return
        said = Said(self.channel.arrived, self.name, "in", source, packet, image)
        self.stage.log.append(said)
        self.heard.add(packet.type)
        if packet.type in ACKED[self.state]:
            self.say("ACK", source, packet.sequence)
        if self.state == "master" and packet.type in {"MASTERREQ", "RESOLVE"}:
            self.say("MASTERACK", source, packet.sequence)
        self.take_answer(packet, source)
        handler = getattr(self, f"{self.state}_{packet.type.lower()}", None)
        if handler:
            handler(packet, source)

    def take_answer(self, packet, source):
        sending = self.queue[0] if self.queue else None
        if not sending or packet.type != sending.answer:
            return
        if packet.sequence == sending.packet.sequence and sending.by in ("", packet.name):
            self.end_sending(packet, source)

    # ---------------------------------------------------------------- newcomer

    def start(self):
        self.state = "startup"
        self.insist(Packet("MASTERREQ"), self.channel.broadcast, "MASTERACK", done=self.look)

    def look(self, packet, source):
        """A master answered, or nobody did."""
        if packet:
            self.master = (packet.name, source)
            self.after(SECOND_MASTER, self.settle)
        elif self.heard & {"MASTERREQ", "MASTERUP", "ELECTION"}:
            self.become_slave()
        elif self.eligible:
            self.become_master()
        else:
            self.become_slave()

    def startup_masterack(self, packet, source):
        """A second one within 300 ms of the first."""
        if self.master and packet.name != self.master[0]:
            self.insist(Packet("CONFLICT"), self.master[1], "ACK", self.master[0])

    def settle(self):
        self.become_slave()
        self.say("SLAVEUP")

    # ---------------------------------------------------------------- slave

    def become_slave(self):
        self.state, self.hosts = "slave", {}
        self.arm()

    def arm(self):
        self.stage.cancel(self.timer)
        self.timer = self.after(self.patience, self.expire)

    def expire(self):
        if self.eligible:
            return self.stand()
        self.say("SLAVEUP")
        self.arm()

    def correct(self, packet, source):
        self.arm()
        self.master = (packet.name, source)
        if packet.sequence == self.last:
            return
        self.last = packet.sequence
        change = packet.time if packet.type == "ADJTIME" else packet.time - self.time()
        self.corrections.append((packet.type, change))
        self.move_clock(rounded(change) if abs(change) < MAX_ADJUST else change)

    slave_adjtime = slave_settime = correct

    def time(self):
        return self.channel.time() + self.offset

    def slave_masterup(self, packet, source):
        self.master = (packet.name, source)
        self.arm()
        self.after(self.reply_delay, lambda: self.say("SLAVEUP", source))

    def slave_election(self, packet, source):
        self.last = 0
        self.arm()
        now = self.stage.now()
        held = self.accepted and now - self.accepted_at < ACCEPT_HOLD / self.scale
        if held and self.accepted != source:
            kind = "REFUSE"
        else:
            kind, self.accepted, self.accepted_at = "ACCEPT", source, now
        answer = lambda: self.insist(Packet(kind), source, "ACK", packet.name)  # noqa: E731
        self.after(self.reply_delay, answer)

    def slave_masterreq(self, packet, source):
        self.arm()

    def send_date(self, time):
        """As a slave passes on what date asks of it."""
        packet = Packet("SETDATEREQ")
        packet.time = time
        self.insist(packet, self.channel.broadcast, "DATEACK")

    def slave_test(self, packet, source):
        self.expire()

    # ---------------------------------------------------------------- candidate

    def stand(self):
        self.stage.cancel(self.timer)
        self.state, self.hosts = "candidate", {}
        self.broadcast(Packet("ELECTION", self.random.randrange(2**16)))
        self.timer = self.after(CANDIDATE, self.become_master)

    def add_host(self, packet, source):
        self.hosts.setdefault(packet.name, Host(source))

    candidate_accept = candidate_slaveup = add_host

    def withdraw(self, packet, source):
        self.stage.cancel(self.timer)
        self.become_slave()
        self.say("SLAVEUP")

    candidate_refuse = candidate_quit = withdraw
    candidate_masterreq = candidate_masterup = withdraw

    def candidate_election(self, packet, source):
        self.insist(Packet("REFUSE"), source, "ACK", packet.name)

    # ---------------------------------------------------------------- master

    def become_master(self):
        self.stage.cancel(self.timer)
        self.state, self.master = "master", None
        self.say("MASTERUP")
        self.quiet_until = self.stage.now() + QUIET / self.scale
        self.timer = self.after(QUIET, self.run_round)

    def master_slaveup(self, packet, source):
        self.hosts[packet.name] = Host(source)
        if self.stage.now() >= self.quiet_until:
            self.give_time(packet.name)

    def give_time(self, name):
        host = self.hosts[name]
        host.fresh = False
        packet = Packet("SETTIME")
        packet.time = self.time()
        self.insist(packet, host.address, "ACK", name, lambda p, s: self.count(name, p))

    def count(self, name, answer):
        host = self.hosts.get(name)
        if host and answer:
            host.misses = 0
        elif host:
            host.misses += 1
            if host.misses >= LOST:
                del self.hosts[name]

    def run_round(self, dictated=0.0):
        self.stage.cancel(self.timer)
        deltas = {name: self.measure(host.address) for name, host in self.hosts.items()}
        known = [delta for delta in deltas.values() if delta is not None]
        network = dictated if self.dictates else sum(known) / (len(known) + 1)
        self.dictates = max(self.dictates - 1, 0)
        for name, delta in deltas.items():
            if delta is None:
                self.count(name, None)
            elif self.hosts[name].fresh or abs(network - delta) >= MAX_ADJUST:
                self.give_time(name)
            else:
                self.adjust(name, rounded(network - delta))
        self.move_clock(network)
        self.say("LOOP", sequence=self.sequence, hops=HOPS)
        self.sequence = self.sequence % 65535 + 1
        self.timer = self.after(ROUND, self.run_round)

    def adjust(self, name, seconds):
        packet = Packet("ADJTIME")
        packet.time = seconds
        self.insist(
            packet, self.hosts[name].address, "ACK", name, lambda p, s: self.count(name, p)
        )

    def set_date(self, change):
        """As date on this machine does it."""
        if abs(change) < MAX_ADJUST:
            self.dictates = DICTATED_SLEWING
            return self.run_round(change)
        self.offset += change
        self.dictates = DICTATED_STEPPING
        for name in self.hosts:
            self.give_time(name)

    def master_setdatereq(self, packet, source):
        if packet.name in self.hosts and packet.sequence not in self.dates:
            self.dates.add(packet.sequence)
            self.say("DATEACK", source, packet.sequence)
            self.set_date(packet.time - self.time())

    def master_election(self, packet, source):
        self.insist(Packet("QUIT"), source, "ACK", packet.name, copies=1)
        self.add_host(packet, source)
        self.run_round()

    def master_loop(self, packet, source):
        if packet.name != self.name:
            self.insist(Packet("QUIT"), source, "ACK", packet.name)

    def master_quit(self, packet, source):
        self.stage.cancel(self.timer)
        self.become_slave()
        self.say("SLAVEUP")

    def master_test(self, packet, source):
        self.run_round()

    def master_conflict(self, packet, source):
        self.resolve(RIVALS)

    def resolve(self, times):
        def dismiss(packet, source):
            if not packet:
                self.say("MASTERUP")
                return
            self.insist(Packet("QUIT"), source, "ACK", packet.name)
            self.resolve(times - 1)

        if times == 0:
            return self.say("MASTERUP")
        self.insist(Packet("RESOLVE"), self.channel.broadcast, "MASTERACK", done=dismiss)

    # ---------------------------------------------------------------- leaving

    def leave(self):
        """Falls silent at once, as a machine that crashes."""
        self.stage.cancel(self.timer)
        for sending in self.queue:
            self.stage.cancel(sending.timer)
        self.queue, self.state = [], "puppet"
        self.after = lambda seconds, action: None
        self.channel.close()


