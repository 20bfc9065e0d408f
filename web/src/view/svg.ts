// The diagram as an SVG file, for slides and papers: the whole run, or its first thousand messages.
import { formatTime, labelOf, type Flight, type Run } from "../model/run";
import { light as colours } from "./colours";
import { findLanes, type Lanes } from "./lanes";

const most = 1000; // messages
const named = 120; // with so many there is room for their names
const room = 44,
  left = 40,
  top = 30; // px
const bad = "#d8183c",
  ink = "#1d2329",
  faint = "#9aa3ab";

interface Sheet {
  run: Run;
  lanes: Lanes;
  flights: Flight[];
  width: number;
  height: number;
  end: number; // ns
  x(time: number): number;
  y(id: number): number;
}

function escape(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, (letter) => names[letter]);
}

function element(name: string, attributes: Record<string, string | number>, text = ""): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${value}"`);
  return `<${name}${list.join("")}>${escape(text)}</${name}>`;
}

const colourOf = (leader: number) =>
  leader === 0 ? faint : colours[(leader - 1) % colours.length];

function drawLane(sheet: Sheet, id: number): string[] {
  const y = sheet.y(id);
  const name = { x: left - 6, y: y + 4, "text-anchor": "end", "font-weight": 600 };
  const parts = [element("text", name, String(id))];
  for (const piece of sheet.lanes.pieces[id - 1]) {
    if (!piece.up || piece.from >= sheet.end) continue;
    const width = piece.leader === id ? 7 : piece.leader === 0 ? 1.3 : 2.6;
    const line = { x1: sheet.x(piece.from), x2: sheet.x(Math.min(piece.to, sheet.end)) };
    const look = { stroke: colourOf(piece.leader), "stroke-width": width };
    const dashes: Record<string, string> = piece.paused ? { "stroke-dasharray": "2 5" } : {};
    parts.push(element("line", { ...line, y1: y, y2: y, ...look, ...dashes }));
  }
  return parts;
}

function drawFlight(sheet: Sheet, flight: Flight): string[] {
  const gone = flight.lost !== null && flight.ended <= flight.sent;
  const x1 = sheet.x(flight.sent),
    y1 = sheet.y(flight.from);
  const x2 = gone ? x1 + 16 : sheet.x(flight.ended);
  const y2 = gone ? y1 + (sheet.y(flight.to) - y1) * 0.45 : sheet.y(flight.to);
  const look: Record<string, string> = flight.lost
    ? { stroke: bad, "stroke-dasharray": "5 3" }
    : { stroke: ink, "marker-end": "url(#a)" };
  const parts = [element("line", { x1, y1, x2, y2, ...look })];
  if (flight.lost)
    parts.push(element("text", { x: x2, y: y2 + 4, "text-anchor": "middle", fill: bad }, "✕"));
  if (sheet.flights.length > named) return parts;
  const place = { x: (x1 + x2) / 2, y: (y1 + y2) / 2 - 3, "text-anchor": "middle", class: "m" };
  return [...parts, element("text", place, labelOf(flight.text))];
}

function drawMarks(sheet: Sheet, id: number): string[] {
  return sheet.lanes.marks[id - 1]
    .filter((mark) => mark.time <= sheet.end)
    .map((mark) => {
      const leads = mark.what === "leads";
      const place = { x: sheet.x(mark.time), y: sheet.y(id) + 5, "text-anchor": "middle" };
      const look = { "font-size": 15, fill: leads ? colourOf(id) : bad };
      return element("text", { ...place, ...look }, leads ? "★" : "✕");
    });
}

function layOut(run: Run): Sheet {
  const flights = run.flights.slice(0, most),
    ring = run.answer.ring;
  const whole = flights.length === run.flights.length;
  const end = whole ? run.end : flights[flights.length - 1].ended;
  const width = Math.max(640, Math.min(2400, 60 + flights.length * 26));
  return {
    run,
    flights,
    end,
    width,
    lanes: findLanes(run),
    height: top + ring.length * room + 40,
    x: (time) => left + 10 + (time / end) * (width - left - 40),
    y: (id) => top + (ring.indexOf(id) + 0.5) * room,
  };
}

export function toSvg(run: Run): string {
  const sheet = layOut(run),
    ring = run.answer.ring;
  const foot = { x: sheet.width - 12, y: sheet.height - 10, "text-anchor": "end", fill: "#4d5761" };
  const arrow = `<marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"
markerHeight="8" orient="auto"><path d="M0 1L8 4L0 7z"/></marker>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sheet.width} ${sheet.height}"`,
    `font-family="sans-serif" font-size="12">`,
    element("title", {}, run.answer.title),
    "<style>.m{font-size:10px;paint-order:stroke;stroke:#fff;stroke-width:3px}</style>",
    `<defs>${arrow}</defs>`,
    element("rect", { width: sheet.width, height: sheet.height, fill: "#fff" }),
    element("text", { x: left, y: 18, "font-weight": 600 }, run.answer.title),
    ...ring.flatMap((id) => drawLane(sheet, id)),
    ...sheet.flights.flatMap((flight) => drawFlight(sheet, flight)),
    ...ring.flatMap((id) => drawMarks(sheet, id)),
    element("text", foot, `0 to ${formatTime(sheet.end)}`),
    "</svg>\n",
  ].join("\n");
}
