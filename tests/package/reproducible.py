"""Two builds in two folders give the same bytes: reproducible.py

The second one is of a copy of the working tree; its compiler's output may come from the cache.
CCACHE_DISABLE=1 compiles it anew.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(*command, **more):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **more)


def copy_tree(target):
    names = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(names, capture_output=True, check=True).stdout.split(b"\0"):
        source = ROOT / os.fsdecode(name)
        if name and source.is_file():
            (target / os.fsdecode(name)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / os.fsdecode(name))
    if (ROOT / "build/pages").exists():  # npm built it, once
        shutil.copytree(ROOT / "build/pages", target / "build/pages")


def commit():
    cache = (ROOT / "build/package/CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^CONCLAVE_COMMIT:STRING=(.*)$", cache, re.M)[1]


def build(tree, epoch):
    for preset, targets in (("package", []), ("static", ["conclave", "conclave-guardian"])):
        run("cmake", "--preset", preset, "-D", f"CONCLAVE_COMMIT={commit()}", cwd=tree)
        words = ["--target", *targets] if targets else []
        run("cmake", "--build", "--preset", preset, "-j", str(os.cpu_count()), *words, cwd=tree)
    run(sys.executable, "-B", "packaging/package.py", cwd=tree,
        env={**os.environ, "SOURCE_DATE_EPOCH": epoch})


def digests(tree):
    files = sorted((tree / "build/packages").iterdir())
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def named(tree):
    """Packages that have the folder's name inside."""
    for file in sorted((tree / "build/packages").glob("*.deb")):
        with tempfile.TemporaryDirectory() as folder:
            run("dpkg-deb", "--raw-extract", str(file), folder)
            found = subprocess.run(["grep", "-rlaF", str(tree), folder], capture_output=True)
            if found.stdout:
                yield f"{file.name} names {tree}: {found.stdout.decode()}"


def main():
    log = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    epoch = subprocess.run(log, capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="conclave-again-") as folder:
        tree = Path(folder, "another/place")
        copy_tree(tree)
        build(tree, epoch)
        first, second = digests(ROOT), digests(tree)
        wrong = [*named(tree), *named(ROOT)]
    if not first or first.keys() != second.keys():
        sys.exit(f"{sorted(first)} once, {sorted(second)} again")
    for name, digest in first.items():
        print(f"{digest[:16]}  {name}")
        if second[name] != digest:
            wrong.append(f"{second[name][:16]}  {name}, built again")
    if wrong:
        sys.exit("\n".join(wrong))


main()
