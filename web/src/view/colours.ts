// Colours that people with any kind of colour vision can tell apart, from each other and from what
// is grey: the first three are Okabe and Ito's, the others were searched for. A test measures
// their distances as people without red, green or blue cones see them. Colour never stands alone:
// leaders have a star, losses a cross, crashes a gap, and every node its number.

export const light = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#aa55ff",
  "#880000",
  "#5500ff",
  "#880077",
  "#6600aa",
];
const dark = [
  "#56b4e9",
  "#f28a4a",
  "#2fd08a",
  "#bb44ff",
  "#ffcc00",
  "#ee3355",
  "#aaee88",
  "#009966",
];

export interface Theme {
  ink: string;
  faint: string;
  line: string;
  paper: string;
  bad: string;
  cursor: string;
  leaders: string[];
}

export function theme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    ink: read("--ink"),
    faint: read("--faint"),
    line: read("--line"),
    paper: read("--panel"),
    bad: read("--bad"),
    cursor: read("--accent"),
    leaders: window.matchMedia("(prefers-color-scheme: dark)").matches ? dark : light,
  };
}

export function leaderColour(leader: number, colours: Theme): string {
  return leader === 0 ? colours.faint : colours.leaders[(leader - 1) % colours.leaders.length];
}
