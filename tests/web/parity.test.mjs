// Same seed, same bytes: the modules in node and in Chromium against the native tool.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, openPage, root, run, serve } from "./laboratory.mjs";
import { loadModule } from "./modules.mjs";
import { command, moduleOf, request, runs } from "./runs.mjs";

const hash = (...texts) => createHash("sha256").update(texts.join("\0")).digest("hex");
const name = (words) => command(words).join(" ");
let native; // a hash for each run

async function runNatively(words, folder) {
  const done = await run([
    "sim",
    ...command(words),
    "--json",
    "--trace",
    `${folder}/t.json`,
    "--trace",
    `${folder}/t.txt`,
  ]);
  assert.ok(done.code < 2, `${name(words)}: ${done.error}`);
  return hash(
    done.out.trim(),
    await readFile(`${folder}/t.json`, "utf8"),
    await readFile(`${folder}/t.txt`, "utf8"),
  );
}

// What a module answers, put together as the native tool prints it.
function together(count, perfetto, text) {
  const answer = JSON.parse(count);
  assert.equal(answer.problem, undefined, answer.problem);
  const outcome = count.slice('{"outcome":'.length, count.lastIndexOf(',"predicted":'));
  return hash(outcome, JSON.parse(perfetto).text, JSON.parse(text).text);
}

before(async () => {
  const folders = await Promise.all([0, 1].map(() => mkdtemp(join(tmpdir(), "parity-"))));
  native = new Array(runs.length);
  let next = 0;
  await Promise.all(
    folders.map(async (folder) => {
      while (next < runs.length) {
        const i = next++;
        native[i] = await runNatively(runs[i], folder);
      }
    }),
  );
});

// Clocks: conclave timed sim with each of its examples.
const examples = (await readdir(join(root, "examples/clocks"))).map((name) =>
  join(root, "examples/clocks", name),
);
const nativeClocks = new Map();
async function compareClocks(ask) {
  for (const path of examples) {
    if (!nativeClocks.has(path)) {
      const done = await run(["timed-sim", path, "--json"]);
      assert.equal(done.code, 0, done.error);
      nativeClocks.set(path, hash(done.out));
    }
    const { words, problem } = JSON.parse(await ask("import\n" + (await readFile(path, "utf8"))));
    assert.equal(problem, undefined, path);
    const answer = await ask(request("clocks", words));
    const outcome = answer.slice(answer.indexOf(',"outcome":') + ',"outcome":'.length, -1);
    assert.equal(hash(outcome), nativeClocks.get(path), path);
  }
}

test("clocks in node have the bytes of conclave timed sim, for every example", async () =>
  compareClocks(await loadModule("clocks")));

test("every module that runs nodes lists the same, and that of clusters who can be in one", async () => {
  const list = async (name) => JSON.parse((await loadModule(name))("list"));
  assert.deepEqual(await list("others"), await list("simulator"));
  const [plain, clusters] = [await list("simulator"), await list("cluster")];
  assert.deepEqual(clusters.clusters, ["bully", "invitation", "multicast", "nemeth", "tempo"]);
  assert.deepEqual({ ...clusters, clusters: [] }, plain);
});

test("every run in node has the bytes of the native tool", async () => {
  const modules = {
    simulator: await loadModule("simulator"),
    others: await loadModule("others"),
    cluster: await loadModule("cluster"),
  };
  for (const [i, words] of runs.entries()) {
    const ask = (verb) => modules[moduleOf(words)](request(verb, words));
    assert.equal(
      together(ask("count"), ask("export json"), ask("export txt")),
      native[i],
      name(words),
    );
  }
});

test("every run in Chromium has the bytes of the native tool", async () => {
  const server = await serve(),
    browser = await openBrowser();
  after(async () => {
    await browser.close();
    await server.stop();
  });
  const { page, wrong } = await openPage(browser, server.url);
  const worker = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .map((entry) => entry.name)
      .find((each) => /worker-.*\.js/.test(each)),
  );
  assert.ok(worker, "the page has a worker");
  const requests = runs.map((words) => [
    moduleOf(words),
    ["count", "export json", "export txt"].map((verb) => request(verb, words)),
  ]);
  const answers = await page.evaluate(
    async ([url, asked]) => {
      const start = (name) => new Worker(url, { type: "module", name });
      const workers = {
        simulator: start("simulator"),
        others: start("others"),
        cluster: start("cluster"),
      };
      const ask = (worker, text) =>
        new Promise((resolve) => {
          worker.onmessage = (event) => resolve(event.data.answer);
          worker.postMessage({ id: 1, request: text });
        });
      const all = [];
      for (const [name, three] of asked) {
        const answered = [];
        for (const text of three) answered.push(await ask(workers[name], text));
        all.push(answered);
      }
      return all;
    },
    [worker, requests],
  );
  for (const [i, words] of runs.entries())
    assert.equal(together(...answers[i]), native[i], name(words));
  await compareClocks((text) =>
    page.evaluate(
      ([url, asked]) => {
        window.clocks ??= new Worker(url, { type: "module", name: "clocks" });
        return new Promise((resolve) => {
          window.clocks.onmessage = (event) => resolve(event.data.answer);
          window.clocks.postMessage({ id: 1, request: asked });
        });
      },
      [worker, text],
    ),
  );
  assert.deepEqual(wrong, []);
});
