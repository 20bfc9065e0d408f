// What a step of a tour may say of the run that it shows, and how that is looked up.
import { leadersOf, type Run } from "../model/run";

export interface Facts {
  messages: number; // between `since` and this moment; a broadcast is one
  count: Record<string, number>; // likewise, by type, and by their whole text: "Election(1)"
  copies: Record<string, number>; // likewise, by type; a broadcast has one for each receiver
  after: Record<string, string[]>; // type: those that every sender of it had received all before
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

// The part of a run that a step speaks of.
export interface Part {
  at?: number; // ms; without: the end
  since?: number; // ms; messages are counted from here; without: the beginning
}

export const stepOf = (run: Run, { at }: Part): number =>
  at === undefined ? run.length : run.stepAt(at * 1e6);

export function factsOf(run: Run, part: Part): Facts {
  const { outcome } = run.answer;
  const step = stepOf(run, part);
  const views = run.viewsAfter(step),
    records = run.recordsAfter(step);
  const fired = new Set<number>();
  for (const [record, rows] of run.rowsOf)
    if (record < records) for (const row of rows) fired.add(row + 1);
  return {
    ...countMessages(run, records, (part.since ?? 0) * 1e6),
    after: findOrder(run, records),
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

const typeOf = (text: string) => text.match(/^\w*/)![0];
const increase = (counts: Record<string, number>, name: string) =>
  (counts[name] = (counts[name] ?? 0) + 1);

// Copies of a broadcast, and what is doubled on the way, share the number of the one message.
function countMessages(run: Run, records: number, since: number) {
  const count: Record<string, number> = {},
    copies: Record<string, number> = {};
  const last = run.answer.ring.map(() => 0); // number, by id - 1
  let messages = 0;
  for (const { from, count: number, record, sent, text } of run.flights) {
    if (record >= records) break;
    const first = number > last[from - 1];
    last[from - 1] = number;
    if (sent < since) continue;
    const type = typeOf(text);
    increase(copies, type);
    if (!first) continue;
    ++messages;
    for (const name of new Set([type, text])) increase(count, name);
  }
  return { messages, count, copies };
}

function findOrder(run: Run, records: number): Record<string, string[]> {
  const sent: Record<string, Map<number, number>> = {}, // type: sender: record of the first
    received: Record<string, Map<number, number>> = {}; // type: receiver: the last arrival
  for (const { from, to, record, end, arrives, text } of run.flights) {
    if (record >= records) break;
    const type = typeOf(text);
    const first = (sent[type] ??= new Map());
    if (!first.has(from)) first.set(from, record);
    const last = (received[type] ??= new Map());
    last.set(to, Math.max(last.get(to) ?? 0, arrives && end < records ? end : Infinity));
  }
  const before = (one: string, other: string) =>
    [...sent[other]].every(([node, at]) => (received[one]?.get(node) ?? Infinity) <= at);
  const types = Object.keys(sent);
  return Object.fromEntries(
    types.map((type) => [type, types.filter((one) => one !== type && before(one, type))]),
  );
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

export type Expected = Partial<Omit<Facts, "after">> & {
  after?: Record<string, string>; // a type, and one that it comes after
};

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

// Of some facts a step expects a part: what is promised of each, and not so, in words.
const parts: { [key in keyof Facts]?: (fact: never, wanted: never) => string[] } = {
  fired: (fired: number[], wanted: number[]) => {
    const missing = wanted.filter((row) => !fired.includes(row));
    return missing.length > 0 ? [`rows ${missing.join(", ")} have not fired`] : [];
  },
  after: (after: Facts["after"], wanted: Record<string, string>) =>
    Object.entries(wanted)
      .filter(([type, one]) => !after[type]?.includes(one))
      .map(([type, one]) => `${type} does not come after every ${one}`),
  count: (count: Facts["count"], wanted: Facts["count"]) => differing("count", count, wanted, 0),
  copies: (copies: Facts["copies"], wanted: Facts["copies"]) =>
    differing("copies", copies, wanted, 0),
  states: (states: Facts["states"], wanted: Facts["states"]) =>
    differing("state", states, wanted, "down"),
};
function differing<Value>(
  what: string,
  facts: Record<string, Value>,
  wanted: Record<string, Value>,
  none: Value,
): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => (facts[name] ?? none) !== value)
    .map(([name, value]) => `${what} of ${name}: ${facts[name] ?? none} instead of ${value}`);
}

// Everything that was promised and is not so, in words.
export function compare(facts: Facts, expected: Expected): string[] {
  return Object.entries(expected).flatMap(([key, wanted]) => {
    const fact = facts[key as keyof Facts];
    const part = parts[key as keyof Facts];
    if (part !== undefined) return part(fact as never, wanted as never);
    return same(fact, wanted)
      ? []
      : [`${key}: ${JSON.stringify(fact)} instead of ${JSON.stringify(wanted)}`];
  });
}

// A sentence with what the run shows in place of {messages}, {leaders}, {Election}, {Election(1)},
// {copies.Candidate} ... A message that nobody sends has the number 0.
export function fill(sentence: string, facts: Facts): string {
  return sentence.replace(/\{(copies\.)?([^}]+)\}/g, (whole, copies: string, name: string) => {
    if (copies) return String(facts.copies[name] ?? 0);
    const fact = /^[A-Z]/.test(name) ? (facts.count[name] ?? 0) : facts[name as keyof Facts];
    if (fact === undefined) return whole;
    return Array.isArray(fact) ? fact.join(" and ") : String(fact);
  });
}
