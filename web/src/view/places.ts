// Where the nodes stand in the picture of the network, and the lines between them.

export interface Place {
  x: number;
  y: number;
}
const size = 320,
  middle = size / 2,
  reach = 122;

// As conclave/core/graph.hpp lays a grid: the greatest divisor up to the root.
function rowsOf(nodes: number): number {
  let rows = Math.floor(Math.sqrt(nodes));
  while (nodes % rows !== 0) --rows;
  return rows;
}

function place(shape: string, i: number, nodes: number): Place {
  const rows = rowsOf(nodes);
  if (/^(grid|torus)$/.test(shape) && rows > 1) {
    const columns = nodes / rows;
    const share = (at: number, of: number) => 50 + ((size - 100) * at) / (of - 1);
    return { x: share(i % columns, columns), y: share(Math.floor(i / columns), rows) };
  }
  if (shape === "star" && i === 0) return { x: middle, y: middle };
  const [around, all] = shape === "star" ? [i - 1, nodes - 1] : [i, nodes];
  const angle = (2 * Math.PI * around) / all - Math.PI / 2;
  return { x: middle + reach * Math.cos(angle), y: middle + reach * Math.sin(angle) };
}

// By id. `shape` is the word of a graph, or "".
export function placesOf(ring: readonly number[], shape: string): Place[] {
  const list: Place[] = [];
  ring.forEach((id, i) => (list[id] = place(shape, i, ring.length)));
  return list;
}

// A line that would run through a node between its ends goes round it.
export function linePath(a: number, b: number, places: readonly Place[]): string {
  const [from, to] = [places[a], places[b]];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const between = places.some((at, id) => {
    if (id === a || id === b) return false;
    const along = ((at.x - from.x) * dx + (at.y - from.y) * dy) / length;
    const aside = Math.abs((at.x - from.x) * dy - (at.y - from.y) * dx) / length;
    return along > 0 && along < length && aside < 6;
  });
  const bend = between ? 34 : 0;
  const x = (from.x + to.x) / 2 - (dy / length) * bend,
    y = (from.y + to.y) / 2 + (dx / length) * bend;
  return `M${from.x} ${from.y}Q${x} ${y} ${to.x} ${to.y}`;
}
