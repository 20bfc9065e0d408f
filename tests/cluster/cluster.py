"""Real nodes on this machine, or in network namespaces of their own, and the faults they meet.

A node is `conclave run` around the ticker, which appends "node token time" every 5 ms; whatever
happens, the ticks must show that no two commands lived at one instant and that every start of a
command had a greater token than all before it.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from disk import Disk
from freezer import Freezer, find_groups
from ticks import Terms, Tick, stale_start


def boot_time():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Failed(Exception):
    pass


def wait_for(condition, seconds, what):
    """Waits for a condition, for long: the machine may be busy."""
    end = boot_time() + seconds
    while boot_time() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.002)
    raise Failed(f"not within {seconds} s: {what}")


def send_signal(pid, number):
    """To a process that may just have ended."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def merged(options):
    """Each option once, with its last value."""
    last = {}
    for word in options:
        if word.startswith("--"):
            last.pop(word, None)
            last[word] = []
            name = word
        else:
            last[name].append(word)
    return [word for name, values in last.items() for word in [name, *values]]


class Node:
    def __init__(self, cluster, name):
        self.cluster = cluster
        self.name = name
        self.process, self.started = None, 0.0
        self.state = cluster.folder / f"state-{name}"
        self.log = cluster.folder / f"{name}.log"
        self.disk = None     # one that fails on request: see Cluster.give_faulty_disks
        self.freezer = None  # see Cluster.give_freezers
        self.joins = False   # it is no member yet: see Cluster.admit

    def start(self, *more):
        self.started = boot_time()
        cluster = self.cluster
        command = [*(self.freezer.words() if self.freezer else [])]
        command += cluster.prefix(self.name)
        command += self.disk.words() if self.disk else []
        command += [cluster.tool_of(self.name), "run"]
        own = ["--group", cluster.group, "--name", self.name, "--state", str(self.state)]
        command += merged([*own, *self.options(), *cluster.options_of(self.name), *more])
        command += ["--", *cluster.command()]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def options(self):
        """Whoever joins is not told how many members the group has."""
        options = list(self.cluster.options)
        if self.joins:
            at = options.index("--expect")
            options[at : at + 2] = ["--join"]
        return options

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        if self.alive:
            os.kill(self.process.pid, number)

    def kill(self):
        self.signal(signal.SIGKILL)
        if self.process:
            self.process.wait()

    def crash(self):
        """Agent, guardian and every process of the command at once, as when the machine dies;
        what its disk had not synchronised is lost."""
        tree = self.tree() if self.alive else []
        self.signal(signal.SIGSTOP)  # so that nobody can speak for it
        for pid in reversed(tree):
            send_signal(pid, signal.SIGKILL)
        self.kill()
        if self.disk:
            self.disk.crash()

    def stop(self, seconds=20):
        """As systemd does."""
        if self.alive:
            self.signal(signal.SIGTERM)
            self.process.wait(seconds)
        return self.process.returncode

    def guardian(self):
        """The process id of its guardian, while there is one."""
        if not self.alive:
            return None
        listing = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        for child in listing.read_text().split():
            try:
                name = Path(f"/proc/{child}/comm").read_text().strip()
            except OSError:
                continue
            if name.startswith("conclave-guard"):
                return int(child)
        return None

    def tree(self):
        """All of its processes: agent, guardian and the command with whatever it left."""
        found, todo = [], [self.process.pid]
        while todo:
            pid = todo.pop()
            found.append(pid)
            try:
                listing = Path(f"/proc/{pid}/task/{pid}/children").read_text()
            except OSError:
                continue
            todo += map(int, listing.split())
        return found

    def commands(self):
        """The ticker's processes, while it runs here."""
        found = []
        for pid in self.tree() if self.alive else []:
            try:
                name = Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:
                continue
            if name == Path(self.cluster.ticker).name:
                found.append(pid)
        return found

    def change(self, *words, wait=30):
        """Asks this node for other members: `change("add", "d")`. Its outcome."""
        return self.order("members", *words, wait=wait)

    def order(self, *words, wait=30):
        where = ["--group", self.cluster.group, "--name", self.name, "--state", str(self.state)]
        return subprocess.run(
            [self.cluster.tool, *words, *where, "--wait", f"{wait}s"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=wait + 20,
        )

    def status(self):
        asked = subprocess.run(
            [self.cluster.tool, "status", "--group", self.cluster.group, "--name", self.name]
            + ["--state", str(self.state), "--json"],
            capture_output=True,
            text=True,
            timeout=20,
        )
        return json.loads(asked.stdout) if asked.stdout else None


def contain_anyhow(tool):
    """Where the machine refuses what is chosen unasked, nodes have the weaker containment."""
    probe = lambda mode: [str(Path(tool).with_name("conclave-guardian")), "--probe", mode]
    if all(subprocess.run(probe(mode)).returncode for mode in ("pid", "user")):
        os.environ["CONCLAVE_CONTAIN"] = "group"


class Cluster:
    """Use it as a context: it ends what it started."""

    def __init__(self, tool, ticker, names, options=(), manners=()):
        self.tool, self.ticker = str(tool), str(ticker)
        contain_anyhow(tool)
        self.folder = Path(tempfile.mkdtemp(prefix="conclave-cluster-"))
        self.ticks_file = self.folder / "ticks"
        self.group = f"test{os.getpid()}"
        self.options = list(options)
        self.manners = list(manners)
        self.nodes = {name: Node(self, name) for name in names}
        self.names = list(names)  # with those that may come later: see reserve
        self.mounts = []

    def reserve(self, names):
        """Nodes of these names may be admitted. Called before the cluster is entered."""
        self.names += names

    def admit(self, name):
        """A node that is not a member yet runs, as those that are run."""
        like = next(iter(self.nodes.values()))
        node = self.nodes[name] = Node(self, name)
        node.joins = True
        if like.state in self.mounts:
            self.mount_state(node)
        if like.disk:
            node.disk = like.disk.another(self.folder / f"disk-{name}", node.state)
        if like.freezer:
            node.freezer = Freezer(find_groups(), f"{self.group}-{name}")
        node.start()
        return node

    def dismiss(self, node):
        """It was removed: it ends by itself, and is refused when it starts again."""
        for again in (True, False):
            ended = node.process.wait(30)
            # One that has lost its disk cannot know that it was a member.
            forgot = ended == 2 and "is no member of group" in node.log.read_text()
            if ended != 120 and not forgot:
                raise Failed(f"{node.name} was removed, and ended with {node.process.returncode}")
            if again:
                node.start()
        for file in node.state.rglob("*.state"):
            file.unlink()
        if node.freezer:
            node.freezer.remove()
        del self.nodes[node.name]

    def prefix(self, name):
        return []

    def tool_of(self, name):
        return self.tool

    def options_of(self, name):
        return []

    def mount_states(self):
        """Every state folder on a small file system of its own, which can be full or read-only."""
        if os.geteuid() != 0:
            return False
        return all(self.mount_state(node) for node in self.nodes.values())

    def mount_state(self, node):
        node.state.mkdir(exist_ok=True)
        if node.state in self.mounts:
            return True
        words = ["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(node.state)]
        if subprocess.run(words, capture_output=True).returncode != 0:
            return False
        self.mounts.append(node.state)
        return True

    def give_faulty_disks(self, library):
        for node in self.nodes.values():
            node.disk = Disk(library, self.folder / f"disk-{node.name}", node.state)

    def give_freezers(self):
        """Whether this machine lets all processes of a node be stopped at once."""
        groups = find_groups()
        for node in self.nodes.values() if groups else []:
            node.freezer = Freezer(groups, f"{self.group}-{node.name}")
        return groups is not None

    def command(self):
        return [self.ticker, str(self.ticks_file), *self.manners]

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        for node in self.nodes.values():
            if node.freezer:
                node.freezer.freeze(False)
            node.signal(signal.SIGCONT)
            node.kill()
        if kind is not None:
            self.show_logs()
        time.sleep(0.05)
        for node in self.nodes.values():
            if node.freezer:
                node.freezer.remove()
        for mount in self.mounts:
            subprocess.run(["umount", "-l", str(mount)], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def show_logs(self):
        for node in self.nodes.values():
            if node.log.exists():
                print(f"---- {node.name}\n{node.log.read_text()}")

    def start(self, *more):
        for node in self.nodes.values():
            node.start(*more)

    def ticks(self, since=0.0):
        if not self.ticks_file.exists():
            return []
        lines = self.ticks_file.read_text().splitlines()
        return [tick for tick in map(Tick, lines) if tick.time >= since]

    def last_tick(self):
        """The newest line, read from the end: the file grows long."""
        try:
            with open(self.ticks_file, "rb") as file:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - 400))
                lines = file.read().decode().splitlines()
        except FileNotFoundError:
            return None
        return Tick(lines[-1]) if lines and len(lines[-1].split()) == 4 else None

    def runner(self, newer_than=0.0, token_over=0):
        tick = self.last_tick()
        if tick and tick.time > newer_than and tick.token > token_over:
            return tick
        return None

    def wait_for_work(self, since, seconds=30, token_over=0):
        """The command runs, somewhere, after `since`; returns its node."""
        try:
            tick = wait_for(
                lambda: self.runner(since, token_over), seconds, "the command runs somewhere"
            )
        except Failed:
            self.show_logs()  # unittest's cleanup does not know that the test failed
            raise
        return self.nodes[tick.node]

    def settled(self):
        """All follow the same leader and know its token."""
        states = [node.status() for node in self.nodes.values()]
        said = {(s["leader"], str(s["lease"]["token"])) if s else ("", "0") for s in states}
        leader, token = said.pop()
        return not said and leader != "" and token != "0"

    def wait_until_settled(self, seconds=60):
        try:
            wait_for(self.settled, seconds, "all follow one leader")
        except Failed:
            for node in self.nodes.values():
                print(node.name, node.status())
            raise

    def first_tick(self, since, token_over):
        later = [t for t in self.ticks(since) if t.token > token_over]
        return min(later, key=lambda t: t.time)

    def check_ticks(self):
        ticks = self.ticks()
        if problem := Terms(ticks).problem():
            raise Failed(f"two commands lived at one instant: {problem}")
        if problem := stale_start(ticks):
            raise Failed(f"a start without a greater token: {problem}")
