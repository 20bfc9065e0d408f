"""Builds the documentation as a static site with search: make.py BUILD

Copies docs/ and the pages beside it to BUILD/site-source, with the navigation from the map
(docs/README.md), and runs mkdocs, which leaves the site in BUILD/site. A link to a file of the
repository leads to a copy of that file as text, one to a folder to a list of its files.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/docs"))

import md_text  # noqa: E402

# Pages beside docs/, and what they are called on the site.
BESIDE = {"README.md": "overview.md", "SECURITY.md": "policy.md",
          "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}


class Site:
    def __init__(self, folder):
        self.pages = folder / "pages"
        self.copied = set()

    def place(self, file):
        """Where a file of the repository is on the site; it is copied there if it is no page."""
        name = file.relative_to(ROOT).as_posix()
        if name in BESIDE:
            return BESIDE[name]
        if name.startswith("docs/"):
            return name.removeprefix("docs/")
        if file.is_dir():
            return self.list_folder(file, f"files/{name}.md")
        if file.suffix == ".md":
            return self.write_page(file, f"files/{name}")
        return self.copy(file, f"files/{name}.txt")

    def copy(self, file, place):
        target = self.pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        return place

    def list_folder(self, folder, place):
        if place in self.copied:
            return place
        self.copied.add(place)
        files = [each for each in sorted(folder.iterdir()) if each.is_file()]
        name = folder.relative_to(ROOT).as_posix()
        lines = [f"- [{each.name}]({relative(self.place(each), place)})\n" for each in files]
        self.write(place, f"# {name}\n\n" + "".join(lines))
        return place

    def write_page(self, file, place):
        if place in self.copied:
            return place
        self.copied.add(place)
        text = file.read_text(encoding="utf-8")
        for offset, link in reversed(md_text.links(text)):
            if "://" in link or link.startswith(("#", "mailto:")):
                continue
            path, mark, anchor = link.partition("#")
            there = self.place((file.parent / path).resolve())
            new = relative(there, place) + mark + anchor
            text = text[:offset] + new + text[offset + len(link):]
        self.write(place, text)
        return place

    def write(self, place, text):
        target = self.pages / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(lists_apart(text), encoding="utf-8")


def relative(there, here):
    """The link from one page of the site to another."""
    up = [".."] * here.count("/")
    return "/".join([*up, there])


def lists_apart(text):
    """An empty line before each list, which Python's Markdown needs and forges do not."""
    before = r"^(?!\s*(?:[-*]|\d+\.) |\s|\||#|$)(.*\S)\n(?=(?:- |\d+\. ))"
    return re.sub(before, r"\1\n\n", text, flags=re.MULTILINE)


def navigation(text):
    """The sections of the map, each with the pages that its list names."""
    places = [(offset, bare) for offset, level, bare in md_text.headings(text) if level == 2]
    ends = [offset for offset, _ in places[1:]] + [len(text)]
    found = [{"Map": "README.md"}]
    for (begin, title), end in zip(places, ends):
        links = re.finditer(r"\[([^\]]+)\]\(([^)#]+\.md)\)", text[begin:end])
        found.append({title: [{link[1]: link[2]} for link in links]})
    return found


def main():
    build = Path(sys.argv[1]).resolve()
    folder = build / "site-source"
    shutil.rmtree(folder, ignore_errors=True)
    site = Site(folder)
    for file in sorted((ROOT / "docs").rglob("*")):
        place = file.relative_to(ROOT / "docs").as_posix()
        if file.suffix == ".md":
            site.write_page(file, place)
        elif file.is_file():
            site.copy(file, place)
    for name, place in BESIDE.items():
        site.write_page(ROOT / name, place)
    site.copy(ROOT / "packaging/site/site.css", "site.css")
    settings = (ROOT / "packaging/site/mkdocs.yml").read_text(encoding="utf-8")
    nav = json.dumps(navigation((site.pages / "README.md").read_text(encoding="utf-8")))
    (folder / "mkdocs.yml").write_text(f"{settings}nav: {nav}\n", encoding="utf-8")
    command = ["mkdocs", "build", "--quiet", "--clean", "--site-dir", str(build / "site")]
    paths = {**os.environ, "PYTHONPATH": str(ROOT / "tests/docs")}
    return subprocess.run(command, cwd=folder, check=False, env=paths).returncode


if __name__ == "__main__":
    sys.exit(main())
