import type { Expected, Part } from "./facts";

export interface Step extends Part {
  title: string;
  text: string; // {messages}, {Election}, {leaders} ... are what the run shows
  words: string; // the scenario: "tempo nodes=5 until=1s"
  expect: Expected; // what the text says in words; a test holds it against the run
  look?: string; // what to open beside the run: Table, Source, Messages ...
}
export interface Tour {
  id: string;
  name: string;
  document: string;
  steps: Step[];
}

export function wordsOf(step: Step): [string, string][] {
  const [algorithm, ...rest] = step.words.split(" ");
  return [
    ["algorithm", algorithm],
    ...rest.map((word): [string, string] => {
      const cut = word.indexOf("=");
      return [word.slice(0, cut), word.slice(cut + 1).replaceAll("_", " ")];
    }),
  ];
}
