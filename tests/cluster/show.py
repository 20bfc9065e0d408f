"""Five nodes on this machine, one command, and what happens to it: show.py TOOL

The command must always run on exactly one of them. This kills its node, pauses it, cuts it off and
asks it to hand over, and says how long the command was missing. On a terminal it goes on until
Ctrl-C; else it runs through once. Ends everything that it started.
"""

import signal
import sys
import time

from cluster import Failed, boot_time
from relay import RelayedCluster

DETECT = 1.0
NAMES = ["anna", "boris", "clara", "david", "elena"]
TICK = 'while :; do read up _ </proc/uptime; echo "$CONCLAVE_NODE $CONCLAVE_TOKEN $up x"; '
TICK += 'sleep 0.01; done >>"$0"'


class Show(RelayedCluster):
    def command(self):
        return ["sh", "-c", TICK, str(self.ticks_file)]


class Stage:
    def __init__(self, cluster, live):
        self.cluster, self.live = cluster, live
        self.cut = set()

    def leader(self):
        return self.cluster.nodes[self.cluster.last_tick().node]

    def say(self, text):
        print(text, flush=True)

    def picture(self):
        tick = self.cluster.last_tick()
        parts = []
        for name, node in self.cluster.nodes.items():
            state = "runs it" if tick and tick.node == name and self.fresh(tick) else "ready"
            if not node.alive:
                state = "dead"
            elif name in self.cut:
                state = "cut off"
            parts.append(f"{name} {state}")
        return "   ".join(parts)

    def fresh(self, tick):
        return boot_time() - tick.time < 0.3

    def watch(self, seconds):
        """Lets it be seen for a while that nothing happens."""
        end = boot_time() + seconds
        while boot_time() < end:
            if self.live:
                print("\r\033[K" + self.picture(), end="", flush=True)
            time.sleep(0.1)
        if self.live:
            print("\r\033[K", end="")

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

    # ---------------------------------------------------------------- what befalls them

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
