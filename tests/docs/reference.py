"""What programs read is as the reference says: reference.py TOOL UNITS [--rewrite]

Starts three nodes on one machine and a time daemon on each of two, asks the verbs for JSON and both
programs for metrics; docs/json.md names the verbs that are not asked. Each answer must fit its
definition in docs/schema.json, and docs/metrics.md must list every metric with its type and help.
--rewrite takes new fields and metrics over.
"""

import json
import re
import sys
import time
from pathlib import Path

import schema
from machines import Machines, lan

SCHEMA, METRICS = Path("docs/schema.json"), Path("docs/metrics.md")
NODE = ("conclave run --group jobs --expect 3 --name {0} --state state --publish http://{0}"
        " --http 127.0.0.1:770{1} -- sleep 1000 >{0}.log 2>&1 &")
DAEMON = ("conclave timed --clock virtual --insecure --name {0} --page {0}.page --control {0}.sock"
          " --http 127.0.0.1:7710 >timed.log 2>&1 &")
OF_A_NODE = "--group jobs --name {} --state state --json"
VERBS = {
    "status": "status", "leader": "leader", "is-leader": "is-leader", "members": "members",
    "why": "why", "bound": "bound", "doctor": "doctor", "pause": "steered", "resume": "steered",
    "watch --count 1": "status",
}
# In this order, each at the node that leads by then; {} is one that does not.
STEERING = ["transfer --to {}", "resign --to {}", "set detect 2s", "set heartbeat 400ms",
            "members remove {}"]
# The first event of a watcher comes before the others were asked, the next ones after that.
EVENTS = "curl -sN --max-time 3 127.0.0.1:7700/events | sed -n 's/^data: //p' | sed -n '1p;8p'"
OVER_HTTP = {
    "curl -s 127.0.0.1:7700/status": "status",
    "curl -s 127.0.0.1:7702/why": "why",
    "curl -s 127.0.0.1:7700/doctor": "findings",
    EVENTS: "events",
}
OTHERS = {
    "conclave list --json": "list",
    "conclave sim bully --nodes 3 --json": "sim",
    "conclave sim bully --nodes 3 --seeds 1..3 --json": "sim-summary",
    "conclave sim chang-roberts --nodes 3 --loss 1 --check informed --json": "sim",
    "conclave check chang-roberts --nodes 3 --json": "check",
    "conclave check chang-roberts --nodes 3 --lose 1 --property leader --json": "check",
    "conclave claims N1 --quick --json": "claims",
    "conclave timed sim examples/clocks/leader_lost.toml --json": "timed-sim",
    "conclave timed sim examples/clocks/asymmetry.toml --json": "timed-sim",
    "conclave timed sim --random --seeds 1..2 --json": "timed-sim-summary",
}
OF_DAEMONS = {
    "status": "timed-status",
    "now --page {0}.page": "timed-now",
    "check --within 1s": "timed-check",
    "check --within 1ns": "timed-check",
    "wait 1ms --within 1ns": "timed-check",  # it took too long: else it prints nothing
    "watch --count 1": "timed-status",
}


def ask(machines, line, machine="anna"):
    """The JSON that a command prints: one value, or one a line."""
    said = machines.run(machine, line + " 2>/dev/null")
    if not said.strip():
        raise ValueError(f"no answer: {line}")
    try:
        return [json.loads(said)]
    except ValueError:
        return [json.loads(part) for part in said.splitlines() if part.strip()]


def wait_for_leader(machines, names):
    """Which of these nodes leads, as soon as one does."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        said = machines.run("anna", "conclave leader --group jobs --name a --state state").strip()
        if said in list(names):
            return said
        time.sleep(0.5)
    raise TimeoutError("there is no leader")


def ask_daemons(machines, verbs):
    """Master and slave know different things of each other."""
    answers = []
    for words, name in verbs.items():
        for daemon, machine in (("a", "anna"), ("b", "boris")):
            line = f"conclave timed {words.format(daemon)} --control {daemon}.sock --json"
            answers += [(name, answer) for answer in ask(machines, line, machine)]
    return answers


def steer(machines):
    """What operators ask for, after everything else: it changes the group, and the clocks."""
    answers = ask_daemons(machines, {"set +1s": "timed-set", "resign": "steered"})
    for words in STEERING:
        leader = wait_for_leader(machines, "abc")
        line = f"conclave {words.format('ab'[leader == 'a'])} {OF_A_NODE.format(leader)}"
        answers += [("steered", answer) for answer in ask(machines, line)]
    return answers


def collect(machines):
    """(name of a definition, an answer) for each verb; and the metrics of both programs."""
    for number, name in enumerate("abc"):
        machines.run("anna", NODE.format(name, number))
    status = f"conclave status {OF_A_NODE.format('a')}"
    answers = ask(machines, f"until {status}; do sleep 0.1; done")  # nobody leads
    answers = [("status", answer) for answer in answers]
    machines.run("anna", DAEMON.format("a"))
    machines.run("boris", DAEMON.format("b"))
    time.sleep(1)
    answers += ask_daemons(machines, OF_DAEMONS)  # they have not measured each other yet
    wait_for_leader(machines, "c")
    time.sleep(8)
    answers += ask_daemons(machines, OF_DAEMONS)
    for line, name in OVER_HTTP.items():
        answers += [(name, answer) for answer in ask(machines, line)]
    line = f"conclave status --all {OF_A_NODE.format('a')}"
    answers += [("views", answer) for answer in ask(machines, line)]
    for verb, name in VERBS.items():
        for node in "ac":
            line = f"conclave {verb} {OF_A_NODE.format(node)}"
            answers += [(name, answer) for answer in ask(machines, line)]
    for line, name in OTHERS.items():
        answers += [(name, answer) for answer in ask(machines, line)]
    pages = [machines.run("anna", f"curl -s 127.0.0.1:{port}/metrics") for port in (7700, 7710)]
    return answers + steer(machines), pages


def metric_table(page, former):
    """A row for each metric; the labels of one that has no value now are the former ones."""
    rows = re.findall(r"^# HELP (\S+) (.*)\n# TYPE \S+ (\S+)$", page, re.MULTILINE)
    labels = dict(re.findall(r"^\| `(\w+)` \| \w+ \| (.*?) \|", former, re.MULTILINE))
    for name, inside in re.findall(r"^(\w+)\{(.*)\} ", page, re.MULTILINE):
        own = [word for word in re.findall(r'(\w+)="', inside) if word not in ("group", "node")]
        labels[name] = "".join(f"`{word}` " for word in own).strip()
    lines = [f"| `{n}` | {kind} | {labels.get(n, '')} | {help} |\n" for n, help, kind in rows]
    return "| metric | type | labels | meaning |\n|---|---|---|---|\n" + "".join(lines)


def with_tables(text, pages):
    for program, page in zip(("conclave run", "conclave timed"), pages):
        marks = rf"(<!-- metrics of {program} -->\n).*?(<!-- end -->\n)"
        table = metric_table(page, text)
        text = re.sub(marks, lambda m, t=table: m[1] + t + m[2], text, flags=re.DOTALL)
    return text


def main():
    rewrite = "--rewrite" in sys.argv
    tool, units = (str(Path(word).resolve()) for word in sys.argv[1:3])
    if not lan.possible():
        print("skipped: this machine does not let us make network namespaces")
        return 77
    with Machines(tool, units, ["anna", "boris"]) as machines:
        answers, pages = collect(machines)
    definitions = json.loads(SCHEMA.read_text(encoding="utf-8")) if SCHEMA.exists() else {}
    text = METRICS.read_text(encoding="utf-8")
    if rewrite:
        learned = json.dumps(schema.learn(answers, definitions), indent=1)
        SCHEMA.write_text(learned + "\n", encoding="utf-8")
        METRICS.write_text(with_tables(text, pages), encoding="utf-8")
        return 0
    wrong = [f"{name}{place}" for name, answer in answers
             for place in schema.problems(answer, definitions["$defs"][name])]
    if with_tables(text, pages) != text:
        wrong.append("docs/metrics.md is behind the programs")
    print("\n".join([*wrong, "reference.py TOOL UNITS --rewrite takes it over"] if wrong else
                    [f"{len(answers)} answers fit docs/schema.json"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
