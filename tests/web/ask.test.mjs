// Questions to the checker are about the run on the screen, for every algorithm.
import assert from "node:assert/strict";
import { test } from "node:test";
import { click, field, shows, tab, text, use } from "./person.mjs";

async function ask(page, property, lose) {
  await page.getByLabel("Property").selectOption(property);
  await page.getByLabel("Messages that may be lost").fill(String(lose));
  await click(page, "Ask the checker");
}
// "Yes: ...", "No: ..." or the sentence of a refusal; who takes too long is stopped.
async function answer(page, patience = 20_000) {
  const said = page.locator("[data-test=verdict], [data-test=sentence]");
  try {
    await said.waitFor({ timeout: patience });
  } catch {
    await click(page, "Stop");
    await said.waitFor();
  }
  return said.textContent();
}
const statesOf = (said) => Number(said.match(/\(([\d,]+) states/)[1].replaceAll(",", ""));

test("two leaders at once are found where there are two, and shown in the player", () =>
  use("#algorithm=nemeth&nodes=3&order=ascending&until=12ms&tab=Checker", async (page) => {
    await ask(page, "one-leader", 1);
    assert.match(await answer(page), /^Yes: 1 and 2 both lead/);
    await click(page, "Show the counterexample");
    await page.getByText("A recording").waitFor();
    await shows(page, "leaders", /2 nodes lead: 1, 2/);
    await field(page, "Algorithm").selectOption("le-lann");
    await page.getByRole("img", { name: /: le-lann, 5 nodes/ }).waitFor();
    await ask(page, "one-leader", 1);
    assert.match(await answer(page), /^No: there is no such run/);
  }));

test("order, initiators and settings are those on the screen", () =>
  use("#algorithm=chang-roberts&nodes=3&order=3,1,2&initiators=2&tab=Checker", async (page) => {
    assert.match(await text(page, "system"), /order 3,1,2; initiators 2\./);
    await ask(page, "leader", 0);
    const one = statesOf(await answer(page));
    await field(page, "Initiators").fill("all");
    await field(page, "Initiators").press("Enter");
    await shows(page, "system", "initiators all");
    await ask(page, "leader", 0);
    await shows(page, "verdict", new RegExp(`^(?!.*\\(${one} states)`));
    const all = statesOf(await answer(page));
    assert.ok(all > one, `${all} states if all initiate, ${one} for one`);
    // Another number of nodes than on the screen: what cannot be kept is said.
    await page.getByLabel("Nodes of the search").fill("2");
    await shows(page, "system", "order ascending; initiators all");
  }));

test("a setting decides what the checker can answer", () =>
  use("#algorithm=itai-rodeh&nodes=2&set=timing=synchronous&tab=Checker", async (page) => {
    await page.getByLabel("Nodes of the search").fill("2");
    await shows(page, "system", "set timing=synchronous");
    await ask(page, "one-leader", 0);
    assert.match(
      await answer(page),
      /itai-rodeh reads its clock, and a search knows no time of day/,
    );
  }));

// The time of day is part of its decisions, which a search cannot know.
const refused = new Set(["archimedean"]);
// More states than a page looks at: rounds, terms and incarnations are counted for ever.
const unknown = new Set(["itai-rodeh", "raft", "stoller"]);

test("every algorithm is answered for, or refused with a sentence", () =>
  use("#algorithm=bully&nodes=5&tab=Checker", async (page) => {
    const names = await field(page, "Algorithm").locator("option").allTextContents();
    const wrong = [];
    for (const name of names) {
      await field(page, "Algorithm").selectOption(name);
      await page.getByRole("img", { name: new RegExp(`: ${name}, 5 nodes`) }).waitFor();
      await page.getByLabel("Nodes of the search").fill("2");
      await ask(page, "one-leader", 0);
      const said = await answer(page, unknown.has(name) ? 3_000 : 60_000);
      const wanted = refused.has(name)
        ? /reads its clock/
        : unknown.has(name)
          ? /^No answer|The search was stopped\./
          : /^(Yes: \d and \d both lead|No: there is no such run|No, but nothing could have failed)/;
      if (!wanted.test(said)) wrong.push(`${name}: ${said}`);
    }
    assert.deepEqual(wrong, []);
  }));
