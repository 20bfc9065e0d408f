"""House style, as far as a program can see it: words of the field, defaults, how comments open.

docs/glossary.md has the words. Papers and protocols keep their own words where they are spoken.
Help texts are checked where docs/options.md repeats them.
"""

import re

# A word that the glossary replaces, and its replacement.
REPLACED = {
    r"woes?|misfortunes?": "fault",
    r"farewells?": "death notice",
    r"heirs?": "successor",
    r"quarantines?": "grace period",
    r"reigns?|reigned|reigning": "term",
    r"company": "peers",
    r"purses?": "budget of faults",
    r"deaf": "stale message",
    r"in vain": "without success",
    r"stand-ins?": "canonical, or substitute",
    r"excused|barred": "not eligible",
    r"two at once": "two leaders, split brain",
    r"unless given": "(default: X)",
}
WORDS = [(re.compile(rf"\b(?:{old})\b", re.IGNORECASE), new) for old, new in REPLACED.items()]

# Papers, TEMPO and TSP speak here; CHANGELOG.md tells of names that options once had.
HOMES = ("conclave/election/", "conclave/timed/", "conclave/clock/", "conclave/simulator/time/",
         "conclave/claims/", "docs/algorithms/", "docs/findings", "docs/claims.md", "docs/timed.md",
         "docs/clocks.md", "docs/tutorial-clocks.md", "CHANGELOG.md")
# Written before this rule, and not yet rewritten: they may leave this list, and none may come.
OLD_STYLE = ("conclave/agent/", "conclave/member/", "conclave/lease/")

SOURCES = (".hpp", ".cpp", ".cpp.in", ".h")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"//[/!]? ?(.*)$")
RIDDLE = re.compile(r"\s*//[/!]? (Who|What|So)\b")


def prose(file):
    """(line number, text) of what people read: pages without their code, comments of sources."""
    if file.name.endswith(".md"):
        text = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), file.text)
        yield from enumerate(text.splitlines(), 1)
    elif file.name.startswith("conclave/") and file.name.endswith(SOURCES):
        for number, line in enumerate(file.lines, 1):
            comment = re.sub(r'"[^"]*"|`[^`]*`', "", line)
            if match := COMMENT.search(comment):
                yield number, match[1]


def words_are_of_the_field(file):
    if file.name.startswith(HOMES + OLD_STYLE):
        return
    for number, text in prose(file):
        for old, new in WORDS:
            if match := old.search(text):
                yield number, f"'{match[0]}': say {new} (docs/glossary.md)"


def comments_name_their_subject(file):
    """A comment says what a thing is or does: it does not open with Who, What or So."""
    if not file.name.startswith("conclave/") or not file.name.endswith(SOURCES):
        return
    if file.name.startswith(OLD_STYLE):
        return
    before = ""
    for number, line in enumerate(file.lines, 1):
        opens = not before.lstrip().startswith("//")
        if opens and (match := RIDDLE.match(line)):
            yield number, f"a comment that opens with '{match[1]}': name the thing itself"
        before = line


RULES = [words_are_of_the_field, comments_name_their_subject]
