// The source beside a run: the line that is lit is the handler, or the row of the table, that acts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { click, field, tab, text, use } from "./person.mjs";

// "{a, life_timer, ..." and "LifeTimer" alike
const bare = (name) => name.toLowerCase().replaceAll("_", "");

// What sets off a step, from its sentence.
function eventOf(sentence) {
  const named = sentence.match(/^Node \d+ receives ([A-Za-z]+)|^The timer (\w+) of/);
  if (named) return named[1] ?? named[2];
  for (const [words, event] of [
    [/^Node \d+ calls an election/, "Call"],
    [/^Node \d+ comes up again/, "Recover"],
    [/^Node \d+ comes up/, "Start"],
    [/^Node \d+ suspects/, "Suspect"],
    [/^Node \d+ no longer suspects/, "Trust"],
  ])
    if (words.test(sentence)) return event;
  return null;
}

// What happens to a node whether it handles it or not.
const optional = new Set(["Start", "Recover", "Suspect", "Trust"]);
const tables = new Set(["nemeth", "tempo"]); // a blank cell: the event is ignored

async function walk(page, name, steps) {
  const events = new Set();
  await click(page, "To the beginning");
  for (let step = 0; step < steps; ++step) {
    await page.keyboard.press("ArrowRight");
    const event = eventOf(await text(page, "now"));
    if (event === null) continue;
    const lit = await page.locator("pre .acts").allTextContents();
    if (lit.length === 0)
      assert.ok(optional.has(event) || tables.has(name), `${name}: nothing is lit upon ${event}`);
    else {
      assert.ok(bare(lit[0]).includes(bare(event)), `${name} upon ${event}: ${lit[0]}`);
      events.add(event);
    }
  }
  return events;
}

test("the lit line names the event of the step, for every algorithm", () =>
  use("#algorithm=bully&nodes=5&tab=Source", async (page) => {
    const names = await field(page, "Algorithm").locator("option").allTextContents();
    assert.equal(names.length, 24);
    for (const name of names) {
      await field(page, "Algorithm").selectOption(name);
      await page.getByRole("img", { name: new RegExp(`: ${name}, 5 nodes`) }).waitFor();
      const events = await walk(page, name, 45);
      assert.ok(events.size >= 2, `${name}: only ${[...events]}`);
    }
  }));

test("a failed node of a ring that is repaired lights the repair", () =>
  use(
    "#algorithm=repaired-chang-roberts&nodes=5&initiators=all&detector=perfect&crash=5@2ms&tab=Source",
    async (page) => {
      const events = await walk(page, "repaired-chang-roberts", 60);
      assert.ok(events.has("Suspect"), [...events].join());
    },
  ));

const letters = { active: "a", candidate: "b", election: "c", reorganizing: "d", coordinator: "e" };
for (const [name, file, spell] of [
  ["nemeth", "nemeth_table.hpp", (state) => letters[state]],
  ["tempo", "tempo.hpp", (state) => state],
])
  test(`every row of ${name}'s table has its line in the source`, () =>
    use(`#algorithm=${name}&nodes=3&until=12ms&tab=Table`, async (page) => {
      const rows = await page
        .locator("tbody tr")
        .evaluateAll((list) => list.map((row) => [...row.cells].map((cell) => cell.textContent)));
      await tab(page, "Source");
      await click(page, file);
      const lines = await page.locator("pre [data-row]").allTextContents();
      assert.ok(rows.length >= 18, `${rows.length} rows`);
      assert.equal(lines.length, rows.length);
      for (const [i, line] of lines.entries()) {
        const [, state, cause, then] = rows[i];
        const parts = line.replace(/^\d+/, "").match(/^\s*\{\s*(\w+)\s*,(.*?),.*,\s*(\w+)\s*\}/);
        assert.equal(parts[1], spell(state), line);
        assert.equal(parts[3], spell(then), line);
        assert.ok(bare(parts[2]).includes(bare(cause.replace(/[^A-Za-z].*$/, ""))), line);
      }
    }));
