"""What a build costs: ./dev bench build [ROW ...], all rows unless some are named.

Nothing measured comes from ccache. CPU seconds are of all processes, user and system; the limits
are what the project allows itself, printed for comparison and never judged. A header is touched by
giving it a new modification time, which it loses afterwards. A row that fails, or of which one
command takes longer than LONGEST, is told of, and the other rows are measured all the same.
"""

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "build/bench-build"
PROGRAMS = ["conclave", "conclave-lab", "conclave-guardian"]
LONGEST = 1800  # seconds


class Unmeasured(Exception):
    """Why a row has no figures."""


def run(*command, cached=False, **more):
    environment = os.environ | ({} if cached else {"CCACHE_DISABLE": "1"}) | more
    running = subprocess.Popen(command, cwd=ROOT, env=environment, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, start_new_session=True)
    try:
        said, _ = running.communicate(timeout=LONGEST)
    except BaseException as end:  # an interrupt, too, ends compilers that still run
        os.killpg(running.pid, signal.SIGTERM)
        running.wait()
        if isinstance(end, subprocess.TimeoutExpired):
            raise Unmeasured(f"{' '.join(command)}\ntakes longer than {LONGEST} s") from None
        raise
    if running.returncode != 0:
        raise Unmeasured(f"{' '.join(command)}\nfailed:\n{said}")


class Cost:
    """CPU and wall seconds of what runs within it; used again, it goes on counting."""

    def __init__(self):
        self.cpu = self.wall = 0.0

    def __enter__(self):
        self.began = self.now()
        return self

    def __exit__(self, *_):
        cpu, wall = self.now()
        self.cpu += cpu - self.began[0]
        self.wall += wall - self.began[1]

    @staticmethod
    def now():
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime, time.monotonic()


class Build:
    """A build folder of its own; what is built once stays for the rows after it."""

    def __init__(self, preset):
        self.preset, self.folder, self.configured = preset, PLACE / preset, False

    def make(self, *targets, cached=False):
        if not self.configured:
            run("cmake", "--preset", self.preset, "-B", str(self.folder), cached=cached)
            self.configured = True
        command = ["cmake", "--build", str(self.folder), "-j", str(os.cpu_count())]
        run(*command, *(["--target", *targets] if targets else []), cached=cached)


class Bench:
    def __init__(self):
        self.release, self.dev = Build("release"), Build("dev")
        self.up_cost = None
        self.dev_ready = False

    def up(self):
        self.up_cost = Cost()
        with self.up_cost as cost:
            self.release.make("conclave", "conclave-guardian")
        return seconds(cost)

    def programs(self):
        """If the row up has been measured, that and the rest: the folder is not emptied again."""
        cost = self.up_cost or Cost()
        with cost:
            self.release.make(*PROGRAMS)
        return seconds(cost)

    def tests(self):
        with Cost() as cost:
            self.dev.make()
        self.dev_ready = True
        return seconds(cost)

    def prepare_tests(self):
        if not self.dev_ready:
            self.dev.make(cached=True)
            self.dev_ready = True

    def run_tests(self, name=""):
        run("ctest", "--test-dir", str(self.dev.folder), "-R", name, "--no-tests=error",
            "--label-exclude", f"soak|^({'|'.join(parts())})$", "-j", str(2 * os.cpu_count()),
            "--output-on-failure", RC_PARAMS="seed=1")

    def whole(self):
        self.prepare_tests()
        with Cost() as cost:
            self.run_tests()
        return seconds(cost)

    def touched(self, header, tests=None):
        """What is built anew after a change of the header; with the tests of that name, if any."""
        self.prepare_tests()
        with touch(ROOT / header), Cost() as cost:
            self.dev.make()
            if tests:
                self.run_tests(tests)
        return seconds(cost)

    def sanitized(self, preset, *targets):
        with Cost() as cost:
            Build(preset).make(*targets)
        return seconds(cost)

    def lint(self):
        """With an empty memory of what was clean."""
        with Cost() as cost:
            run("./dev", "lint", XDG_CACHE_HOME=str(PLACE / "lint"))
        return seconds(cost)

    def tool(self):
        self.release.make("conclave", cached=True)
        return str(self.release.folder / "bin/conclave")

    def size(self):
        stripped = PLACE / "conclave.stripped"
        run("strip", "-o", str(stripped), self.tool())
        return "", f"{stripped.stat().st_size / 1e6:.2f} MB"

    def version(self):
        tool, best = self.tool(), float("inf")
        for _ in range(20):
            began = time.perf_counter()
            run(tool, "--version")
            best = min(best, time.perf_counter() - began)
        return "", f"{best * 1000:.1f} ms"


@contextlib.contextmanager
def touch(path):
    before = path.stat()
    os.utime(path)
    try:
        yield
    finally:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def parts():
    return re.findall(r"^([a-z]+):", (ROOT / "tests/parts.txt").read_text(), re.M)


def seconds(cost):
    return f"{cost.cpu:.1f} s", f"{cost.wall:.1f} s"


# Name, what it is, the project's limit, how it is measured: two cells, for CPU and for the clock.
ROWS = [
    ("up", "./dev up from nothing", "130 s CPU, 75 s", Bench.up),
    ("programs", "both programs and the guardian", "300 s CPU", Bench.programs),
    ("tests", "all that ./dev test builds", "", Bench.tests),
    ("run", "all that ./dev test runs", "720 s with the row before", Bench.whole),
    ("chang_roberts", "chang_roberts.hpp touched, its tests run", "20 s",
     lambda bench: bench.touched("conclave/election/chang_roberts.hpp", "ChangRoberts")),
    ("tempo", "tempo.hpp touched, its tests run", "20 s",
     lambda bench: bench.touched("conclave/election/tempo.hpp", "Tempo")),
    ("turn", "core/turn.hpp touched", "150 s",
     lambda bench: bench.touched("conclave/core/turn.hpp")),
    ("asan", "all that ./dev test asan-ubsan builds", "",
     lambda bench: bench.sanitized("asan-ubsan")),
    ("tsan", "all that ./dev test tsan builds", "",
     lambda bench: bench.sanitized("tsan", "threaded_tests")),
    ("lint", "./dev lint of every file", "", Bench.lint),
    ("size", "conclave, stripped", "2.5 MB", Bench.size),
    ("version", "conclave --version, best of 20", "5 ms", Bench.version),
]


def main(wanted):
    names = [name for name, *_ in ROWS]
    for name in wanted:
        if name not in names:
            print(f"there is no row '{name}': choose from {' '.join(names)}", file=sys.stderr)
            return 2
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    line = "{:<42} {:>10} {:>10}   {}".format
    print(line("", "CPU", "wall", "limit"), flush=True)
    bench, status = Bench(), 0
    for name, title, limit, measure in ROWS:
        if wanted and name not in wanted:
            continue
        try:
            cpu, wall = measure(bench)
        except Unmeasured as problem:
            cpu, wall, status = "none", "none", 1
            print(problem, file=sys.stderr)
        print(line(title, cpu, wall, limit), flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
