"""clang-tidy on each file, unless it found nothing in the very same text before.

mistakes.py BUILD FILE...   with BUILD's compile_commands.json

What was found clean is remembered under the hash of all that clang-tidy saw: the file with every
header in it, comments too (they may say NOLINT), the checks, the command. After a change of one
file one file is looked at, and a fresh copy of the repository costs what reading it costs.

Files of a folder are looked at together, after the compiler has read each by itself.
"""

import concurrent.futures
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

TIDY = "clang-tidy-19"
TOGETHER = 8
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


def remarks_on(entry, build):
    """What clang-tidy says of one file; nothing if it is clean."""
    tidy = subprocess.run(
        [TIDY, "-quiet", "-p", build, entry["file"]], capture_output=True, text=True
    )
    return "" if tidy.returncode == 0 else tidy.stdout + tidy.stderr


def compiles_alone(entry):
    words = [*compiler_words(entry["command"]), "-fsyntax-only", entry["file"]]
    return subprocess.run(words, cwd=entry["directory"], capture_output=True).returncode == 0


def clean_together(entries):
    """Whether clang-tidy finds nothing in these files, included by one: they share most headers.
    The compiler has nothing to say here: it said it of each file alone."""
    with tempfile.TemporaryDirectory() as place:
        batch = Path(place) / "batch.cpp"
        batch.write_text("".join(f'#include "{entry["file"]}"\n' for entry in entries))
        command = [*compiler_words(entries[0]["command"]), "-w", "-c", str(batch)]
        described = {"directory": entries[0]["directory"], "file": str(batch)}
        described["command"] = shlex.join(command)
        (Path(place) / "compile_commands.json").write_text(json.dumps([described]))
        checks = ["--checks=-bugprone-suspicious-include", r"--header-filter=/conclave/|\.cpp$"]
        checks.append(f"--config-file={ROOT / '.clang-tidy'}")
        tidy = [TIDY, "-quiet", "-p", place, *checks, str(batch)]
        return subprocess.run(tidy, capture_output=True).returncode == 0


def look(keys, entries, build, folder):
    """What clang-tidy says of files that are compiled alike. What is wrong is shown, and files that
    do not go together are looked at, one by one."""
    found = ""
    together = len(entries) > 1 and all(map(compiles_alone, entries))
    if not together or not clean_together(entries):
        words = [remarks_on(entry, build) for entry in entries]
        keys = [key for key, said in zip(keys, words) if not said]
        found = "".join(words)
    for key in filter(None, keys):
        (folder / key).touch()
    return found


def batches(entries):
    """Of one folder and one command each, as even as can be."""
    groups = {}
    for entry in entries:
        alike = (os.path.dirname(entry["file"]), *compiler_words(entry["command"]))
        groups.setdefault(alike, []).append(entry)
    for group in groups.values():
        count = -(-len(group) // TOGETHER)
        for i in range(count):
            yield group[i * len(group) // count : (i + 1) * len(group) // count]


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
        keys = list(pool.map(lambda entry: fingerprint(entry, checks), entries))
        key_of = {entry["file"]: key for entry, key in zip(entries, keys)}
        unknown = [
            entry
            for entry, key in zip(entries, keys)
            if key is None or not (folder / key).exists()
        ]

        def look_at(batch):
            return look([key_of[entry["file"]] for entry in batch], batch, build, folder)

        for words in pool.map(look_at, batches(unknown)):
            found += bool(words)
            print(words, end="", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
