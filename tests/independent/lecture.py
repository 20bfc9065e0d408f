"""Lecture 9: the invitation algorithm, and bully where delays know no bound.

Every message takes one unit; coordinators search every 20 units and wait 2 for answers, the way
there and back. Whoever is asked answers, participants too; whoever is invited answers that it
joins. A coordinator that merges accepts no invitation until its new group is ready.
"""

import random

from talks import Bully, Talk

PERIOD = 20
ANSWERS = 2


class Invitation(Talk):
    """Everybody starts as the coordinator of a group of its own, all in step.

    `priority`: "ignore-lower" (a coordinator does not answer a lower one), "only-lower" (one
    invites only lower ones) or "delay" (the less, the higher one ranks among those found).
    """

    def __init__(self, count, priority, wrong=None):
        super().__init__(count)
        self.priority, self.wrong = priority, wrong
        self.coordinator = {process: process for process in self.everybody}
        self.merging, self.found = set(), {}
        self.merges, self.one_group = 0, None
        for process in self.everybody:
            self.wait(process, 0, "search", 0)

    def leads(self, process):
        return self.coordinator[process] == process

    def members(self, process):
        return [other for other in self.everybody
                if other != process and self.coordinator[other] == process]

    def on_search(self, run, process):
        self.wait(process, PERIOD, "search", 0)
        if self.leads(process):
            self.found[process] = []
            for other in self.everybody:
                if other != process:
                    self.send(process, other, "query")
            self.wait(process, ANSWERS, "found", 0)

    def on_query(self, source, target):
        if self.priority == "ignore-lower" and self.leads(target) and source < target:
            return
        self.send(target, source, "coordinator_here" if self.leads(target) else "participant_here")

    def on_participant_here(self, source, target):
        pass

    def on_coordinator_here(self, source, target):
        if self.priority != "only-lower" or source < target:
            self.found[target].append(source)

    def on_found(self, run, process):
        if not self.leads(process) or not self.found[process]:
            return
        better = sum(other > process for other in self.found[process])
        delays = self.priority == "delay" and self.wrong != "nobody_delays"
        self.wait(process, 2 * ANSWERS * better if delays else 0, "merge", 0)

    def on_merge(self, run, process):
        """A coordinator that has joined another group during its delay stops."""
        if not self.leads(process):
            return
        self.merges += 1
        self.merging.add(process)
        for other in self.found[process] + self.members(process):
            self.send(process, other, "invite")
        self.wait(process, 2 * ANSWERS, "ready", 0)

    def on_invite(self, source, target):
        joins = self.leads(target) and target not in self.merging
        for member in self.members(target) if joins else ():
            self.send(source, member, "invite_member")  # passed on by its former coordinator
        if joins:
            self.join(source, target)

    def on_invite_member(self, source, target):
        self.join(source, target)

    def join(self, source, target):
        self.coordinator[target] = source
        self.send(target, source, "joined")
        if len(set(self.coordinator.values())) == 1 and self.one_group is None:
            self.one_group = (self.merges, self.total(), self.now)

    def on_joined(self, source, target):
        pass

    def on_ready(self, run, process):
        self.merging.discard(process)
        for member in self.members(process):
            self.send(process, member, "state")

    def on_state(self, source, target):
        pass


def merge_all(count, priority, wrong=None):
    """(merges, messages, time) until there is one group; None if there is none after a second."""
    group = Invitation(count, priority, wrong)
    group.run(until=1000)
    return group.one_group


def fail_over(timeout, runs, seed, wrong=None):
    """Bully among three, the highest dead, delays exponential with mean 1.

    Returns (share of runs with two coordinators, mean time until 1 hears of 2).
    """
    draw = random.Random(seed)
    two, spent = 0, 0.0
    for _ in range(runs):
        delay = (lambda: 1.0) if wrong == "fixed_delay" else (lambda: draw.expovariate(1))
        group = Bully(3, dead=[3], first=timeout, second=10_000, delay=delay)
        group.call(1)
        group.run()
        two += len({leader for _, leader in group.leaders}) > 1
        spent += group.news[1][0]
    return two / runs, spent / runs
