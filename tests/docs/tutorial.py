"""Pages that operate machines are true: tutorial.py TOOL UNITS PAGE [--rewrite]

A page names its machines in a comment, <!-- machines: anna boris -->. In a fenced block whose first
line has the prompt of a machine (anna$), of each of them (all$), of a role (leader$, follower$;
master$, slave$ of the time daemon) or a bare prompt ($: the first machine), every such line is run
there, one after the other. The output must be what the page shows behind it, but for numbers and
for which machine it is about; a command that only looks is repeated for a while until that is so.
--rewrite puts there what is printed. A block with title="anna:/etc/file" is written to that file on
that machine, or on each (all:/etc/file). <!-- within 600 s --> limits how long all of it may take.
"""

import os
import re
import sys
import time
from pathlib import Path

from machines import Machines, lan

ROLES = ["all", "leader", "follower", "master", "slave"]
NAMED = re.compile(r"^<!-- machines: ([a-z ]+) -->$", re.MULTILINE)
WITHIN = re.compile(r"^<!-- within (\d+) s -->$", re.MULTILINE)
FILE = re.compile(r'^```[a-z]* title="([a-z]+):(/[^"]+)"\n(.*?)^```\n', re.MULTILINE | re.DOTALL)
LOOKS = re.compile(
    r"^conclave timed (status|check|now)\b|^chronyd -Q|^curl |^ping |^promtool query"
    r"|^conclave members(?! (?:add|remove|replace|force)\b)"
    r"|^conclave (status|leader|is-leader|why|bound|doctor)\b|^(cat|tail|grep|ip) "
)
# As `date` prints one: its names would otherwise make a page true on some days only.
DATE = r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} +\d+ [\d:]+ UTC \d{4}\b"
PATIENCE = 60


class Page:
    def __init__(self, path):
        self.path = Path(path)
        self.text = self.path.read_text(encoding="utf-8")
        self.names = NAMED.search(self.text)[1].split()
        prompts = "|".join([*self.names, *ROLES])
        self.prompt = re.compile(rf"^({prompts}|)\$ (.*)$")
        self.block = re.compile(rf"^```\n((?:{prompts}|)\$ .*?)^```\n", re.MULTILINE | re.DOTALL)

    def steps(self):
        """Blocks of commands, as text, and files, as matches, in the order of the page."""
        found = [(match.start(), match[1]) for match in self.block.finditer(self.text)]
        found += [(match.start(), match) for match in FILE.finditer(self.text)]
        return [step for _, step in sorted(found, key=lambda step: step[0])]

    def commands(self, block):
        """[machine, line, the output that the page shows behind it]; a line may end in \\."""
        found, more = [], False
        for line in block.splitlines(keepends=True):
            match = None if more else self.prompt.match(line.rstrip("\n"))
            if match:
                found.append([match[1], match[2], ""])
            elif more:
                found[-1][1] += "\n" + line.rstrip("\n")
            else:
                found[-1][2] += line
            more = (match or more) and line.endswith("\\\n")
        return found

    def shape(self, text):
        """The part of an output that must be the same each time."""
        text = re.sub(rf"\b({'|'.join(self.names)})\b", "NAME", text)
        text = re.sub(DATE, "DATE", text)
        text = re.sub(r"-?\d[\d.e+-]*(?::\d+)*(?:T[\d:.]+Z)?", "N", text)
        text = re.sub(r"\bN ?(ns|us|ms|s)\b", "N TIME", text)
        return [" ".join(line.split()) for line in text.splitlines()]


def elected(machines, command, field, everybody):
    """The machine that all answers name; everybody must know one."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        said = machines.run("all", command)
        found = set(re.findall(rf'"{field}":"(\w+)"', said))
        if len(found) == 1 and not (everybody and f'"{field}":null' in said):
            return found.pop(), said
        time.sleep(0.2)
    raise TimeoutError(f"there is no {field}: {said}")


def place(machines, prompt, names):
    """The machine that has the prompt's role now."""
    if prompt in ("master", "slave"):
        master, said = elected(machines, "conclave timed status --json", "master", True)
        others = [name for name in names if name != master and f'{{"name":"{name}"' in said]
        return master if prompt == "master" else others[0]
    if prompt in ("leader", "follower"):
        leader, _ = elected(machines, "conclave leader --group jobs --json", "leader", False)
        return leader if prompt == "leader" else next(n for n in names if n != leader)
    return prompt or names[0]


def play(machines, page, command, rewrite):
    """The output in the end, and whether it is the page's."""
    name, line, shown = command
    end = time.monotonic() + PATIENCE
    looks = LOOKS.match(line)
    if rewrite and looks:
        time.sleep(15 if "timed" in line else 3)
    while True:
        said = machines.run(place(machines, name, page.names), line)
        same = page.shape(said) == page.shape(shown)
        if rewrite or same or not looks or time.monotonic() > end:
            return said, same
        time.sleep(0.5)


def play_page(machines, page, rewrite):
    """The page as it should be, and the commands that print something else."""
    text, wrong = page.text, []
    for step in page.steps():
        if not isinstance(step, str):
            machines.write(step[1], step[2], step[3])
            continue
        should = ""
        for command in page.commands(step):
            said, same = play(machines, page, command, rewrite)
            name, line, shown = command
            should += f"{name}$ {line}\n{said}"
            if not same:
                wrong.append(f"{name}$ {line}\n{said}---- the page says\n{shown}")
        text = text.replace(step, should)
    return text, wrong


def too_slow(page, seconds):
    limit = WITHIN.search(page.text)
    if limit and seconds > int(limit[1]):
        yield f"it took {seconds:.0f} s, and the page allows {limit[1]} s"


def main():
    tool, units, path = (str(Path(w).resolve()) for w in sys.argv[1:] if w != "--rewrite")
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    rewrite, page = "--rewrite" in sys.argv, Page(path)
    os.environ.pop("CONCLAVE_STATE", None)
    with Machines(tool, units, page.names) as machines:
        began = time.monotonic()
        text, wrong = play_page(machines, page, rewrite)
        seconds = time.monotonic() - began
        wrong += too_slow(page, seconds)
        if wrong and not rewrite:
            print("\n".join([*wrong, *machines.logs()]))
    if rewrite:
        page.path.write_text(text, encoding="utf-8")
    print(f"{len(page.steps())} blocks, {seconds:.0f} s, {len(wrong)} are not as the page says")
    return 1 if wrong and not rewrite else 0


if __name__ == "__main__":
    sys.exit(main())
