"""A test with our daemon ("we") among peers that play BSD timed, on a network of its own.

Whatever the test is about, what the daemon sent is looked at in the end: every byte that a type
does not use must be zero.
"""

import contextlib
import io
import multiprocessing
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import lan as lans
from daemon import Daemon
from lan import Lan, RealChannel
from stage import PORT, Failed, RealStage
from tsp import Packet, pack, stray_bytes, timed_packet
from tsp_peer import Peer

SCALE = 20.0  # BSD's times are divided by it, in the daemon and in the peers
PLAYERS = 12  # that share the tests
TOOL = None
LAN = None


class Scene(unittest.TestCase):
    def setUp(self):
        self.stage = RealStage()
        self.peers, self.daemons = [], []

    def tearDown(self):
        for peer in self.peers:
            peer.leave()
        for daemon in self.daemons:
            daemon.kill()
            if self.failed():
                print(f"---- {self.id()}: {daemon.name}\n{daemon.log.read_text()}")
            daemon.end()
        if self.failed():
            print(self.stage.story(80))
        for said in self.stage.log:
            if said.way == "in" and said.packet.name == "we":
                self.assertEqual(stray_bytes(said.image), [], f"not zero: {said}")

    def failed(self):
        outcome = self._outcome.result
        return any(test is self for test, _ in outcome.failures + outcome.errors)

    def daemon(self, *options, scale=SCALE, trust=("bsd1", "bsd2", "bsd3"), mode="bsd", name="we"):
        words = ["--mode", mode, "--time-scale", f"{scale:g}"]
        for each in trust:
            words += ["--trust", each]
        made = Daemon(TOOL, LAN, name, *words, *options)
        made.meanwhile = lambda: self.stage.step(self.stage.now() + 0.001)
        self.daemons.append(made)
        return made.start()

    def peer(self, name, state="puppet", port=PORT, **more):
        channel = RealChannel(self.stage, LAN, name, port)
        made = Peer(self.stage, channel, name, **{"scale": SCALE, "seed": len(name), **more})
        self.peers.append(made)
        made.state = state
        if state == "slave":
            made.arm()
        if state == "master":
            made.become_master()
        return made

    def new_key(self):
        folder = Path(self.enterContext(tempfile.TemporaryDirectory(prefix="conclave-key-")))
        subprocess.run([TOOL, "keygen", str(folder / "key")], check=True, capture_output=True)
        return str(folder / "key")

    def wait_for(self, condition, what, seconds=15):
        return self.stage.wait_for(condition, seconds, what)

    def wait_state(self, daemon, state, seconds=15):
        self.wait_for(lambda: daemon.state() == state, f"{daemon.name} is {state}", seconds)

    def heard(self, peer, kind, since=0.0, by="we"):
        """What the peer heard of that kind from our daemon."""
        return [
            s for s in self.stage.log
            if s.way == "in" and s.who == peer.name and s.packet.type == kind
            and s.packet.name == by and s.when >= since
        ]

    def wait_heard(self, peer, kind, seconds=15, since=0.0, count=1, by="we"):
        heard = lambda: self.heard(peer, kind, since, by)  # noqa: E731
        return self.wait_for(
            lambda: len(heard()) >= count and heard(),
            f"{peer.name} hears {kind} x {count}", seconds,
        )

    def silence(self, peer, kind, seconds, since=0.0):
        self.stage.run(seconds)
        said = self.heard(peer, kind, since)
        self.assertEqual([str(s) for s in said], [])

    def tell_locally(self, daemon, kind, name="timedc", sequence=7, time=0.0):
        """As timedc and date on the same machine do: from an address of its own."""
        with LAN.inside(daemon.name):
            channel = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(channel.close)
        channel.settimeout(5)
        channel.sendto(pack(timed_packet(kind, time, sequence=sequence, name=name)),
                       daemon.address)
        return channel


def play(names, results):
    """One of those who share the tests among them, each on a network of its own."""
    here = sys.modules["scene"]
    with Lan(["we", "bsd1", "bsd2", "bsd3", "evil"]) as here.LAN:
        while name := names.get():
            text, began = io.StringIO(), time.monotonic()
            with contextlib.redirect_stdout(text):
                suite = unittest.defaultTestLoader.loadTestsFromName(name)
                result = unittest.TextTestRunner(text).run(suite)
            passed = result.wasSuccessful() and result.testsRun == 1
            results.put((name, passed, time.monotonic() - began, text.getvalue()))


def all_names(modules):
    for module in modules:
        for each in unittest.defaultTestLoader.loadTestsFromModule(sys.modules[module]):
            yield from (test.id() for test in each)


def main(*modules):
    """FILE TOOL [TEST]...; 77 where namespaces are refused. Tests wait more than they work."""
    sys.modules["scene"].TOOL = sys.argv[1]
    if not lans.possible():
        print("skipped: this machine does not let us make network namespaces")
        sys.exit(77)
    wanted = sys.argv[2:] or [""]
    chosen = [n for n in all_names(modules or ["__main__"]) if any(w in n for w in wanted)]
    names, results = multiprocessing.SimpleQueue(), multiprocessing.SimpleQueue()
    count = min(PLAYERS, len(chosen))
    for name in chosen + [None] * count:
        names.put(name)
    players = [multiprocessing.Process(target=play, args=(names, results)) for _ in range(count)]
    for player in players:
        player.start()
    missing = set(chosen)
    while missing and (any(p.is_alive() for p in players) or not results.empty()):
        if results.empty():
            time.sleep(0.02)
            continue
        name, passed, seconds, text = results.get()
        if passed:
            missing.remove(name)
        print(f"{'ok  ' if passed else 'FAIL'} {seconds:5.1f} s {name}", flush=True)
        if not passed or "N =" in text:
            print(text)
    for player in players:
        player.join()
    sys.exit(1 if missing or not chosen else 0)


__all__ = ["Failed", "PORT", "Packet", "SCALE", "Scene", "main", "pack"]
