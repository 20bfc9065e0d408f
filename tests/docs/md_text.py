"""Markdown as far as its tests need it: headings with their anchors, and links."""

import re

FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"(?<!\\)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")
HEADING = re.compile(r"^(#{1,6}) (.+?)\s*$", re.MULTILINE)


def blanked(text, pattern):
    """The text with spaces in place of what matches, so that offsets stay."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def links(text):
    """(offset, target) of every link and picture outside code."""
    prose = blanked(blanked(text, FENCE), SPAN)
    return [(match.start(1), match[1]) for match in LINK.finditer(prose)]


def headings(text):
    """(offset, level, title) of every heading."""
    prose = blanked(text, FENCE)
    return [(match.start(), len(match[1]), match[2]) for match in HEADING.finditer(prose)]


def bare(title):
    """A heading as it reads, without marks of code, emphasis and links."""
    return re.sub(r"[`*]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title))


def anchor(title, _separator="-"):
    """As forges make it; the site is told to make the same (packaging/site/mkdocs.yml)."""
    return re.sub(r"[^\w\- ]", "", bare(title).lower()).replace(" ", "-")


def anchors(text):
    """Of a title that stands twice, the first one's: the others differ between forge and site."""
    return {anchor(title) for _, _, title in headings(text)}
