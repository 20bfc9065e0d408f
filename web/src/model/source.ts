// The algorithm's own headers, as they are compiled, and the line that acts in a step.
import type { Run } from "./run";

const files = import.meta.glob(
  ["../../../conclave/election/*.hpp", "../../../conclave/core/{reliable,ring_repair}.hpp"],
  { query: "?raw", import: "default" },
) as Record<string, () => Promise<string>>;

// Where an algorithm is more than one header: what it is made of, and what is around it.
const several: Record<string, string[]> = {
  tempo: ["election/tempo_daemon", "election/tempo", "core/reliable"],
  nemeth: ["election/nemeth", "election/nemeth_table"],
  consensus: ["election/consensus", "election/bully"],
  "repaired-chang-roberts": ["election/chang_roberts", "core/ring_repair"],
};
// The one whose first lines name the paper, where it is not that of the algorithm's name.
const first: Record<string, string> = { "repaired-chang-roberts": "core/ring_repair" };

export interface Source {
  name: string;
  lines: string[];
}

const headerOf = (algorithm: string) => `election/${algorithm.replaceAll("-", "_")}`;

async function load(name: string): Promise<Source> {
  const text = await files[`../../../conclave/${name}.hpp`]?.();
  return { name: `conclave/${name}.hpp`, lines: (text ?? "").split("\n") };
}

export async function loadSources(algorithm: string): Promise<Source[]> {
  const names = several[algorithm] ?? [headerOf(algorithm)];
  return (await Promise.all(names.map(load))).filter((source) => source.lines.length > 1);
}

// The idea: the paragraphs that follow the paper's name in the comment of the header.
export async function loadIdea(algorithm: string): Promise<string[]> {
  const { lines } = await load(first[algorithm] ?? headerOf(algorithm));
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join("\n")
    .split(/\n\n/)
    .slice(1)
    .map((paragraph) => paragraph.replaceAll("\n", " "));
}

const rowLine = /^\s*\{\s*\w+\s*,.*\}\s*,\s*(\/\/.*)?$/;

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
  const records = run.recordsOf(step);
  if (records.length === 0) return null;
  const row = records.flatMap((record) => run.rowsOf.get(record) ?? [])[0];
  for (let source = sources.length - 1; row !== undefined && source >= 0; --source) {
    const line = tableLines(sources[source])[row];
    if (line !== undefined) return { source, line };
  }
  const event = eventOf(run, records[0]);
  if (event === null) return null;
  const handler = new RegExp(`\\bon\\((const\\s+)?(\\w+::)*${event}\\b`);
  for (let source = 0; source < sources.length; ++source) {
    const found = sources[source].lines.flatMap((text, line) => (handler.test(text) ? [line] : []));
    const body = found.find((line) => sources[source].lines[line].includes("{")) ?? found[0];
    if (body !== undefined) return { source, line: body };
  }
  return null;
}
