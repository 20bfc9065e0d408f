"""Vitányi's Protocol on an Archimedean ring, step by step as section 2 prints it.

Time is counted in millionths of the shortest unit, in integers, so that no run depends on rounding.
What the Protocol leaves open: a unit ends with its reading; a wakeup is heard when it arrives and
takes no unit; a wait counts from the unit in which its message was read.
"""

import heapq
from collections import deque
from fractions import Fraction

UNIT = 1_000_000
ASLEEP, AWAKE = "asleep", "awake"
WAKEUP, SLEEPWELL = "wakeup", "sleepwell"  # election messages are the names themselves


class Processor:
    def __init__(self, name, unit):
        self.name, self.unit = name, unit
        self.state = ASLEEP
        self.awoken = False  # once: after sleepwell nobody awakes again
        self.lowest, self.timer = name, 0
        self.mail = deque()
        self.elected = None


class Ring:
    """All processors awake at time 0. `units` are multiples of the shortest unit."""

    def __init__(self, names, units, delay, wait, first=False, wrong=None):
        self.all = [Processor(name, int(unit * UNIT)) for name, unit in zip(names, units)]
        self.delay, self.wait, self.first, self.wrong = delay, wait, first, wrong
        self.agenda, self.posted = [], 0
        self.passes = {"wakeup": 0, "sleepwell": 0, "election": 0}
        for place in range(len(self.all)):
            self.awake(place, 0)
        while self.agenda:
            when, place, _, message = heapq.heappop(self.agenda)
            if message is None:
                self.end_unit(place, when)
            else:
                self.arrive(place, when, message)

    def post(self, when, place, message):
        self.posted += 1
        heapq.heappush(self.agenda, (when, place, self.posted, message))

    def send(self, place, when, message):
        self.passes[message if isinstance(message, str) else "election"] += 1
        self.post(when + self.delay, (place + 1) % len(self.all), message)

    def awake(self, place, when):
        processor = self.all[place]
        processor.state, processor.awoken = AWAKE, True
        patient = self.first or self.wrong == "first_wait_f"
        processor.timer = self.wait(processor.name) if patient else 1
        self.send(place, when, WAKEUP)
        self.post(when + processor.unit, place, None)

    def arrive(self, place, when, message):
        if message != WAKEUP:
            self.all[place].mail.append(message)
        elif not self.all[place].awoken:
            self.awake(place, when)

    def end_unit(self, place, when):
        processor = self.all[place]
        message = processor.mail.popleft() if processor.mail else None
        if message == SLEEPWELL:
            if processor.state == ASLEEP:
                return  # the winner's own news has come round
            processor.elected = processor.lowest
            self.send(place, when, SLEEPWELL)
            processor.state = ASLEEP
            return
        if processor.state == AWAKE:
            self.campaign(place, when, message)
        self.post(when + processor.unit, place, None)

    def campaign(self, place, when, name):
        """One unit of the Protocol. A missing message counts as one of a higher name."""
        processor = self.all[place]
        if name is not None and name == processor.lowest:
            processor.elected = processor.lowest
            self.send(place, when, SLEEPWELL)
            processor.state = ASLEEP
        elif name is not None and name < processor.lowest:
            processor.lowest = name
            processor.timer = 1 if self.wrong == "no_wait" else self.wait(name)
        else:
            processor.timer -= 1
            if processor.timer == 0:
                self.send(place, when, processor.lowest)

    def total(self):
        return sum(self.passes.values())


def bound(names, ratio, wait):
    """Equation (2): 2N + N (u/m) (f(l) + 1) times the sum of 1/f(i)."""
    count = len(names)
    shares = sum(Fraction(1, wait(name)) for name in names)
    return 2 * count + count * ratio * (wait(min(names)) + 1) * shares


def power(name):
    return 2 ** name
