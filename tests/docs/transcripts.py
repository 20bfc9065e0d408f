"""What a page shows of the tool is what the tool prints.

usage: transcripts.py TOOL [--rewrite] FILE[:HEADING] ...

In a fenced block that begins with `$ conclave sim`, or another verb that needs no network, every
line behind a prompt is run, and what follows it must be its output, byte for byte but for how long
a search took; --rewrite puts the output there. Commands elsewhere on the page, indented or between
backquotes, must be understood: the tool may not refuse them, unless they leave something open.
Searches among them end early, and of claims only the rows are looked up. With :HEADING only the
sections whose title begins with that word are looked at.
"""
import functools
import pathlib
import re
import subprocess
import sys
import tempfile

VERBS = "(?:sim|check|list|claims)"
FENCE = re.compile(rf"^```\n(\$ (?:build/)?conclave {VERBS} .*?)^```\n", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)
SCRATCH = tempfile.TemporaryDirectory()
ELSEWHERE = re.compile(rf"`(conclave {VERBS} [^`\n]+)`|^    (conclave {VERBS} (?:[^\n\\]|\\\n)+)$",
                       re.MULTILINE)


@functools.cache
def run(tool: str, line: str) -> tuple[int, str]:
    """What the command prints, and its exit code; what it writes stays in the scratch folder."""
    command = re.sub(r"^(?:build/)?conclave ", lambda _: f"{tool} ", line)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120,
                          check=False, cwd=SCRATCH.name)
    steady = re.sub(r"( transitions, depth \d+(?:, complete)?); .*", r"\1", done.stdout)
    return done.returncode, steady + done.stderr


def played(tool: str, block: str) -> str:
    """The block as it should be."""
    return "".join(f"$ {line}\n{run(tool, line)[1]}" for line in COMMAND.findall(block))


def refusal(tool: str, line: str) -> str:
    """Why the tool refuses a command; no search or experiment is run to its end to find out."""
    verb, *words = line.split()[1:]
    if verb == "claims":
        known = run(tool, "conclave claims --help")[1]
        for option in (word for word in words if word.startswith("--")):
            if f" {option} " not in known:
                return f"there is no option {option}"
        rows = [word for word in words if re.fullmatch(r"[A-Z]\d+", word)]
        line = " ".join(["conclave claims --list", *rows])
    elif verb == "check" and "--limit-states" not in words:
        line += " --limit-states 2000"
    code, output = run(tool, line)
    return output.strip() if code not in (0, 1, 3) else ""


def sections(text: str, heading: str) -> list[tuple[int, int]]:
    """Where the chosen sections begin and end; the whole page without a heading."""
    if not heading:
        return [(0, len(text))]
    starts = [m.start() for m in re.finditer(r"^## ", text, re.MULTILINE)] + [len(text)]
    return [(a, b) for a, b in zip(starts, starts[1:]) if text[a + 3:].startswith(heading)]


def check(tool: str, name: str, rewrite: bool) -> list[str]:
    """The complaints about one page, or about some of its sections."""
    path, _, heading = name.partition(":")
    page = pathlib.Path(path)
    text = page.read_text(encoding="utf-8")
    complaints = [] if sections(text, heading) else [f"{path}: no section '{heading}'"]
    for begin, end in reversed(sections(text, heading)):
        part = text[begin:end]
        for block in FENCE.findall(part):
            should = played(tool, block)
            if should != block and not rewrite:
                complaints.append(f"{path}: another output now: {block.splitlines()[0]}")
            part = part.replace(block, should)
        for found in ELSEWHERE.finditer(FENCE.sub("", part)):
            line = (found[1] or found[2]).replace("\\\n", " ")
            if "..." in line.split() or re.search(r"\b(FILE|NAME|RULE)\b", line):
                continue
            complaint = refusal(tool, line)
            if complaint:
                complaints.append(f"{path}: refused: {line}\n    {complaint}")
        text = text[:begin] + part + text[end:]
    if rewrite:
        page.write_text(text, encoding="utf-8")
    return complaints


def main() -> int:
    """Prints all complaints."""
    tool, *names = [word for word in sys.argv[1:] if word != "--rewrite"]
    tool = str(pathlib.Path(tool).resolve())
    pathlib.Path(SCRATCH.name, "examples").symlink_to(pathlib.Path("examples").resolve())
    found = [c for name in names for c in check(tool, name, "--rewrite" in sys.argv)]
    print("\n".join(found) or f"{len(names)} pages are true")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
