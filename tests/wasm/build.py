"""Builds a WebAssembly module: build.py MODULE COMPILER ROOT SOURCE...

Writes MODULE, MODULE.d (what it was made of, for the build) and MODULE.log (empty, or what the
compiler complained about, for the test).
"""

import os
import subprocess
import sys
from pathlib import Path

FLAGS = "--target=wasm32-wasi -std=c++20 -O1 -fno-exceptions -Wall -Wextra -Werror".split()


def build(module, compiler, root, sources):
    """Returns what went wrong, and all files the module is made of."""
    objects, needed, complaints = [], [], ""
    for number, source in enumerate(sources):
        target = module.with_suffix(f".{number}.o")
        flags = FLAGS + ["-I" + root, "-MMD", "-MF", str(target) + ".d", "-c", source, "-o", target]
        done = subprocess.run([compiler] + flags, capture_output=True, text=True)
        complaints += done.stderr
        objects.append(target)
        if done.returncode == 0:
            rule = Path(str(target) + ".d").read_text()
            needed += rule.replace("\\\n", " ").split(": ", 1)[1].split()
        else:
            needed.append(source)
    if not complaints:
        link = [compiler, FLAGS[0], *objects, "-o", module]
        done = subprocess.run(link, capture_output=True, text=True)
        complaints = done.stderr
    return complaints, needed


def main():
    module, compiler, root, *sources = sys.argv[1:]
    module = Path(module)
    module.parent.mkdir(exist_ok=True)
    module.unlink(missing_ok=True)
    complaints, needed = build(module, compiler, root, sources)
    Path(f"{module}.d").write_text(f"{module}.log: {' '.join(sorted(set(needed)))}\n")
    Path(f"{module}.log").write_text(complaints)
    if complaints:
        os.utime(f"{module}.log", (0, 0))  # out of date at once: try again at the next build


if __name__ == "__main__":
    main()
