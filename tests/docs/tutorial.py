"""A page that operates machines is true: tutorial.py TOOL UNITS PAGE [--rewrite]

In a fenced block whose first line has the prompt of a machine (anna$), of each of them (all$), of
the one that was elected (master$) or of another (slave$), every such line is run there, one after
the other. What the page shows behind it must be what it prints, but for numbers and for which
machine it is about; a command that only looks is repeated for a while until that is so. --rewrite
puts there what is printed.
"""

import re
import sys
import time
from pathlib import Path

from machines import Machines, lan

NAMES = ["anna", "boris", "clara", "david", "elena"]
PROMPTS = "|".join([*NAMES, "all", "master", "slave"])
PROMPT = re.compile(rf"^({PROMPTS})\$ (.*)$")
BLOCK = re.compile(rf"^```\n((?:{PROMPTS})\$ .*?)^```\n", re.MULTILINE | re.DOTALL)
LOOKS = re.compile(r"^conclave timed (status|check|now)\b|^chronyd -Q")
PATIENCE = 60


def shape(text):
    """What must be the same each time."""
    text = re.sub(rf"\b({'|'.join(NAMES)})\b", "NAME", text)
    text = re.sub(r"-?\d[\d.e+-]*(?::\d+)*", "N", text)
    text = re.sub(r"\bN (ns|us|ms|s)\b", "N TIME", text)
    return [" ".join(line.split()) for line in text.splitlines()]


def commands(block):
    """(machine, line, what the page shows behind it)"""
    found = []
    for line in block.splitlines(keepends=True):
        if match := PROMPT.match(line.rstrip("\n")):
            found.append([match[1], match[2], ""])
        else:
            found[-1][2] += line
    return found


def place(machines, prompt):
    """Which machine that is now: all that have a time must name one master."""
    if prompt not in ("master", "slave"):
        return prompt
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        said = machines.run("all", "conclave timed status --json")
        masters = set(re.findall(r'"master":"(\w+)"', said))
        if len(masters) == 1 and '"master":null' not in said:
            master = masters.pop()
            others = [name for name in NAMES if name != master and f'{{"name":"{name}"' in said]
            return master if prompt == "master" else others[0]
        time.sleep(0.2)
    raise TimeoutError("there is no master: " + said)


def play(machines, name, line, shown, rewrite):
    """What it prints in the end."""
    end = time.monotonic() + PATIENCE
    if rewrite and LOOKS.match(line):
        time.sleep(15)
    while True:
        said = machines.run(place(machines, name), line)
        if rewrite or shape(said) == shape(shown) or not LOOKS.match(line):
            return said
        if time.monotonic() > end:
            return said
        time.sleep(0.5)


def main():
    words = [word for word in sys.argv[1:] if word != "--rewrite"]
    tool, units, page = (str(Path(word).resolve()) for word in words)
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    rewrite, wrong = "--rewrite" in sys.argv, []
    text = Path(page).read_text(encoding="utf-8")
    with Machines(tool, units, NAMES) as machines:
        for block in BLOCK.findall(text):
            should = ""
            for name, line, shown in commands(block):
                said = play(machines, name, line, shown, rewrite)
                should += f"{name}$ {line}\n{said}"
                if shape(said) != shape(shown):
                    wrong.append(f"{name}$ {line}\n{said}---- the page says\n{shown}")
            text = text.replace(block, should)
        if wrong and not rewrite:
            print("\n".join([*wrong, *machines.logs()]))
    if rewrite:
        Path(page).write_text(text, encoding="utf-8")
    print(f"{len(BLOCK.findall(text))} blocks, {len(wrong)} commands print something else")
    return 1 if wrong and not rewrite else 0


if __name__ == "__main__":
    sys.exit(main())
