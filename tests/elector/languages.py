"""The examples, one group of three processes: languages.py COMMAND COMMAND COMMAND

Each command is an example in some language, its words separated by commas. Exactly one counts; the
others see its token and its value; one that is killed is replaced, under a greater token; the rest
run to their end.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SECONDS = 12


class Elector:
    def __init__(self, name, command, folder):
        self.name, self.output = name, folder / f"{name}.out"
        words = [*command.split(","), name, str(folder), str(SECONDS), f"languages{os.getpid()}"]
        with open(self.output, "w") as out:
            self.process = subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT)

    def text(self):
        return self.output.read_text()

    def tokens(self):
        """Of its counts, in their order."""
        return [int(token) for token in re.findall(r"^\d+ under token (\d+)$", self.text(), re.M)]

    def sees(self):
        """What it was told last: leader, token and value; or its own leading, or nobody's."""
        told = re.findall(r"^(?:(\w+) leads under token (\d+): (.*)|I lead|nobody leads)$",
                          self.text(), re.M)
        return told[-1] if told else ("", "", "")

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def wait_for(condition, what, electors):
    for _ in range(3000):
        found = condition()
        if found:
            return found
        time.sleep(0.01)
    for each in electors:
        print(f"---- {each.name}\n{each.text()}")
    sys.exit(f"not within 30 s: {what}")


def settled(electors, above):
    """The one that counts, when all others see its token and its value."""
    for each in electors:
        tokens = each.tokens()
        if not tokens or tokens[-1] <= above:
            continue
        views = [other.sees() for other in electors if other is not each]
        language = {"a": "C++", "b": "C", "c": "Python"}.get(each.name)
        expected = (each.name, str(tokens[-1]), f"{each.name} is written in {language}")
        if all(view == expected for view in views):
            return each
    return None


def check_alone(leader, electors):
    """Nobody else counts while the leader does, nor has another its token."""
    others = [each for each in electors if each is not leader]
    began = [len(each.tokens()) for each in (leader, *others)]
    token = leader.tokens()[-1]
    time.sleep(1)
    counts = [len(each.tokens()) - before for each, before in zip((leader, *others), began)]
    if leader.tokens()[-1] == token and (counts[0] < 2 or any(counts[1:])):
        sys.exit(f"counted by {leader.name} and the others, within a second: {counts}")
    if any(token in other.tokens() for other in others):
        sys.exit(f"token {token} was held by two")


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        electors = [Elector(n, c, folder) for n, c in zip("abc", sys.argv[1:4])]
        try:
            first = wait_for(lambda: settled(electors, 0), "all see one leader", electors)
            check_alone(first, electors)
            last = first.tokens()[-1]
            first.process.kill()
            first.process.wait()
            rest = [each for each in electors if each is not first]
            second = wait_for(lambda: settled(rest, last), "another leads", electors)
            check_alone(second, rest)
            for each in rest:
                if each.process.wait(timeout=SECONDS + 10) != 0:
                    sys.exit(f"{each.name} ended with {each.process.returncode}\n{each.text()}")
                if each.tokens() != sorted(each.tokens()):
                    sys.exit(f"the tokens of {each.name} did not grow")
            print(f"{first.name} was replaced by {second.name}")
        finally:
            for each in electors:
                each.end()


main()
