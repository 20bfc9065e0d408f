// A whole run as it came from the simulator, and what is true after any number of its steps.

export const everyone = 0xffffffff;

export interface RunAnswer {
  title: string;
  words: [string, string][];
  command: string | null;
  predicted: { least: number; most: number } | null;
  outcome: {
    algorithm: string;
    nodes: number;
    seed: number;
    outcome: string;
    leader: number | null;
    messages: { total: number; by_type: Record<string, number> };
    turnaround_ns: number;
    ended_ns: number;
    quiet: boolean;
    events: number;
    violations: { property: string; time_ns: number; what: string }[];
    terms?: number; // of a cluster, as the next two
    idle_ns?: number;
    bound_ns?: number;
  };
  ring: number[];
  links: [number, number][]; // of an algorithm that runs on a graph
  time: number[];
  kind: number[];
  node: number[];
  other: number[];
  flight: number[];
  count: number[];
  text: number[];
  texts: string[];
  rows: number[][];
  machines: number[][]; // of a cluster: see machines.ts
}

// Something that is played step by step.
export interface Timeline {
  readonly length: number; // steps
  readonly end: number; // ns
  timeAfter(step: number): number; // ns
  nextTime(step: number): number; // ns; after the last one: its own
  stepAt(time: number): number; // the steps that have happened at this time
}

export interface Flight {
  from: number;
  to: number;
  sent: number; // ns
  ended: number; // ns; when it arrived or was lost; for ever under way: the end of the run
  text: string;
  lost: string | null; // why
  arrives: boolean;
  count: number; // names its decisions: lose from>to #count
  record: number; // of the send
  end: number; // record of the arrival or loss; -1: none
}

export interface NodeView {
  up: boolean;
  paused: boolean;
  leader: number; // whom it follows; 0: nobody
  state: string;
}

// Kinds that set off a turn, or happen to the world; what follows them belongs to the same step.
const opening = new Set([
  "start",
  "recover",
  "call",
  "timer",
  "suspect",
  "trust",
  "arrive",
  "crash",
  "pause",
  "resume",
  "network",
  "violation",
]);
const checkpointEvery = 512; // records

export class Run implements Timeline {
  readonly steps: number[] = []; // the record that opens each step
  readonly flights: Flight[] = []; // in the order of sending
  readonly longest: number; // ns that a flight takes
  readonly rowsOf = new Map<number, number[]>();
  readonly end: number; // ns
  private checkpoints: NodeView[][] = [];

  constructor(
    readonly answer: RunAnswer,
    readonly kinds: readonly string[],
  ) {
    const records = answer.time.length;
    for (let i = 0; i < records; ++i) if (opening.has(this.kind(i)) || i === 0) this.steps.push(i);
    for (const [record, ...rows] of answer.rows) this.rowsOf.set(record, rows);
    this.end = Math.max(answer.outcome.ended_ns, records > 0 ? answer.time[records - 1] : 0, 1);
    this.findFlights();
    this.longest = this.flights.reduce((most, f) => Math.max(most, f.ended - f.sent), 0);
    let views = this.first();
    for (let i = 0; i < records; ++i) {
      if (i % checkpointEvery === 0) this.checkpoints.push(views.map((view) => ({ ...view })));
      this.apply(views, i);
    }
    if (records === 0) this.checkpoints.push(views);
  }

  get length(): number {
    return this.steps.length;
  }
  // When the next step happens.
  nextTime(step: number): number {
    return step < this.length ? this.answer.time[this.steps[step]] : this.timeAfter(step);
  }
  get records(): number {
    return this.answer.time.length;
  }
  kind(record: number): string {
    return this.kinds[this.answer.kind[record]];
  }
  text(record: number): string {
    return this.answer.texts[this.answer.text[record]];
  }
  // Records that have happened after so many steps.
  recordsAfter(step: number): number {
    return step >= this.steps.length ? this.records : step <= 0 ? 0 : this.steps[step];
  }
  timeAfter(step: number): number {
    const records = this.recordsAfter(step);
    return records === 0 ? 0 : this.answer.time[records - 1];
  }
  // The steps that have happened at this time.
  stepAt(time: number): number {
    let low = 0,
      high = this.steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.answer.time[this.steps[middle]] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  recordsOf(step: number): number[] {
    const from = step <= 0 ? 0 : this.steps[step - 1];
    const list = [];
    for (let i = from; i < this.recordsAfter(step); ++i) list.push(i);
    return step <= 0 ? [] : list;
  }

  // Of every node, by id from 1.
  viewsAfter(step: number): NodeView[] {
    const until = this.recordsAfter(step);
    const checkpoint = Math.min(Math.floor(until / checkpointEvery), this.checkpoints.length - 1);
    const views = this.checkpoints[checkpoint].map((view) => ({ ...view }));
    for (let i = checkpoint * checkpointEvery; i < until; ++i) this.apply(views, i);
    return views;
  }

  // Those that are sent and have neither arrived nor been lost at this time.
  underWay(time: number, records: number): Flight[] {
    const list = [];
    for (let i = this.firstFlight(time - this.longest); i < this.flights.length; ++i) {
      const flight = this.flights[i];
      if (flight.sent > time) break;
      if (flight.record < records && (flight.end < 0 || flight.end >= records)) list.push(flight);
    }
    return list;
  }

  // The first flight that is sent at this time or later.
  firstFlight(time: number): number {
    let low = 0,
      high = this.flights.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.flights[middle].sent < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private first(): NodeView[] {
    return this.answer.ring.map(() => ({ up: true, paused: false, leader: 0, state: "" }));
  }

  private apply(views: NodeView[], i: number): void {
    const view = views[this.answer.node[i] - 1];
    if (view === undefined) return;
    switch (this.kind(i)) {
      case "start":
      case "recover":
        Object.assign(view, { up: true, paused: false, leader: 0 });
        break;
      case "crash":
        Object.assign(view, { up: false, paused: false });
        break;
      case "pause":
        view.paused = true;
        break;
      case "resume":
        view.paused = false;
        break;
      case "follow":
        view.leader = this.answer.other[i];
        break;
      case "state":
        view.state = this.text(i);
        break;
    }
  }

  private findFlights(): void {
    const { time, node, other, flight, count } = this.answer;
    const byNumber = new Map<number, Flight>();
    for (let i = 0; i < this.records; ++i) {
      const kind = this.kind(i);
      if (kind === "send" && other[i] !== everyone) {
        const sent: Flight = {
          from: node[i],
          to: other[i],
          sent: time[i],
          ended: this.end,
          text: this.text(i),
          lost: null,
          arrives: false,
          count: count[i],
          record: i,
          end: -1,
        };
        this.flights.push(sent);
        if (flight[i] > 0) byNumber.set(flight[i], sent);
      } else if (kind === "arrive" || kind === "lose") {
        const sent =
          flight[i] > 0 ? byNumber.get(flight[i]) : this.flights[this.flights.length - 1];
        if (sent === undefined) continue;
        sent.end = i;
        sent.ended = time[i];
        sent.arrives = kind === "arrive";
        if (kind === "lose") sent.lost = this.text(i);
      }
    }
  }
}

export function leadersOf(views: readonly NodeView[]): number[] {
  return views.flatMap((view, i) => (view.up && view.leader === i + 1 ? [i + 1] : []));
}

// A message's name, with its parts where they are few: for labels.
export function labelOf(text: string): string {
  return text.length <= 26 ? text : text.replace(/\(.*$/, "");
}

export function formatTime(ns: number): string {
  const units: [string, number][] = [
    ["s", 1e9],
    ["ms", 1e6],
    ["µs", 1e3],
    ["ns", 1],
  ];
  for (const [unit, size] of units)
    if (Math.abs(ns) >= size) return `${Number((ns / size).toFixed(3))} ${unit}`;
  return "0";
}

// As the scenario's words want it: a whole number of the largest unit that fits.
export function spellTime(ns: number): string {
  const whole = Math.round(ns);
  for (const [unit, size] of [
    ["s", 1e9],
    ["ms", 1e6],
    ["us", 1e3],
  ] as const)
    if (whole % size === 0) return `${whole / size}${unit}`;
  return `${whole}ns`;
}
