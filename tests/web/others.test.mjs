// Algorithms beside those of the documents: in a module of their own, some of them on a graph.
import assert from "node:assert/strict";
import { test } from "node:test";
import { click, field, shows, tab, use } from "./person.mjs";

const others = [
  "afek-gafni",
  "echo",
  "garcia-molina",
  "peterson",
  "raft",
  "stoller",
  "time-slice",
  "yo-yo",
];

test("the module of the other algorithms is loaded when one of them is chosen, and not before", () =>
  use("", async (page) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await field(page, "Algorithm").selectOption("bully");
    await page.getByRole("img", { name: /: bully, 5 nodes/ }).waitFor();
    assert.deepEqual(
      asked.filter((url) => /others[^/]*wasm/.test(url)),
      [],
    );
    for (const name of others) {
      await field(page, "Algorithm").selectOption(name);
      await page.getByRole("img", { name: new RegExp(`: ${name}, 5 nodes`) }).waitFor();
      await shows(page, "outcome", /all agree on \d/);
      assert.equal(await page.getByRole("alert").count(), 0, name);
    }
    assert.equal(asked.filter((url) => /\/others\.wasm/.test(url)).length, 1);
  }));

test("a link to one of them opens in a fresh browser", () =>
  use("#algorithm=raft&nodes=3&until=60ms&tab=Card", async (page) => {
    await shows(page, "paper", "Ongaro");
    await shows(page, "outcome", /all agree on \d/);
  }));

const shapes = [
  ["ring", 8, 8],
  ["line", 8, 7],
  ["star", 8, 7],
  ["complete", 6, 15],
  ["grid", 6, 7],
  ["torus", 9, 18],
  ["hypercube", 8, 12],
  ["1-2,2-3,3-1,3-4", 4, 4],
];
test("the links of a graph are drawn, each from node to node, and messages follow them", () =>
  use("#algorithm=echo&nodes=8&initiators=all&order=random&seed=3", async (page) => {
    const drawn = () =>
      page
        .locator("[data-link]")
        .evaluateAll((list) => list.map((each) => [each.dataset.link, each.getAttribute("d")]));
    assert.ok((await drawn()).length >= 7, "a random graph is connected");
    for (const [shape, nodes, links] of shapes) {
      await field(page, "Graph").fill("ring");
      await field(page, "Graph").press("Enter");
      await field(page, "Nodes").fill(String(nodes));
      await field(page, "Nodes").press("Enter");
      await page.getByRole("img", { name: new RegExp(`: echo, ${nodes} nodes`) }).waitFor();
      await field(page, "Graph").fill(shape);
      await field(page, "Graph").press("Enter");
      await page.waitForFunction(
        (count) => document.querySelectorAll("[data-link]").length === count,
        links,
      );
      assert.equal(new Set((await drawn()).map(([, path]) => path)).size, links, shape);
      // Whoever sends, sends along a link.
      const joined = new Set(
        (await drawn()).flatMap(([name]) => [name, name.split("-").reverse().join("-")]),
      );
      await click(page, "To the beginning");
      for (let step = 0; step < 12; ++step) {
        await page.keyboard.press("ArrowRight");
        const now = await page.locator("[data-test=now]").textContent();
        const [, me] = now.match(/node (\d+)/i);
        for (const [, to] of now.matchAll(/sends [^;]* to (\d+)/g))
          assert.ok(joined.has(`${me}-${to}`), `${shape}: ${now}`);
      }
    }
    await field(page, "Graph").fill("hexagon");
    await field(page, "Graph").press("Enter");
    await page.getByRole("alert").filter({ hasText: "graph cannot be 'hexagon'" }).waitFor();
  }));

test("the checker answers for one of them, too", () =>
  use("#algorithm=peterson&nodes=3&order=ascending&initiators=all", async (page) => {
    await tab(page, "Checker");
    await click(page, "Ask the checker");
    await shows(page, "verdict", /Yes: nothing is left to happen and nobody leads/);
    await click(page, "Show the counterexample");
    await page.getByText("A recording").waitFor();
    await shows(page, "leaders", "Nobody leads.");
  }));
