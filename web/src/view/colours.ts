// The palette of Okabe and Ito, which people with any kind of colour vision can tell apart. Colour
// never stands alone: leaders have a star, losses a cross, crashes a gap.

export const light = [
  "#0072b2",
  "#d55e00",
  "#009e73",
  "#aa4a84",
  "#b87a00",
  "#2b7fb8",
  "#7a6a00",
  "#555555",
];
const dark = [
  "#56b4e9",
  "#f28a4a",
  "#3fcf9f",
  "#e59bc4",
  "#f0b429",
  "#8fd0ff",
  "#f0e442",
  "#bbbbbb",
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
