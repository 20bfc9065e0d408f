// How things are first shown.
import { linkOf, type Link, type Word } from "./link";

export const firstWords: Word[] = [
  ["algorithm", "chang-roberts"],
  ["nodes", "5"],
  ["initiators", "all"],
  ["order", "descending"],
];

// The situation that an algorithm's paper is about, for as long as it takes.
export const firstScenes: Record<string, Word[]> = {
  "afek-gafni": [["initiators", "all"]],
  archimedean: [["initiators", "all"]],
  bully: [
    ["crash", "5@0s"],
    ["initiators", "1"],
  ],
  "chang-roberts": [
    ["initiators", "all"],
    ["order", "descending"],
  ],
  consensus: [
    ["crash", "5@0s"],
    ["initiators", "1"],
  ],
  "dolev-klawe-rodeh": [["initiators", "all"]],
  echo: [["initiators", "all"]],
  franklin: [["initiators", "all"]],
  "garcia-molina": [["until", "60ms"]],
  "hirschberg-sinclair": [["initiators", "all"]],
  invitation: [["until", "120ms"]],
  "itai-rodeh": [["initiators", "all"]],
  "le-lann": [["initiators", "all"]],
  multicast: [["initiators", "all"]],
  nemeth: [["until", "30ms"]],
  peterson: [["initiators", "all"]],
  raft: [["until", "60ms"]],
  "repaired-chang-roberts": [
    ["detector", "perfect"],
    ["crash", "5@2ms"],
  ],
  stoller: [["until", "60ms"]],
  tempo: [["until", "1s"]],
  "time-slice": [["initiators", "all"]],
  "yo-yo": [["initiators", "all"]],
};

export function clusterWords(algorithm: string): Word[] {
  return [
    ["algorithm", algorithm],
    ["cluster", "true"],
    ["nodes", "3"],
    ["order", "ascending"],
    ["until", "1800ms"],
  ];
}

// The rooms of the laboratory, each with its first run.
export const rooms: [name: string, first: () => Link][] = [
  ["Elections", () => linkOf(firstWords)],
  ["Lease", () => linkOf([...clusterWords("bully"), ["fault", "agent-dies:3@700ms"]])],
  [
    "Clocks",
    () =>
      linkOf(
        [
          ["nodes", "5"],
          ["drift", "50"],
          ["walk", "0.001"],
          ["jitter", "exp:10us"],
          ["until", "2min"],
        ],
        "clocks",
      ),
  ],
];
