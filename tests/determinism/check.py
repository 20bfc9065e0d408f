"""Same seed, same bytes: compares hashes of traces and sweeps with those that are written down.

usage: check.py TOOL [--regenerate]

Every build runs it, so that two compilers, or a debug and a release build, that disagree cannot
both pass; and each sweep is run on one core and on several. By hand for the release tool:
python3 tests/determinism/check.py build/conclave
"""
import hashlib
import pathlib
import shlex
import subprocess
import sys
import tempfile

GOLDEN = pathlib.Path(__file__).with_name("hashes.txt")


def digest(tool: str, line: str, threads: str) -> str:
    """The first digits of a SHA-256 over all that a command prints, and over its trace."""
    with tempfile.TemporaryDirectory() as folder:
        words = [tool, "sim", *shlex.split(line), "--json"]
        if "--seeds" in words:
            words += ["--threads", threads]
        else:
            words += ["--trace", f"{folder}/trace.json", "--trace", f"{folder}/trace.txt"]
        run = subprocess.run(words, capture_output=True, check=False, timeout=300)
        if run.returncode not in (0, 1):
            raise SystemExit(f"{line}: {run.stderr.decode()}")
        hashed = hashlib.sha256(run.stdout)
        for trace in sorted(pathlib.Path(folder).iterdir()):
            hashed.update(trace.read_bytes())
    return hashed.hexdigest()[:16]


def main() -> int:
    tool = sys.argv[1]
    written = GOLDEN.read_text().splitlines()
    lines = [line.split(" ", 1) for line in written if not line.startswith("#")]
    wrong = 0
    found = []
    for golden, line in lines:
        results = {digest(tool, line, threads) for threads in ("1", "2", "5")}
        if len(results) != 1:
            print(f"depends on the number of threads: {line}")
            wrong += 1
        elif results != {golden}:
            print(f"{results.pop()} instead of {golden}: {line}")
            wrong += 1
        found.append(digest(tool, line, "1"))
    if "--regenerate" in sys.argv:
        comments = [line for line in written if line.startswith("#")]
        pairs = [f"{new} {line}" for new, (_, line) in zip(found, lines)]
        GOLDEN.write_text("\n".join([*comments, *pairs]) + "\n")
        return 0
    print(f"{len(lines) - wrong} of {len(lines)} as written down")
    return 1 if wrong or not lines else 0


sys.exit(main())
