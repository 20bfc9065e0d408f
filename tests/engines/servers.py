"""Real servers for the tests, on the loopback interface: etcd and PostgreSQL with a standby.

As a program it starts one of them, prints its address for --via, and ends it when its input does:
    servers.py etcd COUNT | postgresql
"""

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def free_ports(count):
    """Ports that were free a moment ago."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(condition, seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {what}")


class Etcd:
    """Servers that are one cluster."""

    def __init__(self, count=3):
        self.folder = Path(tempfile.mkdtemp(prefix="conclave-etcd-"))
        ports = free_ports(2 * count)
        self.clients, self.peers = ports[:count], ports[count:]
        self.servers = [None] * count
        for place in range(count):
            self.start(place)
        wait_for(self.leader, 60, "etcd elects a leader")

    def start(self, place):
        cluster = ",".join(f"s{i}=http://127.0.0.1:{port}" for i, port in enumerate(self.peers))
        client, peer = (f"http://127.0.0.1:{port[place]}" for port in (self.clients, self.peers))
        words = ["etcd", "--name", f"s{place}", "--data-dir", self.folder / f"s{place}",
                 "--listen-client-urls", client, "--advertise-client-urls", client,
                 "--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer,
                 "--initial-cluster", cluster, "--heartbeat-interval", "50",
                 "--election-timeout", "500"]
        with open(self.folder / f"{place}.log", "ab") as log:
            self.servers[place] = subprocess.Popen(words, stdout=log, stderr=log,
                                                   stdin=subprocess.DEVNULL)

    def kill(self, place):
        self.servers[place].kill()
        self.servers[place].wait()

    def signal(self, place, number):
        self.servers[place].send_signal(number)

    def control(self, *words, seconds=5):
        ends = ",".join(f"127.0.0.1:{port}" for port in self.clients)
        return subprocess.run(["etcdctl", "--endpoints", ends, *words],
                              env={**os.environ, "ETCDCTL_API": "3"}, capture_output=True,
                              text=True, timeout=seconds)

    def leader(self):
        """The place of the server that leads, plus one; 0: none."""
        try:
            answer = self.control("endpoint", "status", "-w", "json")
            for each in json.loads(answer.stdout or "[]"):
                status = each["Status"]
                if status.get("leader", 0) == status["header"]["member_id"]:
                    return 1 + self.clients.index(int(each["Endpoint"].rsplit(":", 1)[1]))
        except (subprocess.TimeoutExpired, ValueError):
            pass
        return 0

    def via(self):
        return "etcd://" + ",".join(f"127.0.0.1:{port}" for port in self.clients) + "/conclave"

    def close(self):
        for server in self.servers:
            server.send_signal(signal.SIGCONT)
            server.kill()
            server.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Postgresql:
    """A primary, and a standby that confirms every commit."""

    def __init__(self, standby=True):
        self.folder = Path(tempfile.mkdtemp(prefix="conclave-pg-"))
        self.user = pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
        os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
        self.ports = free_ports(2)
        self.programs = Path(shutil.which("postgres") or "/usr/lib/postgresql/15/bin/x").parent
        self.run("initdb", "-D", self.folder / "p", "-U", "conclave", "-A", "trust", "-E", "UTF8",
                 "--no-sync", "--locale=C")
        settings = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "",
                    "max_connections": "50", "jit": "off", "wal_keep_size": "256MB",
                    "hot_standby": "on"}
        self.configure("p", {**settings, "port": self.ports[0]})
        self.begin("p")
        self.ask("postgres", "CREATE DATABASE jobs")
        self.standby = standby
        if standby:
            self.run("pg_basebackup", "-h", "127.0.0.1", "-p", self.ports[0], "-U", "conclave",
                     "-D", self.folder / "s", "-R", "--checkpoint=fast",
                     "-d", "application_name=standby")
            self.configure("s", {"port": self.ports[1]})
            self.begin("s")
            self.synchronise("standby")

    def synchronise(self, names):
        self.ask("postgres", f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        self.ask("postgres", "SELECT pg_reload_conf()")
        state = "sync" if names else "async"
        wait_for(lambda: self.ask("postgres", "SELECT sync_state FROM pg_stat_replication")
                 == state, 60, f"the standby is {state}")

    def configure(self, name, settings):
        with open(self.folder / name / "postgresql.conf", "a") as file:
            for key, value in settings.items():
                file.write(f"{key} = '{value}'\n")

    def run(self, program, *words, check=True):
        return subprocess.run([self.programs / program if (self.programs / program).exists()
                               else program, *map(str, words)],
                              user=self.user.pw_uid, group=self.user.pw_gid, extra_groups=[],
                              check=check, capture_output=True, text=True, cwd=self.folder,
                              env={**os.environ, "HOME": str(self.folder)})

    def begin(self, name):
        self.run("pg_ctl", "-D", self.folder / name, "-w", "-t", "60", "-l",
                 self.folder / f"{name}.log", "start")

    def end(self, name, mode="immediate"):
        self.run("pg_ctl", "-D", self.folder / name, "-w", "-m", mode, "stop", check=False)

    def ask(self, database, statement):
        answer = subprocess.run(["psql", "-h", "127.0.0.1", "-p", str(self.ports[0]), "-U",
                                 "conclave", "-d", database, "-Atc", statement],
                                capture_output=True, text=True, timeout=60)
        return answer.stdout.strip()

    def via(self):
        return f"postgresql://127.0.0.1:{self.ports[0]}/jobs"

    def credentials(self):
        """A file with user and password."""
        path = self.folder / "credentials"
        path.write_text("conclave\nany\n")
        path.chmod(0o600)
        return str(path)

    def close(self):
        for name in ("s", "p") if self.standby else ("p",):
            self.end(name)
        shutil.rmtree(self.folder, ignore_errors=True)


def main():
    engine = Etcd(int(sys.argv[2])) if sys.argv[1] == "etcd" else Postgresql()
    try:
        files = engine.credentials() if sys.argv[1] == "postgresql" else "-"
        print(engine.via(), files, flush=True)
        sys.stdin.read()
    finally:
        engine.close()


if __name__ == "__main__":
    main()
