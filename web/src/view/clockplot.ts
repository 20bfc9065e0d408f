// Geometry of the picture of the clocks: a scale that is linear near 0 and logarithmic far from it,
// so that microseconds and a clock that is minutes off are seen in one picture.

const linear = 1e3; // ns

export function bend(ns: number): number {
  return Math.asinh(ns / linear);
}

const steps = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13];

// Round values up to the greatest that is shown, on both sides of 0.
export function levels(most: number): number[] {
  const upTo = steps.filter((step) => step <= most * 1.2);
  const shown = upTo.length > 5 ? upTo.filter((_, i) => i % 2 === (upTo.length - 1) % 2) : upTo;
  return [...shown.map((step) => -step).reverse(), 0, ...shown];
}

// A line with gaps where there is no value; of many values in one column of pixels, the extremes.
export function outline(points: ({ x: number; y: number } | null)[]): string {
  let path = "",
    column = NaN,
    low = 0,
    high = 0,
    pen = false;
  const flush = () => {
    if (Number.isNaN(column)) return;
    path += `${pen ? "L" : "M"}${column.toFixed(1)} ${low.toFixed(1)}`;
    if (high !== low) path += `L${column.toFixed(1)} ${high.toFixed(1)}`;
    pen = true;
    column = NaN;
  };
  for (const point of points) {
    if (point === null) {
      flush();
      pen = false;
    } else if (point.x - column < 0.5) {
      low = Math.min(low, point.y);
      high = Math.max(high, point.y);
    } else {
      flush();
      column = point.x;
      low = high = point.y;
    }
  }
  flush();
  return path;
}

// The area between two lines, piece by piece.
export function area(points: ({ x: number; top: number; bottom: number } | null)[]): string {
  let path = "",
    piece: { x: number; top: number; bottom: number }[] = [];
  const flush = () => {
    if (piece.length > 0) {
      const there = piece.map((p) => `${p.x.toFixed(1)} ${p.top.toFixed(1)}`);
      const back = piece.map((p) => `${p.x.toFixed(1)} ${p.bottom.toFixed(1)}`).reverse();
      path += `M${there.join("L")}L${back.join("L")}Z`;
    }
    piece = [];
  };
  for (const point of points) {
    const last = piece[piece.length - 1];
    if (point === null) flush();
    else if (last !== undefined && point.x - last.x < 0.5) {
      last.top = Math.min(last.top, point.top);
      last.bottom = Math.max(last.bottom, point.bottom);
    } else piece.push({ ...point });
  }
  flush();
  return path;
}
