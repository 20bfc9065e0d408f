"""All cores busy, a heartbeat of 100 ms: nobody may change its leader. calm.py TOOL TICKER

Prints how late the nodes' heartbeats rang meanwhile.
"""

import argparse
import multiprocessing
import os
import sys
import time

from cluster import Cluster, Failed


def spin():
    while True:
        pass


def terms(cluster):
    return {name: node.status()["lease"]["changes"] for name, node in cluster.nodes.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--algorithm", default="bully")
    words = parser.parse_args()
    options = ["--expect", "3", "--detect", "400ms", "--algorithm", words.algorithm]
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(os.cpu_count())]
    try:
        with Cluster(words.tool, words.ticker, "abc", options) as cluster:
            cluster.start()
            cluster.wait_for_work(0, 60)
            cluster.wait_until_settled()
            for each in busy:
                each.start()
            before, token, end = terms(cluster), cluster.last_tick().token, time.monotonic()
            end += words.seconds
            while time.monotonic() < end:
                time.sleep(1)
                if cluster.last_tick().token != token:
                    raise Failed("another command runs")
            if terms(cluster) != before:
                raise Failed(f"leaders changed: {before}, then {terms(cluster)}")
            late = max(n.status()["fitness"]["late_ns"] for n in cluster.nodes.values())
            print(f"{words.algorithm}: no change of leader in {words.seconds:.0f} s with all cores "
                  f"busy; heartbeats rang up to {late / 1000:.1f} ms late")
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    finally:
        for each in busy:
            if each.is_alive():
                each.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
