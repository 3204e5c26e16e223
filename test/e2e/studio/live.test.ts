/** Pages that are always current: the overview, a followed episode and the list of episodes. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import { actionAt, createEpisode, playSteps } from "../../support/played.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const connection = (page: Page) => page.locator(".connection");
const valueIn = (page: Page, tile: string) => page.getByRole("region", { name: tile, exact: true }).locator(".value");

/** Returns the actions in the list of steps that the page currently contains. */
async function shownActions(page: Page): Promise<string[]> {
  const list = page.getByRole("list", { name: "Steps" });
  const rows = await list.getByRole("listitem").all();
  const found = new Map<number, string>();
  for (const row of rows) {
    const place = Number(await row.getAttribute("aria-posinset"));
    expect(found.has(place), `two rows at place ${place}`).toBe(false);
    found.set(place, await row.locator(".action").innerText());
  }
  return [...found].sort(([a], [b]) => a - b).map(([, action]) => action);
}

const expectedActions = (count: number) => ["reset", ...Array.from({ length: count }, (_, index) => actionAt(index))];

/** Returns the number of rows in the list of steps, including those out of view. */
async function setSize(page: Page): Promise<number> {
  return Number(await page.locator(".windowed li").first().getAttribute("aria-setsize"));
}

/** Returns the place of the last rendered row. */
async function newestPlace(page: Page): Promise<number> {
  return Number(await page.locator(".windowed li").last().getAttribute("aria-posinset"));
}

testStudio("the overview shows the gym's current values, limits and latest episodes without a reload", async () => {
  const { url } = await serve();
  const page = await openStudio(url);
  await expect.poll(() => connection(page).innerText()).toBe("Live");
  await expect.poll(() => valueIn(page, "Live episodes").innerText()).toBe("0");
  await page.getByText("This gym has no episodes yet.").waitFor();

  const episodeId = await createEpisode(url);
  await playSteps(url, episodeId, 0, 40);
  await expect.poll(() => valueIn(page, "Live episodes").innerText()).toBe("1");
  await expect.poll(() => page.getByText("40 in all").count()).toBe(1);
  await expect.poll(() => valueIn(page, "Median step latency").innerText()).toMatch(/^[0-9.]+ ms$/);
  await page.getByRole("link", { name: episodeId }).waitFor();
  await page.getByText("All limits").click();
  await expect.poll(() => page.locator(".limits").innerText()).toContain("1 of 50,000");
  await expect.poll(() => page.locator(".limits").innerText()).toContain("40, no limit");
  await playSteps(url, episodeId, 40, 400);
  await expect.poll(() => page.getByText("400 in all").count()).toBe(1);
  await expectAccessible(page);
  await keepScreenshot(page, "overview");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await keepScreenshot(page, "overview-dark");
  await page.setViewportSize({ width: 360, height: 740 });
  await keepScreenshot(page, "overview-narrow");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
});

testStudio("the page follows an episode that others play, and a reader further up stays in place", async () => {
  const { url } = await serve();
  const episodeId = await createEpisode(url);
  await playSteps(url, episodeId, 0, 3);
  const page = await openStudio(url, `#/episodes/${episodeId}`);
  await expect.poll(() => shownActions(page)).toEqual(expectedActions(3));
  await page.getByText("live", { exact: true }).waitFor();

  await page.getByRole("textbox", { name: "Action" }).fill("my next action");
  await playSteps(url, episodeId, 3, 8);
  await expect.poll(() => shownActions(page)).toEqual(expectedActions(8));
  await page.getByLabel("Step 8", { exact: true }).waitFor();
  const focused = page.locator(":focus");
  expect(await focused.inputValue(), "what the reader has typed").toBe("my next action");
  await expect.poll(() => page.getByRole("log").innerText()).toBe(`Step 8: ${actionAt(7)}`);
  await expectAccessible(page);
  await keepScreenshot(page, "episode-live");

  // A reader who scrolls up is not brought back to the end.
  await playSteps(url, episodeId, 8, 40);
  await expect.poll(() => newestPlace(page)).toBe(41);
  const list = page.locator(".windowed");
  await list.evaluate((box) => box.scrollTo(0, 0));
  await playSteps(url, episodeId, 40, 44);
  await expect.poll(() => setSize(page)).toBe(45);
  expect(await list.evaluate((box) => box.scrollTop)).toBe(0);

  await page.getByRole("button", { name: /^2 *get 2 dirt/ }).click();
  await playSteps(url, episodeId, 44, 60);
  await expect.poll(() => page.locator("header").innerText()).toContain("60");
  await page.getByLabel("Step 2", { exact: true }).waitFor();
  expect(await focused.innerText()).toContain(actionAt(1));

  await fetch(`${url}/v1/episodes/${episodeId}`, { method: "DELETE" });
  await expect.poll(() => page.locator("header").innerText()).toContain("closed");
});

testStudio("a killed and restarted gym leaves no gap and no duplicate step on the page of an episode", async () => {
  const dataDir = scratch();
  const first = await serve({ dataDir });
  const port = Number(new URL(first.url).port);
  const episodeId = await createEpisode(first.url);
  await playSteps(first.url, episodeId, 0, 5);
  const page = await openStudio(first.url, `#/episodes/${episodeId}`, { expected: /ERR_|Failed to load/ });
  await expect.poll(() => shownActions(page)).toEqual(expectedActions(5));

  // Steps that are played while the page is not connected, so that it gets them from the log.
  const playing = playSteps(first.url, episodeId, 5, 1_000).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  await first.process.kill();
  await playing;
  await expect.poll(() => connection(page).innerText()).toContain("Connection lost. Reconnecting…");
  await expectAccessible(page);
  await keepScreenshot(page, "reconnecting");

  const second = await serve({ dataDir, port });
  const { index } = (await (await fetch(`${second.url}/v1/episodes/${episodeId}`)).json()) as { index: number };
  await playSteps(second.url, episodeId, index, index + 4);
  await expect.poll(() => connection(page).innerText()).toBe("Live");
  await playSteps(second.url, episodeId, index + 4, index + 8);
  const expected = expectedActions(index + 8);
  const newest = page.locator(`.windowed li[aria-setsize="${expected.length}"][aria-posinset="${expected.length}"]`);
  await newest.waitFor();
  // The list contains only the rows in view, so the test scrolls through all of them.
  const list = page.locator(".windowed");
  for (let at = 0; at < expected.length; at += 10) {
    await list.evaluate((box, top) => box.scrollTo(0, top), at * 28);
    await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
    const row = page.locator(`.windowed li[aria-posinset="${at + 1}"]`);
    await row.waitFor();
    const rows = await page
      .locator(".windowed li")
      .evaluateAll((items) =>
        items.map((item) => [item.getAttribute("aria-posinset"), item.querySelector(".action")?.textContent]),
      );
    for (const [place, action] of rows) expect(action, `step ${place}`).toBe(expected[Number(place) - 1]);
    expect(new Set(rows.map(([place]) => place)).size).toBe(rows.length);
  }
  expect(await page.locator(".windowed li").first().getAttribute("aria-setsize")).toBe(String(expected.length));
});

testStudio(
  "the page of an episode whose gym continues from an older backup shows the steps of the backup",
  async () => {
    const [dataDir, backup] = [scratch(), join(scratch(), "backup")];
    const first = await serve({ dataDir });
    const port = Number(new URL(first.url).port);
    const episodeId = await createEpisode(first.url);
    await playSteps(first.url, episodeId, 0, 3);
    await first.process.stop();
    cpSync(dataDir, backup, { recursive: true });

    const second = await serve({ dataDir, port });
    await playSteps(second.url, episodeId, 3, 6);
    const page = await openStudio(second.url, `#/episodes/${episodeId}`, { expected: /ERR_|Failed to load/ });
    await expect.poll(() => shownActions(page)).toEqual(expectedActions(6));
    await second.process.kill();
    await serve({ dataDir: backup, port });
    await expect.poll(() => shownActions(page)).toEqual(expectedActions(3));
    await expect.poll(() => connection(page).innerText()).toBe("Live");
  },
);

testStudio(
  "the list of episodes shows new ones at once, or on request to a reader in the middle of the list",
  async () => {
    const { url } = await serve();
    const first = await createEpisode(url);
    const page = await openStudio(url, "#/episodes");
    const link = (id: string) => page.locator(`a[href="#/episodes/${id}"]`);
    await link(first).waitFor();
    const second = await createEpisode(url);
    await link(second).waitFor();
    await link(second).focus();
    const third = await createEpisode(url);
    await page.getByRole("button", { name: "Show new episodes" }).click();
    await link(third).waitFor();
    expect(await page.getByRole("list", { name: "Episodes" }).getByRole("listitem").count()).toBe(3);
    await expectAccessible(page);
  },
);
