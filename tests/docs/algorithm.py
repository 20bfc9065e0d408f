"""The tutorial on algorithms is true: algorithm.py BUILD PAGE [--rewrite]

Copies the source tree to BUILD/tutorial, writes the page's files there, applies its diff, builds
the laboratory with the preset that BUILD is named after, so that the compiler's cache knows all but
the newcomer, and runs every command of the page with it.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = re.compile(r'^```cpp title="([^"]+)"\n(.*?)^```\n', re.MULTILINE | re.DOTALL)
DIFF = re.compile(r"^```diff\n--- a/([^\n]*)\n\+\+\+ [^\n]*\n(.*?)^```\n", re.M | re.S)


def copy_tree(target):
    """All files that git knows or would add; what is the same stays as old as it is."""
    listing = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in names:
        if not (ROOT / name).is_file():
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)


def apply(diff, file):
    """Puts each new line behind the line that stands before it in the diff."""
    text = file.read_text(encoding="utf-8")
    lines = diff.splitlines()
    for before, line in zip(lines, lines[1:]):
        if line.startswith("+"):
            if text.count(before[1:] + "\n") != 1:
                sys.exit(f"{file}: not once there: {before[1:]}")
            text = text.replace(before[1:] + "\n", before[1:] + "\n" + line[1:] + "\n")
    file.write_text(text, encoding="utf-8")


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-6000:]}{done.stderr[-2000:]}")


def main():
    build, page = [word for word in sys.argv[1:] if word != "--rewrite"]
    tree = Path(build).resolve() / "tutorial"
    text = Path(page).read_text(encoding="utf-8")
    copy_tree(tree)
    for name, body in FILE.findall(text):
        (tree / name).write_text(body, encoding="utf-8")
    for name, diff in DIFF.findall(text):
        apply(diff, tree / name)
    preset = Path(build).resolve().name
    run("cmake", "--preset", preset, "-D", "CONCLAVE_TESTS=OFF", "-D", "CONCLAVE_BENCH=OFF",
        cwd=tree)
    folder = tree / "build" / preset
    run("cmake", "--build", str(folder), "-j1", "--target", "conclave", "conclave-lab")
    check = [sys.executable, "-B", str(ROOT / "tests/docs/transcripts.py"),
             str(folder / "bin/conclave"), str(Path(page).resolve())]
    check += ["--rewrite"] if "--rewrite" in sys.argv else []
    return subprocess.run(check, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
