// The laboratory as a person has it: served by conclave-lab, opened in Debian's Chromium.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const tool = process.env.CONCLAVE_LAB ?? join(root, "build/dev/bin/conclave-lab");
const { chromium } = createRequire(join(root, "web/package.json"))("playwright-core");

// Runs it; { code, out, error }.
export function run(words, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(tool, words, { cwd: root, ...options });
    let out = "",
      error = "";
    child.stdout.on("data", (text) => (out += text));
    child.stderr.on("data", (text) => (error += text));
    child.on("close", (code) => resolve({ code, out, error }));
  });
}

// Serves the page until `stop` is called; `url` is its address.
export async function serve() {
  const child = spawn(tool, ["lab", "--port", "0"], { cwd: root });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      said += text;
      const found = said.match(/http:\/\/\S+/);
      if (found) resolve(found[0]);
    });
    child.stderr.on("data", (text) => (said += text));
    child.on("close", () => reject(new Error(said)));
  });
  return {
    url,
    stop: () => new Promise((done) => (child.on("close", done), child.kill("SIGTERM"))),
  };
}

// `more`: further arguments of the browser.
export async function openBrowser(more = []) {
  if (!existsSync("/usr/bin/chromium"))
    throw new Error("there is no /usr/bin/chromium: run ./dev test web");
  const folder = mkdtempSync(join(tmpdir(), "laboratory-"));
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--crash-dumps-dir=${folder}`,
      ...more,
    ],
  });
}

// A page with nothing wrong in its console; `close` says what went wrong.
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    acceptDownloads: true,
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  await page.goto(url);
  await page
    .getByRole("img", {
      name: /^(Space-time diagram|The lease over time|Offsets of the clocks)/,
    })
    .waitFor();
  return { page, context, wrong };
}
