"""Rows of Gusella and Zatti: what the tool prints, and what tempo.py derives."""

import statistics

import tempo
from reading import (CONFIDENCE, About, Row, all_of, evaluate, find, reading, share_of)


DELAYS = [(most, least) for most in (1, 2) for least in range(most + 1)]


def least_safe(outcomes):
    """The first place from which nothing goes wrong; -1 if not all before it go wrong."""
    safe = len(outcomes) - outcomes[::-1].index(True) if True in outcomes else 0
    return safe if all(outcomes[:safe]) else -1


def read_t2(row, tool):
    values = {}
    for at_startup in ("drop", "keep"):
        text = reading(row, f"at-startup={at_startup} masterreq=once")
        bound, = find(r"never from starts ([k0-9 +]+) apart on, and not before", text)
        for most, least in DELAYS:
            values[f"{at_startup}, delays {least} to {most}"] = evaluate(bound, k=most)
    return values


def derive_t2(wrong):
    return {f"{at_startup}, delays {least} to {most}": least_safe([
        tempo.close_starts_give_two(offset, least, most, at_startup == "keep", wrong)
        for offset in range(3 * most + 1)])
        for at_startup in ("drop", "keep") for most, least in DELAYS}


def read_t3(row, tool):
    formula, runs, hundred = find(r"^(\S+) in (\d+), N = 100: (\d+)$", row["measured"])
    expected_runs, = find(r"in (\d+) elections", row["expected"])
    sizes = {f"N = {n}": evaluate(formula, N=n) for n in range(2, 41)}
    return {**sizes, "N = 100": int(hundred), "so in all elections": runs == expected_runs}


def derive_t3(wrong):
    rounds = {n: tempo.count_round(n, 1, wrong) for n in [*range(2, 41), 100]}
    return {**{f"N = {n}": sent for n, (sent, _) in rounds.items()},
            "so in all elections": all(masters == 1 for _, masters in rounds.values())}


CROWDS = [(n, c) for n in (3, 5, 20, 99) for c in range(2, min(n, 6) + 1)]


def read_t4(row, tool):
    printed, = find(r"total message count is (\S+)\.", row["expected"])
    general, = find(r"ours: (\S+) for c candidates", row["expected"])
    return {**{f"N = {n}": evaluate(printed, N=n) for n in (3, 5, 20, 99)},
            **{f"N = {n}, {c} stand": evaluate(general, c=c, N=n) for n, c in CROWDS},
            "nobody elected": all_of(row["measured"])}


def derive_t4(wrong):
    rounds = {crowd: tempo.count_round(*crowd, wrong) for crowd in CROWDS}
    return {**{f"N = {n}": rounds[n, 2][0] for n in (3, 5, 20, 99)},
            **{f"N = {n}, {c} stand": sent for (n, c), (sent, _) in rounds.items()},
            "nobody elected": not any(masters for _, masters in rounds.values())}


def read_t5(row, tool):
    kept, formula = find(r"R = 25ms: ([\d.]+) % instead of ([\d.]+) %", row["measured"])
    runs, = find(r"^(\d+) elections a point", row["evidence"])
    return {"fresh": About(float(formula) / 100, 5e-4),
            f"kept, {runs} in a row": share_of(float(kept) / 100, int(runs))}


def derive_t5(wrong):
    """The quick row has 1000 elections in one series, so the error is that of one series."""
    fresh, _ = tempo.elect_in_a_row(5, 25, 1, 20_000, True, 1, wrong)
    afresh = wrong == "values_drawn_afresh"
    series = [tempo.elect_in_a_row(5, 25, 1, 1000, afresh, seed, wrong)[0] for seed in range(40)]
    return {"fresh": share_of(fresh, 20_000),
            "kept, 1000 in a row": About(statistics.mean(series),
                                         CONFIDENCE * statistics.stdev(series))}


def read_t9(row, tool):
    values = {}
    for at_startup in ("drop", "keep"):
        text = reading(row, f"at-startup={at_startup} masterreq=once")
        bound, = find(r"never from a candidate timer of ([k0-9 +]+) on, and not before", text)
        for most, least in DELAYS:
            values[f"{at_startup}, delays {least} to {most}"] = evaluate(bound, k=most)
    return values


def derive_t9(wrong):
    """Start-up plays no part in an election of slaves: both readings must give the same."""
    return {f"{at_startup}, delays {least} to {most}": 1 + least_safe([
        tempo.short_timer_gives_two(2, timer, least, most, wrong)
        for timer in range(1, 2 * most + 4)])
        for at_startup in ("drop", "keep") for most, least in DELAYS}


def read_t15(row, tool):
    runs, = find(r"^(\d+) elections among five slaves", row["evidence"])
    kept, fresh = find(r"came back last wins (\d+) %.*With fresh=on it is (\d+) %",
                       row["evidence"])
    return {f"kept, {runs} in a row": About(int(kept) / 100, 5e-3),
            f"fresh, {runs} in a row": share_of(int(fresh) / 100, int(runs))}


def derive_t15(wrong):
    """How often the machine that came back last wins: again the error is that of one series."""
    values = {}
    for name, fresh in (("kept", wrong == "values_drawn_afresh"), ("fresh", True)):
        series = [tempo.elect_in_a_row(5, 1000, 1, 500, fresh, seed)[1] for seed in range(40)]
        values[f"{name}, 500 in a row"] = About(statistics.mean(series),
                                                CONFIDENCE * statistics.stdev(series))
    return values


ROWS = [
    Row("T2", read_t2, derive_t2, ["no_masterup"]),
    Row("T3", read_t3, derive_t3, ["no_ack"]),
    Row("T4", read_t4, derive_t4, ["silent_refusal", "no_ack"]),
    Row("T5", read_t5, derive_t5, ["values_drawn_afresh", "only_equal_values"]),
    Row("T9", read_t9, derive_t9, ["no_refusal"]),
    Row("T15", read_t15, derive_t15, ["values_drawn_afresh"]),
]
