// Where the texts of marks stand above their lines: beside the line on the side that has room, in
// one row for what is violated and one for what else happens. A text that finds no room is cut at
// its colon, or left out: its line stays, and the step says it in words.
import type { Mark } from "./lanes";

export interface Label {
  x: number; // px, of the line
  bad: boolean;
  near: "left" | "right"; // of the line
  text: string;
}
export interface Room {
  from: number; // px; texts stand between these
  to: number;
  x(time: number): number; // px
  measure(text: string): number; // px
}

const gap = 4; // px between a line and its text

// Of marks that are in the picture. What is violated is placed first.
export function placeLabels(marks: readonly Mark[], room: Room): Label[] {
  const taken: Record<"bad" | "usual", [number, number][]> = { bad: [], usual: [] };
  const violated = marks.filter(({ what }) => what === "violation");
  const others = marks.filter(({ what }) => what !== "violation");
  return [...violated, ...others].map(({ time, what, text }) => {
    const bad = what === "violation";
    const row = taken[bad ? "bad" : "usual"];
    const x = room.x(time);
    for (const shown of [text, text.replace(/:.*/, "")])
      for (const near of ["right", "left"] as const) {
        const long = room.measure(shown) + 2 * gap;
        const [from, to] = near === "right" ? [x, x + long] : [x - long, x];
        const free = row.every(([left, right]) => to <= left || from >= right);
        if (!free || from < room.from || to > room.to) continue;
        row.push([from, to]);
        return { x, bad, near, text: shown };
      }
    return { x, bad, near: "right", text: "" };
  });
}

export const anchorOf = ({ x, near }: Label): number => (near === "right" ? x + gap : x - gap);
