// Pictures of a page, and what can be read on them. build/pictures has all, to look at. Those of the
// documents are in docs/pictures, each with its text beside it, so that a test sees when one has
// become old; DEV_PICTURES=yes makes those anew.
import assert from "node:assert/strict";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./laboratory.mjs";

export const renewing = process.env.DEV_PICTURES === "yes";
const largest = 200_000; // bytes

// What the picture of a page shows in words: texts, fields and names of pictures within its frame.
export const readTexts = (page) =>
  page.evaluate(() => {
    const inside = ({ top, bottom, width }) => width > 0 && bottom > 0 && top < innerHeight;
    const lines = [];
    const all = document.createTreeWalker(document.body, 0b101); // elements and texts
    for (let node = all.nextNode(); node; node = all.nextNode()) {
      const element = node.nodeType === 1 ? node : node.parentElement;
      const range = document.createRange();
      range.selectNode(node);
      const text =
        node.nodeType === 3
          ? node.data
          : node.matches("input, select")
            ? `[${node.value}]`
            : node.matches("[role=img]")
              ? `[${node.getAttribute("aria-label")}]`
              : "";
      if (text.trim() === "" || element.closest("option, script, style, footer")) continue;
      if (inside(range.getBoundingClientRect())) lines.push(text.trim().replace(/\s+/g, " "));
    }
    return lines.join("\n") + "\n";
  });

// `document`: whether docs/pictures has it. `texts`: what must be the same there as it was.
export async function takePicture(page, name, document, texts = "") {
  await page.evaluate(() => scrollTo(0, 0));
  const folder = join(root, document && renewing ? "docs/pictures" : "build/pictures");
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  if (!document) return;
  const { size } = await stat(path);
  assert.ok(size < largest, `${size} bytes`);
  if (renewing) await writeFile(join(folder, `${name}.txt`), texts);
  const committed = (kind) => join(root, "docs/pictures", `${name}.${kind}`);
  assert.equal(texts, await readFile(committed("txt"), "utf8"), "DEV_PICTURES=yes makes it anew");
  const [old, made] = await Promise.all([committed("png"), path].map((each) => readFile(each)));
  assert.deepEqual(old.subarray(16, 24), made.subarray(16, 24), "width and height");
}
