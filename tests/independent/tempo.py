"""Gusella and Zatti's election: messages counted in one round, and every run of a few machines.

Section 7 counts a broadcast once and every acknowledgement; Masterup and Slaveup have none. The
appendix draws election timers uniformly over R; a collision is a second expiry within delta.
"""

import random
from collections import deque, namedtuple

from search import reachable

# ---------------------------------------------------------------- one round, every delay equal


def count_round(machines, candidates, wrong=None):
    """The first `candidates` of the machines stand at once. Returns (messages, masters)."""
    states = ["candidate"] * candidates + ["slave"] * (machines - candidates)
    mail = deque((who, other, "election") for who in range(candidates)
                 for other in range(machines) if other != who)
    sent = candidates
    refused = set()
    while mail:
        source, who, kind = mail.popleft()
        if kind == "election":
            accepts = states[who] == "slave"
            if accepts:
                states[who] = "accept"
            if accepts or wrong != "silent_refusal":
                sent += 1
                mail.append((who, source, "accept" if accepts else "refuse"))
        else:
            sent += 0 if wrong == "no_ack" else 1  # the candidate acknowledges every answer
            if kind == "refuse":
                refused.add(who)
    masters = [who for who in range(candidates) if who not in refused]
    for _ in masters:
        sent += 1 + (machines - 1)  # Masterup, and a Slaveup from everybody else
    return sent, len(masters)


# ---------------------------------------------------------------- collisions


def elect_in_a_row(slaves, span, window, elections, fresh, seed, wrong=None):
    """Elections in a row, each master crashing and coming back.

    Returns the shares that collide, and that are won by the machine that came back last.

    `fresh`: everybody draws anew for each election, as the appendix supposes; else a value is
    drawn at start-up and kept (5.1), and colliding candidates draw over twice the range (5.2).
    """
    draw = random.Random(seed)
    timers = [draw.uniform(0, span) for _ in range(slaves)]
    collided, won_by_last, last = 0, 0, None
    for _ in range(elections):
        if fresh:
            timers = [draw.uniform(0, span) for _ in range(slaves)]
        repeats = 0
        while True:
            first = min(timers)
            rivals = [who for who, value in enumerate(timers) if value - first <= window]
            if wrong == "only_equal_values":
                rivals = rivals[:1]
            if len(rivals) == 1:
                break
            repeats += 1
            for who in rivals:
                timers[who] = draw.uniform(0, span * 2 ** repeats)
        collided += repeats > 0
        won_by_last += rivals[0] == last
        last = rivals[0]  # the winner leads, and the former master takes its place as a slave
        timers[last] = draw.uniform(0, span)
    return collided / elections, won_by_last / elections


# ---------------------------------------------------------------- two masters, in ticks

Machine = namedtuple("Machine", "state timer heard", defaults=(-1, False))
WILL_STAND = Machine("slave", -2)  # its election timer expires at any time, once


class Election:
    """Slaves whose master has crashed. Election timers are long, so each stands at most once."""

    def __init__(self, machines, candidate_timer, accept_timer, wrong=None):
        self.machines, self.wrong = machines, wrong
        self.candidate_timer, self.accept_timer = candidate_timer, accept_timer

    def to_others(self, who, kind):
        return [(other, kind) for other in range(self.machines) if other != who]

    def hear(self, machine, who, source, kind):
        state = machine.state
        candidate = state == "candidate"
        if kind == "election":
            if state == "slave":
                return Machine("accept", self.accept_timer), [(source, "accept")]
            if state == "master":
                return machine, [(source, "quit")]
            return machine, [] if candidate and self.wrong == "no_refusal" else [(source, "refuse")]
        if kind == "accept" and candidate:
            return Machine("candidate", self.candidate_timer), []
        if kind in ("refuse", "masterup", "quit") and candidate:
            return Machine("slave"), []
        return machine, []

    def act(self, machine, who):
        if machine == WILL_STAND:
            yield Machine("candidate", self.candidate_timer), self.to_others(who, "election")
        elif machine.timer == 0 and machine.state == "candidate":
            yield Machine("master"), self.to_others(who, "masterup")
        elif machine.timer == 0:
            yield Machine("slave"), []

    @staticmethod
    def due(machine):
        return machine.timer == 0

    @staticmethod
    def tick(machine):
        return machine._replace(timer=machine.timer - 1) if machine.timer > 0 else machine


class Start(Election):
    """Machines that start at given ticks and know of no master (6.1)."""

    def __init__(self, machines, timer, keeps, wrong=None):
        super().__init__(machines, 0, 0, wrong)
        self.timer, self.keeps = timer, keeps

    def hear(self, machine, who, source, kind):
        if machine.state == "off":
            return machine, []
        if kind == "masterreq" and machine.state == "master":
            return machine, [(source, "masterack")]
        if kind == "masterreq" and machine.state == "start-up":
            return machine._replace(heard=self.keeps), []
        if machine.state in ("start-up", "no master"):
            return Machine("slave"), []
        return machine, []

    def act(self, machine, who):
        if machine.timer != 0:
            return
        if machine.state == "off":
            yield Machine("start-up", self.timer), self.to_others(who, "masterreq")
        elif machine.state == "start-up":
            yield Machine("slave") if machine.heard else Machine("no master", self.timer), []
        else:
            silent = self.wrong == "no_masterup"
            yield Machine("master"), [] if silent else self.to_others(who, "masterup")


def two_masters(machines):
    return sum(machine.state == "master" for machine in machines) > 1


def short_timer_gives_two(machines, candidate_timer, least, most, wrong=None):
    system = Election(machines, candidate_timer, 6 * most + 6, wrong)
    start = (4 * most + 6, (WILL_STAND,) * machines, ())
    return reachable(start, system, two_masters, least, most)


def close_starts_give_two(offset, least, most, keeps, wrong=None):
    """Timers are three delays and more, so that a newcomer finds a master that is there."""
    timer = 3 * most + 2
    system = Start(2, timer, keeps, wrong)
    start = (3 * timer + offset, (Machine("off", 0), Machine("off", offset)), ())
    return reachable(start, system, two_masters, least, most)
