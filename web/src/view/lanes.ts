// What each node's lane shows over time: when it is up, whom it follows, when it stands still.
import type { Run } from "../model/run";

export interface Piece {
  from: number; // ns
  to: number;
  leader: number;
  up: boolean;
  paused: boolean;
}
export interface Mark {
  time: number;
  what: "leads" | "crash" | "violation" | "network";
  text: string;
}
export interface Lanes {
  pieces: Piece[][]; // by id - 1
  marks: Mark[][]; // likewise
  all: Mark[]; // that concern nobody in particular
}

export function findLanes(run: Run): Lanes {
  const { time, node, other } = run.answer;
  const open = run.answer.ring.map((): Piece => ({
    from: 0,
    to: run.end,
    leader: 0,
    up: true,
    paused: false,
  }));
  const lanes: Lanes = { pieces: open.map(() => []), marks: open.map(() => []), all: [] };
  const change = (id: number, at: number, how: Partial<Piece>) => {
    const piece = open[id - 1];
    if (at > piece.from) lanes.pieces[id - 1].push({ ...piece, to: at });
    Object.assign(piece, how, { from: at });
  };
  for (let i = 0; i < run.records; ++i) {
    const id = node[i];
    switch (run.kind(i)) {
      case "start":
      case "recover":
        change(id, time[i], { up: true, paused: false, leader: 0 });
        break;
      case "crash":
        change(id, time[i], { up: false, paused: false, leader: 0 });
        lanes.marks[id - 1].push({ time: time[i], what: "crash", text: "" });
        break;
      case "pause":
        change(id, time[i], { paused: true });
        break;
      case "resume":
        change(id, time[i], { paused: false });
        break;
      case "follow":
        change(id, time[i], { leader: other[i] });
        if (other[i] === id) lanes.marks[id - 1].push({ time: time[i], what: "leads", text: "" });
        break;
      case "violation":
        lanes.all.push({ time: time[i], what: "violation", text: run.text(i) });
        break;
      case "network":
        lanes.all.push({ time: time[i], what: "network", text: run.text(i) });
        break;
    }
  }
  open.forEach((piece, i) => lanes.pieces[i].push({ ...piece, to: run.end }));
  return lanes;
}
