"""What programs read is as the reference says: reference.py TOOL UNITS [--rewrite]

Starts three nodes and a time daemon on a machine of its own, asks every verb for JSON and both
programs for metrics. Each answer must fit its definition in docs/schema.json, and docs/metrics.md
must list every metric with its type and help. --rewrite takes new fields and metrics over.
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
}
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
}


def ask(machines, line, machine="anna"):
    """The JSON that a command prints: one value, or one a line."""
    said = machines.run(machine, line + " 2>/dev/null")
    try:
        return [json.loads(said)]
    except ValueError:
        return [json.loads(part) for part in said.splitlines() if part.strip()]


def ask_daemons(machines):
    """Master and slave know different things of each other."""
    line = "conclave timed status --control {}.sock --json"
    answers = ask(machines, line.format("a")) + ask(machines, line.format("b"), "boris")
    return [("timed-status", answer) for answer in answers]


def collect(machines):
    """(name of a definition, an answer) for each verb; and the metrics of both programs."""
    for number, name in enumerate("abc"):
        machines.run("anna", NODE.format(name, number))
    answers = ask(machines, f"sleep 0.5; conclave status {OF_A_NODE.format('a')}")  # nobody leads
    answers = [("status", answer) for answer in answers]
    machines.run("anna", DAEMON.format("a"))
    machines.run("boris", DAEMON.format("b"))
    time.sleep(1)
    answers += ask_daemons(machines)  # they have not measured each other yet
    end = time.monotonic() + 60
    while machines.run("anna", "conclave leader --group jobs --name a --state state") != "c\n":
        if time.monotonic() > end:
            raise TimeoutError("there is no leader")
        time.sleep(0.5)
    time.sleep(8)
    answers += ask_daemons(machines)
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
    return answers, pages


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
    if len(answers) < 2 * len(VERBS) + len(OVER_HTTP) + len(OTHERS) + 6:
        wrong.append(f"only {len(answers)} answers")
    if with_tables(text, pages) != text:
        wrong.append("docs/metrics.md is behind the programs")
    print("\n".join([*wrong, "reference.py TOOL UNITS --rewrite takes it over"] if wrong else
                    [f"{len(answers)} answers fit docs/schema.json"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
