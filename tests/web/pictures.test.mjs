// The pictures of README and docs/laboratory.md, and others to look at: see picture.mjs.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser, openPage, serve } from "./laboratory.mjs";
import { readTexts, takePicture } from "./picture.mjs";

const shown = new Set(["laboratory", "tour", "lease", "clocks"]); // in the documents
const bully = "#algorithm=bully&nodes=5&order=ascending&crash=5@0s&initiators=1&at=16";
const masters = "#algorithm=tempo&nodes=6&partition=4,5,6/1,2,3@3s..10s&until=14s&tour=tempo.8";
const lease =
  "#algorithm=bully&cluster=true&nodes=3&order=ascending&until=1800ms&fault=agent-dies:3@700ms&at=100";
const storm =
  "#algorithm=bully&cluster=true&nodes=3&storm=10s&break=release-after-work-is-gone&seed=1";
const clocks =
  "#nodes=5&drift=50&walk=0.001&jitter=exp:10us&crash=3@40s&break=5@60s=500ppm&until=2min&view=clocks&node=2&at=90";
const wide = (height) => ({ viewport: { width: 1180, height } }), // down to the end of a panel
  phone = { viewport: { width: 390, height: 844 } };
const pictures = [
  ["laboratory", bully, { ...wide(990), colorScheme: "light" }, "Source"],
  ["laboratory-dark", bully, { ...wide(1300), colorScheme: "dark" }, "Messages"],
  ["tour", masters, { ...wide(1300), colorScheme: "light" }, "Table"],
  ["lease", lease, { ...wide(912), colorScheme: "light" }, "Machines"],
  ["lease-broken", storm, { ...wide(1160), colorScheme: "dark" }, "Rules"],
  ["clocks", clocks, { ...wide(990), colorScheme: "light" }, "Story"],
  ["clocks-dark", clocks, { ...wide(990), colorScheme: "dark" }, "Share"],
  ["phone-lease", lease, { ...phone, colorScheme: "dark" }, "Machines"],
  ["phone-clocks", clocks, { ...phone, colorScheme: "light" }, "Story"],
  ["phone", bully, { ...phone, colorScheme: "light" }, "Card"],
  ["phone-broken", storm, { ...phone, colorScheme: "light" }, "Rules"],
  ["phone-dark", masters, { ...phone, colorScheme: "dark" }, "Table"],
];

let server, browser;
before(async () => {
  server = await serve();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const [name, hash, options, tab] of pictures)
  test(`the picture ${name} is made, of modest size, and shows what it showed`, async () => {
    const { page, context, wrong } = await openPage(browser, server.url + hash, options);
    await page.getByRole("tab", { name: tab }).click();
    await page.getByText("runs …").waitFor({ state: "detached", timeout: 60_000 });
    await page.mouse.move(0, 0); // nothing is pointed at
    await page.waitForTimeout(300); // the diagram is drawn in a frame of its own
    await takePicture(page, name, shown.has(name), await readTexts(page));
    await context.close();
    assert.deepEqual(wrong, []);
  });
