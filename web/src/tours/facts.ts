// What a step of a tour may say of the run that it shows, and how that is looked up.
import { leadersOf, type Run } from "../model/run";

export interface Facts {
  messages: number;
  count: Record<string, number>; // messages by type
  outcome: string; // agreed, split, leaderless
  leader: number | null; // whom all follow in the end
  violated: string[]; // properties
  leaders: number[]; // at this moment
  most: number; // leaders at any one moment
  states: Record<number, string>; // at this moment
  down: number[]; // at this moment
  fired: number[]; // rows of the table that have fired until this moment, from 1
  lost: number; // messages that were lost until this moment
  ended: number; // ms
}

export function factsOf(run: Run, step: number): Facts {
  const { outcome } = run.answer;
  const views = run.viewsAfter(step),
    records = run.recordsAfter(step);
  const fired = new Set<number>();
  for (const [record, rows] of run.rowsOf)
    if (record < records) for (const row of rows) fired.add(row + 1);
  return {
    messages: outcome.messages.total,
    count: outcome.messages.by_type,
    outcome: outcome.outcome,
    leader: outcome.leader,
    violated: [...new Set(outcome.violations.map((each) => each.property))],
    leaders: leadersOf(views),
    most: mostLeaders(run),
    states: Object.fromEntries(views.flatMap((view, i) => (view.up ? [[i + 1, view.state]] : []))),
    down: views.flatMap((view, i) => (view.up ? [] : [i + 1])),
    fired: [...fired].sort((a, b) => a - b),
    lost: run.flights.filter((flight) => flight.lost !== null && flight.end < records).length,
    ended: outcome.ended_ns / 1e6,
  };
}

// Whoever leads, and is neither replaced by somebody it follows nor down.
function mostLeaders(run: Run): number {
  const leading = new Set<number>();
  let most = 0;
  for (let i = 0; i < run.records; ++i) {
    const { node, other, time } = run.answer;
    const kind = run.kind(i);
    if (kind === "follow" && other[i] === node[i]) leading.add(node[i]);
    else if (kind === "follow" || kind === "crash" || kind === "start" || kind === "recover")
      leading.delete(node[i]);
    if (i + 1 === run.records || time[i + 1] > time[i]) most = Math.max(most, leading.size);
  }
  return most;
}

export type Expected = Partial<Omit<Facts, "states" | "count" | "fired">> & {
  states?: Record<number, string>;
  count?: Record<string, number>;
  fired?: number[]; // at least these
};

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

// Everything that was promised and is not so, in words.
export function compare(facts: Facts, expected: Expected): string[] {
  const wrong: string[] = [];
  for (const [key, value] of Object.entries(expected)) {
    const fact = facts[key as keyof Facts];
    if (key === "fired") {
      const missing = (value as number[]).filter((row) => !facts.fired.includes(row));
      if (missing.length > 0) wrong.push(`rows ${missing.join(", ")} have not fired`);
    } else if (key === "states" || key === "count") {
      for (const [name, wanted] of Object.entries(value as Record<string, unknown>))
        if ((fact as Record<string, unknown>)[name] !== wanted)
          wrong.push(
            `${key} of ${name}: ${(fact as Record<string, unknown>)[name]} instead of ${wanted}`,
          );
    } else if (!same(fact, value))
      wrong.push(`${key}: ${JSON.stringify(fact)} instead of ${JSON.stringify(value)}`);
  }
  return wrong;
}

// A sentence with what the run shows in place of {messages}, {Election}, {leaders} ...
export function fill(sentence: string, facts: Facts): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
    if (name in facts.count) return String(facts.count[name]);
    const fact = facts[name as keyof Facts];
    if (fact === undefined) return whole;
    return Array.isArray(fact) ? fact.join(" and ") : String(fact);
  });
}
