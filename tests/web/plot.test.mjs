// Predicted against measured: the lines of the plot are what the papers state, and runs lie on them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tab, text, use } from "./person.mjs";

// Of each algorithm in the plot: its points as [N, mean, least, most].
async function plotted(page, names) {
  for (const name of names.slice(1)) await page.getByLabel("Compare with").selectOption(name);
  await page.getByText("runs …").waitFor({ state: "detached", timeout: 120_000 });
  const points = await page.locator("[data-test=plot] path[data-nodes]").evaluateAll((list) =>
    list.map(({ dataset }) => ({
      nodes: Number(dataset.nodes),
      mean: Number(dataset.mean),
      predicted: dataset.predicted?.split("..").map(Number) ?? null,
    })),
  );
  assert.equal(points.length, 9 * names.length);
  return names.map((_, i) => points.slice(9 * i, 9 * i + 9));
}

test("TEMPO's election takes 3N-1 messages and Németh's N + 3(N-1), and the plot says for what", () =>
  use("#algorithm=tempo&nodes=5&until=1s", async (page) => {
    await tab(page, "Messages");
    const [tempo, nemeth] = await plotted(page, ["tempo", "nemeth"]);
    for (const { nodes: n, mean, predicted } of tempo) {
      assert.equal(mean, 3 * n - 1, `tempo, N = ${n}`);
      assert.deepEqual(predicted, [3 * n - 1, 3 * n - 1]);
    }
    // One broadcast and N-1 answers are the paper's 2(N-1) for one candidate.
    for (const { nodes: n, mean, predicted } of nemeth) {
      assert.equal(mean, n + 3 * (n - 1), `nemeth, N = ${n}`);
      assert.deepEqual(predicted, [mean, mean]);
    }
    assert.match(await text(page, "series"), /tempo: the leader of N \+ 1 has died/);
    await page.getByText("A broadcast counts once").waitFor();
    assert.equal(await page.locator("[data-test=plot] polygon").count(), 2);
  }));

test("Vitányi's bound is a band, and what only has an order says so", () =>
  use("#algorithm=archimedean&nodes=5&initiators=all", async (page) => {
    await tab(page, "Messages");
    const [ring, random, merging] = await plotted(page, [
      "archimedean",
      "itai-rodeh",
      "invitation",
    ]);
    for (const { nodes: n, mean, predicted } of ring) {
      const bound = 3 * n + 2 * n * 3 * (1 - 2 ** -n); // u/m = 2: a unit and a delay are equal
      assert.ok(
        predicted[1] >= bound - 1 && predicted[1] <= bound + 1,
        `${predicted[1]}, ${bound}`,
      );
      assert.ok(mean >= predicted[0] && mean <= predicted[1], `${mean} of ${predicted}`);
    }
    assert.ok([...random, ...merging].every(({ predicted }) => predicted === null));
    const said = await text(page, "series");
    assert.match(said, /itai-rodeh: stated is “mean O\(N log N\); synchronous O\(N\)”, no number/);
    assert.match(said, /invitation: stated is “N a period for each coordinator/);
    assert.equal(await page.locator("[data-test=plot] polygon").count(), 1);
  }));
