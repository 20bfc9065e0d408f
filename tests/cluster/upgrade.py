"""A running group is upgraded node by node, and back: upgrade.py TOOL TICKER --former TOOL

Three nodes in namespaces of their own, all of the former program. Each is ended and started again
as the new one, then each as the former one again; and once more, with the agents killed. Never two
commands, every start with a greater token, the command is back within the bound each time, and no
node finds a datagram of another one malformed. Instead of --former, --commit HASH --build FOLDER
builds that commit of this repository there.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from cluster import Failed, boot_time
from namespaces import NamespacedCluster, possible
from storm import ALLOWANCE, read_bound

ROOT = Path(__file__).resolve().parents[2]


def build_former(commit, folder):
    """The tool of that commit: built as this one's tests build it, once."""
    source = folder / commit
    tool = source / "build/dev/bin/conclave"
    if not source.exists():
        folder.mkdir(parents=True, exist_ok=True)
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "prune"], check=True)
        subprocess.run([*git, "add", "--detach", str(source), commit], check=True)
    make = ["cmake", "--preset", "dev", "-D", "CONCLAVE_TESTS=OFF", "-D", "CONCLAVE_BENCH=OFF"]
    subprocess.run(make, cwd=source, check=True)
    build = ["cmake", "--build", "--preset", "dev", "--target", "conclave", "conclave-guardian"]
    subprocess.run(build, cwd=source, check=True)
    return tool


class Mixed(NamespacedCluster):
    """Every node has a program of its own."""

    def __init__(self, former, tool, ticker):
        options = ["--expect", "3", "--detect", "400ms"]
        super().__init__(tool, ticker, list("abc"), options)
        self.tools = {name: str(former) for name in self.nodes}

    def tool_of(self, name):
        return self.tools[name]

    def replace(self, node, tool, end):
        """The longest time without the command, and the longest that it may be, in seconds."""
        bound = read_bound(node)["silent"]
        began = boot_time()
        end(node)
        self.tools[node.name] = str(tool)
        node.start()
        self.wait_for_work(boot_time() + 0.1)
        self.wait_until_settled()
        times = sorted(tick.time for tick in self.ticks(began - 0.1))
        gap = max((b - a for a, b in zip(times, times[1:])), default=0.0)
        runs = Path(f"/proc/{node.process.pid}/exe").resolve()
        if runs != Path(tool).resolve():
            raise Failed(f"{node.name} runs {runs}")
        return gap, bound

    def check_traffic(self):
        for node in self.nodes.values():
            for dropped in node.status()["traffic"]["dropped"]:
                if dropped.split()[0] in ("malformed", "version"):
                    raise Failed(f"{node.name} dropped datagrams: {dropped}")


def rolling(cluster, tool, how):
    ways = {"ended": lambda node: node.stop(), "killed": lambda node: node.kill()}
    for node in cluster.nodes.values():
        led = cluster.last_tick().node == node.name
        gap, bound = cluster.replace(node, tool, ways[how])
        print(f"{node.name} {how}, {'leader' if led else 'follower'}, now {tool}: "
              f"{gap * 1000:.0f} ms without the command, {bound * 1000:.0f} allowed", flush=True)
        if gap > bound + ALLOWANCE:
            raise Failed(f"{gap:.3f} s without the command, and its bound is {bound:.3f} s")
        cluster.check_ticks()
        cluster.check_traffic()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--former", type=Path)
    parser.add_argument("--commit")
    parser.add_argument("--build", type=Path)
    words = parser.parse_args()
    if not possible():
        print("network namespaces need root, and a machine that allows them")
        return 77
    former = words.former or build_former(words.commit, words.build)
    with Mixed(former, words.tool, words.ticker) as cluster:
        cluster.start()
        cluster.wait_for_work(0, 60)
        cluster.wait_until_settled()
        for how in ("ended", "killed"):
            rolling(cluster, words.tool, how)
            rolling(cluster, former, how)
    print("upgraded and taken back twice: never two commands at once, always within the bound")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        print(f"failed: {failure}")
        sys.exit(1)
