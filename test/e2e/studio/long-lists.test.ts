/**
 * Lists of thousands of rows: the page contains only the rows in view, and keys, positions and labels refer to the
 * whole list.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "playwright";
import { expect } from "vitest";
import { type GroupEntry, groupFile, groupFileName } from "#palestra/trainer/report/group-file.js";
import { group, writeMetrics } from "../../support/run-folders.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const steps = 2_000;

async function post<T>(url: string, path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

/** Plays steps with observations of one line or many. */
async function play(url: string, at: (index: number) => string): Promise<string> {
  const body = { environment: "textcraft", task: { index: 0 }, maxSteps: 1_000_000 };
  const { episodeId } = await post<{ episodeId: string }>(url, "episodes", body);
  for (let from = 0; from < steps; from += 500) {
    const batch = Array.from({ length: 500 }, (_, i) => ({ episodeId, index: from + i, action: at(from + i) }));
    await post(url, "stepMany", { steps: batch });
  }
  return episodeId;
}

/** Returns the numbers of the rows that are in the page. */
async function places(rows: Locator, attribute: string): Promise<number[]> {
  const numbers = await rows.evaluateAll((all, name) => all.map((row) => Number(row.getAttribute(name))), attribute);
  for (const [i, place] of numbers.entries()) expect(place).toBe((numbers[0] as number) + i);
  return numbers;
}

testStudio("a comparison of two episodes of 2,000 steps renders only the steps in view", async () => {
  const { url } = await serve();
  const left = await play(url, (index) => (index % 3 === 0 ? "inventory" : `get ${index} oak log`));
  const right = await play(url, (index) => (index % 3 === 0 ? "inventory" : `get ${index} dirt`));
  const page = await openStudio(url, `#/compare?left=${left}&right=${right}`);
  const list = page.getByRole("list", { name: "Steps of both episodes" });
  const rows = list.getByRole("listitem");
  // The reset and the first step are equal.
  await page
    .locator(`[aria-setsize="${steps - 1}"]`)
    .first()
    .waitFor();
  expect((await places(rows, "aria-posinset"))[0]).toBe(1);
  expect(await rows.count()).toBeLessThan(40);
  await expectAccessible(page);

  // When a reader scrolls up with the wheel, the row moves by as much as the wheel.
  await page.getByRole("main").evaluate((main) => main.scrollTo(0, main.scrollHeight / 2));
  await expect.poll(async () => (await places(rows, "aria-posinset"))[0]).toBeGreaterThan(500);
  expect(await rows.count()).toBeLessThan(40);
  await page.mouse.move(600, 500);
  for (let turn = 0; turn < 8; turn++) {
    const row = list.locator(`[aria-posinset="${(await places(rows, "aria-posinset"))[8]}"]`);
    const before = (await row.boundingBox())?.y as number;
    await page.mouse.wheel(0, -200);
    await expect.poll(async () => Math.round(((await row.boundingBox())?.y as number) - before)).toBe(200);
  }

  // A focused link that leaves the page passes the focus on, so that keys still scroll.
  await rows.nth(8).getByRole("link").first().focus();
  const focused = Number(await rows.nth(8).getAttribute("aria-posinset"));
  for (let key = 0; key < 12; key++) await page.keyboard.press("PageUp");
  await expect.poll(async () => (await places(rows, "aria-posinset")).at(-1)).toBeLessThan(focused);
  await page.keyboard.press("End");
  await expect.poll(async () => (await places(rows, "aria-posinset")).at(-1)).toBe(steps - 1);
  await list
    .getByRole("link", { name: `step ${steps}` })
    .first()
    .waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "compare-sides-end");
});

testStudio(
  "the steps of a long episode are scrolled by keys after the step with the focus has left the page",
  async () => {
    const { url } = await serve();
    const id = await play(url, (index) => (index % 3 === 0 ? "inventory" : `get ${index} oak log`));
    const page = await openStudio(url, `#/episodes/${id}`);
    const rows = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
    await page
      .locator(`[aria-setsize="${steps + 1}"]`)
      .first()
      .waitFor();
    await rows.last().getByRole("button").focus();
    const first = (await places(rows, "aria-posinset"))[0] as number;
    for (let key = 0; key < 10; key++) await page.keyboard.press("PageUp");
    await expect.poll(async () => (await places(rows, "aria-posinset")).at(-1)).toBeLessThan(first);
    expect(await rows.count()).toBeLessThan(60);
    await expectAccessible(page);
  },
);

testStudio("a folder of 900 runs is listed, sorted and filtered, with only the rows in view", async () => {
  const runs = scratch();
  for (let run = 0; run < 900; run++) {
    const folder = join(runs, `run-${String(run).padStart(4, "0")}`);
    mkdirSync(folder);
    writeMetrics(folder, [1]);
  }
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs");
  const table = page.getByRole("table");
  await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("901");
  const links = table.getByRole("link");
  expect(await links.count()).toBeLessThan(80);
  await expectAccessible(page);
  await keepScreenshot(page, "runs-many");

  await table.getByRole("button", { name: "run" }).click();
  const sorted = Array.from({ length: await links.count() }, (_, i) => `run-${String(899 - i).padStart(4, "0")}`);
  expect(await links.allInnerTexts()).toEqual(sorted);
  await page.getByRole("region", { name: "Runs" }).focus();
  await page.keyboard.press("End");
  await expect.poll(() => links.last().innerText()).toBe("run-0000");
  const body = table.locator("tbody tr[aria-rowindex]");
  expect((await places(body, "aria-rowindex")).at(-1)).toBe(901);
  const [row, head] = [await body.last().boundingBox(), await table.getByRole("columnheader").nth(1).boundingBox()];
  expect(row?.height).toBe(36);
  expect(head?.y, "the head of the table is out of view").toBeGreaterThan(0);
  expect(await links.count()).toBeLessThan(80);
  await page.getByRole("searchbox", { name: "Filter runs" }).fill("run-0234");
  await expect.poll(() => links.allInnerTexts()).toEqual(["run-0234"]);
});

/** A group with a rollout of many tokens. */
function longGroup(length: number): GroupEntry {
  const [rollout] = group.rollouts;
  const values = { mask: new Uint8Array(length).fill(1, 100), versions: new Int32Array(length).fill(3) };
  const logprobs = Float32Array.from({ length }, (_, i) => -(i % 7) / 4);
  const tokens = Int32Array.from({ length }, (_, i) => 1_000 + i);
  const advantages = new Float32Array(length).fill(0.5);
  return {
    ...group,
    rollouts: [{ ...(rollout as NonNullable<typeof rollout>), ...values, logprobs, tokens, advantages }],
  };
}

testStudio("a row of 12,000 tokens is tinted only in view, and a slider reaches each token", async () => {
  const runs = scratch();
  const folder = join(runs, "long");
  mkdirSync(join(folder, "groups"), { recursive: true });
  writeMetrics(folder, [1]);
  writeFileSync(join(folder, "groups", groupFileName(1)), groupFile(1, [longGroup(12_000)], undefined));
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/long/groups?step=1&group=12&rollout=0");
  const text = page.getByRole("region", { name: "Text of the tokens" });
  await text.waitFor();
  const tokens = text.locator("[data-at]");
  expect(await tokens.count()).toBeLessThan(4_000);
  expect(await text.innerText()).toMatch(/^\s*1000 1001 [\s\S]* 12998 12999\s*$/);
  await expectAccessible(page);
  await keepScreenshot(page, "run-tokens-many");

  const height = await text.evaluate((box) => box.scrollHeight);
  const slider = page.getByRole("slider", { name: "Token" });
  await slider.press("End");
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/^token 11999: .*log-probability/);
  await expect.poll(() => text.locator(".selected").innerText()).toContain("12999");
  await expect.poll(() => text.evaluate((box) => box.scrollTop)).toBeGreaterThan(1_000);
  await expect.poll(() => text.locator('[data-at="11800"]').count()).toBe(1);
  expect(await tokens.count()).toBeLessThan(4_000);
  expect(await text.evaluate((box) => box.scrollHeight), "tints move the lines").toBe(height);
  await text.locator('[data-at="11990"]').hover();
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/^token 11990:/);
});
