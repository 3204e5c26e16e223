/** The time of each step on the page of an episode, and its absence in logs of older versions. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { expect } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { addRowSum, rowSumOf } from "#palestra/server/log/records/row-sums.js";
import { openGym, scratchDir } from "../../support/gym.js";
import { serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const start = Date.parse("2026-01-02T03:04:05.678Z");

/**
 * Plays an episode, and sets the times of its steps, in milliseconds since its creation. Returns the gym and the
 * episode.
 */
async function played(times: readonly number[]): Promise<{ url: string; id: string }> {
  const dataDir = scratchDir();
  const gym = await openGym({}, dataDir);
  const { episodeId } = await gym.create({ maxSteps: 10_000 });
  for (const index of times.keys()) await gym.step(episodeId, index, index % 3 === 0 ? "get 1 oak log" : "inventory");
  await gym.close();
  const log = openDatabase(join(dataDir, "episodes.db"));
  log.prepare(`UPDATE episodes SET createdAtMs = ?`).run(start);
  addRowSum(log);
  log.exec(`UPDATE episodes SET sum = ${rowSumOf("episodes")}`);
  const pages = log.prepare(`SELECT page FROM pages ORDER BY page`).pluck().all();
  expect(pages).toHaveLength(times.length);
  const update = log.prepare(`UPDATE pages SET atMs = ? WHERE page = ?`);
  for (const [i, ms] of times.entries()) update.run(start + ms, pages[i]);
  log.close();
  return { url: (await serve({ dataDir })).url, id: episodeId };
}

/** Returns the times of steps from their durations. */
function sums(durations: readonly number[]): number[] {
  let sum = 0;
  return durations.map((ms) => (sum += ms));
}

function row(page: Page, step: number) {
  return page.getByRole("list", { name: "Steps" }).getByRole("button", { name: new RegExp(`^${step} `) });
}

function region(page: Page, step: number) {
  return page.getByRole("region", { name: `Step ${step}`, exact: true });
}

testStudio("each step shows its duration, and a click on a bar leads to a slow step", async () => {
  const durations = Array.from({ length: 60 }, (_, i) => 600 + ((i * 37) % 11) * 40);
  durations[11] = 9_500;
  durations[42] = 150_000;
  durations[43] = 7;
  // The gym's clock jumps back.
  durations[50] = -30_000;
  const { url, id } = await played(sums(durations));
  const page = await openStudio(url, `#/episodes/${id}?step=12`);
  const bars = page.getByRole("img", { name: /^Time of each step: median 0\.8 s, longest 2\.5 min at step 43$/ });
  await bars.waitFor();
  expect(await row(page, 12).locator(".took").innerText()).toBe("9.5 s");
  await region(page, 12).getByText("after 9.5 s").waitFor();
  const time = region(page, 12).locator("time");
  expect(await time.getAttribute("datetime")).toBe(new Date(start + (sums(durations)[11] as number)).toISOString());
  expect(await time.innerText()).toMatch(/2026.*\d\d:\d\d[:.]\d\d/);
  await expectAccessible(page);
  await keepScreenshot(page, "episode-times");

  await page.getByRole("button", { name: "2.5 min at step 43" }).click();
  await region(page, 43).getByText("after 2.5 min").waitFor();
  expect(await row(page, 44).locator(".took").innerText()).toBe("7 ms");
  expect(await row(page, 51).locator(".took").innerText()).toBe("–");
  await region(page, 43).waitFor();

  const box = (await bars.boundingBox()) as { width: number; height: number };
  const position = { x: ((11 + 0.5) / 60) * box.width, y: box.height / 2 };
  await bars.hover({ position });
  await page.getByText("step 12 9.5 s").waitFor();
  await bars.click({ position });
  await region(page, 12).waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await keepScreenshot(page, "episode-times-dark");
  await page.setViewportSize({ width: 360, height: 800 });
  await bars.waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await expectAccessible(page);
  await keepScreenshot(page, "episode-times-narrow");
});

testStudio("a bar of a long episode leads to the slowest step that it covers", async () => {
  const durations = Array.from({ length: 600 }, (_, i) => 2 + (i % 5));
  durations[301] = 4_000;
  const { url, id } = await played(sums(durations));
  const page = await openStudio(url, `#/episodes/${id}`);
  const bars = page.getByRole("img", { name: /^Time of each step: median 4 ms, longest 4\.0 s at step 302$/ });
  await bars.waitFor();
  const { width } = (await bars.boundingBox()) as { width: number };
  await bars.click({ position: { x: (301.5 / 600) * width, y: 10 } });
  await region(page, 302).getByText("after 4.0 s").waitFor();
  await keepScreenshot(page, "episode-times-long");
});

testStudio("a log without times shows none, and new steps and forks show their times", async () => {
  const dataDir = scratchDir();
  const recorded = fileURLToPath(new URL("../../fixtures/log/episodes-v5.db", import.meta.url));
  copyFileSync(recorded, join(dataDir, "episodes.db"));
  const { url } = await serve({ dataDir });
  const page = await openStudio(url, "#/episodes/ep-1-631a66316515f69f1dee");
  await region(page, 5).waitFor();
  expect(await page.getByRole("img", { name: /^Time of each step/ }).count()).toBe(0);
  expect(await page.locator(".took, .step-view time").count()).toBe(0);
  for (const at of [6, 7, 8]) {
    await page.getByRole("textbox", { name: "Action" }).fill("inventory");
    await page.getByRole("textbox", { name: "Action" }).press("Enter");
    await region(page, at).locator("time").waitFor();
  }
  await page.getByRole("img", { name: /^Time of each step/ }).waitFor();
  expect(await row(page, 5).locator(".took").innerText()).toBe("");
  expect(await row(page, 8).locator(".took").innerText()).toMatch(/^[\d.]+ (ms|s)$/);
  await keepScreenshot(page, "episode-times-new-steps");
});

testStudio("a fork's first own step counts from the creation of the fork", async () => {
  const { url } = await serve();
  const post = async (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json()) as { episodeId: string };
  };
  const step = (id: string, index: number) => post(`episodes/${id}/step`, { index, action: "inventory" });
  const { episodeId } = await post("episodes", { environment: "textcraft", task: { index: 0 } });
  for (const index of [0, 1, 2]) await step(episodeId, index);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const fork = await post(`episodes/${episodeId}/fork`, { index: 2 });
  for (const index of [2, 3]) await step(fork.episodeId, index);
  const page = await openStudio(url, `#/episodes/${fork.episodeId}`);
  await page.getByRole("img", { name: /^Time of each step/ }).waitFor();
  // This page does not know when the parent was created.
  expect(await row(page, 1).locator(".took").innerText()).toBe("");
  expect(await row(page, 3).locator(".took").innerText()).toMatch(/^(\d+ ms|[012]\.\d s)$/);
});
