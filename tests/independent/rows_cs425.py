"""Rows of the CS425 slides: what the tool prints, and what rings.py and talks.py derive."""

import itertools
import random
from fractions import Fraction

import rings
import talks
from reading import About, Row, all_of, evaluate, find, sampled

# ---------------------------------------------------------------- rings


def read_r2(row, tool):
    formula, best, worst = find(r"^(\S+) messages, .*: (\S+) to (\S+)$", row["expected"])
    values = {"so in all runs": all_of(row["measured"])}
    for n in range(1, 13):
        values[f"N = {n}"] = [evaluate(formula, N=n, d=d) for d in range(n)]
        values[f"N = {n}, bounds"] = (evaluate(best, N=n), evaluate(worst, N=n))
    return values


def derive_r2(wrong):
    values, as_long = {}, True
    for n in range(1, 13):
        counts = []
        for distance in range(n):
            asked, told, turnaround, leaders = rings.elect_on_ring(
                list(range(1, n + 1)), [n - 1 - distance], False, wrong)
            counts.append(asked + told)
            as_long = as_long and turnaround == asked + told and leaders == [n]
        values[f"N = {n}"] = counts
        values[f"N = {n}, bounds"] = (min(counts), max(counts))
    return {**values, "so in all runs": as_long}


def read_r4(row, tool):
    best, worst, *means = find(r"^(\S+) and (\S+); means (\S+) (\S+) (\S+)$", row["expected"])
    measured = find(r"means (\S+) ± (\S+), (\S+) ± (\S+), (\S+) ± (\S+)$", row["measured"])
    numbers = list(map(float, measured))
    values = {"best and worst in all runs": all_of(row["measured"])}
    for n in range(2, 8):
        values[f"N = {n}"] = (evaluate(best, N=n), evaluate(worst, N=n))
    for n, mean, value, error in zip((10, 100, 1000), means, numbers[::2], numbers[1::2]):
        values[f"N = {n}, exact mean"] = float(mean)
        values[f"N = {n}, sampled mean"] = About(value, error)
    return values


def mean_if_all_start(n):
    """N H_N + N, which derive_r4 finds on all rings of up to 7."""
    return n * sum(Fraction(1, i) for i in range(1, n + 1)) + n


def derive_r4(wrong):
    values, as_long = {}, True
    for n in range(2, 8):
        counts = []
        for rest in itertools.permutations(range(1, n)):
            asked, told, turnaround, _ = rings.elect_on_ring([n, *rest], range(n), True, wrong)
            counts.append(asked + told)
            as_long = as_long and turnaround == 2 * n
        as_long = as_long and Fraction(sum(counts), len(counts)) == mean_if_all_start(n)
        values[f"N = {n}"] = (min(counts), max(counts))
    draw = random.Random(4)
    for n, runs in ((10, 1000), (100, 200), (1000, 40)):
        counts = [sum(rings.elect_on_ring(draw.sample(range(n), n), range(n), True, wrong)[:2])
                  for _ in range(runs)]
        values[f"N = {n}, exact mean"] = round(float(mean_if_all_start(n)), 1)
        values[f"N = {n}, sampled mean"] = sampled(counts)
    return {**values, "best and worst in all runs": as_long}


STARTERS = [(8, [0]), (8, [0, 3, 5]), (8, [7, 2]), (12, [1, 5, 6, 11]), (20, [0, 4, 9, 13, 19])]


def read_r8(row, tool):
    formula, = find(r"^sum of (\S+);", row["expected"])
    values = {"so in all runs": all_of(row["measured"])}
    for n, places in STARTERS:
        each = [evaluate(formula, N=n, d=n - 1 - place) for place in places]
        values[f"N = {n}, start {places}"] = (sum(each), len(places))
    return values


def derive_r8(wrong):
    """Ids ascend, so the winner is last; rounds of its Elected are messages / N."""
    values = {}
    for n, places in STARTERS:
        asked, told, _, _ = rings.elect_on_ring(list(range(1, n + 1)), places, False, wrong)
        values[f"N = {n}, start {places}"] = (asked + told, Fraction(told, n))
    return {**values, "so in all runs": True}


# ---------------------------------------------------------------- bully, multicast


def run(group, *callers):
    for caller in callers:
        group.call(caller)
    group.run()
    return group


def read_b2(row, tool):
    return {f"N = {n}": tuple(map(int, find(
        rf"N={n}: (\d+) in (\d+)ms, unaware (\d+) in (\d+)ms", row["measured"])))
        for n in (3, 5, 20, 100)}


def derive_b2(wrong):
    values = {}
    for n in (3, 5, 20, 100):
        aware = run(talks.Bully(n, [n], aware=True, wrong=wrong), n - 1)
        unaware = run(talks.Bully(n, [n], wrong=wrong), n - 1)
        values[f"N = {n}"] = (aware.total(), aware.turnaround(),
                              unaware.total(), unaware.turnaround())
    return values


def read_b3(row, tool):
    formulas = find(r"^(\S+) Election \+ (\S+) Disagree \+ (\S+) Coordinator in (\d+)T$",
                    row["expected"])
    values = {f"N = {n}": tuple(evaluate(formula, N=n) for formula in formulas)
              for n in range(3, 21)}
    for n in (5, 100):
        values[f"N = {n}"] = tuple(map(int, find(
            rf"N={n}: (\d+) \+ (\d+) \+ (\d+) in (\d+)ms", row["measured"])))
    return values


def derive_b3(wrong):
    values = {}
    for n in [*range(3, 21), 100]:
        group = run(talks.Bully(n, [n], wrong=wrong), 1)
        counts = [group.sent.get(kind, 0) for kind in ("election", "disagree", "coordinator")]
        values[f"N = {n}"] = (*counts, group.turnaround())
    return values


def read_b9(row, tool):
    formula, at_six, bound = find(r"^(\S+) = (\d+) from (\d+)T on, more below", row["expected"])
    count, from_bound = find(r"^(\d+) from (\d+)T on, up to", row["measured"])
    return {"formula": evaluate(formula, N=6), "printed": int(at_six), "Elections": int(count),
            "from": int(from_bound), "expected from": int(bound)}


def derive_b9(wrong):
    """Below the bound the count depends on when a leader may call again, which the slides leave
    open: it is only required to be greater."""
    spans = [Fraction(quarters, 4) for quarters in range(1, 33)]
    counts = [run(talks.Bully(6, [6], second=span, wrong=wrong), 1).sent["election"]
              for span in spans]
    least = counts[-1]
    bound = next(span for span, count in zip(spans, counts) if count == least)
    steady = all((count == least) == (span >= bound) for span, count in zip(spans, counts))
    return {"formula": least, "printed": least, "Elections": least,
            "from": bound if steady else -1, "expected from": bound}


SIZES = (3, 5, 8, 20)


def read_m1(row, tool):
    return {f"N = {n}": tuple(map(int, find(
        rf"N={n}: (\d+) (\d+) (\d+) (\d+)[;\s]", row["measured"]))) for n in SIZES}


def derive_m1(wrong):
    values = {}
    for n in SIZES:
        everybody = range(1, n + 1)
        groups = [talks.Multicast(n, variant, wrong=wrong)
                  for variant in ("all", "timeout", "disagree")] + [talks.Bully(n, wrong=wrong)]
        values[f"N = {n}"] = tuple(run(group, *everybody).total() for group in groups)
    return values


ROWS = [
    Row("R2", read_r2, derive_r2, ["stop_elected_early"]),
    Row("R4", read_r4, derive_r4, ["stop_elected_early"]),
    Row("R8", read_r8, derive_r8, ["stop_elected_early"]),
    Row("B2", read_b2, derive_b2, ["short_timeout"]),
    Row("B3", read_b3, derive_b3, ["no_answer", "short_timeout"]),
    Row("B9", read_b9, derive_b9, ["short_timeout"]),
    Row("M1", read_m1, derive_m1, ["always_agree"]),
]
