"""Rows of Lecture 9: what the tool prints, and what rings.py and lecture.py derive."""

import math
import random

import lecture
import rings
from reading import CONFIDENCE, About, Row, all_of, evaluate, find, share_of


def read_r1(row, tool):
    one, several = find(r"^(\S+) messages; (\S+) from k initiators", row["expected"])
    return {**{f"N = {n}, {k} start": evaluate(several if k > 1 else one, N=n, k=k)
               for n in range(2, 13) for k in range(1, n + 1)},
            "the highest wins, always": all_of(row["measured"])}


def derive_r1(wrong):
    draw = random.Random(1)
    values, highest = {}, True
    for n in range(2, 13):
        for k in range(1, n + 1):
            ids = draw.sample(range(1, n + 4), n + 3)
            dead = set(draw.sample(ids, 3))
            living = [name for name in ids if name not in dead]
            sent, elected = rings.collect_list(ids, dead, draw.sample(living, k), wrong)
            values[f"N = {n}, {k} start"] = sent
            highest = highest and elected == {max(living)}
    return {**values, "the highest wins, always": highest}


def read_b8(row, tool):
    runs, = find(r"; (\d+) runs for each t", row["evidence"])
    values = {}
    for t in (2, 4, 7):
        share, time, error = find(rf"t={t}T: ([\d.]+), ([\d.]+) ± ([\d.]+)T", row["measured"])
        values[f"two, t = {t}"] = share_of(float(share), int(runs))
        values[f"failover, t = {t}"] = About(float(time), float(error))
    return values


def derive_b8(wrong):
    values = {}
    for t in (2, 4, 7):
        runs = 4000
        share, time = lecture.fail_over(t, runs, t, wrong)
        values[f"two, t = {t}"] = share_of(share, runs)
        # The time is t and two exponential delays of mean 1: its variance is 2.
        values[f"failover, t = {t}"] = About(time, CONFIDENCE * math.sqrt(2 / runs))
    return values


PRIORITIES = ("ignore-lower", "only-lower", "delay")


def read_i6(row, tool):
    in_step, = find(r"in step: (.*?)\. At random", row["measured"])
    return {way: tuple(map(int, find(rf"{way} (\d+), (\d+), (\d+)ms", in_step)))
            for way in PRIORITIES}


def derive_i6(wrong):
    return {way: lecture.merge_all(10, way, wrong) for way in PRIORITIES}


ROWS = [
    Row("R1", read_r1, derive_r1, ["news_stops_early"]),
    Row("B8", read_b8, derive_b8, ["fixed_delay"]),
    Row("I6", read_i6, derive_i6, ["nobody_delays"]),
]
