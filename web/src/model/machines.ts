// Of a cluster: what agent, guardian and command of each machine do, and whom it has promised what,
// over time. In the order in which browser/run_json.cpp writes them.
import type { Run } from "./run";

export type Agent = "up" | "paused" | "dead" | "down";
export type Guardian = "none" | "watching" | "paused";
export type Work = "none" | "running" | "stopping";
const agents: Agent[] = ["up", "paused", "dead", "down"];
const guardians: Guardian[] = ["none", "watching", "paused"];
const works: Work[] = ["none", "running", "stopping"];

export interface Machine {
  records: number; // of the run, from which on it stands so
  time: number; // ns
  node: number;
  agent: Agent;
  guardian: Guardian;
  work: Work;
  amnesiac: boolean;
  token: number; // of the work; 0: none
  candidate: number; // token of the ballot with which it stands; 0: it does not
  leaseEnds: number; // ns; 0: it holds none
  promised: number; // to whom; 0: nobody
  ballot: number; // token that it promised
  promiseEnds: number; // ns
  graceEnds: number; // ns; after a restart it promises nothing new before
}

export function readMachine(row: number[]): Machine {
  return {
    records: row[0],
    time: row[1],
    node: row[2],
    agent: agents[row[3]],
    guardian: guardians[row[4]],
    work: works[row[5]],
    amnesiac: row[6] === 1,
    token: row[7],
    candidate: row[8],
    leaseEnds: row[9],
    promised: row[10],
    ballot: row[11],
    promiseEnds: row[12],
    graceEnds: row[13],
  };
}

export interface Bar {
  from: number; // ns
  to: number;
  what: string; // "up", "running" ...; of a promise and a lease: ""
  node: number; // whose colour it has: who works, leads, or is promised to; 0: nobody's
  token: number;
}

export interface Bars {
  agent: Bar[];
  guardian: Bar[];
  work: Bar[];
  lease: Bar[];
  promise: Bar[];
  grace: Bar[];
}
export const kinds = ["agent", "guardian", "work", "lease", "promise", "grace"] as const;
export type Kind = (typeof kinds)[number];

// What a machine shows of each kind from now on until `next`; null: nothing.
function barsOf(machine: Machine, next: number): Record<Kind, Bar | null> {
  const { time, node, agent, guardian, work, token } = machine;
  const until = (end: number) => Math.min(end, next);
  const bar = (to: number, what: string, whose: number, under = 0): Bar | null =>
    to > time ? { from: time, to, what, node: whose, token: under } : null;
  return {
    agent: agent === "down" ? null : bar(next, agent, 0),
    guardian: guardian === "none" ? null : bar(next, guardian, 0),
    work: work === "none" ? null : bar(next, work, node, token),
    lease: bar(until(machine.leaseEnds), "", node, machine.candidate),
    promise: bar(until(machine.promiseEnds), "", machine.promised, machine.ballot),
    grace: machine.promiseEnds > time ? null : bar(until(machine.graceEnds), "", 0),
  };
}

export class Machines {
  readonly bars: Bars[]; // by id - 1
  private changes: Machine[][]; // likewise, in the order of time

  constructor(run: Run) {
    this.changes = run.answer.ring.map(() => []);
    for (const row of run.answer.machines) this.changes[row[2] - 1].push(readMachine(row));
    this.bars = this.changes.map((list) => {
      const bars: Bars = { agent: [], guardian: [], work: [], lease: [], promise: [], grace: [] };
      list.forEach((machine, i) => {
        const shown = barsOf(machine, i + 1 < list.length ? list[i + 1].time : run.end);
        for (const kind of kinds) extend(bars[kind], shown[kind]);
      });
      return bars;
    });
  }

  // As they stand when the run has so many records; null: not started yet.
  after(records: number): (Machine | null)[] {
    return this.changes.map((list) => {
      let low = 0,
        high = list.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (list[middle].records <= records) low = middle + 1;
        else high = middle;
      }
      return low === 0 ? null : list[low - 1];
    });
  }
}

// A renewal makes the last bar longer.
function extend(list: Bar[], bar: Bar | null): void {
  if (bar === null) return;
  const last = list[list.length - 1];
  const same =
    last !== undefined &&
    last.to >= bar.from &&
    last.what === bar.what &&
    last.node === bar.node &&
    last.token === bar.token;
  if (same) last.to = bar.to;
  else list.push(bar);
}
