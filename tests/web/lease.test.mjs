// The lease in the browser: agent, guardian and command, promises as bars, a rule switched off.
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./laboratory.mjs";
import { click, field, reach, shows, tab, text, use } from "./person.mjs";

const calm = "#algorithm=bully&cluster=true&nodes=3&order=ascending&until=1800ms";
const died = calm + "&fault=agent-dies:3@700ms";
const bar = (page, node, kind) => page.locator(`[data-node="${node}"] [data-bar=${kind}]`);
const row = (page, node) =>
  page
    .locator("[data-test=machines] tbody tr")
    .nth(node - 1)
    .textContent();
const words = (line) => line.match(/'[^']*'|\S+/g).map((word) => word.replace(/^'|'$/g, ""));

test("a person enters the room of the lease and sees agent, guardian, command and promises", () =>
  use("", async (page) => {
    await click(page, "Lease");
    await page
      .getByRole("img", {
        name: /^The lease over time: cluster-bully, 3 nodes/,
      })
      .waitFor();
    await shows(page, "lease", "The command runs on node 2 under token");
    const [first, second] = [3, 2].map((node) => bar(page, node, "work"));
    assert.ok(
      Number(await second.last().getAttribute("data-token")) >
        Number(await first.first().getAttribute("data-token")),
      "tokens grow",
    );
    assert.equal(await bar(page, 3, "agent").last().getAttribute("data-what"), "dead");
    assert.equal(await bar(page, 2, "guardian").last().getAttribute("data-what"), "watching");
    const promised = await bar(page, 1, "promise").evaluateAll((all) =>
      all.map((each) => each.dataset.to),
    );
    assert.deepEqual(promised, ["3", "2"], "node 1 promised itself to 3, then to 2");
    assert.match(await row(page, 1), /up.*node 2, for/);
    assert.match(await row(page, 3), /dead/);
  }));

test("stepping back shows the lease as it stood: the promise outlasts the lease", () =>
  use(calm, async (page) => {
    await click(page, "To the beginning");
    await shows(page, "lease", "No command runs.");
    await page.getByRole("slider", { name: "Step" }).fill("60");
    await shows(page, "lease", "The command runs on node 3 under token");
    const ms = (found) => Number(found[1]) * (found[2] === "s" ? 1000 : 1);
    const lease = (await row(page, 3)).match(/for ([\d.]+) (ms|s)/);
    const promise = (await row(page, 1)).match(/node 3, for ([\d.]+) (ms|s)/);
    assert.ok(ms(promise) > ms(lease), `${promise[0]}, lease ${lease[0]}`);
    const before = await row(page, 3);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    assert.equal(await row(page, 3), before);
  }));

test("an agent is killed by a click, its guardian says so, another node works; undo takes it back", () =>
  use(calm + "&at=60", async (page) => {
    const box = await page.getByRole("img", { name: /lease over time/ }).boundingBox();
    await page.mouse.click(box.x + 20, box.y + 30 + 2.3 * 96); // the name of node 3
    await click(page, "Kill its agent");
    await page.getByRole("button", { name: /^Remove fault agent-dies:3@/ }).waitFor();
    await click(page, "To the end");
    await shows(page, "lease", "The command runs on node 2");
    await click(page, "Start its agent again");
    await page.getByRole("button", { name: /^Remove fault agent-returns:3@/ }).waitFor();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    const last = page.getByRole("button", { name: /^Remove fault/ }).first();
    await last.waitFor({ state: "detached" }); // there may be two for a moment
    await click(page, "To the end");
    await shows(page, "lease", "The command runs on node 3");
  }));

test("every fault that a button offers is one that the simulator knows", () =>
  use(died + "&at=60", async (page) => {
    for (const name of [
      "Pause its agent",
      "Kill its guardian",
      "End its command",
      "Fill its disk",
    ]) {
      await page.getByRole("button", { name: /^node 3/ }).click();
      await click(page, name);
      await page
        .getByRole("button", { name: /^Remove fault/ })
        .nth(1)
        .waitFor();
      assert.equal(await page.getByRole("alert").count(), 0, name);
      await page.keyboard.press("Control+z");
      await page
        .getByRole("button", { name: /^Remove fault/ })
        .nth(1)
        .waitFor({ state: "detached" });
    }
  }));

test("with a rule off a storm is found that breaks it, with the rule on that storm does not", () =>
  use(calm + "&tab=Rules", async (page) => {
    const rule = page.getByRole("checkbox", {
      name: "release-after-work-is-gone",
    });
    assert.ok(await rule.isChecked());
    await rule.click();
    await page.getByRole("button", { name: "Remove break release-after-work-is-gone" }).waitFor();
    await click(page, "Look for a storm that breaks it");
    await shows(page, "storm", /Storm \d+ breaks it: one leader/);
    await shows(page, "violations", "one leader");
    await shows(page, "lease", /The command .* on node \d.*The command .* on node \d/);
    const link = new URL(page.url()).hash;
    await tab(page, "Share");
    const command = words(await text(page, "command")).slice(2);
    const native = JSON.parse((await run(["sim", ...command, "--json"])).out);
    assert.equal(native.violations[0].property, "one leader", "the native tool sees it too");
    await tab(page, "Rules");
    await rule.click();
    await page.locator("[data-test=violations]").waitFor({ state: "detached" });
    await page.keyboard.press("Control+z");
    await shows(page, "violations", "one leader");
    assert.match(link, /break=release-after-work-is-gone/);
  }));

test("a run that breaks a rule is shrunk", () =>
  use(
    "#algorithm=bully&cluster=true&nodes=3&storm=10s&break=release-after-work-is-gone&seed=1&tab=Rules",
    async (page) => {
      await shows(page, "violations", "one leader");
      const before = await page.getByRole("button", { name: /^Remove / }).count();
      await click(page, "Shrink the run on the screen");
      await page
        .locator("[data-test=storm]")
        .filter({ hasText: "Shrunk in" })
        .waitFor({ timeout: 60_000 });
      await shows(page, "violations", "one leader");
      assert.ok(before > 0);
    },
  ));

test("with all rules on no storm breaks it", () =>
  use(calm + "&tab=Rules", async (page) => {
    await click(page, "Look for a storm that breaks it");
    await page
      .locator("[data-test=storm]")
      .filter({ hasText: "No property is violated in 2000 storms." })
      .waitFor({ timeout: 120_000 });
    assert.equal(await page.locator("[data-test=violations]").count(), 0);
  }));

test("messages are shown instead by a click, and the link restores view, tab and moment", () =>
  use(died, async (page) => {
    await page.getByRole("slider", { name: "Step" }).fill("50");
    await tab(page, "Rules");
    await page.getByRole("button", { name: "Messages", exact: true }).click();
    await page.getByRole("img", { name: /Space-time diagram: cluster-bully/ }).waitFor();
    await page.waitForURL(/view=messages&tab=Rules&at=50$/);
    const now = await text(page, "now");
    await use(new URL(page.url()).hash, async (other) => {
      await other.getByRole("img", { name: /Space-time diagram: cluster-bully/ }).waitFor();
      await other.getByRole("tab", { name: "Rules", selected: true }).waitFor();
      assert.equal(await text(other, "now"), now);
    });
  }));

test("each algorithm that agents run leads a cluster", () =>
  use(calm, async (page) => {
    const names = await field(page, "Algorithm").locator("option").allTextContents();
    assert.deepEqual(names, ["bully", "invitation", "multicast", "nemeth", "tempo"]);
    for (const name of names) {
      await field(page, "Algorithm").selectOption(name);
      await page
        .getByRole("img", {
          name: new RegExp(`over time: cluster-${name}, 3 nodes`),
        })
        .waitFor();
      await click(page, "To the end");
      await shows(page, "lease", /The command runs on node \d/);
    }
  }));

test("a room that cannot be loaded is told in a sentence, and the page goes on", async () => {
  const failing = /ERR_INTERNET_DISCONNECTED|ERR_FAILED/; // the browser's own words for it
  await use(
    "",
    async (page, context) => {
      await context.setOffline(true);
      for (const room of ["Lease", "Clocks"]) {
        await click(page, room);
        await page.getByRole("alert").filter({ hasText: "cannot be loaded" }).waitFor();
        await page.getByRole("img", { name: /chang-roberts, 5 nodes/ }).waitFor();
      }
      await context.setOffline(false);
      await click(page, "Lease");
      await shows(page, "lease", "The command runs on node 2");
    },
    { allowed: failing },
  );
});

test("a page whose first run cannot be loaded says so", () =>
  use(
    "",
    async (page, context) => {
      await context.route(/simulator\.wasm/, (request) => request.abort());
      await page.reload();
      await page.getByRole("alert").filter({ hasText: "cannot be loaded" }).waitFor();
    },
    { allowed: /ERR_FAILED/ },
  ));

test("the lease is used with the keyboard alone", () =>
  use(calm + "&at=60", async (page) => {
    await reach(page, /^node 3/);
    await page.keyboard.press("Enter");
    await reach(page, /^Crash the machine$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Remove crash 3@/ }).waitFor();
    await page.keyboard.press("End");
    await shows(page, "lease", "The command runs on node 2");
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: /^Remove crash/ }).waitFor({ state: "detached" });
  }));

test("on a phone the lease is not cut off", () =>
  use(
    died,
    async (page) => {
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
      for (const name of ["Machines", "Rules", "Card", "Share"]) {
        await tab(page, name);
        assert.ok((await wide()) <= 390, `${name}: ${await wide()} px`);
      }
      await click(page, "Step back");
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true },
  ));

const storm =
  "#algorithm=bully&cluster=true&nodes=3&storm=10s&break=release-after-work-is-gone&seed=1";
for (const width of [390, 1180])
  test(`what stands above the lines of marks is whole and readable on ${width} pixels`, () =>
    use(
      storm,
      async (page) => {
        await shows(page, "violations", "one leader");
        const frame = await page.getByRole("img", { name: /lease over time/ }).boundingBox();
        const boxes = [];
        for (const text of await page.locator(".mark text").all())
          if ((await text.textContent()) !== "") boxes.push(await text.boundingBox());
        assert.ok(boxes.length >= 3, `${boxes.length} texts`);
        for (const [i, { x, y, width, height }] of boxes.entries()) {
          assert.ok(x >= frame.x && x + width <= frame.x + frame.width, `text ${i} is cut off`);
          for (const other of boxes.slice(0, i))
            assert.ok(
              x + width <= other.x || other.x + other.width <= x || Math.abs(y - other.y) >= 8,
              `text ${i} stands on another, ${height} px`,
            );
        }
      },
      { viewport: { width, height: 844 } },
    ));

const bad = [
  [calm + "&break=quarantine", /break cannot be 'quarantine': choose from lease-shorter/],
  [calm + "&fault=agent-sneezes:3@1s", /fault cannot be 'agent-sneezes:3@1s': give WHAT:ID@TIME/],
  [calm + "&view=sideways", /view cannot be “sideways”: choose from clocks, messages/],
  [calm + "&tab=../x", /tab cannot be “..\/x”/],
  [calm + "&at=3&at=4", /at is said twice/],
  ["#algorithm=bully&cluster=true&nodes=3&storm=10h", /this run has more than 400000 records/],
  ["#algorithm=franklin&cluster=true", /agents cannot run 'franklin'/],
];
for (const [hash, sentence] of bad)
  test(`a bad link to a lease is answered with a sentence and the page goes on: ${hash}`, () =>
    use(hash, async (page) => {
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assert.match(await alert.textContent(), sentence);
      await click(page, "Lease");
      await shows(page, "lease", "The command runs on node 2");
      await alert.waitFor({ state: "detached" });
    }));
