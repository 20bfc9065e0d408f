// The page of a live group, as an operator has it: Chromium beside three real nodes in network
// namespaces. One leader is killed, one member cut off, one way blocked.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, root } from "./laboratory.mjs";
import { possible, startGroup } from "./live.mjs";
import { renewing, takePicture } from "./picture.mjs";

if (!possible()) {
  console.log("skipped: this machine does not let us make network namespaces");
  process.exit(77);
}

const patience = { timeout: 30_000 }; // the machine may be busy
let group, browser;
before(async () => {
  group = await startGroup();
  const rebound = new URL(group.pages.anna).hostname;
  const rules = `--host-resolver-rules=MAP rebound.example ${rebound}`;
  browser = await openBrowser(["--no-proxy-server", rules]);
});
after(async () => {
  await browser?.close();
  await group?.stop();
});

// Opens the page of a node, lets a person use it, and looks for errors and for requests that an
// operator would not expect of a page that only shows.
async function watch(name, steps, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1180, height: 960 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patience.timeout);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
  page.on("request", (asked) => {
    const path = asked.url().replace(group.pages[name], "/");
    if (asked.method() !== "GET" || !["/", "/events", "data:,"].includes(path))
      wrong.push(`${asked.method()} ${asked.url()}`);
  });
  await page.goto(group.pages[name]);
  try {
    await steps(page);
    assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}

const lead = (page) => page.locator("#lead b");
const row = (page, name) =>
  page.locator("#members tr").filter({ has: page.locator("th", { hasText: name }) });
const leads = (page, name) =>
  lead(page)
    .filter({ hasText: `${name} leads` })
    .waitFor();
const alarm = (page) => page.locator("#differ");
const others = (name) => group.names.filter((each) => each !== name);
const settle = async () => (await group.ask("settle")).leader;
const json = async (name, words) =>
  JSON.parse((await group.ask("run", { name, words: [...words, "--json"] })).out);

// Asks an HTTP port as no browser would; { code, type, body }.
function fetchAs(url, { method = "GET", host } = {}) {
  return new Promise((resolve, reject) => {
    const headers = host ? { Host: host } : {};
    const asked = request(url, { method, headers, agent: false }, (answer) => {
      let body = "";
      answer.on("data", (text) => (body += text));
      answer.on("end", () =>
        resolve({
          code: answer.statusCode,
          type: answer.headers["content-type"],
          body,
        }),
      );
    });
    asked.on("error", reject);
    asked.end();
  });
}

test("the page is one file of at most 15 KB that needs nothing else", async () => {
  const { code, type, body } = await fetchAs(group.pages.anna);
  assert.equal(code, 200);
  assert.equal(type, "text/html; charset=utf-8");
  assert.ok(Buffer.byteLength(body) <= 15_000, `${Buffer.byteLength(body)} bytes`);
  assert.equal(body, await readFile(join(root, "web/live/page.html"), "utf8"));
  assert.doesNotMatch(body, /https?:\/\/|<script src|@import/);
});

test("leader, token, lease, members, bound, terms and doctor are those of the commands", async () => {
  const leader = await settle();
  const follower = others(leader)[0];
  const status = await json(follower, ["status"]);
  const bound = await json(follower, ["bound"]);
  await watch(follower, async (page) => {
    await leads(page, leader);
    await page.getByText(`token ${status.lease.token}`).first().waitFor();
    for (const name of group.names) {
      const says = name === leader ? "I lead" : `I follow ${leader}`;
      await row(page, name).getByText(says).waitFor();
      await row(page, name).getByText("healthy", { exact: true }).waitFor();
      await row(page, name).getByText("all others").waitFor();
    }
    await row(page, leader)
      .getByText(/heard \d+ ms ago/)
      .waitFor();
    await row(page, follower)
      .getByText(/^\d+(\.\d)? (s|min)/)
      .waitFor(); // how long it is up
    const shown = await page.locator("#bound").textContent();
    assert.ok(shown.includes(`at most ${bound.died_ns / 1e6} ms`), shown);
    await page.locator("#list").getByText(`${leader} from 20`).waitFor();
    // A machine that is busy with tests is late, which doctor says as well.
    const late = /this machine (rings|wakes)/;
    await page.locator("#findings").getByText(late).or(page.getByText("✓ all is well")).waitFor();
    assert.equal(
      await page
        .locator("#findings li")
        .filter({ hasNotText: late })
        .filter({ hasNotText: "✓ all is well" })
        .count(),
      0,
    );
    assert.equal(await alarm(page).isVisible(), false);
  });
});

test("the lease is a bar that the leader renews, and that runs down when the node is stopped", async () => {
  const leader = await settle();
  const follower = others(leader)[0];
  await watch(follower, async (page) => {
    await leads(page, leader);
    const bar = page.getByRole("meter", { name: "Lease" });
    const left = async () => Number(await bar.getAttribute("aria-valuenow"));
    const seen = [];
    for (let i = 0; i < 20; ++i) seen.push((await page.waitForTimeout(100), await left()));
    assert.ok(Math.max(...seen) > 700 && Math.max(...seen) <= 1500, `${seen}`);
    assert.ok(
      seen.some((each, i) => i && each > seen[i - 1]),
      `it is renewed: ${seen}`,
    );
    await group.ask("pause", { name: follower });
    await page.getByText(`No news from ${follower}`).waitFor();
    assert.equal(await left(), 0);
    await group.ask("resume", { name: follower });
    await page.getByText(`No news from ${follower}`).waitFor({ state: "hidden" });
    await leads(page, leader);
  });
  await settle();
});

test("a killed leader: the page shows its successor, the term and the measured failover", async () => {
  const leader = await settle();
  const [one, other] = others(leader);
  await watch(one, async (page) => {
    await leads(page, leader);
    const token = await page.locator("#lead code").textContent();
    await group.ask("kill", { name: leader });
    await lead(page)
      .filter({ hasText: new RegExp(`(${one}|${other}) leads`) })
      .waitFor();
    await page.getByText(`reason: '${leader}' died`).waitFor();
    assert.ok(BigInt(await page.locator("#lead code").textContent()) > BigInt(token));
    await row(page, leader)
      .getByText(/silent for/)
      .waitFor();
    await row(page, leader).getByText("no answer").waitFor();
    await page.locator("#findings").getByText(`'${leader}' has been silent`).waitFor();
    await page.locator("#list").getByText(`ended: '${leader}' died`).waitFor();
    const died = page.locator("#bound li").nth(1);
    await died.getByText(/measured \d+ ms, the worst of 1/).waitFor();
    await alarm(page).waitFor({ state: "hidden" }); // those that answer agree
    await group.ask("start", { name: leader });
    await row(page, leader).getByText(/heard/).waitFor();
    await page.locator("#findings").getByText(`'${leader}'`).waitFor({ state: "detached" });
    const metrics = (await fetchAs(group.pages[one] + "metrics")).body;
    const measured = Number(metrics.match(/conclave_failover_seconds\{.*case="died"\} (\S+)/)[1]);
    const worst = Number((await died.textContent()).match(/measured (\d+) ms/)[1]);
    assert.equal(Math.round(measured * 1000), worst, "page and metrics come from one value");
  });
});

test("a cut member: the majority's page says who is silent, its own page that it has no leader", async () => {
  const leader = await settle();
  const [one, cut] = others(leader);
  await watch(one, async (page) => {
    await leads(page, leader);
    await group.ask("cut", { name: cut });
    await row(page, cut)
      .getByText(/silent for/)
      .waitFor();
    await row(page, cut).getByText("no answer").waitFor();
    await leads(page, leader);
    await watch(cut, async (alone) => {
      await lead(alone).getByText("No leader").waitFor();
      await row(alone, cut).getByText("I know no leader").waitFor();
      for (const name of others(cut)) await row(alone, name).getByText("no answer").waitFor();
      await alone.getByText("this node is bound to no leader").waitFor();
    });
    await group.ask("heal");
    await row(page, cut)
      .getByText(/I follow/)
      .waitFor();
  });
  await settle();
});

test("two views that disagree are named in words, until they agree again", async () => {
  const leader = await settle();
  const [witness, blocked] = others(leader); // it hears both
  await watch(
    witness,
    async (page) => {
      await leads(page, leader);
      assert.equal(await alarm(page).isVisible(), false);
      await group.ask("block", { name: leader, other: blocked });
      await alarm(page).getByText("The views differ").waitFor();
      const agree = [leader, witness].sort().join(", ");
      await alarm(page)
        .getByText(
          `members disagree about the leader: ${agree} say '${leader}'; ${blocked} says nobody`,
        )
        .waitFor();
      await alarm(page).getByText(`'${blocked}' does not hear '${leader}', which is up`).waitFor();
      await row(page, blocked).getByText("⚠ I know no leader").waitFor();
      await row(page, blocked).getByText(`⚠ not ${leader}`).waitFor();
      const told = await group.ask("run", {
        name: witness,
        words: ["status", "--all"],
      });
      assert.match(told.out, /members disagree about the leader/, "status --all says the same");
      const doctor = JSON.parse((await fetchAs(group.pages[witness] + "doctor")).body);
      assert.equal(doctor.well, false);
      assert.match(doctor.disagreements[0], /members disagree about the leader/);
      await picture(page, "live-disagreement", "dark");
      await group.ask("heal");
      await alarm(page).waitFor({ state: "hidden" });
      await row(page, blocked).getByText(`I follow ${leader}`).waitFor();
    },
    { viewport: { width: 1180, height: 1090 } }, // all of it, for the picture
  );
  await settle();
});

test("the page only shows: no other method is accepted, nothing on it can be sent", async () => {
  const leader = await settle();
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
    for (const path of ["", "leader", "events", "doctor"]) {
      const answer = await fetchAs(group.pages[leader] + path, { method });
      assert.equal(answer.code, 405, `${method} /${path}`);
      assert.equal(answer.body, "this server only shows, and changes nothing: use GET or HEAD\n");
    }
  await watch(leader, async (page) => {
    await leads(page, leader);
    assert.equal(await page.locator("form, input, select, textarea, a[href]").count(), 0);
    await page.getByText(/lease: \d+ ms left unless renewed/).waitFor();
    for (const button of await page.getByRole("button").all()) await button.click();
  });
  assert.equal(await settle(), leader);
});

test("a command is copied by keyboard alone", async () => {
  const leader = await settle();
  const [one, other] = others(leader);
  const granted = { permissions: ["clipboard-read", "clipboard-write"] };
  await watch(
    one,
    async (page) => {
      await leads(page, leader);
      const wanted = `conclave transfer --to ${other} --group jobs`;
      for (let i = 0; i < 12; ++i) {
        await page.keyboard.press("Tab");
        const label = await page.evaluate(() => document.activeElement.ariaLabel);
        if (label === `copy: ${wanted}`) break;
      }
      await page.waitForTimeout(1500); // events come meanwhile, and leave the focus where it is
      await page.keyboard.press("Enter");
      await page.getByText("copied").waitFor();
      // The clipboard API is for pages of this machine: elsewhere the text itself is selected.
      assert.equal(await page.evaluate(() => getSelection().toString()), wanted);
    },
    granted,
  );
  await watch(one, async (page) => {
    // what was copied works, on the leader
    await leads(page, leader);
    const done = await group.ask("run", {
      name: leader,
      words: ["transfer", "--to", other],
    });
    assert.equal(done.code, 0, done.out + done.error);
    await leads(page, other);
    await page
      .locator("#bound li")
      .nth(2)
      .getByText(/measured \d+ ms/)
      .waitFor();
  });
  assert.equal(await settle(), other);
});

test("a foreign Host is refused with one sentence", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const port = new URL(group.pages.anna).port;
  const answer = await page.goto(`http://rebound.example:${port}/`);
  assert.equal(answer.status(), 421);
  assert.match(await answer.text(), /^this server is not known by that name: [^\n]*--http-host\n$/);
  for (const path of ["status", "events", "why", "doctor", "metrics"]) {
    const refused = await fetchAs(group.pages.anna + path, {
      host: `rebound.example:${port}`,
    });
    assert.equal(refused.code, 421, path);
    assert.doesNotMatch(refused.body, /jobs|anna/);
  }
  await context.close();
});

// The contrast of two colours, as the accessibility guidelines compute it.
const contrast = `(a, b) => {
  const light = (text) => {
    const parts = text.match(/[\\d.]+/g).slice(0, 3).map((each) => each / 255);
    const [r, g, b] = parts.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}`;
for (const [colorScheme, width] of [
  ["light", 1180],
  ["dark", 1180],
  ["light", 390],
  ["dark", 390],
])
  test(`the page fits ${width} pixels, and its text is readable, ${colorScheme}`, async () => {
    const leader = await settle();
    const options = { colorScheme, viewport: { width, height: 960 } };
    await watch(
      others(leader)[0],
      async (page) => {
        await leads(page, leader);
        await page.getByText("all others").first().waitFor();
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
        const poor = await page.evaluate(`(() => {
        const contrast = ${contrast}, poor = [];
        for (const each of document.querySelectorAll("main *, header *")) {
          const own = [...each.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
          if (!own || !each.checkVisibility()) continue;
          let back = each;
          while (back.parentElement && /^rgba.*, 0\\)$/.test(getComputedStyle(back).backgroundColor))
            back = back.parentElement;
          const value = contrast(getComputedStyle(each).color, getComputedStyle(back).backgroundColor);
          if (value < 4.5) poor.push(each.textContent + " " + value.toFixed(2));
        }
        return poor;
      })()`);
        assert.deepEqual(poor, []);
        await picture(
          page,
          width < 500 ? `live-phone-${colorScheme}` : `live-${colorScheme}`,
          colorScheme,
        );
      },
      options,
    );
  });

// Names, times and numbers are others in every run: of the documents' pictures the words that the
// page itself has are compared.
async function picture(page, name, colorScheme) {
  const inDocuments = { "live-light": "live", "live-disagreement": name }[name];
  await page.emulateMedia({ colorScheme });
  if (name === "live-light") await page.getByText("The views differ").waitFor({ state: "hidden" });
  if (name === "live-light" && renewing) await page.getByText("✓ all is well").waitFor();
  const own = await page
    .locator("h2, thead th, #bound li, #do small")
    .evaluateAll((all) =>
      all.filter((each) => each.checkVisibility()).map((each) => each.firstChild.textContent),
    );
  const texts = own
    .join("\n")
    .replace(/\d+(\.\d+)?/g, "0")
    .replace(/^on \w+/gm, "on NAME");
  await takePicture(page, inDocuments ?? name, inDocuments !== undefined, texts + "\n");
}
