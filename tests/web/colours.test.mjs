// The colours of the laboratory's page and of the live page, measured: text against its ground, and nodes against each
// other as people with each kind of colour vision see them (Machado, Oliveira & Fernandes 2009).
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./laboratory.mjs";

const visions = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  "without red cones": [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  "without green cones": [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  "without blue cones": [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
};
const full = (hex) => (hex.length > 4 ? hex : hex.replace(/[0-9a-f]/g, "$&$&"));
const linear = (hex) =>
  [1, 3, 5].map((at) => {
    const part = parseInt(full(hex).slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
const seen = (vision, rgb) =>
  [0, 3, 6].map((row) =>
    Math.max(
      0,
      Math.min(
        1,
        rgb.reduce((sum, part, i) => sum + vision[row + i] * part, 0),
      ),
    ),
  );
function lab([r, g, b]) {
  const bend = (t) => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = bend((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047),
    y = bend(0.2126 * r + 0.7152 * g + 0.0722 * b),
    z = bend((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const apart = (vision, a, b) => {
  const [one, other] = [a, b].map((hex) => lab(seen(vision, linear(hex))));
  return Math.hypot(...one.map((part, i) => part - other[i]));
};
function contrast(a, b) {
  const light = (hex) => {
    const [r, g, b] = linear(hex);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
  };
  return Math.max(light(a), light(b)) / Math.min(light(a), light(b));
}

const source = await readFile(join(root, "web/src/view/colours.ts"), "utf8");
const style = await readFile(join(root, "web/src/style.css"), "utf8");
const live = await readFile(join(root, "web/live/page.html"), "utf8");
const palette = (name) =>
  source.match(new RegExp(`const ${name} = \\[([^\\]]*)\\]`))[1].match(/#[0-9a-f]{6}/g);
const [first, second] = style.split("prefers-color-scheme: dark");
const themes = [
  ["light", first],
  ["dark", second],
].map(([name, css]) => ({
  name,
  nodes: palette(name),
  of: (variable) => css.match(new RegExp(`--${variable}: (#[0-9a-f]{6})`))[1],
}));

for (const { name, nodes, of } of themes) {
  test(`nodes are told apart with any colour vision, ${name}`, () => {
    assert.equal(nodes.length, 8);
    for (const [who, vision] of Object.entries(visions))
      nodes.forEach((colour, i) => {
        for (const other of nodes.slice(0, i)) {
          const distance = apart(vision, colour, other);
          assert.ok(
            distance >= 13,
            `${who}: ${colour} and ${other} are ${distance.toFixed(1)} apart`,
          );
        }
        // What is nobody's: grey, and what is lost, crashed or violated.
        for (const name of ["faint", "bad"]) {
          const distance = apart(vision, colour, of(name));
          assert.ok(distance >= 13, `${who}: ${colour} is ${distance.toFixed(1)} from --${name}`);
        }
      });
  });

  test(`text and lines stand out from their ground, ${name}`, () => {
    for (const text of ["ink", "soft", "faint", "accent", "bad"])
      for (const ground of ["panel", "paper"]) {
        const ratio = contrast(of(text), of(ground));
        assert.ok(ratio >= 4.5, `${text} on ${ground}: ${ratio.toFixed(2)}`);
      }
    for (const colour of nodes) {
      const ratio = contrast(colour, of("panel"));
      assert.ok(ratio >= 3, `${colour}: ${ratio.toFixed(2)}`);
    }
  });
}

test("terms of the live page are told apart with any colour vision, and their names are read", () => {
  const terms = [...live.matchAll(/\.c\d\{background:(#[0-9a-f]+)\}/g)].map(([, hex]) => hex);
  assert.equal(terms.length, 6);
  terms.forEach((colour, i) => {
    const ratio = contrast(colour, "#ffffff"); // the names
    assert.ok(ratio >= 4.5, `${colour}: ${ratio.toFixed(2)}`);
    for (const [who, vision] of Object.entries(visions))
      for (const other of terms.slice(0, i)) {
        const distance = apart(vision, colour, other);
        assert.ok(
          distance >= 13,
          `${who}: ${colour} and ${other} are ${distance.toFixed(1)} apart`,
        );
      }
  });
});
