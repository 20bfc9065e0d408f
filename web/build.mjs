// Builds the page and packs it: node web/build.mjs, after cmake --build --preset wasm.
//
// build/web has the files for any web server; build/pages/laboratory.bundle has them for
// conclave-lab, with a compressed copy of what is not compressed yet (conclave/lab/pages.hpp).
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

async function pack(folder, bundle) {
  const headings = [],
    contents = [];
  for (const path of await filesIn(folder)) {
    const plain = await readFile(path);
    const gzipped = path.endsWith(".gz") ? Buffer.alloc(0) : gzipSync(plain, { level: 9 });
    headings.push(`${relative(folder, path)} ${plain.length} ${gzipped.length}\n`);
    contents.push(plain, gzipped);
  }
  await mkdir(join(bundle, ".."), { recursive: true });
  await writeFile(
    bundle + ".new",
    Buffer.concat([Buffer.from(headings.join("") + "\n"), ...contents]),
  );
  await rename(bundle + ".new", bundle);
}

await build({ root: join(root, "web"), logLevel: "warn" });
await pack(join(root, "build/web"), join(root, "build/pages/laboratory.bundle"));
