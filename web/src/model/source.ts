// The algorithm's own headers, as they are compiled, and the line that acts in a step.
import type { Run } from "./run";

const files = import.meta.glob("../../../conclave/election/*.hpp", {
  query: "?raw",
  import: "default",
}) as Record<string, () => Promise<string>>;

// Where an algorithm is more than one header: the one with its table, or that it is made of, last.
const several: Record<string, string[]> = {
  tempo: ["tempo_daemon", "tempo"],
  nemeth: ["nemeth", "nemeth_table"],
  consensus: ["consensus", "bully"],
  "repaired-chang-roberts": ["chang_roberts"],
};

export interface Source {
  name: string;
  lines: string[];
}

export async function loadSources(algorithm: string): Promise<Source[]> {
  const names = several[algorithm] ?? [algorithm.replaceAll("-", "_")];
  const loaded = names.map(async (name) => {
    const text = await files[`../../../conclave/election/${name}.hpp`]?.();
    return { name: `conclave/election/${name}.hpp`, lines: (text ?? "").split("\n") };
  });
  return (await Promise.all(loaded)).filter((source) => source.lines.length > 1);
}

const rowLine = /^\s*\{\s*\w+\s*,.*\}\s*,\s*$/;

// The lines of the table, in the order of its rows.
export function tableLines(source: Source): number[] {
  const begin = source.lines.findIndex((line) => /\btable\b.*[({]\s*$|\btable\b.*=/.test(line));
  if (begin < 0) return [];
  const lines = [];
  for (let i = begin; i < source.lines.length; ++i) {
    if (/^\}+\)?;/.test(source.lines[i].trim())) break;
    if (rowLine.test(source.lines[i])) lines.push(i);
  }
  return lines;
}

function eventOf(run: Run, record: number): string | null {
  switch (run.kind(record)) {
    case "arrive":
      return run.text(record).replace(/[^A-Za-z].*$/, "");
    case "timer":
      return run.text(record);
    case "call":
      return "Call";
    case "start":
      return "Start";
    case "suspect":
      return "Suspect";
    case "trust":
      return "Trust";
    case "recover":
      return "Recover";
    default:
      return null;
  }
}

export interface Place {
  source: number;
  line: number;
}

// Where the handler of this step stands: a row of the table if one fired, else `on(Event`.
export function placeOf(run: Run, step: number, sources: readonly Source[]): Place | null {
  const first = run.recordsOf(step)[0];
  if (first === undefined) return null;
  const row = run.rowsOf.get(first)?.[0] ?? run.rowsOf.get(first + 1)?.[0];
  for (let source = sources.length - 1; row !== undefined && source >= 0; --source) {
    const line = tableLines(sources[source])[row];
    if (line !== undefined) return { source, line };
  }
  const event = eventOf(run, first);
  if (event === null) return null;
  const handler = new RegExp(`\\bon\\((const\\s+)?(\\w+::)*${event}\\b`);
  for (let source = 0; source < sources.length; ++source) {
    const found = sources[source].lines.flatMap((text, line) => (handler.test(text) ? [line] : []));
    const body = found.find((line) => sources[source].lines[line].includes("{")) ?? found[0];
    if (body !== undefined) return { source, line: body };
  }
  return null;
}
