"""Writes the options and verbs of manual pages and of docs/options.md from the tool's own tables.

    make.py TOOL PAGE...        rewrites what stands between the marks of each page
    make.py --check TOOL PAGE...  fails if that would change something

A manual page says .\\" options of VERB ... .\\" end, or .\\" verbs ... .\\" end; a Markdown page
<!-- options of PROGRAM --> ... <!-- end -->.
"""

import os
import re
import subprocess
import sys


def ask(tool, *words):
    return subprocess.run([tool, *words], capture_output=True, text=True, check=True).stdout


def roff(text):
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def item(form, purpose):
    purpose = roff(purpose)
    if purpose.startswith("."):
        purpose = "\\&" + purpose
    return f".TP\n.B {roff(form)}\n{purpose}\n"


def reference(tool, program):
    return ask(os.path.join(os.path.dirname(tool), program), "--reference")


def options_of(tool, verb):
    """Rows of the verb's tables, whole: the help breaks long ones into lines."""
    tables = reference(tool, "conclave") + reference(tool, "conclave-lab")
    section = re.search(rf"^## conclave {verb}\n(.*?)(?=^## |\Z)", tables, re.M | re.S)
    rows = re.findall(r"^\| `(--.*?)` \| (.*) \|$", section[1], re.M)
    return "".join(item(*(cell.replace("\\|", "|") for cell in row)) for row in rows)


def verbs(tool):
    found = re.findall(r"^  ([a-z-]+(?: [a-z-]+)?) {2,}(.*)$", ask(tool, "--help"), re.M)
    return "".join(item("conclave " + name, purpose.rstrip(".") + ".") for name, purpose in found)


def fill_markdown(tool, text):
    marks = r"(<!-- options of ([a-z-]+) -->\n).*?(<!-- end -->\n)"
    return re.sub(marks, lambda m: m[1] + reference(tool, m[2]) + m[3], text, flags=re.S)


def fill(tool, text):
    def replaced(match):
        what = match[2]
        body = verbs(tool) if what == "verbs" else options_of(tool, what.split()[-1])
        return match[1] + body + match[3]

    marks = r'(\.\\" (verbs|options of [a-z]+)\n).*?(\.\\" end\n)'
    return re.sub(marks, replaced, text, flags=re.S)


def main():
    words = sys.argv[1:]
    check = words[0] == "--check"
    tool, *pages = words[check:]
    for page in pages:
        with open(page, encoding="utf-8") as file:
            before = file.read()
        after = (fill_markdown if page.endswith(".md") else fill)(tool, before)
        if check and after != before:
            sys.exit(f"{page} is behind the tool: python3 packaging/man/make.py TOOL {page}")
        if not check:
            with open(page, "w", encoding="utf-8") as file:
                file.write(after)


main()
