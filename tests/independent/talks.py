"""Bully and the multicast election of CS425, with every copy of a message counted.

Processes are 1 to N. A message takes `delay()` units, 1 unless said otherwise; among events of one
instant messages come before timeouts, since an answer that takes exactly 2T is in time.
"""

import heapq
import itertools

MESSAGE, TIMEOUT = 0, 1


class Talk:
    """Messages under way, timeouts that are set, and a count of messages by kind."""

    def __init__(self, count, dead=(), delay=lambda: 1):
        self.everybody = range(1, count + 1)
        self.dead = set(dead)
        self.delay = delay
        self.now = 0
        self.sent = {}
        self.agenda = []
        self.numbers = itertools.count()
        self.news = {}  # process -> (time, coordinator) that it heard of last
        self.leaders = []

    def post(self, when, order, event):
        # Numbers break ties: of two events of one instant the one posted first comes first.
        heapq.heappush(self.agenda, (when, order, next(self.numbers), event))

    def send(self, source, target, kind):
        self.sent[kind] = self.sent.get(kind, 0) + 1
        if target not in self.dead:
            self.post(self.now + self.delay(), MESSAGE, (kind, source, target))

    def wait(self, process, span, what, run):
        self.post(self.now + span, TIMEOUT, (what, run, process))

    def lead(self, process, told):
        self.leaders.append((self.now, process))
        self.news[process] = (self.now, process)
        for other in told:
            self.send(process, other, "coordinator")

    def run(self, until=1000):
        while self.agenda and self.agenda[0][0] <= until:
            self.now, _, _, (kind, source, target) = heapq.heappop(self.agenda)
            getattr(self, "on_" + kind)(source, target)

    def total(self):
        return sum(self.sent.values())

    def turnaround(self):
        return max(when for when, _ in self.news.values())


class Bully(Talk):
    """The slides' bully. `aware`: a process knows who is dead, as if its detector had said so."""

    def __init__(self, count, dead=(), aware=False, first=2, second=8, wrong=None, **given):
        super().__init__(count, dead, **given)
        self.aware, self.second, self.wrong = aware, second, wrong
        self.first = 1 if wrong == "short_timeout" else first
        self.running = {}  # process -> number of its election, and whether it was answered
        self.runs = itertools.count(1)

    def call(self, process):
        higher = [other for other in self.everybody if other > process]
        if not higher or (self.aware and self.dead.issuperset(higher)):
            self.announce(process)
            return
        self.running[process] = (next(self.runs), False)
        for other in higher:
            self.send(process, other, "election")
        self.wait(process, self.first, "silence", self.running[process][0])

    def on_election(self, source, target):
        if self.wrong != "no_answer":
            self.send(target, source, "disagree")
        if target not in self.running:  # "unless it has already done so"
            self.call(target)

    def on_disagree(self, source, target):
        run, answered = self.running.get(target, (None, True))
        if not answered:
            self.running[target] = (run, True)
            self.wait(target, self.second, "no_coordinator", run)

    def on_silence(self, run, process):
        if self.running.get(process) == (run, False):
            self.announce(process)

    def announce(self, process):
        """An election is under way until its news has arrived: whoever asks gets no new one."""
        self.running[process] = (next(self.runs), True)
        self.lead(process, [other for other in self.everybody if other < process])
        self.wait(process, 1, "announced", self.running[process][0])

    def on_announced(self, run, process):
        if self.running.get(process) == (run, True):
            del self.running[process]

    def on_no_coordinator(self, run, process):
        if self.running.get(process) == (run, True):
            self.call(process)

    def on_coordinator(self, source, target):
        self.running.pop(target, None)
        self.news[target] = (self.now, source)


class Multicast(Talk):
    """The election before bully, in its three variants: "all", "timeout" and "disagree"."""

    def __init__(self, count, variant, dead=(), wrong=None, **given):
        super().__init__(count, dead, **given)
        self.variant, self.wrong = variant, wrong
        self.agreed = {}  # process that runs -> who has agreed

    def call(self, process):
        self.agreed[process] = set()
        for other in self.everybody:
            if other != process:
                self.send(process, other, "election")
        if self.variant != "all":
            self.wait(process, 2, "end", 0)

    def on_election(self, source, target):
        if source > target:
            if self.variant != "disagree" or self.wrong == "always_agree":
                self.send(target, source, "agree")
            return
        self.send(target, source, "disagree")
        if target not in self.agreed:
            self.call(target)

    def on_agree(self, source, target):
        if target in self.agreed:
            self.agreed[target].add(source)
            if len(self.agreed[target]) == len(self.everybody) - 1 and self.variant != "disagree":
                self.win(target)

    def on_disagree(self, source, target):
        self.agreed.pop(target, None)

    def on_end(self, run, process):
        if process in self.agreed:
            self.win(process)

    def win(self, process):
        del self.agreed[process]
        self.lead(process, [other for other in self.everybody if other != process])

    def on_coordinator(self, source, target):
        self.news[target] = (self.now, source)
