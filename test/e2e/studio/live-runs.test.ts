/**
 * The studio's pages of live runs: they follow the files, send no requests while hidden, and search whole transcripts.
 */
import { appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { expect } from "vitest";
import { writePlan } from "#palestra/trainer/evaluation/plan-file.js";
import { episodeRecord, writeEvaluation, writeMetrics } from "../../support/run-folders.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const needle = { turns: [{ reply: "look", action: "look", observation: "A needle in the <b>hay</b>.", reward: 0 }] };

/** Makes the page behave as if it were hidden or shown. */
async function hide(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  `);
}

/** Counts the requests whose URL matches. */
function counted(page: Page, url: RegExp): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (url.test(request.url())) count += 1;
  });
  return () => count;
}

testStudio("the page of a live evaluation follows it, and searches its transcripts", async () => {
  const runs = scratch();
  const folder = join(runs, "e");
  writeEvaluation(folder, [episodeRecord(0), episodeRecord(1)]);
  writePlan(folder, { episodes: 12, k: 1, finished: 0, records: 2 });
  const add = (...args: Parameters<typeof episodeRecord>) =>
    appendFileSync(join(folder, "episodes.jsonl"), `${JSON.stringify(episodeRecord(...args))}\n`);
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/e");
  const soFar = async () => (await page.locator(".tile").first().innerText()).replace(/\s+/g, " ");
  await expect.poll(soFar).toBe("episodes so far 2");
  const progress = page.getByRole("region", { name: "Progress of the evaluation" });
  await progress.getByText("0 of 12 episodes", { exact: true }).waitFor();
  add(2);
  await expect.poll(soFar).toBe("episodes so far 3");
  const left = "1 of 12 episodes, ";
  await expect.poll(() => progress.getByRole("status").innerText()).toMatch(/^1 of 12 episodes, .+ left$/);
  expect(await progress.getByRole("progressbar").getAttribute("value")).toBe("1");
  const list = await openStudio(url, "#/runs");
  await list.getByRole("cell", { name: left }).waitFor();
  const overview = await openStudio(url, "", { width: 390, height: 844 });
  const run = overview.getByRole("list", { name: "Running runs" });
  await run.getByText("1 of 12 episodes").waitFor();
  await run.getByText(/left · 66.7 % solved$/).waitFor();
  await keepScreenshot(overview, "now-evaluation-390");
  await expectAccessible(page);

  await page.getByRole("link", { name: "Episodes" }).last().click();
  const status = () => page.getByRole("status").last().innerText();
  await expect.poll(status).toBe("3 of 3 episodes");
  add(3, needle);
  await expect.poll(status).toBe("4 of 4 episodes");
  await expect.poll(() => page.locator(".evaluation-row").count()).toBe(4);

  const search = page.getByRole("searchbox", { name: "Search all texts" });
  await search.pressSequentially("needle hay");
  await expect.poll(status).toBe("1 found in 4 episodes");
  const row = page.locator(".evaluation-row");
  expect(await row.innerText()).toContain("turn 1: A needle in the <b>hay</b>.");
  expect(await row.locator("mark").allInnerTexts()).toEqual(["needle", "hay"]);
  add(4, needle);
  await expect.poll(status).toBe("2 found in 5 episodes");
  await expectAccessible(page);
  await keepScreenshot(page, "run-search");
  await search.fill("haystack");
  await expect.poll(status).toBe("0 found in 5 episodes");

  utimesSync(join(folder, "episodes.jsonl"), 1_700_000_000, 1_700_000_000);
  await expect.poll(() => page.getByText("live", { exact: true }).count()).toBe(0);
});

testStudio("a hidden page of a live run sends no requests, and a shown one sends one at once", async () => {
  const runs = scratch();
  const folder = join(runs, "a");
  writeMetrics(folder, [1, 2, 3]);
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/a");
  const asked = counted(page, /\/metrics\?/);
  const slider = page.getByRole("slider", { name: "Success by train step" });
  const newest = () => slider.getAttribute("aria-valuemax");
  await expect.poll(newest).toBe("3");
  await expect.poll(asked).toBeGreaterThan(1);
  await hide(page, true);
  await sleep(1_500);
  const before = asked();
  writeMetrics(folder, [4, 5], 3);
  await sleep(3_000);
  expect(asked()).toBe(before);
  expect(await newest()).toBe("3");
  await hide(page, false);
  await expect.poll(newest).toBe("5");
});
