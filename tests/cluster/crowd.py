"""A large group hands its command over without a storm of elections. crowd.py TOOL TICKER

--nodes N (25) nodes on this machine, by multicast or --way unicast. The leader is asked to end
(SIGTERM) --times times, each time in a whole group. Prints how long the command was missing, from
the signal to the first tick elsewhere, and how many datagrams all that lived on sent meanwhile and
in the heartbeat after. Fails where a hand-over took more than one term, or the median longer than
--most milliseconds.
"""

import argparse
import statistics
import subprocess
import sys
import time

from cluster import Cluster, Failed, boot_time, wait_for
from relay import HOME, free_ports

HEARTBEAT = 0.25


class Crowd(Cluster):
    def __init__(self, words):
        names = [f"n{i:02}" for i in range(1, words.nodes + 1)]
        super().__init__(words.tool, words.ticker, names, ["--detect", f"{4 * HEARTBEAT:.0f}s"])
        key = self.folder / "group.key"
        subprocess.run([self.tool, "keygen", str(key)], check=True, capture_output=True)
        self.options += ["--key", str(key), "--interface", "lo", "--algorithm", words.algorithm]
        if words.way == "unicast":
            members = [f"{n}={HOME}:{port}" for n, port in zip(names, free_ports(len(names)))]
            self.options += ["--members", ",".join(members)]
        else:
            self.options += ["--expect", str(len(names))]

    def whole(self):
        """Everybody follows one leader, and that one hears everybody."""
        states = [node.status() for node in self.nodes.values()]
        if any(not s or not s["leader"] for s in states):
            return False
        leading = [s for s in states if s["state"] == "leader"]
        return leading and sum(m["alive"] for m in leading[0]["members"]) == len(states)

    def sent(self):
        states = [node.status() for node in self.nodes.values() if node.alive]
        return {s["node"]: s["traffic"]["sent"] for s in states if s}

    def hand_over(self):
        """Milliseconds, datagrams, and the terms that it took."""
        node, token = self.wait_for_work(boot_time(), 60), self.last_tick().token
        before, began = self.sent(), boot_time()
        node.stop()
        self.wait_for_work(began, 60, token)
        missing = self.first_tick(began, token).time - began
        time.sleep(2 * HEARTBEAT)
        after = self.sent()
        datagrams = sum(after[name] - before[name] for name in after)
        terms = {tick.token for tick in self.ticks(began) if tick.token > token}
        node.start()
        return missing * 1000, datagrams, len(terms)


def measure(words):
    with Crowd(words) as crowd:
        crowd.start()
        crowd.wait_for_work(0, 60)
        results = []
        for _ in range(words.times):
            wait_for(crowd.whole, 60, "the group is whole")
            time.sleep(6 * HEARTBEAT)  # whoever has come up promises nothing before (R5)
            results.append(crowd.hand_over())
            print("  {:.1f} ms, {} datagrams, {} terms".format(*results[-1]), flush=True)
        crowd.check_ticks()
        times, datagrams, terms = zip(*results)
        median = statistics.median(times)
        print(
            f"{words.nodes} members by {words.way}: SIGTERM to the first tick elsewhere "
            f"median {median:.1f} ms, worst {max(times):.1f}; {statistics.median(datagrams):.0f} "
            f"datagrams in that time and half a second (n = {len(times)})"
        )
        if max(terms) > 1:
            raise Failed(f"a hand-over took {max(terms)} terms")
        if words.most and median > words.most:
            raise Failed(f"the median is {median:.1f} ms, and {words.most} are allowed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--nodes", type=int, default=25)
    parser.add_argument("--way", choices=["multicast", "unicast"], default="multicast")
    parser.add_argument("--algorithm", default="bully")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--most", type=float, help="milliseconds")
    try:
        measure(parser.parse_args())
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
