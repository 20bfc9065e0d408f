"""Rows of Németh: what the tool prints, and what nemeth.py derives."""

import itertools

import nemeth
from reading import Row, find, reading


STATES = {"a": "active", "b": "candidate", "c": "election", "d": "reorganizing", "e": "coordinator"}
TRIGGERS = {"LifeTimer": [1], "Candidate": [2, 3], "CandidateTimer": [4], "ElectionTimer": [5],
            "Reorganize": [6], "ReorganizingTimer": [7]}


def read_n1(row, tool):
    cells, = find(r"as printed are (\d+) of 35$", row["measured"])
    values = {"cells as printed": int(cells)}
    listing = tool("list", "nemeth")
    for state, trigger in itertools.product(STATES.values(), TRIGGERS):
        found = listed_rows(listing, state, trigger)
        values[f"{state} on {trigger}"] = " ".join(sorted(found)) or "none"
    return values


def listed_rows(listing, state, trigger):
    """Where the tool's own table leads from a state."""
    lines = [line.split(": ", 1)[-1].split() for line in listing.splitlines() if " -> " in line]
    return {line[-1] for line in lines if line[0] == state and line[2] == trigger}


def derive_n1(wrong):
    """What may not occur (!) changes no state; where no rule speaks (-) there is no row."""
    table = {state: cells.split() for state, cells in nemeth.table(wrong).items()}
    values = {"cells as printed": sum(
        ours == printed for state, cells in table.items()
        for ours, printed in zip(cells, nemeth.PRINTED[state].split()))}
    for state, (trigger, events) in itertools.product(STATES, TRIGGERS.items()):
        after = {table[state][event - 1] for event in events} - {"-"}
        found = {STATES[state if each == "!" else each] for each in after}
        values[f"{STATES[state]} on {trigger}"] = " ".join(sorted(found)) or "none"
    return values


def read_n3(row, tool):
    values = {}
    for clocks in ("counter", "running"):
        text = reading(row, f"clocks={clocks}")
        for times in ("k", "2k", "3k"):
            values[f"T = {times}, {clocks}"], = find(rf"\bT = {times}: (two|never)", text)
    return values


def derive_n3(wrong):
    """Both readings of clocks are among the starts that the search tries."""
    verdicts = {times: "two" if nemeth.elects_two(3, span, wrong=wrong) else "never"
                for times, span in (("k", 1), ("2k", 2), ("3k", 3))}
    return {f"T = {times}, {clocks}": verdict for times, verdict in verdicts.items()
            for clocks in ("counter", "running")}


ROWS = [
    Row("N1", read_n1, derive_n1, ["loser_stays"]),
    Row("N3", read_n3, derive_n3, ["loser_stays"]),
]
