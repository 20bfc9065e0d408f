// The space-time diagram: a lane for each node, time to the right, messages across. Only what is in
// the window is drawn, onto a layer that stays while the cursor moves.
import type { Flight, Run } from "../model/run";
import { formatTime, labelOf } from "../model/run";
import { leaderColour, type Theme } from "./colours";
import { anchorOf, placeLabels } from "./labels";
import { findLanes, type Lanes } from "./lanes";
import { follow, shift, ticks, whole, zoom, type Window } from "./window";

const left = 38,
  right = 14,
  top = 34,
  bottom = 24; // px around the lanes
const fewMessages = 90; // so many have room for labels and arrowheads
const comfortable = 600; // messages in a window that is drawn well within a frame

export class SpaceTime {
  private layer = document.createElement("canvas");
  private drawn = ""; // what the layer shows
  private lanes: Lanes | null = null;
  private run: Run | null = null;
  private places = new Map<number, number>(); // id: row
  width = 0;
  height = 0;
  window: Window = { from: 0, to: 1 };

  constructor(private canvas: HTMLCanvasElement) {}

  show(run: Run): void {
    if (this.run === run) return;
    this.run = run;
    this.lanes = findLanes(run);
    this.places = new Map(run.answer.ring.map((id, row) => [id, row]));
    this.window = this.fit(run);
    this.drawn = "";
  }

  // All of it, or as much from the beginning as can be read.
  private fit(run: Run): Window {
    const messages = run.flights.length;
    if (messages <= comfortable) return whole(run.end);
    return { from: 0, to: run.flights[comfortable].sent || run.end };
  }

  resize(width: number, height: number): void {
    const scale = Math.min(window.devicePixelRatio || 1, 2);
    if (this.width === width && this.height === height) return;
    this.width = width;
    this.height = height;
    for (const canvas of [this.canvas, this.layer]) {
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
    }
    this.drawn = "";
  }

  x(time: number): number {
    const { from, to } = this.window;
    return left + ((time - from) / (to - from)) * (this.width - left - right);
  }
  time(x: number): number {
    const { from, to } = this.window;
    return from + ((x - left) / (this.width - left - right)) * (to - from);
  }
  y(id: number): number {
    const rows = this.run?.answer.ring.length ?? 1;
    return top + ((this.places.get(id) ?? 0) + 0.5) * ((this.height - top - bottom) / rows);
  }

  follow(time: number): void {
    if (this.run !== null) this.window = follow(this.window, time, this.run.end);
  }
  zoom(factor: number, around: number): void {
    if (this.run !== null) this.window = zoom(this.window, factor, around, this.run.end);
  }
  pan(by: number): void {
    if (this.run !== null) this.window = shift(this.window, by, this.run.end);
  }

  visible(): Flight[] {
    if (this.run === null) return [];
    const list = [];
    for (
      let i = this.run.firstFlight(this.window.from - this.run.longest);
      i < this.run.flights.length;
      ++i
    ) {
      const flight = this.run.flights[i];
      if (flight.sent > this.window.to) break;
      if (flight.ended >= this.window.from) list.push(flight);
    }
    return list;
  }

  // The message whose line passes closest to this point, if any is near.
  hit(x: number, y: number): Flight | null {
    let best: Flight | null = null,
      nearest = 9;
    for (const flight of this.visible()) {
      const [x1, y1, x2, y2] = this.ends(flight);
      const length = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1;
      const along = Math.max(
        0,
        Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length),
      );
      const distance = Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
      if (distance < nearest) [best, nearest] = [flight, distance];
    }
    return best;
  }
  nodeAt(y: number): number | null {
    const ring = this.run?.answer.ring ?? [];
    const row = Math.floor((y - top) / ((this.height - top - bottom) / ring.length));
    return ring[row] ?? null;
  }

  draw(now: number, selected: Flight | null, colours: Theme): void {
    if (this.run === null || this.width === 0) return;
    const key = [this.window.from, this.window.to, this.width, this.height, colours.ink].join();
    if (key !== this.drawn) {
      this.drawLayer(colours);
      this.drawn = key;
    }
    const pen = this.canvas.getContext("2d")!;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.layer, 0, 0);
    const scale = this.canvas.width / this.width;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.drawCursor(pen, now, selected, colours);
  }

  private drawCursor(
    pen: CanvasRenderingContext2D,
    now: number,
    selected: Flight | null,
    colours: Theme,
  ): void {
    const x = Math.max(left, Math.min(this.x(now), this.width - right));
    pen.globalAlpha = 0.62; // what is still to come
    pen.fillStyle = colours.paper;
    pen.fillRect(x, top - 4, this.width - right - x + 4, this.height - top - bottom + 8);
    pen.globalAlpha = 1;
    pen.strokeStyle = colours.cursor;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x, top - 6);
    pen.lineTo(x, this.height - bottom + 6);
    pen.stroke();
    if (selected === null) return;
    pen.lineWidth = 4;
    pen.beginPath();
    const [x1, y1, x2, y2] = this.ends(selected);
    pen.moveTo(x1, y1);
    pen.lineTo(x2, y2);
    pen.stroke();
  }

  ends(flight: Flight): [number, number, number, number] {
    const gone = flight.lost !== null && flight.ended <= flight.sent; // lost at once: drawn a bit
    const x1 = this.x(flight.sent),
      y1 = this.y(flight.from),
      y2 = this.y(flight.to);
    const x2 = gone ? x1 + 16 : this.x(flight.ended);
    return gone ? [x1, y1, x2, y1 + (y2 - y1) * 0.45] : [x1, y1, x2, y2];
  }

  private drawLayer(colours: Theme): void {
    const pen = this.layer.getContext("2d")!;
    const scale = this.layer.width / this.width;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.layer.width, this.layer.height);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.font = "11px system-ui, sans-serif";
    this.drawAxis(pen, colours);
    pen.save();
    pen.beginPath();
    pen.rect(left - 8, 0, this.width - left - right + 16, this.height - bottom + 8);
    pen.clip();
    this.drawLanes(pen, colours);
    this.drawMessages(pen, colours);
    this.drawMarks(pen, colours);
    pen.restore();
    this.drawNames(pen, colours);
  }

  private drawAxis(pen: CanvasRenderingContext2D, colours: Theme): void {
    pen.fillStyle = colours.faint;
    pen.strokeStyle = colours.line;
    pen.lineWidth = 1;
    pen.textAlign = "center";
    for (const at of ticks(this.window, this.width)) {
      const x = this.x(at);
      if (x > this.width - right - 12) break;
      pen.beginPath();
      pen.moveTo(x, top - 4);
      pen.lineTo(x, this.height - bottom + 4);
      pen.stroke();
      pen.fillText(formatTime(at), Math.max(x, left + 2), this.height - 7);
    }
  }

  private drawNames(pen: CanvasRenderingContext2D, colours: Theme): void {
    const ring = this.run!.answer.ring;
    const room = (this.height - top - bottom) / ring.length;
    const every = Math.max(1, Math.ceil(12 / room));
    pen.textAlign = "right";
    pen.fillStyle = colours.ink;
    pen.font = "600 12px system-ui, sans-serif";
    ring.forEach((id, row) => {
      if (row % every === 0) pen.fillText(String(id), left - 12, this.y(id) + 4);
    });
  }

  private drawLanes(pen: CanvasRenderingContext2D, colours: Theme): void {
    const room = (this.height - top - bottom) / this.run!.answer.ring.length;
    for (const id of this.run!.answer.ring) {
      const y = this.y(id);
      for (const piece of this.lanes!.pieces[id - 1]) {
        if (piece.to < this.window.from || piece.from > this.window.to || !piece.up) continue;
        const leads = piece.leader === id;
        pen.strokeStyle = leaderColour(piece.leader, colours);
        pen.lineWidth = Math.min(
          leads ? 7 : piece.leader === 0 ? 1.25 : 2.5,
          room * (leads ? 0.9 : 0.5),
        );
        pen.setLineDash(piece.paused ? [2, 5] : []);
        pen.beginPath();
        pen.moveTo(Math.max(this.x(piece.from), left), y);
        pen.lineTo(Math.min(this.x(piece.to), this.width - right), y);
        pen.stroke();
      }
    }
    pen.setLineDash([]);
  }

  private drawMessages(pen: CanvasRenderingContext2D, colours: Theme): void {
    const flights = this.visible();
    const few = flights.length <= fewMessages && this.run!.answer.ring.length <= 24;
    pen.lineWidth = few ? 1.4 : 0.8;
    for (const lost of [false, true]) {
      // one path for all of a kind: much faster than one each
      pen.strokeStyle = lost ? colours.bad : colours.ink;
      pen.globalAlpha = few || lost ? 1 : 0.55;
      pen.setLineDash(lost ? [5, 3] : []);
      pen.beginPath();
      for (const flight of flights) {
        if ((flight.lost !== null) !== lost) continue;
        const [x1, y1, x2, y2] = this.ends(flight);
        pen.moveTo(x1, y1);
        pen.lineTo(x2, y2);
      }
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    for (const flight of flights) {
      if (flight.lost !== null) this.drawCross(pen, flight, colours);
      else if (few && flight.arrives) this.drawHead(pen, flight, colours);
    }
    if (few) this.drawLabels(pen, flights, colours);
  }

  private drawHead(pen: CanvasRenderingContext2D, flight: Flight, colours: Theme): void {
    const [x1, y1, x2, y2] = this.ends(flight);
    const angle = Math.atan2(y2 - y1, x2 - x1);
    pen.fillStyle = colours.ink;
    pen.beginPath();
    pen.moveTo(x2, y2);
    for (const side of [-0.4, 0.4])
      pen.lineTo(x2 - 9 * Math.cos(angle + side), y2 - 9 * Math.sin(angle + side));
    pen.fill();
  }
  private drawCross(pen: CanvasRenderingContext2D, flight: Flight, colours: Theme): void {
    const [, , x, y] = this.ends(flight);
    pen.strokeStyle = colours.bad;
    pen.lineWidth = 2;
    pen.beginPath();
    for (const side of [-1, 1]) {
      pen.moveTo(x - 4, y - 4 * side);
      pen.lineTo(x + 4, y + 4 * side);
    }
    pen.stroke();
  }

  // A label stands where no other does, along its message; without such a place it is left out.
  private drawLabels(pen: CanvasRenderingContext2D, flights: Flight[], colours: Theme): void {
    const taken: [number, number, number, number][] = [];
    pen.font = "11px system-ui, sans-serif";
    pen.textAlign = "center";
    for (const flight of flights) {
      const [x1, y1, x2, y2] = this.ends(flight);
      const label = labelOf(flight.text);
      const width = pen.measureText(label).width + 6;
      for (const share of [0.5, 0.35, 0.65]) {
        const x = x1 + share * (x2 - x1),
          y = y1 + share * (y2 - y1);
        if (x - width / 2 < left || x + width / 2 > this.width - right) continue;
        const meets = taken.some(
          ([a, b, w, h]) => Math.abs(a - x) * 2 < w + width && Math.abs(b - y) * 2 < h + 15,
        );
        if (meets) continue;
        taken.push([x, y, width, 15]);
        pen.fillStyle = colours.paper;
        pen.fillRect(x - width / 2, y - 7, width, 14);
        pen.fillStyle = flight.lost === null ? colours.ink : colours.bad;
        pen.fillText(label, x, y + 4);
        break;
      }
    }
  }

  private drawMarks(pen: CanvasRenderingContext2D, colours: Theme): void {
    const inside = (time: number) => time >= this.window.from && time <= this.window.to;
    pen.textAlign = "center";
    for (const id of this.run!.answer.ring)
      for (const mark of this.lanes!.marks[id - 1]) {
        if (!inside(mark.time)) continue;
        pen.font = "15px system-ui, sans-serif";
        pen.fillStyle = mark.what === "leads" ? leaderColour(id, colours) : colours.bad;
        pen.fillText(mark.what === "leads" ? "★" : "✕", this.x(mark.time), this.y(id) + 5);
      }
    const seen = this.lanes!.all.filter(({ time }) => inside(time));
    pen.font = "11px system-ui, sans-serif";
    const labels = placeLabels(seen, {
      from: left - 8, // as the clip
      to: this.width - right + 8,
      x: (time) => this.x(time),
      measure: (text) => pen.measureText(text).width,
    });
    for (const label of labels) {
      pen.strokeStyle = pen.fillStyle = label.bad ? colours.bad : colours.faint;
      pen.lineWidth = label.bad ? 2 : 1;
      pen.beginPath();
      pen.moveTo(label.x, top - 4);
      pen.lineTo(label.x, this.height - bottom + 4);
      pen.stroke();
      pen.textAlign = label.near === "right" ? "left" : "right";
      pen.fillText(label.text, anchorOf(label), label.bad ? 25 : 11);
    }
  }
}
