// Clocks in the browser: offsets over time with the error bound, a master killed, a clock gone bad.
import assert from "node:assert/strict";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { root, run } from "./laboratory.mjs";
import { click, field, reach, shows, tab, text, use } from "./person.mjs";

const net = "#nodes=5&drift=50&walk=0.001&jitter=exp:10us&until=2min&view=clocks";
const cell = async (page, node, column) =>
  (
    await page
      .locator("[data-test=clocknow] tbody tr")
      .nth(node - 1)
      .locator("td")
      .nth(column)
      .textContent()
  ).trim();
const masterOf = async (page) =>
  Number((await text(page, "clocks")).match(/Node (\d+) is master/)[1]);
const units = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9 };
const nanoseconds = (said) => {
  const [, number, unit] = said.match(/([\d.]+) (ns|µs|ms|s)/);
  return Number(number) * units[unit];
};
const seconds = async (page, at) => {
  const steps = Number(await page.getByRole("slider", { name: "Step" }).getAttribute("max"));
  await page.getByRole("slider", { name: "Step" }).fill(String(Math.min(at, steps)));
};

test("a person enters the room of the clocks and sees them come together, within their bounds", () =>
  use("", async (page) => {
    await click(page, "Clocks");
    await page.getByRole("img", { name: /^Offsets of the clocks over time: 5 nodes/ }).waitFor();
    await shows(page, "clocks", /Node \d is master; 5 of 5 clocks are set, the good ones within/);
    for (let id = 1; id <= 5; ++id)
      assert.ok((await page.locator(`[data-clock="${id}"]`).getAttribute("d")).length > 100);
    assert.match(await text(page, "clockoutcome"), /Error bounds: true at all [\d,]+ looks/);
    await click(page, "Node 1");
    assert.ok((await page.locator("[data-test=bound]").getAttribute("d")).length > 100);
    assert.match(await cell(page, 1, 3), /^± [\d.]+ (µs|ms)$/);
    await click(page, "To the beginning");
    await shows(page, "clocks", "Nothing has been measured yet.");
    await page.keyboard.press("ArrowRight");
    await shows(page, "clocks", /no clock is set yet|clocks are set/);
  }));

test("the master is killed by a click, another one takes over, and undo brings it back", () =>
  use(net, async (page) => {
    await seconds(page, 60);
    const master = await masterOf(page);
    await click(page, "Kill the master now");
    await page.getByRole("button", { name: new RegExp(`^Remove crash ${master}@`) }).waitFor();
    await click(page, "To the end");
    await shows(page, "clocks", /Node \d is master; 4 of 5 clocks are set/);
    const next = await masterOf(page);
    assert.notEqual(next, master);
    assert.equal(await cell(page, master, 1), "down");
    await shows(page, "story", `node ${next} becomes master`);
    assert.match(await text(page, "clockoutcome"), /true at all/);
    await click(page, `Node ${master}`);
    await click(page, "Restart it now");
    await page.getByRole("button", { name: new RegExp(`^Remove recover ${master}@`) }).waitFor();
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: /^Remove crash/ }).waitFor({ state: "detached" });
    await click(page, "To the end");
    assert.equal(await masterOf(page), master);
    await click(page, "Redo");
    await page.getByRole("button", { name: new RegExp(`^Remove crash ${master}@`) }).waitFor();
  }));

test("a clock that goes bad is not followed: the good ones stay together", () =>
  use(net, async (page) => {
    await seconds(page, 60);
    const master = await masterOf(page);
    const slave = master === 5 ? 4 : 5;
    await click(page, `Node ${slave}`);
    await click(page, "Let its clock go bad: 500 ppm fast");
    await page
      .getByRole("button", {
        name: new RegExp(`^Remove break ${slave}@.*=500ppm`),
      })
      .waitFor();
    await seconds(page, 65);
    const astray = nanoseconds(await cell(page, slave, 2));
    assert.ok(astray > 500_000, `${astray} ns ahead`);
    await click(page, "To the end");
    const apart = (await text(page, "clocks")).match(/within (.*)\.$/)[1];
    assert.ok(nanoseconds(apart) < 100_000, apart);
    assert.match(await text(page, "clockoutcome"), /true at all/);
  }));

test("a master whose clock is set wrong resigns, and its time is not followed", () =>
  use(net, async (page) => {
    await seconds(page, 60);
    const master = await masterOf(page);
    await click(page, `Node ${master}`);
    await click(page, "Set its clock 1 s ahead");
    await shows(page, "story", `node ${master} resigns: its own clock is wrong`);
    await seconds(page, 75);
    assert.notEqual(await masterOf(page), master);
    await click(page, "To the end");
    const apart = (await text(page, "clocks")).match(/within (.*)\.$/)[1];
    assert.ok(nanoseconds(apart) < 1_000_000, apart);
  }));

test("a link opened in a fresh browser shows the same clocks at the same moment", () =>
  use(net + "&crash=3@40s", async (page) => {
    await seconds(page, 70);
    await tab(page, "Share");
    await click(page, "Node 2");
    await page.waitForURL(/view=clocks&tab=Share&node=2&at=70$/);
    const band = await page.locator("[data-test=bound]").getAttribute("d");
    const [sentence, file] = [await text(page, "clocks"), await text(page, "file")];
    const line = await page.locator('[data-clock="2"]').getAttribute("d");
    await use(new URL(page.url()).hash, async (other) => {
      await shows(other, "clocks", sentence);
      assert.equal(await text(other, "file"), file);
      assert.equal(await other.locator("[data-test=bound]").getAttribute("d"), band);
      assert.equal(await other.locator('[data-clock="2"]').getAttribute("d"), line);
    });
  }));

test("the file under Share does in the native tool what the page shows, and can be opened", () =>
  use(net + "&crash=3@40s&tab=Share", async (page) => {
    const folder = await mkdtemp(join(tmpdir(), "clocks-"));
    const path = join(folder, "clocks.toml");
    const [saved] = await Promise.all([
      page.waitForEvent("download"),
      click(page, "Save clocks.toml"),
    ]);
    await saved.saveAs(path);
    const native = JSON.parse((await run(["timed-sim", path, "--json"])).out);
    await tab(page, "Story");
    assert.ok(
      (await text(page, "clockoutcome")).includes(`${native.packets.toLocaleString("en")} packets`),
    );
    await tab(page, "Share");
    const open = (file) => page.locator("input[type=file]").setInputFiles(file);
    await open(join(root, "examples/clocks/partition.toml"));
    await page.getByRole("button", { name: /^Remove partition/ }).waitFor();
    const bad = join(folder, "bad.toml");
    await writeFile(bad, (await readFile(path, "utf8")).replace("jitter", "jiter"));
    await open(bad);
    await page.getByRole("alert").filter({ hasText: "did you mean jitter?" }).waitFor();
    await page.getByRole("button", { name: /^Remove partition/ }).waitFor();
  }));

test("nodes, jitter and the paper's way of keeping time are changed by controls", () =>
  use(net, async (page) => {
    await field(page, "Nodes").fill("7");
    await field(page, "Nodes").press("Tab");
    await page.getByRole("img", { name: /over time: 7 nodes/ }).waitFor();
    const ours = await text(page, "clockoutcome");
    await field(page, "Keeping").fill("paper");
    await field(page, "Keeping").press("Tab");
    await page.locator("[data-test=clockoutcome]").filter({ hasNotText: ours }).waitFor();
    await field(page, "Jitter").fill("much");
    await field(page, "Jitter").press("Tab");
    await page.getByRole("alert").filter({ hasText: "jitter cannot be 'much'" }).waitFor();
    assert.equal(await field(page, "Jitter").inputValue(), "exp:10us");
  }));

test("clocks are used with the keyboard alone", () =>
  use(net + "&at=60", async (page) => {
    await page.keyboard.press("ArrowLeft");
    await page.getByText("step 59 of").waitFor();
    await reach(page, /^Kill the master now$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Remove crash/ }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByRole("button", { name: /^Remove crash/ }).waitFor({ state: "detached" });
  }));

test("on a phone the clocks are not cut off", () =>
  use(
    net,
    async (page) => {
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth);
      for (const name of ["Story", "Share"]) {
        await tab(page, name);
        assert.ok((await wide()) <= 390, `${name}: ${await wide()} px`);
      }
      await click(page, "Node 2");
      await click(page, "Kill it now");
      await page.getByRole("button", { name: /^Remove crash 2@/ }).waitFor();
    },
    { viewport: { width: 390, height: 844 }, hasTouch: true },
  ));

const bad = [
  [
    "#nodes=5&algorithm=bully&view=clocks",
    /algorithm is not for clocks: the election is always tempo/,
  ],
  ["#nodes=5&jiter=exp:1us&view=clocks", /there is no option jiter: did you mean jitter\?/],
  ["#nodes=5&node=all&view=clocks", /node cannot be “all”: give its number/],
  ["#nodes=500&view=clocks", /nodes cannot be '500' here: the page shows at most 100 clocks/],
  [
    "#nodes=5&until=100h&look=1s&view=clocks",
    /until cannot be '100h' here: .*more than 400000 points/,
  ],
  ["#nodes=5&break=9@1s=500ppm&view=clocks", /break names node 9: give 1 to 5/],
];
for (const [hash, sentence] of bad)
  test(`a bad link to clocks is answered with a sentence and the page goes on: ${hash}`, () =>
    use(hash, async (page) => {
      const alert = page.getByRole("alert");
      await alert.waitFor();
      assert.match(await alert.textContent(), sentence);
      await click(page, "Clocks");
      await shows(page, "clocks", /Node \d is master/);
      await alert.waitFor({ state: "detached" });
    }));
