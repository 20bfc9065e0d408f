"""Datagrams are lost, in both directions, and the command stays where it is. loss.py TOOL TICKER

Three nodes, or --nodes N, through a relay that loses each datagram with the given probability.
Counts the changes of the command's token, of which --most are allowed, and what it costs: the
datagrams that all nodes together send in a second, first without loss, and the time without a
running command.
"""

import argparse
import sys
import time

from cluster import Failed, Terms, boot_time
from relay import RelayedCluster


def datagrams_a_second(relay, seconds):
    before, began = relay.passed, time.monotonic()
    time.sleep(seconds)
    return (relay.passed - before) / (time.monotonic() - began)


def idle(ticks, since, until):
    """The time without a tick, as far as it is longer than a busy machine would explain."""
    times = [since, *sorted(tick.time for tick in ticks), until]
    gaps = [later - earlier for earlier, later in zip(times, times[1:])]
    return sum(gap for gap in gaps if gap > 0.1)


def measure(words):
    options = ["--detect", words.detect, "--algorithm", words.algorithm]
    if words.grace:
        options += ["--grace", words.grace]
    names = [chr(ord("a") + i) for i in range(words.nodes)]
    with RelayedCluster(words.tool, words.ticker, names, options, seed=words.seed) as cluster:
        cluster.start()
        cluster.wait_for_work(0, 60)
        cluster.wait_until_settled()
        time.sleep(1)
        at_rest = datagrams_a_second(cluster.relay, 4)
        cluster.relay.loss = words.loss
        began = boot_time()
        lossy = datagrams_a_second(cluster.relay, words.seconds)
        ended = boot_time()
        cluster.relay.calm()
        cluster.check_ticks()
        ticks = [tick for tick in cluster.ticks(began) if tick.time < ended]
        changes = len(Terms(ticks)) - 1
        print(
            f"{words.loss:.0%} loss, {words.nodes} nodes, {words.seconds:.0f} s: "
            f"{changes} changes of leader, {idle(ticks, began, ended):.1f} s without a command, "
            f"{lossy:.1f} datagrams a second ({at_rest:.1f} without loss)",
            flush=True,
        )
        if words.most is not None and changes > words.most:
            raise Failed(f"{changes} changes of leader, and {words.most} are allowed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--loss", type=float, default=0.2)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--detect", default="1s")
    parser.add_argument("--grace")
    parser.add_argument("--algorithm", default="bully")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, help="changes of leader; more of them fail")
    try:
        measure(parser.parse_args())
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
