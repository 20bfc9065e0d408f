"""Every link between pages leads somewhere, and every page has a place in the map.

usage: links.py [ROOT]

A link to a file of the repository must find it, and one with #ANCHOR a heading with this anchor.
docs/README.md is the map: it links every page of docs/, or, for a
folder of docs/, the folder's README.md, which links the rest.
"""

import pathlib
import subprocess
import sys
from urllib.parse import unquote

import md_text

MAP = "docs/README.md"


def pages(root):
    """Markdown files that git knows or would add."""
    command = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard",
               "*.md"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split("\n")
    found = [name for name in listed if name and (root / name).is_file()]
    return found or [str(path.relative_to(root)) for path in root.rglob("*.md")]


def target(root, page, link):
    """The file that a link names, and its anchor; no file outside the repository."""
    path, _, anchor = unquote(link).partition("#")
    place = (root / page).parent / path if path else root / page
    return place.resolve(), anchor


def check_links(root, page):
    text = (root / page).read_text(encoding="utf-8")
    for offset, link in md_text.links(text):
        where = f"{page}:{text.count(chr(10), 0, offset) + 1}"
        if "://" in link or link.startswith("mailto:"):
            continue
        place, anchor = target(root, page, link)
        if root.resolve() not in [place, *place.parents] or not place.exists():
            yield f"{where}: {link} is not there"
        elif anchor and place.suffix != ".md":
            yield f"{where}: {link}: only pages have anchors"
        elif anchor and anchor not in md_text.anchors(place.read_text(encoding="utf-8")):
            yield f"{where}: {link}: no heading has this anchor"


def linked(root, page):
    """The files that a page links."""
    text = (root / page).read_text(encoding="utf-8")
    return {target(root, page, link)[0] for _, link in md_text.links(text) if "://" not in link}


def check_map(root, names):
    on_map = linked(root, MAP)
    for name in names:
        here = (root / name).resolve()
        parent = (root / name).parent / "README.md"
        inside = parent.resolve() in on_map and here in linked(root, parent.relative_to(root))
        if name.startswith("docs/") and name != MAP and here not in on_map and not inside:
            yield f"{name}: has no place in the map: link it from {MAP}"
    if (root / MAP).resolve() not in linked(root, "README.md"):
        yield f"README.md: does not link {MAP}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    names = pages(root)
    found = [c for name in names for c in check_links(root, name)] + list(check_map(root, names))
    print("\n".join(found) or f"{len(names)} pages: every link leads somewhere")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
