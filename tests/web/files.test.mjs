// What leaves the page, and what comes into it: exports, recordings, the command line, the files for
// another web server.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { openBrowser, openPage, root, run, serve } from "./laboratory.mjs";

let server, browser, folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "laboratory-"));
  server = await serve();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const hash =
  "#algorithm=bully&nodes=4&crash=4@0s&initiators=1&loss=0.1&seed=5&override=lose+1>2+%232";
const words = [
  "bully",
  "--nodes",
  "4",
  "--crash",
  "4@0s",
  "--initiators",
  "1",
  "--loss",
  "0.1",
  "--seed",
  "5",
  "--override",
  "lose 1>2 #2",
];

async function withPage(at, steps) {
  const { page, context, wrong } = await openPage(browser, at);
  try {
    await steps(page);
    assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}

async function download(page, form) {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(`[data-form=${form}]`).click(),
  ]);
  const path = join(folder, `page.${form}`);
  await file.saveAs(path);
  return readFile(path, "utf8");
}

test("exported files are those of the native tool, and the recording replays there", () =>
  withPage(server.url + hash, async (page) => {
    await page.getByRole("tab", { name: "Share" }).click();
    const native = await run([
      "sim",
      ...words,
      "--json",
      "--record",
      join(folder, "native.toml"),
      ...["mmd", "json", "shiviz", "txt"].flatMap((form) => [
        "--trace",
        join(folder, `native.${form}`),
      ]),
    ]);
    assert.ok(native.code < 2, native.error);
    for (const form of ["mmd", "json", "shiviz", "txt", "toml"])
      assert.equal(
        await download(page, form),
        await readFile(join(folder, `native.${form}`), "utf8"),
        form,
      );
    const again = await run(["sim", "--replay", join(folder, "page.toml"), "--json"]);
    const bare = (text) => JSON.stringify({ ...JSON.parse(text), seed: 0 });
    assert.equal(bare(again.out), bare(native.out));
    const svg = await download(page, "svg");
    assert.match(svg, /^<svg xmlns/);
    assert.ok(svg.includes("Election"), "messages are named");
  }));

test("the command under Share does what the page shows", () =>
  withPage(server.url + hash, async (page) => {
    const shown = (await page.locator("[data-test=outcome]").textContent()).match(
      /(\d+) messages/,
    )[1];
    await page.getByRole("tab", { name: "Share" }).click();
    const command = await page.locator("[data-test=command]").textContent();
    assert.match(command, /^conclave sim bully /);
    const [, , ...given] = command.match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ""));
    const done = await run(["sim", ...given, "--json"]);
    assert.equal(String(JSON.parse(done.out).messages.total), shown);
  }));

test("a recording of the native tool is opened and shown, one of another version refused", () =>
  withPage(server.url, async (page) => {
    const good = join(folder, "good.toml"),
      bad = join(folder, "bad.toml"),
      large = join(folder, "large.toml");
    const done = await run([
      "sim",
      "chang-roberts",
      "--nodes",
      "6",
      "--loss",
      "0.2",
      "--initiators",
      "all",
      "--seed",
      "3",
      "--json",
      "--record",
      good,
    ]);
    await writeFile(
      bad,
      (await readFile(good, "utf8")).replace(/^recording = 1/m, "recording = 2"),
    );
    await writeFile(large, "#".repeat(1_200_000));
    await page.getByRole("tab", { name: "Share" }).click();
    const open = (path) => page.locator("input[type=file]").setInputFiles(path);
    await open(good);
    await page.getByRole("img", { name: /chang-roberts, 6 nodes/ }).waitFor();
    await page.getByRole("tab", { name: "Card" }).click();
    assert.match(
      await page.locator("[data-test=outcome]").textContent(),
      new RegExp(` ${JSON.parse(done.out).messages.total} messages`),
    );
    await page.getByRole("tab", { name: "Share" }).click();
    await open(bad);
    await page
      .getByRole("alert")
      .filter({ hasText: "this conclave reads 1, record the run anew" })
      .waitFor();
    await open(large);
    await page.getByRole("alert").filter({ hasText: "give a file of at most" }).waitFor();
    await page.getByRole("img", { name: /chang-roberts, 6 nodes/ }).waitFor();
  }));

test("what a visitor transfers stays within its budget", async () => {
  const assets = join(root, "build/web/assets");
  const sizes = new Map();
  for (const name of await readdir(assets)) {
    const bytes = await readFile(join(assets, name));
    sizes.set(name, name.endsWith(".gz") ? bytes.length : gzipSync(bytes, { level: 9 }).length);
  }
  const sum = (pattern) =>
    [...sizes].reduce((all, [name, size]) => all + (pattern.test(name) ? size : 0), 0);
  const page = sum(/^(index-.*\.(js|css)|worker-.*\.js)$/) + 1000; // and index.html
  assert.ok(page + sum(/^simulator/) <= 700_000, `${page + sum(/^simulator/)} bytes`);
  const checked = page + sum(/^(simulator|checker)/);
  assert.ok(checked <= 1_200_000, `${checked} bytes with the checker`);
  for (const room of [/^cluster/, /^clocks/])
    assert.ok(page + sum(room) <= 700_000, `${page + sum(room)} bytes of a link to ${room}`);
});

test("conclave lab --export writes files that any web server serves, from any folder", async () => {
  const target = join(folder, "exported");
  const done = await run(["lab", "--export", target]);
  assert.equal(done.code, 0, done.error);
  assert.ok((await readdir(target)).includes("index.html"));
  const types = { html: "text/html", js: "text/javascript", css: "text/css" };
  const plain = createServer(async (request, answer) => {
    const path =
      new URL(request.url, "http://x").pathname.replace(/^\/course\/week3\//, "") || "index.html";
    try {
      const body = await readFile(join(target, path));
      answer
        .writeHead(200, {
          "Content-Type": types[path.split(".").pop()] ?? "application/octet-stream",
        })
        .end(body);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((ready) => plain.listen(0, "127.0.0.1", ready));
  try {
    await withPage(`http://127.0.0.1:${plain.address().port}/course/week3/`, async (page) => {
      await page.locator("[data-test=outcome]").filter({ hasText: "all agree on 5" }).waitFor();
      await page.getByRole("tab", { name: "Checker" }).click();
      await page.getByRole("button", { name: "Ask the checker" }).click();
      await page.locator("[data-test=verdict]").waitFor();
      for (const [room, test, sentence] of [
        ["Lease", "lease", "The command runs on node 2"],
        ["Clocks", "clocks", "5 of 5 clocks are set"],
      ]) {
        await page.getByRole("button", { name: room, exact: true }).click();
        await page.locator(`[data-test=${test}]`).filter({ hasText: sentence }).waitFor();
      }
    });
  } finally {
    plain.closeAllConnections();
    plain.close();
  }
});
