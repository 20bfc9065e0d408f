"""Derives rows of `conclave claims` a second time and compares.

usage: check.py TOOL DOCUMENT [--row ID] [--plant RULE]

DOCUMENT is tempo, nemeth, lecture, cs425 or vitanyi. The models beside this file know the five
documents only, and share no code with Conclave. Each row is compared with what TOOL prints, and
then once more for each rule that its model can break on purpose: then it must disagree. With
--plant RULE that broken rule is used throughout, to see what the comparison says.
"""

import argparse
import importlib
import json
import subprocess
import sys

from reading import Unreadable, differences, spell


def ask(tool, *words):
    return subprocess.run([tool, *words], check=True, capture_output=True, text=True).stdout


def compare(row, values, wrong):
    """Sentences that say where the model differs from `values`, which the tool printed."""
    try:
        ours = row.derive(wrong)
    except ArithmeticError as error:
        return [f"the model breaks down: {error}"]
    return list(differences(values, ours))


def judge(row, printed, ask_tool, planted=None):
    """(whether the row is as it should be, lines that say so)."""
    try:
        values = row.read(printed, ask_tool)
    except Unreadable as error:
        return False, [f"{row.id}: {error}"]
    found = compare(row, values, planted)
    if found:
        return False, [f"{row.id} disagrees: {sentence}" for sentence in found]
    name, value = list(values.items())[-1]
    lines = [f"{row.id} agrees in {len(values)} values, such as {name}: {spell(value)}"]
    blind = [wrong for wrong in row.wrongs if not planted and not compare(row, values, wrong)]
    lines += [f"{row.id} agrees with the broken rule {wrong}, too" for wrong in blind]
    return not blind, lines


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool")
    parser.add_argument("document")
    parser.add_argument("--row")
    parser.add_argument("--plant")
    given = parser.parse_args()
    rows = importlib.import_module("rows_" + given.document).ROWS
    rows = [row for row in rows if given.row in (None, row.id)]
    printed = json.loads(ask(given.tool, "claims", "--quick", "--json", *[row.id for row in rows]))
    printed = {row["id"]: row for row in printed}
    good = bool(rows)
    for row in rows:
        fine, lines = judge(row, printed[row.id], lambda *words: ask(given.tool, *words),
                            given.plant)
        good = good and fine
        print("\n".join(lines), flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
