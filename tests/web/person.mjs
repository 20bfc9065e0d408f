// What a person does on the laboratory's page, for tests: one server and one browser a file.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { openBrowser, openPage, serve } from "./laboratory.mjs";

let server, browser;
before(async () => {
  server = await serve();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

export const where = () => server.url;
export const text = (page, name) => page.locator(`[data-test=${name}]`).textContent();
export const click = (page, name) => page.getByRole("button", { name, exact: true }).click();
export const field = (page, label) =>
  page
    .locator("label.field", { hasText: new RegExp(`^\\s*${label}`) })
    .locator("input, select")
    .first();
export const tab = (page, name) => page.getByRole("tab", { name }).click();
export const shows = (page, name, expected) =>
  page.locator(`[data-test=${name}]`).filter({ hasText: expected }).first().waitFor();

// Goes there with the tab key, as somebody without a pointer does.
export async function reach(page, name) {
  for (let i = 0; i < 90; ++i) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(
      () => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent,
    );
    if (name.test(label)) return;
  }
  assert.fail(`${name} cannot be reached`);
}

// Opens it, lets somebody use it, and looks whether anything went wrong in the console.
// `allowed`: what may be there.
export async function use(hash, steps, { allowed = /^$/, ...options } = {}) {
  const { page, context, wrong } = await openPage(browser, server.url + hash, options);
  try {
    await steps(page, context);
    assert.deepEqual(
      wrong.filter((line) => !allowed.test(line)),
      [],
    );
  } finally {
    await context.close();
  }
}
