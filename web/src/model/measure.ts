// Runs of several algorithms over N, for the plot of predicted against measured messages.
import { toRequest, type Word } from "./link";
import { isProblem, sweeps } from "./laboratory";
import type { RunAnswer } from "./run";

export interface Point {
  nodes: number;
  mean: number;
  least: number;
  most: number;
  predicted: { least: number; most: number } | null;
}
export interface Series {
  algorithm: string;
  points: Point[];
  problem: string;
}

type Counted = Pick<RunAnswer, "outcome" | "predicted"> & { before?: RunAnswer["outcome"] };
export const seedsEach = 7;

// A run that is counted: all of it, or what is sent after a moment.
interface Scene {
  words: Word[];
  since: string | null;
  besides: string[]; // types that belong to no election
}

// Algorithms that replace a dead leader are shown doing that, as their papers count it.
const deadLeader = new Set(["bully", "consensus"]);
// These never fall quiet: they are counted until everybody has had the time to agree.
const ends: Record<string, string> = {
  invitation: "100ms",
  "garcia-molina": "60ms",
  raft: "60ms",
  stoller: "60ms",
};

// Node 1 came up first and is the master; it dies at 2 s and 2 is the first to miss it.
function tempoScene(left: number): Scene {
  const starts = Array.from({ length: left }, (_, i): Word => [
    "start",
    `${i + 2}@${i * 5 + 105}ms`,
  ]);
  return {
    words: [
      ["algorithm", "tempo"],
      ["nodes", String(left + 1)],
      ["order", "ascending"],
      ["initiators", "none"],
      ["set", "startup-range=0s"],
      ...starts,
      ["crash", "1@2s"],
      ["call", "2@2100ms"],
      ["until", "2500ms"],
    ],
    since: "2099ms",
    besides: ["Sync"],
  };
}
// All stood at the start and 1 became the coordinator; it dies between two Life messages.
function nemethScene(left: number): Scene {
  return {
    words: [
      ["algorithm", "nemeth"],
      ["nodes", String(left + 1)],
      ["order", "ascending"],
      ["initiators", "none"],
      ["crash", "1@20500us"],
      ["call", "2@20600us"],
      ["until", "26500us"],
    ],
    since: "20550us",
    besides: ["Life", "Alive"],
  };
}
const successions: Record<string, (left: number) => Scene> = {
  tempo: tempoScene,
  nemeth: nemethScene,
};
export const isSuccession = (algorithm: string) => algorithm in successions;

export function sceneOf(algorithm: string, nodes: number, initiators: string): Scene {
  if (isSuccession(algorithm)) return successions[algorithm](nodes);
  const words: Word[] = [
    ["algorithm", algorithm],
    ["nodes", String(nodes)],
  ];
  if (deadLeader.has(algorithm)) words.push(["crash", `${nodes}@0s`], ["initiators", "1"]);
  else words.push(["initiators", initiators]);
  if (ends[algorithm] !== undefined) words.push(["until", ends[algorithm]]);
  return { words, since: null, besides: [] };
}

function countOf(answer: Counted, besides: readonly string[]): number {
  const sent = (outcome: RunAnswer["outcome"] | undefined) =>
    Object.entries(outcome?.messages.by_type ?? {})
      .filter(([type]) => !besides.includes(type))
      .reduce((sum, [, count]) => sum + count, 0);
  return sent(answer.outcome) - sent(answer.before);
}

async function measurePoint(
  algorithm: string,
  nodes: number,
  initiators: string,
): Promise<Point | string> {
  const counts: number[] = [];
  let predicted: Point["predicted"] = null;
  const { words, since, besides } = sceneOf(algorithm, nodes, initiators);
  const verb = since === null ? "count" : `count ${since}`;
  for (let seed = 1; seed <= seedsEach; ++seed) {
    const answer = await sweeps.ask<Counted>(toRequest(verb, [...words, ["seed", String(seed)]]));
    if (isProblem(answer)) return answer.problem;
    counts.push(countOf(answer, besides));
    predicted = answer.predicted;
  }
  const mean = counts.reduce((sum, n) => sum + n, 0) / counts.length;
  return { nodes, mean, least: Math.min(...counts), most: Math.max(...counts), predicted };
}

export async function measure(
  algorithm: string,
  sizes: readonly number[],
  initiators: string,
  progress: (series: Series) => void,
): Promise<Series> {
  const series: Series = { algorithm, points: [], problem: "" };
  for (const nodes of sizes) {
    const point = await measurePoint(algorithm, nodes, initiators);
    if (typeof point === "string") return { ...series, problem: point };
    series.points.push(point);
    progress({ ...series, points: [...series.points] });
  }
  return series;
}
