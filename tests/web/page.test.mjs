// What a person does with the laboratory, in a real browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./laboratory.mjs";
import { importSources } from "./modules.mjs";
import { click, field, reach, shows, tab, text, use, where } from "./person.mjs";

// Every step of the run on the screen, from its beginning: { at: ms, what: "Node 1 ..." }.
async function stepsOf(page) {
  await click(page, "To the beginning");
  const slider = page.getByRole("slider", { name: "Step" });
  const units = { µs: 1e-3, ms: 1, s: 1000 };
  const steps = [];
  for (let left = Number(await slider.getAttribute("max")); left > 0; --left) {
    await page.keyboard.press("ArrowRight");
    const [, number, unit = "ms"] = (await text(page, "clock")).match(/([\d.]+)(?: (\D+))?/);
    steps.push({ at: Number(number) * units[unit], what: await text(page, "now") });
  }
  return steps;
}
const arrivals = (steps, { message, from, to }) =>
  steps
    .filter(({ what }) => what.startsWith(`Node ${to} receives ${message} from ${from}`))
    .map(({ at }) => at);

const three = "#algorithm=chang-roberts&nodes=3&order=ascending&initiators=all";

test("every algorithm can be chosen, shows its card and its source with the line that acts", () =>
  use("", async (page) => {
    const names = await page.locator("header select").first().locator("option").allTextContents();
    assert.equal(names.length, 24);
    for (const name of names) {
      await tab(page, "Card");
      await field(page, "Algorithm").selectOption(name);
      await page
        .getByRole("img", {
          name: new RegExp(`Space-time diagram: ${name}, 5 nodes`),
        })
        .waitFor();
      await shows(page, "outcome", /all agree|messages/);
      assert.equal(await page.getByRole("alert").count(), 0, name);
      await tab(page, "Source");
      await click(page, "To the beginning");
      let found = 0;
      for (let step = 0; step < 30 && found === 0; ++step) {
        await page.keyboard.press("ArrowRight");
        found = await page.locator("pre .acts").count();
      }
      assert.equal(found, 1, `${name}: the line that acts`);
    }
  }));

test("a run is played, paused, stepped forth and back, and scrubbed", () =>
  use(three, async (page) => {
    await click(page, "To the beginning");
    assert.equal(await text(page, "now"), "Nothing has happened yet.");
    await click(page, "Step forward");
    assert.match(await text(page, "now"), /calls an election/);
    const first = await text(page, "now");
    await click(page, "Step forward");
    await click(page, "Step back");
    assert.equal(await text(page, "now"), first);
    await page.getByLabel("speed").selectOption("5");
    await click(page, "Play");
    await shows(page, "leaders", "Node 3 leads.");
    await page.getByRole("button", { name: "Play" }).waitFor(); // it has come to the end
    await page.getByRole("slider", { name: "Step" }).fill("4");
    await page.getByText("step 4 of").waitFor();
    assert.equal(await text(page, "leaders"), "Nobody leads.");
  }));

test("the table of the paper lights up as time passes", () =>
  use("#algorithm=nemeth&nodes=3&until=12ms&at=0", async (page) => {
    await tab(page, "Table");
    assert.equal(await page.locator("tr.lit").count(), 0);
    const seen = new Set();
    for (let step = 0; step < 25; ++step) {
      await click(page, "Step forward");
      for (const row of await page.locator("tr.lit").all())
        seen.add(await row.getAttribute("data-row"));
    }
    assert.ok(seen.size >= 4, `rows ${[...seen]}`);
  }));

test("a message is lost by a click, which is undone and done again", () =>
  use(three + "&at=5", async (page) => {
    await tab(page, "Share");
    const before = await text(page, "command");
    await click(page, "To the beginning");
    for (let i = 0; i < 9; ++i) {
      await page.keyboard.press("ArrowRight");
      if (
        /Election\(3\).*from 3 to 1/.test(
          (await page.locator("[data-test=message]").textContent()) ?? "",
        )
      )
        break;
    }
    await click(page, "Lose it");
    await shows(page, "command", "--override 'lose 3>1 #1'");
    await shows(page, "violations", "informed");
    await click(page, "To the end");
    assert.equal(await text(page, "leaders"), "Nobody leads.");
    await page.keyboard.press("Control+z");
    await page.locator("[data-test=violations]").waitFor({ state: "detached" });
    assert.equal(await text(page, "command"), before);
    await click(page, "Redo");
    await shows(page, "violations", "informed");
  }));

test("what the seed loses can be delivered", () =>
  use(
    "#algorithm=chang-roberts&nodes=3&order=ascending&initiators=all&override=lose+3>1+%231&at=3",
    async (page) => {
      await shows(page, "message", "lost");
      await click(page, "Deliver it");
      await click(page, "To the end");
      await shows(page, "leaders", "Node 3 leads.");
    },
  ));

test("a message is chosen in the diagram, delayed and doubled", () =>
  use(three, async (page) => {
    const canvas = page.locator("canvas");
    const box = await canvas.boundingBox();
    let hit = false;
    for (let y = 40; y < box.height - 30 && !hit; y += 6) {
      await canvas.click({ position: { x: box.width * 0.3, y } });
      hit =
        (await page.locator("[data-test=message]").count()) > 0 &&
        (await page.locator("h2:text('Node')").count()) === 0;
    }
    assert.ok(hit, "some message passes there");
    const [, message, from, to] = (await text(page, "message")).match(
      /(\S+) from (\d) to (\d), sent/,
    );
    const chosen = { message, from, to };
    const again = async () => {
      await page.getByRole("slider", { name: "Step" }).fill("0");
      for (let i = 0; i < 9; ++i) {
        await page.keyboard.press("ArrowRight");
        if ((await text(page, "message")).includes(`${message} from ${from} to ${to},`)) return;
      }
      assert.fail(`${message} is not sent`);
    };
    const [usual, ...more] = arrivals(await stepsOf(page), chosen);
    assert.deepEqual(more, [], "it arrives once");
    await tab(page, "Share");
    await again();
    const delay = page.getByRole("button", { name: /^Delay it by \d+ ms$/ });
    const [longer] = (await delay.textContent()).match(/\d+/);
    await delay.click();
    await shows(page, "command", "--override 'delay ");
    assert.deepEqual(arrivals(await stepsOf(page), chosen), [usual + Number(longer)]);
    await page.keyboard.press("Control+z");
    await page.locator("[data-test=command]:not(:has-text('override'))").waitFor();
    assert.deepEqual(arrivals(await stepsOf(page), chosen), [usual]);
    await again();
    await click(page, "Double it");
    await shows(page, "command", "--override 'duplicate ");
    assert.deepEqual(arrivals(await stepsOf(page), chosen), [usual, usual + 1]);
  }));

test("a node is crashed and restarted by clicks", () =>
  use("#algorithm=bully&nodes=4&initiators=1&until=40ms&at=2", async (page) => {
    const node = (name) => page.getByRole("button", { name });
    const leaderAtTheEnd = async () => {
      await click(page, "To the end");
      return text(page, "leaders");
    };
    const moment = (step) => page.getByRole("slider", { name: "Step" }).fill(String(step));
    assert.equal(await leaderAtTheEnd(), "Node 4 leads.");
    await moment(2);
    await tab(page, "Share");
    await node(/^node 4/).click();
    await click(page, "Crash it now");
    await shows(page, "command", "--crash 4@");
    assert.equal(await leaderAtTheEnd(), "Node 3 leads.");
    await node("node 4 is down").click();
    await click(page, "Restart it now");
    await shows(page, "command", "--recover 4@");
    await node(/^node 4 (leads|follows)/).waitFor();
  }));

test("a node that is paused by a click stands still, and hears what came meanwhile afterwards", () =>
  use("#algorithm=bully&nodes=4&order=ascending&initiators=1&until=40ms&at=1", async (page) => {
    const heard = (steps) => steps.filter(({ what }) => what.startsWith("Node 1 receives"));
    const before = heard(await stepsOf(page));
    assert.ok(before.length > 0 && before[0].at < 5);
    await page.getByRole("slider", { name: "Step" }).fill("1");
    await page.getByRole("button", { name: /^node 1/ }).click();
    await click(page, "Pause it");
    await page.getByRole("button", { name: /^node 1 .*stands still/ }).waitFor();
    const steps = await stepsOf(page);
    const at = (what) => steps.find((step) => step.what.startsWith(what)).at;
    assert.ok(at("Node 1 goes on") >= at("Node 1 stands still") + 5);
    assert.equal(heard(steps).length, before.length);
    assert.ok(heard(steps).every((step) => step.at >= at("Node 1 goes on")));
  }));

test("the network is cut by dragging and healed by a click, and two lead meanwhile", () =>
  use(
    "#algorithm=invitation&nodes=4&order=ascending&initiators=none&until=200ms&at=1",
    async (page) => {
      const svg = page.getByRole("group", { name: /^The network\./ });
      await svg.scrollIntoViewIfNeeded();
      const box = await svg.boundingBox();
      await page.mouse.move(box.x + box.width * 0.1, box.y + box.height * 0.1);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.9, {
        steps: 5,
      });
      await page.mouse.up();
      await page.locator(".fault", { hasText: /partition\s+(1,2\/3,4|3,4\/1,2)@/ }).waitFor();
      await click(page, "To the end");
      await shows(page, "leaders", /2 nodes lead/);
      await page.getByRole("slider", { name: "Step" }).fill("40");
      await click(page, "Heal the network now");
      await click(page, "To the end");
      await shows(page, "leaders", /^Node \d leads\.$/);
    },
  ));

test("N, order, delay and drift are changed by controls", () =>
  use(three, async (page) => {
    await field(page, "Nodes").fill("7");
    await field(page, "Nodes").press("Enter");
    await page.getByRole("img", { name: /7 nodes/ }).waitFor();
    await field(page, "Order").fill("descending");
    await field(page, "Order").press("Tab");
    await shows(page, "predicted", "measured 35");
    const change = async (label, value) => {
      await field(page, label).fill(value);
      await field(page, label).press("Tab");
    };
    assert.equal(await text(page, "clock"), "14 ms");
    await change("Delay", "3ms");
    await page.locator("[data-test=clock]", { hasText: "42 ms" }).waitFor();
    await change("Delay", "1ms..4ms");
    await change("Drift ppm", "100");
    await tab(page, "Share");
    await shows(
      page,
      "command",
      "--nodes 7 --initiators all --order descending --delay 1ms..4ms --drift 100",
    );
  }));

test("drift makes timers late or early, and loss leaves nobody to lead", () =>
  use("#algorithm=tempo&nodes=5&until=1s", async (page) => {
    const end = async () => parseFloat(await text(page, "clock"));
    const before = await end();
    await shows(page, "leaders", "Node 3 leads.");
    await field(page, "Drift ppm").fill("100");
    await field(page, "Drift ppm").press("Tab");
    await page.locator("[data-test=clock]", { hasNotText: String(before) }).waitFor();
    const apart = Math.abs((await end()) - before) / before;
    assert.ok(apart > 0 && apart <= 101e-6, `${apart * 1e6} ppm`);
    await field(page, "Loss").fill("1");
    await field(page, "Loss").press("Tab");
    await shows(page, "leaders", /5 nodes lead/);
  }));

test("measured messages lie in the band that the paper states, for several algorithms at once", () =>
  use(three, async (page) => {
    await tab(page, "Messages");
    await page.getByLabel("Compare with").selectOption("le-lann");
    await page.getByLabel("Compare with").selectOption("franklin");
    await page.getByText("runs …").waitFor({ state: "detached", timeout: 60_000 });
    assert.equal(await page.locator("[data-test=plot] polygon").count(), 3);
    assert.equal(await page.locator("[data-test=plot] path[data-nodes]").count(), 27);
    const lelann = await page
      .locator("[data-test=plot] path[data-nodes='32']")
      .nth(1)
      .getAttribute("data-mean");
    assert.equal(lelann, "1024");
  }));

test("the checker finds the shortest run without a leader, the player shows it", () =>
  use(three, async (page) => {
    await tab(page, "Checker");
    await click(page, "Ask the checker");
    await shows(page, "verdict", /Yes: nothing is left to happen and nobody leads .*depth 4/);
    await click(page, "Show the counterexample");
    await page.getByText("A recording").waitFor();
    await shows(page, "leaders", "Nobody leads.");
    await page.getByLabel("Messages that may be lost").fill("0");
    await click(page, "Ask the checker");
    await shows(page, "verdict", "No: there is no such run");
  }));

test("a failing run is shrunk", () =>
  use("#algorithm=chang-roberts&nodes=7&initiators=all&loss=0.3&seed=3", async (page) => {
    await shows(page, "violations", "informed");
    await tab(page, "Checker");
    await click(page, "Shrink the run on the screen");
    await shows(page, "sentence", "Shrunk in");
    const nodes = Number(
      (await page.getByRole("img", { name: /Space-time/ }).getAttribute("aria-label")).match(
        /(\d+) nodes?/,
      )[1],
    );
    assert.ok(nodes < 7, `${nodes} nodes`);
  }));

test("a link opened in a fresh browser shows the same frame", () =>
  use("#algorithm=bully&nodes=5&crash=5@0s&initiators=1&seed=4", async (page) => {
    await page.getByRole("slider", { name: "Step" }).fill("9");
    await page.waitForURL(/at=9$/);
    const picture = (from) =>
      from.evaluate(
        () =>
          new Promise((resolve) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() => resolve(document.querySelector("canvas").toDataURL())),
            ),
          ),
      );
    const [now, seen] = [await text(page, "now"), await picture(page)];
    await use(new URL(page.url()).hash, async (other) => {
      assert.equal(await text(other, "now"), now);
      assert.equal(await picture(other), seen);
    });
  }));

test("nothing is loaded from elsewhere, and without a network the page goes on", () =>
  use("", async (page, context) => {
    const asked = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.reload();
    await page.getByRole("img", { name: /Space-time/ }).waitFor();
    const elsewhere = asked.filter((url) => !url.startsWith(where()) && !url.startsWith("data:"));
    assert.deepEqual(elsewhere, []);
    await context.setOffline(true);
    await field(page, "Algorithm").selectOption("bully");
    await page.getByRole("img", { name: /bully, 5 nodes/ }).waitFor();
    await click(page, "To the beginning");
    await page.keyboard.press("ArrowRight");
  }));

test("a source that cannot be loaded is told in a sentence, and the page goes on", () =>
  use(
    three,
    async (page, context) => {
      await context.setOffline(true);
      await tab(page, "Source");
      await shows(page, "missing", "The source of chang-roberts cannot be loaded");
      await click(page, "Step back");
      assert.equal(await page.locator("pre").count(), 0);
      await context.setOffline(false);
      await field(page, "Algorithm").selectOption("franklin");
      await page.locator("pre").getByText("struct Franklin").waitFor();
      assert.equal(await page.locator("[data-test=missing]").count(), 0);
    },
    { allowed: /ERR_INTERNET_DISCONNECTED/ },
  ));

test("everything essential can be done with the keyboard alone", () =>
  use(three + "&at=0", async (page) => {
    await page.keyboard.press("ArrowRight");
    assert.match(await text(page, "now"), /calls an election/);
    await page.keyboard.press("End");
    await shows(page, "leaders", "Node 3 leads.");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await reach(page, /^Lose it$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Remove override lose/ }).waitFor();
    await page.keyboard.press("Control+z");
    await page
      .getByRole("button", { name: /^Remove override lose/ })
      .waitFor({ state: "detached" });
    await reach(page, /^Card$/);
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Table", selected: true }).waitFor();
  }));

test("a node is cut off with the keyboard alone", () =>
  use(three + "&at=0", async (page) => {
    await reach(page, /^node 3/);
    await page.keyboard.press("Enter");
    await reach(page, /^Cut it off$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Remove partition 3\/1,2@/ }).waitFor();
    await page.keyboard.press("End");
    assert.equal(await text(page, "leaders"), "Nobody leads.");
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: /^Remove partition/ }).waitFor({ state: "detached" });
    await page.keyboard.press("End");
    assert.equal(await text(page, "leaders"), "Node 3 leads.");
  }));

test("on a phone nothing is cut off and the run can be played", () =>
  use(
    three,
    async (page) => {
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok((await wide()) <= 390, `${await wide()} px`);
      for (const name of ["Table", "Source", "Messages", "Checker", "Share", "Card"]) {
        await tab(page, name);
        assert.ok((await wide()) <= 390, `${name}: ${await wide()} px`);
      }
      await click(page, "To the beginning");
      await click(page, "Step forward");
      assert.match(await text(page, "now"), /calls/);
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true },
  ));

test("texts above a diagram stay inside it and apart, and what is violated goes first", async () => {
  const { placeLabels } = await importSources("view/labels.ts");
  const room = { from: 30, to: 384, x: (time) => 38 + time, measure: (text) => 6 * text.length };
  const mark = (time, text, what = "violation") => ({ time, what, text });
  const place = (...marks) =>
    placeLabels(marks, room).map(({ x, near, text }) => [x, near, text].join(" "));
  const long = "agreement: 4 and 3 are both followed"; // 216 px
  assert.deepEqual(place(mark(10, long)), [`48 right ${long}`]);
  assert.deepEqual(place(mark(290, long)), [`328 left ${long}`]);
  assert.deepEqual(place(mark(170, long)), ["208 right agreement"]); // fits on neither side
  assert.deepEqual(place(mark(100, "heal", "network"), mark(10, long), mark(40, long)), [
    `48 right ${long}`,
    "78 right ",
    "138 right heal", // a row of its own
  ]);
});

const bad = [
  ["#algorithm=chang-roberts&nodes=%zz", /This link is damaged at/],
  ["#algorithm=chang-robert", /there is no algorithm 'chang-robert': did you mean chang-roberts\?/],
  ["#algorithm=bully&crahs=3@2s", /there is no option crahs: did you mean crash\?/],
  ["#algorithm=bully&nodes=5000", /nodes cannot be '5000' here: the page shows at most 1000/],
  ["#algorithm=nemeth&nodes=60", /more than 400000 records/],
  ["#algorithm=bully&recording=7", /recording cannot be '7': this conclave reads 1/],
  ["#algorithm=bully&recording=1&decisions=lose+3>9+%231", /ids run from 1 to 5/],
];
for (const [hash, sentence] of bad)
  test(`a bad link is answered with a sentence and the page goes on: ${hash}`, () =>
    use(hash, async (page) => {
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assert.match(await alert.textContent(), sentence);
      await click(page, "To the beginning");
      await page.keyboard.press("ArrowRight");
      assert.match(await text(page, "now"), /calls an election/);
      await field(page, "Algorithm").selectOption("le-lann");
      await alert.waitFor({ state: "detached" });
    }));

test("a bad value in a control is answered with a sentence and the old run stays", () =>
  use(three, async (page) => {
    await field(page, "Delay").fill("soon");
    await field(page, "Delay").press("Tab");
    await page.getByRole("alert").filter({ hasText: "delay cannot be 'soon'" }).waitFor();
    await page.getByRole("img", { name: /3 nodes/ }).waitFor();
    assert.equal(await field(page, "Delay").inputValue(), "");
  }));

test("a foreign host is refused", async () => {
  const { request } = await import("node:http");
  const { port } = new URL(where());
  const code = await new Promise((resolve) =>
    request({ port, host: "127.0.0.1", headers: { Host: "evil.example" } }, (answer) =>
      resolve(answer.statusCode),
    ).end(),
  );
  assert.equal(code, 421);
  const done = await run(["lab", "--port", "x"]);
  assert.equal(done.code, 2);
  assert.match(done.error, /--port cannot be 'x'/);
});
