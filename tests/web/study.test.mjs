// What stands beside a run: the state diagram, the card with its readings; and a delay that fits.
import assert from "node:assert/strict";
import { test } from "node:test";
import { click, field, shows, tab, text, use } from "./person.mjs";

test("the state diagram lights the transition of each step, for every algorithm", () =>
  use("#algorithm=bully&nodes=5&tab=Table", async (page) => {
    const names = await field(page, "Algorithm").locator("option").allTextContents();
    for (const name of names) {
      await field(page, "Algorithm").selectOption(name);
      await page.getByRole("img", { name: new RegExp(`: ${name}, 5 nodes`) }).waitFor();
      await click(page, "To the beginning");
      assert.equal(await page.locator("[data-test=states] .move.lit").count(), 0, name);
      let lit = 0;
      for (let step = 0; step < 80 && lit < 4; ++step) {
        await page.keyboard.press("ArrowRight");
        const now = await text(page, "now");
        const entered = [...now.matchAll(/becomes ([^;]*?)(?:;|\.$)/g)].map(([, label]) =>
          label.replace(/^(run \d+: |group [^,]*, )/, "").replace(/\d+/g, "n"),
        );
        if (/and \d+ more\.$/.test(now)) continue; // the sentence does not name all
        for (const arrow of await page.locator("[data-test=states] .move.lit").all()) {
          const to = await arrow.getAttribute("data-to");
          assert.ok(entered.includes(to), `${name}, step ${step + 1}: ${to} of ${entered}`);
          ++lit;
        }
      }
      assert.ok(lit > 0, `${name}: nothing was lit`);
    }
  }));

test("the card names the paper with its title, and tells the idea", () =>
  use("#algorithm=bully&nodes=5", async (page) => {
    const names = await field(page, "Algorithm").locator("option").allTextContents();
    for (const name of names) {
      await field(page, "Algorithm").selectOption(name);
      await page.getByRole("img", { name: new RegExp(`: ${name}, 5 nodes`) }).waitFor();
      const paper = await text(page, "paper");
      assert.match(paper, /".+"/, name);
      assert.match(paper, /(19|20)\d\d|Lecture 9/, name);
      await page.locator("[data-test=paper] summary").click();
      await page.locator("[data-test=paper] details p").first().waitFor();
      assert.ok((await text(page, "paper")).length > paper.length + 80, name);
    }
  }));

test("the card shows the readings of the document, and marks those that the run takes", () =>
  use("#algorithm=nemeth&nodes=3&until=12ms&set=clocks=running", async (page) => {
    await shows(page, "readings", "clocks=counter");
    await shows(page, "readings", "All other nodes wait for a life message");
    assert.deepEqual(
      (await page.locator("[data-test=readings] .taken code").allTextContents()).sort(),
      ["clocks=running", "life=own"],
    );
    assert.equal(await page.locator("[data-test=readings] li").count(), 4);
    await field(page, "Algorithm").selectOption("le-lann");
    await page.locator("[data-test=readings]").waitFor({ state: "detached" });
  }));

for (const [delay, shown, word] of [
  ["20us", "100 µs", "120us"],
  ["1s", "5 s", "6s"],
])
  test(`a message that takes ${delay} is delayed by ${shown}`, () =>
    use(
      `#algorithm=chang-roberts&nodes=3&order=ascending&initiators=all&delay=${delay}&at=1`,
      async (page) => {
        await tab(page, "Share");
        await click(page, `Delay it by ${shown}`);
        await shows(page, "command", `= ${word}'`);
      },
    ));
