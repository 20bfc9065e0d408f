// A real group of three for the tests of the live page: see group.py.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./laboratory.mjs";

const script = join(root, "tests/web/group.py");
const built = (name) => join(process.env.CONCLAVE_TOOLS ?? join(root, "build/dev/bin"), name);
export const tool = built("conclave");

// Whether this machine lets us make network namespaces.
export const possible = () => spawnSync("python3", ["-B", script, "--possible"]).status === 0;

// `pages` by name of the node; `ask("kill", { name })` does it; `stop()` ends all of it.
export async function startGroup() {
  const child = spawn("python3", ["-B", script, tool, built("ticker")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("the group has ended");
      if (value.startsWith("{")) return JSON.parse(value);
      console.error(value); // logs of nodes, where something went wrong
    }
  };
  const { pages } = await read();
  return {
    pages,
    names: Object.keys(pages),
    ask: (what, more = {}) => {
      child.stdin.write(JSON.stringify({ do: what, ...more }) + "\n");
      return read();
    },
    stop: () => new Promise((done) => (child.on("close", done), child.stdin.end())),
  };
}
