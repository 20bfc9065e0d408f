"""What the tool prints as numbers, and when two results agree."""

import math
import re
import statistics
from collections import namedtuple
from fractions import Fraction

# A row of `conclave claims`. read(row, tool) and derive(wrong) give {name: value} of the same
# names; `wrongs` are rules that derive can break, each of which must make the row disagree.
Row = namedtuple("Row", "id read derive wrongs")
# A value known up to an error: two of them agree if they differ by at most both errors.
About = namedtuple("About", "value error")

CONFIDENCE = 2.576  # standard errors: the 99 % interval of a normal mean


class Unreadable(Exception):
    """The tool does not print what this row looks for."""


def find(pattern, text):
    """The groups of the first match, as text."""
    match = re.search(pattern, text)
    if not match:
        raise Unreadable(f"no '{pattern}' in '{text}'")
    return match.groups()


def evaluate(formula, **values):
    """A printed formula such as N(N-1)/2 or 2kN."""
    spelled = re.sub(r"(?<=[\w)])\s*(?=[A-Za-z(])", "*", formula)
    names = {name: Fraction(value) for name, value in values.items()}
    return eval(spelled, {"__builtins__": {}}, names)  # only names and arithmetic are in reach


def all_of(text):
    """True for "300 of 300", False for "299 of 300"."""
    parts = re.findall(r"(\d+) of (\d+)", text)
    if not parts:
        raise Unreadable(f"no 'so many of so many' in '{text}'")
    return all(part == whole != "0" for part, whole in parts)


def reading(row, name):
    """What was measured under one reading."""
    for each in row["readings"]:
        if each["name"] == name:
            return each["measured"]
    raise Unreadable(f"{row['id']} has no reading '{name}'")


def agree(one, other):
    if isinstance(one, About) or isinstance(other, About):
        one, other = [each if isinstance(each, About) else About(each, 0) for each in (one, other)]
        return abs(one.value - other.value) <= one.error + other.error
    return one == other


def differences(tool, ours):
    """Sentences: one for each value that is not the same in both."""
    for name in sorted(set(tool) | set(ours)):
        if name not in tool or name not in ours:
            yield f"{name}: only {'the tool' if name in tool else 'this program'} has it"
        elif not agree(tool[name], ours[name]):
            yield f"{name}: the tool has {spell(tool[name])}, this program {spell(ours[name])}"


def spell(value):
    if isinstance(value, About):
        return f"{float(value.value):.4g} ± {float(value.error):.2g}"
    if isinstance(value, (tuple, list)):
        return " ".join(map(spell, value))
    return str(value)


def sampled(values):
    error = CONFIDENCE * statistics.stdev(values) / math.sqrt(len(values))
    return About(statistics.mean(values), error)


def share_of(share, runs):
    """A share of runs, with its sampling error (and half of its last printed digit)."""
    return About(share, CONFIDENCE * math.sqrt(max(share * (1 - share), 1 / runs) / runs) + 5e-4)
