"""A real chronyd takes our samples and serves NTP by them: chrony.py TOOL

It runs with -x, so that it corrects only a clock of its own, and without the capability to set the
machine's. One of three machines feeds it; another asks it by NTP.
"""

import shutil
import socket
import struct
import subprocess
import sys
import time

import lan
from daemon import Daemon
from group import Group
from stage import Failed

CLOCKS = {"anna": ("400ms", "12ppm"), "boris": ("300ms", "-31ppm"), "clara": ("0ms", "0ppm")}
SINCE_1900 = 2208988800
CHRONYD = shutil.which("chronyd") or shutil.which("chronyd", path="/usr/sbin")


class Chronyd:
    """In the namespace of one machine; use it as a context."""

    def __init__(self, net, name, folder):
        self.net, self.name, self.folder = net, name, folder
        self.sock, self.log = folder / "chrony.sock", folder / "chronyd.log"

    def __enter__(self):
        config = self.folder / "chrony.conf"
        config.write_text(
            f"refclock SOCK {self.sock} refid CONC poll 0 filter 4 stratum 8\n"
            f"pidfile {self.folder}/chronyd.pid\nbindcmdaddress /\ncmdport 0\nuser root\n"
            "allow\n"
        )
        inside = ["ip", "netns", "exec", self.net.space(self.name)]
        without_clock = ["setpriv", "--bounding-set", "-sys_time"]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [*inside, *without_clock, CHRONYD, "-x", "-d", "-f", str(config)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        return self

    def __exit__(self, *how):
        self.process.terminate()
        self.process.wait(20)


def ask_ntp(net, client, server):
    """(stratum, reference, the server's clock minus ours in seconds); nothing: no answer."""
    with net.inside(client):
        channel = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with channel:
        channel.settimeout(1)
        sent = time.time()
        channel.sendto(b"\x23" + bytes(47), (net.address(server), 123))
        try:
            answer = channel.recv(512)
        except OSError:
            return None
        received = time.time()
    seconds, fraction = struct.unpack("!II", answer[40:48])
    shown = seconds - SINCE_1900 + fraction / 2**32
    return answer[1], answer[12:16], shown - (sent + received) / 2


def main():
    tool = sys.argv[1]
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    if CHRONYD is None:
        print("skipped: there is no chronyd here")
        return 77
    with Group(tool, CLOCKS, absent=["clara"]) as group:
        key = group.daemons["anna"].options[group.daemons["anna"].options.index("--key") + 1]
        feeder = Daemon(tool, group.lan, "clara", "--mode", "own", "--key", key, "--clock", "none")
        group.stack.callback(feeder.end)
        with Chronyd(group.lan, "clara", feeder.folder) as chronyd:
            feeder.options += ["--chrony-sock", str(chronyd.sock)]
            feeder.start()

            def serves():
                told = ask_ntp(group.lan, "anna", "clara")
                offset = group.daemons["anna"].offset()
                return told and told[0] == 9 and abs(told[2] - offset) < 5e-3 and (*told, offset)

            try:
                (stratum, refid, ahead, offset), passed = group.wait(serves, 60, "it serves NTP")
            except Failed:
                print(feeder.log.read_text(), chronyd.log.read_text())
                raise
            if refid != b"CONC":
                raise Failed(f"chronyd follows {refid}")
            print(f"after {passed:.0f} s an NTP client sees stratum {stratum} and a clock that is "
                  f"{ahead * 1e3:.3f} ms ahead; the network is {offset * 1e3:.3f} ms ahead")
        group.wait(lambda: "takes no samples" in feeder.log.read_text(), 10, "it misses chronyd")
    return 0


if __name__ == "__main__":
    sys.exit(main())
