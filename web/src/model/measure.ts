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

type Counted = Pick<RunAnswer, "outcome" | "predicted">;
const seedsEach = 7;

// Algorithms that replace a dead leader are shown doing that, as their papers count it.
const deadLeader = new Set(["bully", "consensus"]);
// These never fall quiet: they are counted until everybody has had the time to agree.
const ends: Record<string, string> = { tempo: "1s", nemeth: "20ms", invitation: "100ms" };

export function sceneOf(algorithm: string, nodes: number, initiators: string): Word[] {
  const words: Word[] = [
    ["algorithm", algorithm],
    ["nodes", String(nodes)],
  ];
  if (deadLeader.has(algorithm)) words.push(["crash", `${nodes}@0s`], ["initiators", "1"]);
  else words.push(["initiators", initiators]);
  if (ends[algorithm] !== undefined) words.push(["until", ends[algorithm]]);
  return words;
}

async function measurePoint(
  algorithm: string,
  nodes: number,
  initiators: string,
): Promise<Point | string> {
  const counts: number[] = [];
  let predicted: Point["predicted"] = null;
  for (let seed = 1; seed <= seedsEach; ++seed) {
    const words: Word[] = [...sceneOf(algorithm, nodes, initiators), ["seed", String(seed)]];
    const answer = await sweeps.ask<Counted>(toRequest("count", words));
    if (isProblem(answer)) return answer.problem;
    counts.push(answer.outcome.messages.total);
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
