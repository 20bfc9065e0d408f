// The part of a run that a picture shows, from where to where in time.

export interface Window {
  from: number; // ns
  to: number;
}

const room = 1.02; // so much more than the run is shown, that its end can be seen

export function whole(end: number): Window {
  return { from: 0, to: end * room };
}
export function shift(shown: Window, by: number, end: number): Window {
  const width = shown.to - shown.from;
  const from = Math.max(0, Math.min(shown.from + by, end * room - width));
  return { from, to: from + width };
}
export function zoom(shown: Window, factor: number, around: number, end: number): Window {
  const width = Math.max(1000, Math.min((shown.to - shown.from) * factor, end * room));
  const share = (around - shown.from) / (shown.to - shown.from);
  const from = Math.max(0, Math.min(around - share * width, end * room - width));
  return { from, to: from + width };
}
// Keeps a moment in sight: pages on when it leaves.
export function follow(shown: Window, time: number, end: number): Window {
  if (time >= shown.from && time <= shown.to) return shown;
  return shift(shown, time - (shown.to - shown.from) * 0.3 - shown.from, end);
}
// Round times with room for their names.
export function ticks(shown: Window, pixels: number): number[] {
  const rough = (shown.to - shown.from) / Math.max(2, pixels / 110);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? power;
  const list = [];
  for (let at = Math.ceil(shown.from / step) * step; at <= shown.to; at += step) list.push(at);
  return list;
}
