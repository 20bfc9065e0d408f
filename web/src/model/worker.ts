// One WebAssembly module in a worker: requests in, answers out. The module comes compressed, so
// that any web server sends it small, and is decompressed here.
import checker from "../../../build/wasm/bin/checker.wasm.gz?url";
import clocks from "../../../build/wasm/bin/clocks.wasm.gz?url";
import cluster from "../../../build/wasm/bin/cluster.wasm.gz?url";
import others from "../../../build/wasm/bin/others.wasm.gz?url";
import simulator from "../../../build/wasm/bin/simulator.wasm.gz?url";

interface Exports extends WebAssembly.Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  room(size: number): number;
  respond(): number;
  length(): number;
}

const badDescriptor = 8; // WASI's EBADF
const notSupported = 52; // and ENOSYS

// As much of WASI as the C library asks for: a clock, an empty environment, no folders, and a place
// to write last words to. Its start ends the module where it is refused the second or the third.
function system(imports: WebAssembly.ModuleImportDescriptor[], memory: () => WebAssembly.Memory) {
  const known: Record<string, (...given: number[]) => number> = {
    clock_time_get: (_id, _precision, at) => {
      new DataView(memory().buffer).setBigUint64(
        at,
        BigInt(Math.round(performance.now() * 1e6)),
        true,
      );
      return 0;
    },
    environ_sizes_get: (count, size) => {
      const view = new DataView(memory().buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_prestat_get: () => badDescriptor, // so it learns that there are no more folders
    fd_write: (_fd, list, count, written) => {
      const view = new DataView(memory().buffer);
      let size = 0;
      for (let i = 0; i < count; ++i) size += view.getUint32(list + 8 * i + 4, true);
      view.setUint32(written, size, true);
      return 0;
    },
    proc_exit: () => {
      throw new Error("the module ended");
    },
  };
  return {
    wasi_snapshot_preview1: Object.fromEntries(
      imports.map(({ name }) => [name, known[name] ?? (() => notSupported)]),
    ),
  };
}

async function load(url: string): Promise<Exports> {
  const answer = await fetch(url);
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${answer.statusText}`);
  const bytes = await new Response(
    answer.body.pipeThrough(new DecompressionStream("gzip")),
  ).arrayBuffer();
  const module = await WebAssembly.compile(bytes);
  let exports: Exports;
  const imports = system(WebAssembly.Module.imports(module), () => exports.memory);
  exports = (await WebAssembly.instantiate(module, imports)).exports as Exports;
  exports._initialize();
  return exports;
}

const addresses: Record<string, string> = {
  simulator,
  others,
  cluster,
  clocks,
  checker,
};
const address = addresses[self.name];
let loaded: Promise<Exports> | null = null;

class Unloadable extends Error {}

async function loadOnce(): Promise<Exports> {
  loaded ??= load(new URL(address, import.meta.url).href);
  try {
    return await loaded;
  } catch (error) {
    throw new Unloadable(error instanceof Error ? error.message : String(error));
  }
}

async function respond(request: string): Promise<string> {
  const module = await loadOnce();
  const bytes = new TextEncoder().encode(request);
  const place = module.room(bytes.length);
  new Uint8Array(module.memory.buffer, place, bytes.length).set(bytes);
  const answer = module.respond();
  return new TextDecoder().decode(new Uint8Array(module.memory.buffer, answer, module.length()));
}

self.onmessage = async (event: MessageEvent<{ id: number; request: string }>) => {
  const { id, request } = event.data;
  let answer: string;
  try {
    answer = await respond(request);
  } catch (error) {
    loaded = null; // the next request gets a fresh one
    const reason = error instanceof Error ? error.message : String(error);
    const problem =
      error instanceof Unloadable
        ? `This part of the laboratory cannot be loaded (${reason}): ` +
          "look whether the network and all files of the page are there."
        : `The module gave up (${reason}): make the system smaller, or load the page anew.`;
    answer = JSON.stringify({ problem });
  }
  self.postMessage({ id, answer });
};
