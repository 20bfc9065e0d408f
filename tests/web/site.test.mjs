// The documentation's site, as a reader has it: every link, search, and nothing from elsewhere.
// ./dev docs builds it; pictures to look at go to build/pictures.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, relative } from "node:path";
import { after, before, test } from "node:test";
import { openBrowser, root } from "./laboratory.mjs";

const site = join(root, "build/site");
const types = {
  ".html": "text/html",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

let server, browser, address;
before(async () => {
  assert.ok(existsSync(join(site, "index.html")), "there is no build/site: run ./dev docs");
  await mkdir(join(root, "build/pictures"), { recursive: true });
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = join(site, normalize(path === "/" ? "/index.html" : path));
    if (!file.startsWith(site) || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, {
      "Content-Type": types[extname(file)] ?? "text/plain",
    });
    response.end(readFileSync(file));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${server.address().port}/`;
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  server?.close();
});

// Opens a page, lets a reader use it, and looks for errors and for requests to other servers.
async function read(path, steps, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    ...options,
  });
  const page = await context.newPage();
  const wrong = [];
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => wrong.push(error.message));
  // A reader who follows a link leaves requests behind, which the browser then gives up itself.
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText;
    if (reason !== "net::ERR_ABORTED") wrong.push(`failed: ${request.url()} (${reason})`);
  });
  page.on("response", (answer) => answer.status() >= 400 && wrong.push(`404: ${answer.url()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) wrong.push(`elsewhere: ${url}`);
  });
  await page.goto(address + path);
  try {
    await steps(page);
    assert.deepEqual(wrong, []);
  } finally {
    await context.close();
  }
}

const html = readdirSync(site, { recursive: true }).filter((name) => name.endsWith(".html"));
const texts = new Map(html.map((name) => [name, readFileSync(join(site, name), "utf8")]));

test("every link of every page leads to a page, a file or a heading of the site", () => {
  assert.ok(html.length > 50, `${html.length} pages`);
  const lost = [];
  for (const [name, text] of texts) {
    if (name === "404.html") continue;
    for (const [, link] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(?:[a-z]+:|\/\/)/.test(link)) continue;
      const [path, anchor] = decodeURIComponent(link.replaceAll("&amp;", "&")).split("#");
      const plain = path.split("?")[0];
      const there = plain ? relative(site, join(site, dirname(name), plain)) : name;
      const target = there === "" || there === "." ? "index.html" : there;
      if (!existsSync(join(site, target))) lost.push(`${name}: ${link}`);
      else if (anchor && texts.has(target) && !texts.get(target).includes(`id="${anchor}"`))
        lost.push(`${name}: ${link}`);
    }
  }
  assert.deepEqual(lost, []);
});

test("the map has the four rooms, and each leads somewhere", () =>
  read("", async (page) => {
    for (const room of ["Tutorials", "How-to", "Reference", "Explanation"]) {
      await page.locator(".md-tabs").getByRole("link", { name: room }).click();
      await page.locator("article h1").waitFor();
    }
  }));

test("search finds a word of the field and opens the page that explains it", () =>
  read("", async (page) => {
    await page.getByRole("textbox", { name: "Search" }).fill("amnesiac");
    const first = page.locator(".md-search-result__link").first();
    await first.waitFor();
    await page.screenshot({
      path: join(root, "build/pictures/site-search.png"),
    });
    await first.click();
    await page
      .locator("article")
      .getByText(/amnesiac/i)
      .first()
      .waitFor();
  }));

const pictures = [
  ["site-map", "", { width: 1280, height: 860 }, "light"],
  ["site-tutorial", "tutorial-laboratory.html", { width: 1280, height: 1400 }, "light"],
  ["site-dark", "howto-load-balancer.html", { width: 1280, height: 1000 }, "dark"],
  ["site-phone", "exit-codes.html", { width: 390, height: 844 }, "light"],
];
for (const [name, path, viewport, colorScheme] of pictures)
  test(`the picture ${name} is made, and no page is wider than the screen`, () =>
    read(
      path,
      async (page) => {
        await page.screenshot({
          path: join(root, "build/pictures", `${name}.png`),
        });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= viewport.width, `${wide} pixels`);
      },
      { viewport, colorScheme },
    ));
