// The states that nodes go through in a run, and from which to which they go: a state diagram as
// the run shows it.
import type { Run } from "./run";

export const mostStates = 14; // that can be told apart in a picture

export interface Move {
  from: string; // "": before its first state, as after a restart
  to: string;
  causes: Map<string, number>; // upon which events, and how often
  records: number[]; // where it happens, in the order of time
}
export interface StateGraph {
  states: string[]; // in the order in which the run enters them; "" is the beginning
  moves: Move[];
  left: number; // states that are not shown, because there are too many
}

// Without what is counted or named in a label: the number of a run, the name of a group.
export function stateOf(label: string): string {
  return label.replace(/^(run \d+: |group [^,]*, )/, "").replace(/\d+/g, "n");
}

function causeOf(run: Run, opening: number): string {
  switch (run.kind(opening)) {
    case "arrive":
    case "timer":
      return run.text(opening).replace(/[^A-Za-z].*$/, "");
    default:
      return run.kind(opening);
  }
}

export function stateGraph(run: Run): StateGraph {
  const states = [""];
  const moves = new Map<string, Move>();
  const now = run.answer.ring.map(() => "");
  const left = new Set<string>();
  for (let step = 1; step <= run.length; ++step) {
    const records = run.recordsOf(step);
    for (const i of records) {
      const node = run.answer.node[i] - 1;
      if (run.kind(i) === "start" || run.kind(i) === "recover") now[node] = "";
      if (run.kind(i) !== "state") continue;
      const from = now[node],
        to = stateOf(run.text(i));
      now[node] = to;
      if (!states.includes(to) && states.length > mostStates) left.add(to);
      else if (!states.includes(to)) states.push(to);
      if (from === to || !states.includes(from) || !states.includes(to)) continue;
      const key = `${from}\n${to}`;
      const move: Move = moves.get(key) ?? { from, to, causes: new Map(), records: [] };
      const cause = causeOf(run, records[0]);
      move.causes.set(cause, (move.causes.get(cause) ?? 0) + 1);
      move.records.push(i);
      moves.set(key, move);
    }
  }
  return { states, moves: [...moves.values()], left: left.size };
}
