"""Németh's election: its table from the four rules, and every run of a few nodes in ticks.

Clocks are Lamport's counters (assumption 9, reference 4). Acknowledgements and life messages are
left out: they are no event of the table, and nobody fails here. Times are in ticks.
"""

from collections import namedtuple

from search import reachable

Node = namedtuple("Node", "state clock stamp timer")
MAY_AWAKE, OFF = -2, -1  # of timers: a life timer that awakes at any time, and none

# The table as printed: state -> the next state for events 1 to 7.
PRINTED = {
    "a": "b c c - - - -",
    "b": "- c b d - ! -",
    "c": "- c c - b a -",
    "d": "- c ! - - - e",
    "e": "- c - - - - -",
}
EVENTS = {1: "life", 2: "smaller", 3: "greater", 4: "candidate", 5: "election", 6: "reorganize",
          7: "reorganizing"}


def follow_rules(state, event, wrong=None):
    """The next state by rules 1 to 4; "-" where no rule speaks of it, "!" where none may."""
    if event in ("smaller", "greater"):
        if state == "b" and event == "greater":
            return "b"  # rule 3a: it only drops its candidacy for a smaller timestamp
        if event == "greater" and state in "de":
            # A coordinator's candidacy was smaller than all it heard. During the reorganization
            # nobody may stand, which t > T + R ensures; later a greater one is a newcomer's.
            return "!" if state == "d" else "-"
        return "c" if wrong != "loser_stays" or state != "b" else "b"
    timers = {("life", "a"): "b", ("candidate", "b"): "d", ("election", "c"): "b",
              ("reorganizing", "d"): "e"}
    if event == "reorganize":
        return {"c": "a", "b": "!"}.get(state, "-")
    return timers.get((event, state), "-")


def table(wrong=None):
    return {state: " ".join(follow_rules(state, EVENTS[event], wrong) for event in range(1, 8))
            for state in PRINTED}


class Exchange:
    """Active nodes whose coordinator is gone: each life timer awakes when it likes, or never."""

    def __init__(self, count, candidate, election, reorganizing, wrong=None):
        self.count, self.wrong = count, wrong
        self.spans = {"b": candidate, "c": election, "d": reorganizing}

    def to_others(self, who, content):
        return [(other, content) for other in range(self.count) if other != who]

    def enter(self, state, clock, stamp):
        return Node(state, clock, stamp, self.spans.get(state, OFF))

    def stand(self, who, clock):
        return self.enter("b", clock, clock), self.to_others(who, ("candidate", clock))

    def start(self, ticks, clocks):
        return ticks, tuple(Node("a", clock, 0, MAY_AWAKE) for clock in clocks), ()

    def hear(self, node, who, source, content):
        kind, stamp = content
        clock = max(node.clock, stamp) + 1  # 9.2
        node = node._replace(clock=clock)
        if kind == "reorganize":
            return (self.enter("a", clock, 0) if node.state == "c" else node), []
        smaller = (stamp, source) < (node.stamp, who)
        if self.wrong == "names_decide":
            smaller = source < who
        after = follow_rules(node.state, "smaller" if smaller else "greater", self.wrong)
        return (self.enter("c", clock, 0) if after == "c" else node), []

    def act(self, node, who):
        """Timers that have run down. What is marked ! or - changes nothing."""
        clock = node.clock + 1  # 9.1
        if node.timer == MAY_AWAKE:
            yield self.stand(who, clock)
        if node.timer != 0:
            return
        if node.state == "b":
            yield self.enter("d", clock, node.stamp), self.to_others(who, ("reorganize", clock))
        elif node.state == "c":
            yield self.stand(who, clock)
        else:
            yield self.enter("e", clock, node.stamp), []

    @staticmethod
    def due(node):
        return node.timer == 0

    @staticmethod
    def tick(node):
        return node._replace(timer=node.timer - 1) if node.timer > 0 else node


def two_coordinators(nodes):
    return sum(node.state in "de" for node in nodes) > 1


def elects_two(count, candidate, election=7, reorganizing=3, most=1, ticks=15, wrong=None):
    """Whether some run has two coordinators at once: delays of 0 to `most` ticks.

    The clocks are equal at first, or one of them is ahead. 15 ticks: an election, t, and another.
    """
    system = Exchange(count, candidate, election, reorganizing, wrong)
    ahead = [[0] * count] + [[int(place == one) for place in range(count)] for one in range(count)]
    return any(reachable(system.start(ticks, clocks), system, two_coordinators, 0, most)
               for clocks in ahead)
