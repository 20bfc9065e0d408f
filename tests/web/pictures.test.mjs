// The pictures of README and docs/laboratory.md, made anew, and others to look at, in
// build/pictures; DEV_PICTURES=yes puts those of the documents into docs/pictures.
import assert from "node:assert/strict";
import { mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, openPage, root, serve } from "./laboratory.mjs";

const shown = new Set(["laboratory", "tour", "lease", "clocks"]); // in the documents
const folderOf = (name) =>
  join(
    root,
    process.env.DEV_PICTURES === "yes" && shown.has(name) ? "docs/pictures" : "build/pictures",
  );
const largest = 150_000; // bytes
const bully = "#algorithm=bully&nodes=5&order=ascending&crash=5@0s&initiators=1&at=16";
const masters = "#algorithm=tempo&nodes=6&partition=4,5,6/1,2,3@3s..10s&until=14s&tour=tempo.8";
const lease =
  "#algorithm=bully&cluster=true&nodes=3&order=ascending&until=1800ms&fault=agent-dies:3@700ms&at=100";
const storm =
  "#algorithm=bully&cluster=true&nodes=3&storm=10s&break=release-after-work-is-gone&seed=1";
const clocks =
  "#nodes=5&drift=50&walk=0.001&jitter=exp:10us&crash=3@40s&break=5@60s=500ppm&until=2min&view=clocks&node=2&at=90";
const wide = { viewport: { width: 1180, height: 800 } },
  phone = { viewport: { width: 390, height: 844 } };
const pictures = [
  ["laboratory", bully, { ...wide, colorScheme: "light" }, "Source"],
  ["laboratory-dark", bully, { ...wide, colorScheme: "dark" }, "Messages"],
  ["tour", masters, { ...wide, colorScheme: "light" }, "Table"],
  ["lease", lease, { ...wide, colorScheme: "light" }, "Machines"],
  ["lease-broken", storm, { ...wide, colorScheme: "dark" }, "Rules"],
  ["clocks", clocks, { ...wide, colorScheme: "light" }, "Story"],
  ["clocks-dark", clocks, { ...wide, colorScheme: "dark" }, "Share"],
  ["phone-lease", lease, { ...phone, colorScheme: "dark" }, "Machines"],
  ["phone-clocks", clocks, { ...phone, colorScheme: "light" }, "Story"],
  ["phone", bully, { ...phone, colorScheme: "light" }, "Card"],
  ["phone-dark", masters, { ...phone, colorScheme: "dark" }, "Table"],
];

let server, browser;
before(async () => {
  await mkdir(folderOf("laboratory"), { recursive: true });
  await mkdir(join(root, "build/pictures"), { recursive: true });
  server = await serve();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const [name, hash, options, tab] of pictures)
  test(`the picture ${name} is made, of modest size`, async () => {
    const { page, context, wrong } = await openPage(browser, server.url + hash, options);
    await page.getByRole("tab", { name: tab }).click();
    await page.getByText("runs …").waitFor({ state: "detached", timeout: 60_000 });
    await page.waitForTimeout(300); // the diagram is drawn in a frame of its own
    const path = join(folderOf(name), `${name}.png`);
    await page.screenshot({ path });
    await context.close();
    assert.deepEqual(wrong, []);
    assert.ok((await stat(path)).size < largest, `${(await stat(path)).size} bytes`);
    if (shown.has(name)) {
      const committed = await readFile(join(root, "docs/pictures", `${name}.png`));
      const made = await readFile(path);
      assert.deepEqual(committed.subarray(16, 24), made.subarray(16, 24), "width and height");
    }
  });
