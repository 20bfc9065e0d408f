"""Datagrams of somebody without the key, as fast as one core can: hostile.py TOOL TICKER

Random bytes, recorded datagrams, recorded ones with bytes changed, and forged headings go to the
meeting address and to every node's own port. Meanwhile no leader may move, no heartbeat stop and no
memory grow. Needs root.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

from cluster import Failed
from namespaces import NamespacedCluster, possible, run

MEETING = ("239.255.76.76", 7676)
RECORD = """
import socket, struct, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("239.255.76.76", 7676))
s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
             socket.inet_aton("239.255.76.76") + socket.inet_aton("10.76.0.4"))
s.settimeout(5)
for _ in range(40):
    print(s.recv(65536).hex(), flush=True)
"""
FLOOD = """
import json, os, random, socket, sys, time
seconds, places, recorded = json.load(sys.stdin)
recorded = [bytes.fromhex(each) for each in recorded]
places = [tuple(each) for each in places]
rng, s = random.Random(1), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("10.76.0.4"))
def made():
    kind, old = rng.randrange(4), rng.choice(recorded)
    if kind == 0:
        return rng.randbytes(rng.randrange(1400))
    if kind == 1:
        return old
    if kind == 2:
        changed = bytearray(old)
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        return bytes(changed)
    return old[:8] + old[8:16] + rng.randbytes(rng.randrange(40, 300))
batch, sent, end = [made() for _ in range(2000)], 0, time.monotonic() + seconds
while time.monotonic() < end:
    for each in batch:
        try:
            s.sendto(each, rng.choice(places))
            sent += 1
        except OSError:
            pass
    batch[rng.randrange(len(batch))] = made()
print(sent)
"""


def memory(node):
    for line in Path(f"/proc/{node.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def look(cluster):
    states = {name: node.status() for name, node in cluster.nodes.items()}
    return {
        "changes": {n: s["lease"]["changes"] for n, s in states.items()},
        "sent": sum(s["traffic"]["sent"] for s in states.values()),
        "dropped": {n: s["traffic"]["dropped"] for n, s in states.items()},
        "kb": {n: memory(node) for n, node in cluster.nodes.items()},
    }


def flood(cluster, inside, seconds):
    recorded = subprocess.run(
        [*inside, sys.executable, "-c", RECORD], capture_output=True, text=True, timeout=60
    ).stdout.split()
    if len(recorded) < 10:
        raise Failed("nothing was recorded")
    first = next(iter(cluster.nodes.values()))
    places = [MEETING]
    for member in first.status()["members"]:
        number = 1 + "abc".index(member["name"])
        places.append((f"10.76.0.{number}", int(cluster.nodes[member["name"]].port())))
    said = json.dumps([seconds, places, recorded])
    return int(
        subprocess.run(
            [*inside, sys.executable, "-c", FLOOD],
            input=said,
            capture_output=True,
            text=True,
            timeout=seconds + 60,
            check=True,
        ).stdout
    )


def storm(words, cluster):
    attacker = cluster.nodes.pop("x")
    cluster.start()
    cluster.wait_for_work(0, 60)
    cluster.wait_until_settled()
    time.sleep(2)
    for node in cluster.nodes.values():
        own = next(m for m in node.status()["members"] if m["self"])
        node.port = lambda own=own: own["address"].rsplit(":", 1)[1]
    inside = cluster.prefix(attacker.name)
    flood(cluster, inside, 1)  # what memory is needed at all is there after this
    before, token, began = look(cluster), cluster.last_tick().token, time.monotonic()
    sent = flood(cluster, inside, words.seconds)
    passed, after = time.monotonic() - began, look(cluster)
    if after["changes"] != before["changes"] or cluster.last_tick().token != token:
        raise Failed(f"a leader moved: {before['changes']}, then {after['changes']}")
    beats = (after["sent"] - before["sent"]) / passed
    if beats < 0.8 * 10 * len(cluster.nodes):  # at 100 ms each member says something
        raise Failed(f"only {beats:.1f} datagrams a second are left")
    grown = max(after["kb"][n] - before["kb"][n] for n in after["kb"])
    if grown > 512:
        raise Failed(f"memory grew by {grown} KB")
    print(f"{sent} hostile datagrams in {words.seconds:.0f} s: no leader moved, "
          f"{beats:.1f} datagrams a second went on, memory grew by {max(grown, 0)} KB")
    print(f"dropped by 'a': {', '.join(after['dropped']['a'])}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("ticker")
    parser.add_argument("--seconds", type=float, default=30)
    words = parser.parse_args()
    if not possible():
        print("network namespaces need root, and a machine that allows them")
        return 77
    options = ["--expect", "3", "--detect", "400ms"]
    try:
        with NamespacedCluster(words.tool, words.ticker, list("abcx"), options) as cluster:
            try:
                storm(words, cluster)
            finally:
                run("ip", "netns", "del", cluster.space("x"))
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
