import { readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

// virtual:papers: of each algorithm that conclave/algorithms.hpp lists, the paper with its title,
// which is the first paragraph of its header. Whole headers load when somebody looks at them.
function papers(): Plugin {
  const read = (path: string) =>
    readFileSync(new URL(`../conclave/${path}.hpp`, import.meta.url), "utf8");
  const wrapped: Record<string, string> = { repaired_chang_roberts: "core/ring_repair" };
  const paperOf = (name: string) =>
    read(wrapped[name] ?? `election/${name}`)
      .split(/\n(?:\/\/\n|(?!\/\/))/)[0]
      .replace(/\n?\/\/ /g, " ")
      .trim();
  const list = () =>
    [...read("algorithms").matchAll(/^#include "conclave\/election\/(\w+)\.hpp"/gm)].map(
      ([, name]) => [name.replaceAll("_", "-"), paperOf(name)],
    );
  return {
    name: "papers",
    resolveId: (id) => (id === "virtual:papers" ? "\0papers" : null),
    load: (id) =>
      id === "\0papers" ? `export default ${JSON.stringify(Object.fromEntries(list()))}` : null,
  };
}

// Relative addresses, so that the page works from any folder of any web server.
export default defineConfig({
  base: "./",
  plugins: [papers(), svelte()],
  server: { fs: { allow: [".."] } },
  worker: { format: "es" },
  build: { outDir: "../build/web", emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
});
