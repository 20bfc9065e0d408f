// The laboratory's modules and its TypeScript, in node.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { WASI } from "node:wasi";
import { gunzipSync } from "node:zlib";
import { root } from "./laboratory.mjs";

// A function that answers requests as the page's worker does.
export async function loadModule(name) {
  const bytes = gunzipSync(await readFile(join(root, `build/wasm/bin/${name}.wasm.gz`)));
  const wasi = new WASI({ version: "preview1" });
  const { instance } = await WebAssembly.instantiate(bytes, wasi.getImportObject());
  wasi.initialize(instance);
  const { memory, room, respond, length } = instance.exports;
  return (text) => {
    const letters = new TextEncoder().encode(text);
    new Uint8Array(memory.buffer, room(letters.length), letters.length).set(letters);
    const answer = respond();
    return new TextDecoder().decode(new Uint8Array(memory.buffer, answer, length()));
  };
}

// Imports files of web/src, compiled as for the page.
export async function importSources(...paths) {
  const web = join(root, "web");
  const vite = createRequire(join(web, "package.json")).resolve("vite");
  const { createServer } = await import(pathToFileURL(vite));
  const server = await createServer({
    root: web,
    logLevel: "error",
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const loaded = await Promise.all(paths.map((path) => server.ssrLoadModule(`/src/${path}`)));
    return Object.assign({}, ...loaded);
  } finally {
    await server.close();
  }
}
