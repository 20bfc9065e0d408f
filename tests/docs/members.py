"""The script that changes the members of a group does so: members.py TOOL TICKER PAGE

The script is the one of the page that begins with start(). It runs as it is printed, where `on
NAME` is a machine in a network namespace of its own, and `job` the ticker of tests/cluster.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "cluster"))

from cluster import Failed, wait_for  # noqa: E402
from namespaces import NamespacedCluster, possible  # noqa: E402

MOST_LINES = 15
ON = """#!/bin/bash
words=("${{@:2}}")
for i in "${{!words[@]}}"; do
    case ${{words[i]}} in
        conclave) words[i]={tool} ;;
        jobs.key) words[i]={folder}/group.key ;;
        job) words[i]="{ticker}"; words+=("{folder}/ticks") ;;
    esac
done
export CONCLAVE_STATE={folder}/state-$1
[[ "$*" == *" run "* ]] && exec >>{folder}/$1.log 2>&1
exec ip netns exec cn{mark}-$1 "${{words[@]}}"
"""


def script_of(page):
    text = Path(page).read_text(encoding="utf-8")
    found = re.search(r"^```sh\n(start\(\).*?)^```$", text, re.MULTILINE | re.DOTALL)
    if not found or len(found[1].splitlines()) > MOST_LINES:
        raise Failed(f"{page}: no script of at most {MOST_LINES} lines begins with start()")
    return found[1]


def play(cluster, script):
    on = cluster.folder / "bin" / "on"
    on.parent.mkdir()
    on.write_text(ON.format(tool=cluster.tool, ticker=cluster.ticker, folder=cluster.folder,
                            mark=cluster.mark))
    on.chmod(0o755)
    path = f"{on.parent}:{os.environ['PATH']}"
    shell = subprocess.Popen(["bash", "-c", script], env={**os.environ, "PATH": path}, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             start_new_session=True)
    lines = []
    try:
        for line in shell.stdout:
            print(line, end="", flush=True)
            lines.append(line)
            if line.startswith("n7 ") and "leads" in line:
                break  # nodes that run keep the pipe open
        for name in cluster.names[:-1]:
            log = cluster.folder / f"{name}.log"
            wait_for(lambda: "was removed from group 'jobs'" in log.read_text(), 20,
                     f"{name} says that it was removed")
        cluster.check_ticks()
    finally:
        for name in cluster.names:
            subprocess.run(f"ip netns pids cn{cluster.mark}-{name} | xargs -r kill -9", shell=True,
                           check=False)
        shell.wait(20)
    return lines


def main():
    if not possible():
        print("network namespaces need root, and a machine that allows them")
        return 77
    tool, ticker, page = sys.argv[1:]
    script = script_of(page)
    cluster = NamespacedCluster(tool, ticker, [f"n{i}" for i in range(1, 8)])
    with cluster:
        lines = play(cluster, script)
        said = "".join(lines)
        if said.count(" is a member; ") != 6 or said.count(" is no member any more; ") != 6:
            raise Failed("not every member came and went")
    return 0


if __name__ == "__main__":
    sys.exit(main())
