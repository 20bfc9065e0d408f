// A network of time daemons as conclave timed sim tells of it: a moment is a step.
import type { Word } from "./link";
import type { Timeline } from "./run";

export interface ClockAnswer {
  words: Word[];
  file: string; // for conclave timed sim
  outcome: {
    nodes: number;
    rms_ns: number;
    spread_ns: number;
    masters_at_once: number;
    packets: number;
    bounds_judged: number;
    excursions: number;
    excursion_worst_ns: number;
    bound_median_ns: number;
    takeovers: { master: number; at_ns: number }[];
    story: string[];
    clocks: Moment[];
  };
}

export interface Moment {
  at_ns: number;
  masters: number;
  mean_ns: number;
  spread_ns: number;
  leading: number[];
  offsets_ns: (number | null)[]; // by id - 1; null: down, or nobody has told it the time
  bounds_ns: (number | null)[]; // null: no trust, or a fault not seen yet
}

const units: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, min: 60e9, h: 3600e9 };

// "1min2.5s" at the beginning of a line of the story; null: there is none.
export function leadingTime(line: string): number | null {
  const found = line.match(/^((?:-?\d+(?:\.\d+)?(?:ns|us|ms|s|min|h))+) /);
  if (found === null) return null;
  let sum = 0;
  for (const [, number, unit] of found[1].matchAll(/(-?\d+(?:\.\d+)?)(ns|us|ms|s|min|h)/g))
    sum += Number(number) * units[unit];
  return sum;
}

export class ClockRun implements Timeline {
  readonly moments: Moment[];
  readonly nodes: number;
  readonly end: number;

  constructor(readonly answer: ClockAnswer) {
    this.moments = answer.outcome.clocks;
    this.nodes = answer.outcome.nodes;
    this.end = this.moments.length === 0 ? 1 : this.moments[this.moments.length - 1].at_ns;
  }
  get length(): number {
    return this.moments.length;
  }
  timeAfter(step: number): number {
    return step <= 0 ? 0 : this.moments[Math.min(step, this.length) - 1].at_ns;
  }
  nextTime(step: number): number {
    return this.timeAfter(step + 1);
  }
  stepAt(time: number): number {
    let low = 0,
      high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.moments[middle].at_ns <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  momentAfter(step: number): Moment | null {
    return step <= 0 ? null : this.moments[Math.min(step, this.length) - 1];
  }
  // From the mean of the good clocks; null: the clock shows nothing.
  deviation(moment: Moment, node: number): number | null {
    const offset = moment.offsets_ns[node - 1];
    return offset === null ? null : offset - moment.mean_ns;
  }
  story(): { time: number; text: string }[] {
    return this.answer.outcome.story.map((line) => {
      const time = leadingTime(line);
      return { time: time ?? 0, text: time === null ? line : line.slice(line.indexOf(" ") + 1) };
    });
  }
}
