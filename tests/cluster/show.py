"""Five nodes on this machine, one command, and what happens to it: show.py TOOL

The command must always run on exactly one of them. This kills its node, pauses it, cuts it off and
asks it to hand over, and says how long the command was missing. The live page of one node shows it
in a browser, too. On a terminal it shows who leads,
under which token, for how long its lease lasts unless renewed, and whose heart beats, and goes on
until Ctrl-C; else it runs through once. Ends everything that it started.
"""

import json
import signal
import socket
import sys
import time

from cluster import Failed, boot_time
from relay import RelayedCluster

DETECT = 1.0
NAMES = ["anna", "boris", "clara", "david", "elena"]
TICK = 'while :; do read up _ </proc/uptime; echo "$CONCLAVE_NODE $CONCLAVE_TOKEN $up x"; '
TICK += 'sleep 0.01; done >>"$0"'


def ask_status(node):
    """What the node says of itself; nothing if it does not answer at once."""
    path = node.state / node.cluster.group / f"{node.name}.sock"
    try:
        with socket.socket(socket.AF_UNIX) as asked:
            asked.settimeout(0.05)
            asked.connect(str(path))
            asked.sendall(b"status\n")
            return json.loads(b"".join(iter(lambda: asked.recv(65536), b"")))
    except (OSError, ValueError):
        return None


def is_stopped(node):
    with open(f"/proc/{node.process.pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0] == "T"


def describe(status):
    """How a node stands, by its own word."""
    if status is None:
        return "does not answer"
    lease = status["lease"]
    if status["state"] == "leader":
        return f"leads   token {lease['token']}   lease {lease['ends_in_ns'] // 1_000_000:4} ms"
    if status["leader"]:
        return f"follows {status['leader']}"
    return "knows no leader"


def web_address():
    """Where the live page is: the usual port, or any that is free."""
    for port in (7677, 0):
        with socket.socket() as tried:
            try:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return "127.0.0.1:{}".format(tried.getsockname()[1])


class Show(RelayedCluster):
    def __init__(self, *words):
        super().__init__(*words)
        self.web = web_address()

    def command(self):
        return ["sh", "-c", TICK, str(self.ticks_file)]

    def options_of(self, name):
        """The first one leads last, so that nothing happens to its page."""
        page = ["--http", self.web] if name == next(iter(self.nodes)) else []
        return super().options_of(name) + page


class Stage:
    def __init__(self, cluster, live):
        self.cluster, self.live = cluster, live
        self.cut = set()
        self.sent = {}  # so many datagrams, when it was last looked

    def leader(self):
        return self.cluster.nodes[self.cluster.last_tick().node]

    def say(self, text):
        print(text, flush=True)

    def line(self, node):
        if not node.alive:
            return f"{node.name:8}dead"
        if is_stopped(node):
            return f"{node.name:8}stands still"
        status = ask_status(node)
        sent = status["traffic"]["sent"] if status else 0
        beats = sent > self.sent.get(node.name, sent)
        self.sent[node.name] = sent
        state = describe(status) + ("   cut off" if node.name in self.cut else "")
        return f"{node.name:8}{state:60}{'♥' if beats else ' '}"

    def watch(self, seconds):
        """Lets it be seen for a while that nothing happens."""
        end = boot_time() + seconds
        while boot_time() < end:
            if self.live:
                lines = [self.line(node) for node in self.cluster.nodes.values()]
                # Over what was there, and back to the first line.
                print("".join(f"{line}\033[K\n" for line in lines), end="")
                print(f"\033[{len(lines)}F", end="", flush=True)
            time.sleep(0.1)
        if self.live:
            print("\033[J", end="", flush=True)

    def act(self, what, strike, mend):
        leader, token = self.leader(), self.cluster.last_tick().token
        self.watch(1.5)
        began = boot_time()
        strike(leader)
        self.cluster.wait_for_work(began, 30, token)
        old = [t for t in self.cluster.ticks(began - 1) if t.token == token]
        new = self.cluster.first_tick(began - 1, token)
        missing = (new.time - max(t.time for t in old)) * 1000
        self.say(f"{leader.name} {what}; {new.node} runs the command after {missing:.0f} ms")
        self.watch(1.0)
        mend(leader)
        self.cluster.check_ticks()

    # ---------------------------------------------------------------- faults

    def kill(self):
        self.act("is killed", lambda n: n.kill(), lambda n: n.start())

    def pause(self):
        stop = lambda n: n.signal(signal.SIGSTOP)
        self.act("stands still", stop, lambda n: n.signal(signal.SIGCONT))

    def cut_off(self):
        relay = self.cluster.relay

        def strike(node):
            self.cut = relay.cut = {node.name}

        def mend(_):
            self.cut = relay.cut = set()

        self.act("is cut off", strike, mend)

    def hand_over(self):
        self.act("is asked to end", lambda n: n.stop(), lambda n: n.start())


def main():
    live = sys.stdout.isatty()
    options = ["--detect", f"{DETECT * 1000:.0f}ms", "--stop-timeout", "2s"]
    try:
        with Show(sys.argv[1], "", NAMES, options) as cluster:
            cluster.start()
            stage = Stage(cluster, live)
            first = cluster.wait_for_work(0, 30)
            stage.say(f"five nodes, one command: {first.name} runs it; a silent node is")
            stage.say(f"replaced after {DETECT:.0f} s, one whose end is seen at once")
            stage.say(f"in a browser: http://{cluster.web}/; the laboratory: ./dev lab")
            while True:
                for scene in (stage.kill, stage.pause, stage.cut_off, stage.hand_over):
                    scene()
                if not live:
                    break
            stage.say("never were there two at once, and the tokens only grew")
    except KeyboardInterrupt:
        print()
    except Failed as failure:
        print(f"failed: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
