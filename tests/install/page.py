"""Writes the programs of a page into a folder: page.py PAGE FOLDER

Every block of C++, C or Python on the page is a whole program: page_1.cpp, page_2.c and so on.
"""

import re
import sys
from pathlib import Path


def main():
    page, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    blocks = re.findall(r"^```(cpp|c|python)\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    if {kind for kind, _ in blocks} != {"cpp", "c", "python"}:
        sys.exit(f"{page} has no program in one of C++, C and Python")
    for number, (kind, text) in enumerate(blocks, 1):
        ending = "py" if kind == "python" else kind
        (folder / f"page_{number}.{ending}").write_text(text, encoding="utf-8")


main()
