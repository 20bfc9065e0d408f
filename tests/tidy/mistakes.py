"""clang-tidy on each file, unless it found nothing in the very same text before.

mistakes.py BUILD FILE...   with BUILD's compile_commands.json

What was found clean is remembered under the hash of all that clang-tidy saw: the file with every
header in it, comments too (they may say NOLINT), the checks, the command. After a change of one
file one file is looked at, and a fresh copy of the repository costs what reading it costs.
"""

import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

TIDY = "clang-tidy-19"
ROOT = Path(__file__).resolve().parents[2]


def memory():
    folder = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "conclave-lint"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def compiler_words(command):
    """The compiler and its options, without a launcher before it, output or dependencies."""
    words = shlex.split(command)
    while "clang" not in os.path.basename(words[0]):
        words.pop(0)
    for option in ("-o", "-MF", "-MT", "-c"):
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    return [word for word in words if word != "-MD"]


def fingerprint(entry, checks):
    """None if the compiler does not even read the file: clang-tidy will say why."""
    words = compiler_words(entry["command"])
    text = subprocess.run(
        [*words, "-E", "-C", entry["file"]], cwd=entry["directory"], capture_output=True
    )
    if text.returncode != 0:
        return None
    seen = b"\0".join([text.stdout, " ".join(words).encode(), checks])
    return hashlib.sha256(seen.replace(str(ROOT).encode(), b".")).hexdigest()


def look(entry, build, checks, folder):
    """What clang-tidy says of the file; nothing if it is clean."""
    key = fingerprint(entry, checks)
    if key and (folder / key).exists():
        return ""
    tidy = subprocess.run(
        [TIDY, "-quiet", "-p", build, entry["file"]], capture_output=True, text=True
    )
    if tidy.returncode == 0 and key:
        (folder / key).touch()
    return "" if tidy.returncode == 0 else tidy.stdout + tidy.stderr


def main():
    build, wanted = sys.argv[1], {str(Path(name).resolve()) for name in sys.argv[2:]}
    entries = json.loads((Path(build) / "compile_commands.json").read_text())
    entries = [entry for entry in entries if entry["file"] in wanted]
    if missing := wanted - {entry["file"] for entry in entries}:
        print(f"not compiled, so not looked at: {' '.join(sorted(missing))}", file=sys.stderr)
        return 2
    version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
    checks = (ROOT / ".clang-tidy").read_bytes() + version
    folder, found = memory(), 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for words in pool.map(lambda entry: look(entry, build, checks, folder), entries):
            found += bool(words)
            print(words, end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
