"""Rows of Vitányi: what the tool prints, and what vitanyi.py and rings.py derive."""

import random
from fractions import Fraction

import rings
import vitanyi
from reading import About, Row, all_of, evaluate, find

NEAR_ZERO = Fraction(1, vitanyi.UNIT)  # the delay of a link, in units


def read_r7(row, tool):
    every, some = find(r"^(\S+); (\S+) for k initiators", row["expected"])
    return {**{f"N = {n}": evaluate(every, N=n) for n in range(2, 31)},
            **{f"N = {n}, {n // 2} start": evaluate(some, N=n, k=n // 2) for n in range(2, 31)},
            "so in all runs": all_of(row["measured"])}


def derive_r7(wrong):
    draw = random.Random(7)
    values = {}
    for n in range(2, 31):
        ids = draw.sample(range(n), n)
        values[f"N = {n}"] = rings.pass_names(ids, range(n), wrong)
        values[f"N = {n}, {n // 2} start"] = rings.pass_names(
            ids, draw.sample(range(n), n // 2), wrong)
    return {**values, "so in all runs": True}


def read_v2(row, tool):
    bound, = find(r"= ([\d.]+)$", row["expected"])
    passes, = find(r"^(\d+) for four processors", row["measured"])
    return {"passes": int(passes), "bound": float(bound),
            "within it with first=f": all_of(find(r"(with first=f .*) runs;", row["measured"])[0])}


def derive_v2(wrong):
    names = [6, 4, 7, 5]
    printed = vitanyi.Ring(names, [1] * 4, 1, vitanyi.power, wrong=wrong)
    patient = vitanyi.Ring(names, [1] * 4, 1, vitanyi.power, first=True, wrong=wrong)
    bound = vitanyi.bound(names, 1 + NEAR_ZERO, vitanyi.power)
    return {"passes": printed.total(), "bound": round(float(bound), 2),
            "within it with first=f": patient.total() <= bound}


def read_v3(row, tool):
    printed, = find(r"here (\d+)$", row["expected"])
    passes, = find(r"(\d+) for six processors and u/m = 32", row["measured"])
    return {"five times N": int(printed), "passes": int(passes)}


def derive_v3(wrong):
    units = [1] * 6 if wrong == "clocks_alike" else [32, 16, 8, 4, 2, 1]
    ring = vitanyi.Ring(range(1, 7), units, 1, lambda name: 32 * 2 ** name, wrong=wrong)
    return {"five times N": 5 * len(units), "passes": ring.total()}


def read_v6(row, tool):
    election, others = find(r"^(\S+) election passes and (\S+) others$", row["expected"])
    return {**{f"N = {n}": (evaluate(election, N=n), evaluate(others, N=n)) for n in range(1, 11)},
            "so in all runs": all_of(row["measured"])}


def derive_v6(wrong):
    values, lowest = {}, True
    for n in range(1, 11):
        units = [2 ** (n - name + 1) for name in range(1, n + 1)]
        if wrong == "clocks_alike":
            units = [1] * n
        ring = vitanyi.Ring(range(1, n + 1), units, 1, vitanyi.power, wrong=wrong)
        election = ring.passes["election"]
        values[f"N = {n}"] = (election, ring.total() - election)
        lowest = lowest and all(each.elected == 1 for each in ring.all)
    return {**values, "so in all runs": lowest}


def read_v11(row, tool):
    passes, = find(r"(\d+) for twelve processors and 256$", row["measured"])
    factor, extra = find(r"^below \((\d+) \+ ([\d.]+)\) N$", row["expected"])
    bound = (int(factor) + float(extra)) * 12
    return {"passes": int(passes), "over the bound": int(passes) > bound}


def derive_v11(wrong):
    """Units are drawn from a tenth, here and in the tool differently: the range of 10 draws."""
    draw = random.Random(11)
    totals = []
    for _ in range(10):
        units = [Fraction(draw.randint(100, 110), 100) for _ in range(12)]
        ring = vitanyi.Ring(range(1, 13), units, 256 * vitanyi.UNIT, vitanyi.power, wrong=wrong)
        totals.append(ring.total())
    middle = Fraction(min(totals) + max(totals), 2)
    return {"passes": About(middle, max(totals) - middle),
            "over the bound": min(totals) > Fraction(73, 10) * 12}


ROWS = [
    Row("R7", read_r7, derive_r7, ["filter"]),
    Row("V2", read_v2, derive_v2, ["first_wait_f"]),
    Row("V3", read_v3, derive_v3, ["clocks_alike"]),
    Row("V6", read_v6, derive_v6, ["clocks_alike"]),
    Row("V11", read_v11, derive_v11, ["no_wait"]),
]
