"""Rings as the lecture, the slides of CS425 and Vitányi's introduction describe them.

A ring is a list of ids in the direction of the messages. Every message takes one unit of time, so
a run is a queue: what was sent first arrives first. Each function takes `wrong`, the name of a rule
that is broken on purpose, and returns what the documents count.
"""

from collections import deque


def elect_on_ring(ids, initiators, participants=True, wrong=None):
    """CS425: the basic ring, or Chang and Roberts' with participants that stay silent.

    Returns (Election messages, Elected messages, turnaround, ids that were elected).
    """
    count = len(ids)
    participating = [False] * count
    mail = deque()
    sent = {"election": 0, "elected": 0}
    leaders, now = [], 0

    def send(place, kind, name):
        sent[kind] += 1
        mail.append((now + 1, (place + 1) % count, kind, name))

    def start(place):
        participating[place] = True
        send(place, "election", ids[place])

    def hear_election(place, name):
        if name > ids[place]:
            participating[place] = True
            send(place, "election", name)
        elif name == ids[place]:
            leaders.append(name)
            send(place, "elected", name)
        elif not (participants and participating[place]):
            start(place)

    def hear_elected(place, name):
        participating[place] = False
        at_the_leader = ids[place] == name
        if wrong == "stop_elected_early":
            at_the_leader = ids[(place + 1) % count] == name
        if not at_the_leader:
            send(place, "elected", name)

    for place in initiators:
        start(place)
    while mail:
        now, place, kind, name = mail.popleft()
        (hear_election if kind == "election" else hear_elected)(place, name)
    return sent["election"], sent["elected"], now, leaders


def pass_names(ids, initiators, wrong=None):
    """Le Lann without a filter: every initiator's name goes round once. Returns the passes."""
    passes = 0
    for place in initiators:
        reached = place
        while True:
            passes += 1
            reached = (reached + 1) % len(ids)
            if reached == place or (wrong == "filter" and ids[reached] > ids[place]):
                break
    return passes


def collect_list(ids, dead, initiators, wrong=None):
    """Lecture 9: a list goes round, then the news of its highest. Returns (messages, elected)."""
    living = [name for name in ids if name not in dead]
    messages, elected = 0, set()
    for starter in initiators:
        here = living.index(starter)
        names = []
        while living[here] not in names:
            names.append(living[here])
            here = (here + 1) % len(living)
            messages += 1
        elected.add(max(names))
        messages += len(living) - (1 if wrong == "news_stops_early" else 0)
    return messages, elected
