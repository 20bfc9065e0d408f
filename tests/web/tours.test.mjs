// The sentences of the guided tours against the runs that they speak of, in node; and as links, in
// the browser.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { importSources, loadModule } from "./modules.mjs";
import { click, shows, tab, text, use } from "./person.mjs";

const { tours, findStep, factsOf, compare, fill, wordsOf, Run, linkOf, formatLink, toRequest } =
  await importSources(
    "tours/all.ts",
    "tours/facts.ts",
    "tours/tour.ts",
    "model/run.ts",
    "model/link.ts",
  );
const steps = tours.flatMap((tour) =>
  tour.steps.map((step, i) => ({ ...step, name: `${tour.id}.${i + 1}`, tour })),
);
let ask, kinds;
before(async () => {
  ask = await loadModule("simulator");
  ({ kinds } = JSON.parse(ask("list")));
});
function play(words) {
  const answer = JSON.parse(ask(toRequest("run", words)));
  assert.equal(answer.problem, undefined, answer.problem);
  return new Run(answer, kinds);
}

test("there are five tours of ten steps", () => {
  assert.equal(tours.length, 5);
  for (const tour of tours) assert.equal(tour.steps.length, 10, tour.id);
});

test("what each step expects is what its run shows", () => {
  for (const step of steps)
    assert.deepEqual(compare(factsOf(play(wordsOf(step)), step), step.expect), [], step.name);
});

test("messages are counted as the simulator counts them", () => {
  for (const { name, ...step } of steps) {
    const run = play(wordsOf(step));
    const { messages, count, copies } = factsOf(run, {});
    const told = run.answer.outcome.messages;
    assert.equal(messages, told.total, name);
    for (const [type, many] of Object.entries(told.by_type))
      assert.equal(count[type] ?? 0, many, `${name}: ${type}`);
    assert.equal(
      Object.values(copies).reduce((sum, each) => sum + each, 0),
      told.copies,
      name,
    );
  }
});

// Every number, in what a step expects: { count: { Accept: 3 } } has a 3.
const numbersIn = (value) => (JSON.stringify(value).match(/\d+(\.\d+)?/g) ?? []).map(Number);
const named = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"];
const formula = /(?<![\w.])[\dNc(][\dNc()+−/² ]*[N)²](?: [+−] [\dN]+)?/g;
const value = (text, letters) => {
  const product = text
    .replaceAll("−", "-")
    .replaceAll("²", "**2")
    .replace(/(?<=[\dNc)]) *(?=[Nc(])/g, "*");
  return new Function("N", "c", `return ${product}`)(letters.N, letters.c);
};

test("every number in a sentence is read from the run, expected, or part of the scenario", () => {
  for (const { name, text, words, expect, tour } of steps) {
    const known = new Set([
      ...numbersIn(words.replace(/([\d.]+)ms/g, (all, ms) => `${ms} ${ms / 1000}`)),
      ...tour.steps.flatMap((step) => numbersIn(step.expect)),
    ]);
    const said = text
      .replace(/\{[^}]*\}/g, " ")
      .replace(/(?<=[Nc)] = )\d+/g, " ") // its formula is computed below
      .replace(formula, " ");
    for (const number of said.match(/\d+(\.\d+)?/g) ?? [])
      assert.ok(known.has(Number(number)), `${name}: ${number} is neither shown nor expected`);
    const own = new Set([...numbersIn(words.match(/nodes=\d+|x\d+/g)), ...numbersIn(expect)]);
    for (const word of said.toLowerCase().match(/\b[a-z]+\b/g))
      if (named.indexOf(word) > 1)
        assert.ok(own.has(named.indexOf(word)), `${name}: “${word}” is not expected`);
  }
});

test("every formula in a sentence has the value that the sentence gives", () => {
  let computed = 0;
  for (const step of steps) {
    const run = play(wordsOf(step));
    const said = fill(step.text, factsOf(run, step));
    const letters = { N: run.answer.ring.length };
    for (const [, letter, number] of said.matchAll(/(?<=(?:With|and) )([Nc]) = (\d+)/g))
      letters[letter] = Number(number);
    for (const [found] of said.matchAll(formula)) {
      const place = said.indexOf(found);
      const after = said.slice(place + found.length).match(/^ = (\d+)/);
      const front = said.slice(0, place).match(/(\d+) = $/);
      if (!after && !front) continue;
      ++computed;
      assert.equal(value(found, letters), Number((after ?? front)[1]), `${step.name}: ${found}`);
    }
  }
  assert.ok(computed >= 9, `${computed} formulas`);
});

// Another run that each of these sentences does not fit, and the words by which the page says so.
const table = "nemeth nodes=3 order=ascending until=12ms";
const calm = "nemeth nodes=3 order=ascending until=60ms";
const cut = "tempo nodes=6 partition=4,5,6/1,2,3@3s..10s until=14s";
const others = {
  "tempo.1": ["tempo nodes=5 start=1@2s until=1s", /count of Masterreq: 4 instead of 5/],
  "tempo.4": ["tempo nodes=5 until=3s", /down: \[\] instead of \[3\]/],
  "tempo.6": [
    "tempo nodes=5 crash=3@1200ms until=3s override=lose_4>2_#4",
    /messages: 12 instead of 11/,
  ],
  "tempo.8": ["tempo nodes=6 until=14s", /leaders: \[3\] instead of \[3,4\]/],
  "tempo.10": [cut, /count of Masterack#1: 0 instead of 2/],
  "nemeth.2": [table + " override=lose_1>2_#1", /state of 2:  instead of election/],
  "nemeth.3": [table + " mutate=row:4", /rows 4, 8 have not fired/],
  "nemeth.4": [table + " override=lose_2>1_#2", /does not come after every Acknowledge/],
  "nemeth.5": [
    table + " override=lose_3>1_#4",
    /count of Commit: 0 .*Commit does not come after every Prepared/,
  ],
  "nemeth.7": [calm + " crash=3@9ms", /count of Alive: 3 instead of 4/],
  "nemeth.8": [calm, /leaders: \[1\] instead of \[\]/],
  "nemeth.9": [calm, /leader: 1 instead of 2/],
  "lecture9.10": [
    "bully nodes=4 order=ascending partition=1,2/3,4@0s..60ms initiators=1,4 until=100ms",
    /outcome: "split" instead of "agreed"/,
  ],
  "cs425.1": ["ring-basic nodes=5 order=descending initiators=first", /Election\(2\): 0/],
  "cs425.4": ["ring-basic nodes=5 order=descending initiators=all", /Election\(5\): 3/],
  "cs425.7": ["chang-roberts nodes=5 order=ascending", /"agreed" instead of "leaderless"/],
  "cs425.9": ["consensus nodes=4 order=ascending initiators=1", /decided 0 instead of .*1/],
  "archimedean.3": [
    "archimedean nodes=8 order=ascending initiators=all set=base=1", // no name is held back longer
    /Election\(2\): 6 instead of 1/,
  ],
  "archimedean.8": [
    "archimedean nodes=5 order=ascending initiators=all",
    /ended: 19 instead of 24/,
  ],
};
for (const [name, [words, wrong]] of Object.entries(others))
  test(`the sentence of ${name} fails on another run`, () => {
    const { step } = findStep(name);
    const facts = factsOf(play(wordsOf({ ...step, words })), step);
    assert.match(compare(facts, step.expect).join("; "), wrong);
  });

test("no other sentence fits a run with one node more", () => {
  for (const step of steps.filter(({ name }) => !(name in others))) {
    const words = step.words.replace(/nodes=(\d+)/, (_, nodes) => `nodes=${Number(nodes) + 1}`);
    const facts = factsOf(play(wordsOf({ ...step, words })), step);
    assert.notDeepEqual(compare(facts, step.expect), [], step.name);
  }
});

const tourHash = (name) => {
  const { step } = findStep(name);
  return formatLink({ ...linkOf(wordsOf(step)), tour: name });
};

test("each step of each tour is gone to by clicks, and says what its run shows", () =>
  use("", async (page) => {
    const buttons = page.getByRole("region", { name: "Guided tours" }).getByRole("button");
    assert.deepEqual(
      await buttons.allTextContents(),
      tours.map(({ name }) => name),
    );
    for (const tour of tours) {
      await click(page, tour.name);
      for (const [place, step] of tour.steps.entries()) {
        await page.getByText(`${place + 1} of 10`, { exact: true }).waitFor();
        const name = `${tour.id}.${place + 1}`;
        assert.equal(await text(page, "tour"), fill(step.text, factsOf(play(wordsOf(step)), step)));
        assert.equal(await page.locator("[data-test=differs]").count(), 0, name);
        assert.equal(await page.getByRole("alert").count(), 0, name);
        if (step.look) await page.getByRole("tab", { name: step.look, selected: true }).waitFor();
        if (place < 9) await click(page, "Next");
      }
      await click(page, "Leave the tour");
    }
  }));

test("the page says where a tour's sentence does not fit the run on the screen", () =>
  use("#algorithm=tempo&nodes=6&until=14s&tour=tempo.8", async (page) => {
    await shows(page, "differs", "leaders: [3] instead of [3,4]");
  }));

test("the link of a tour's step opens there in a fresh browser, with or without its moment", () =>
  use("", async (page) => {
    await click(page, tours[0].name);
    for (let step = 1; step < 8; ++step) await click(page, "Next");
    await page.getByText("8 of 10", { exact: true }).waitFor();
    await page.waitForURL(/at=\d+&tour=tempo\.8$/);
    const frame = async (from) => [
      await text(from, "tour"),
      await text(from, "clock"),
      await text(from, "leaders"),
    ];
    const seen = await frame(page);
    assert.match(seen[2], /2 nodes lead: 3, 4/);
    const link = new URL(page.url()).hash;
    for (const hash of [link, link.replace(/at=\d+&/, ""), "#tour=tempo.8"])
      await use(hash, async (other) => {
        assert.deepEqual(await frame(other), seen, hash);
        assert.equal(await other.locator("[data-test=differs]").count(), 0);
      });
  }));

test("a link that names a step of any tour alone shows its run, at its moment", async () => {
  for (const name of ["nemeth.4", "lecture9.9", "cs425.1", "archimedean.3"])
    await use(`#tour=${name}`, async (page) => {
      const { step } = findStep(name);
      assert.equal(await text(page, "tour"), fill(step.text, factsOf(play(wordsOf(step)), step)));
      assert.equal(await page.locator("[data-test=differs]").count(), 0, name);
      assert.ok(parseFloat(await text(page, "clock")) <= step.at, `${name}: not at the end`);
      if (step.look) await page.getByRole("tab", { name: step.look, selected: true }).waitFor();
    });
});

test("the checker finds no shorter run without a leader than the tour shows", () =>
  use(tourHash("cs425.10"), async (page) => {
    const length = async () =>
      Number(await page.getByRole("slider", { name: "Step" }).getAttribute("max"));
    const shown = await length();
    await tab(page, "Checker");
    await click(page, "Ask the checker");
    await shows(page, "verdict", /Yes: nothing is left to happen and nobody leads/);
    await click(page, "Show the counterexample");
    await page.getByText("A recording").waitFor();
    assert.equal(await length(), shown);
  }));
