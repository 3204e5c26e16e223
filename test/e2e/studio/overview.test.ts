/** The overview answers what the gym does now: who plays what, which runs go on, what failed, and which limits are near. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import { fixture } from "../../support/gym.js";
import { palestra } from "../../support/palestra.js";
import { createEpisode, playSteps, post } from "../../support/played.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

/** Writes a training run that has done 6 of 60 train steps, one each two minutes, and goes on. */
function writeLiveRun(runs: string): void {
  const folder = join(runs, "nightly");
  mkdirSync(folder, { recursive: true });
  const settings = { total_train_steps: 60, algorithm: "grpo" };
  writeFileSync(join(folder, "run.json"), JSON.stringify({ startedAt: new Date().toISOString(), settings }));
  const now = Math.floor(Date.now() / 1_000);
  const records = [1, 2, 3, 4, 5, 6].map((step) => ({
    step,
    time: now - 120 * (6 - step),
    "episode/success_rate": 0.25,
  }));
  writeFileSync(join(folder, "metrics.jsonl"), records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  // A run without a lock is live for a minute after its last change.
  utimesSync(join(folder, "metrics.jsonl"), now + 86_400, now + 86_400);
}

async function createToken(dataDir: string, name: string, ...more: string[]): Promise<string> {
  const { stdout } = await palestra(["--data-dir", dataDir, "token", "create", "--name", name, ...more]);
  return /pal_\S+/.exec(stdout)?.[0] as string;
}

async function busyGym() {
  const [dataDir, runs] = [scratch(), scratch()];
  writeLiveRun(runs);
  const { url } = await serve({ dataDir, environmentModules: [fixture("faulty")], env: { PALESTRA_RUNS: runs } });
  const ada = `${url}/t/${await createToken(dataDir, "Ada", "--max-episodes", "5")}`;
  for (let i = 0; i < 4; i++) await createEpisode(ada);
  await playSteps(ada, await createEpisode(ada), 0, 12);
  const { episodeId } = await post<{ episodeId: string }>(`${url}/v1/episodes`, {
    environment: "babyai",
    task: { index: 0 },
  });
  const failedStart = await fetch(`${url}/v1/episodes`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ environment: "faulty", task: { split: "reset", index: 0 } }),
  });
  expect(failedStart.status).toBe(500);
  return { url, ada, babyai: episodeId };
}

const now = (page: Page) => page.getByRole("region", { name: "Now", exact: true });

testStudio("the overview tells who plays what, which runs go on and what failed, without a click", async () => {
  const { url, babyai } = await busyGym();
  const page = await openStudio(url, "", { width: 1_440, height: 900 });
  for (const [width, height] of [
    [1_440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await now(page)
      .getByRole("row", { name: /^Ada textcraft@1 5 \d+$/ })
      .waitFor();
    await now(page).getByRole("row", { name: "without a token babyai@1 1 0" }).waitFor();
    const run = page.getByRole("list", { name: "Running runs" });
    await run.getByText("6 of 60 train steps").waitFor();
    await run.getByText("about 1 h 48 min left · 25.0 % solved").waitFor();
    const failures = page.getByRole("list", { name: "Last failures" });
    await failures.getByText("did not start").waitFor();
    expect(await failures.innerText()).toContain("ENVIRONMENT_THREW in faulty@1");
    const tile = page.getByRole("region", { name: "Failures", exact: true });
    await expect.poll(() => tile.innerText()).toContain("1 environment");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await expectAccessible(page);
    await keepScreenshot(page, `now-${width}`);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);

  // One click leads to the episode whose picture is shown.
  const picture = page.getByRole("list", { name: "Live pictures" }).getByRole("link");
  await picture.getByRole("img").waitFor();
  await picture.click();
  await page.getByRole("textbox", { name: "Action" }).waitFor();
  expect(page.url()).toContain(babyai);
});

testStudio("a token sees its own plays, and a limit once 80 % of it are used", async () => {
  const { url, ada } = await busyGym();
  const page = await openStudio(ada, "", { expected: /403/ });
  await now(page)
    .getByRole("row", { name: /^Ada textcraft@1 5 \d+$/ })
    .waitFor();
  expect(await page.locator("main").innerText()).not.toContain("babyai@1");
  expect(await page.getByRole("list", { name: "Running runs" }).count()).toBe(0);
  const near = page.getByRole("region", { name: "Limits that are near" });
  expect(await near.innerText()).toMatch(/Your live episodes\s+5 of 5/);
  expect(await near.innerText()).not.toContain("Steps in flight");
  await expectAccessible(page);
  await keepScreenshot(page, "now-of-a-token");

  const other = await openStudio(url);
  await now(other)
    .getByRole("row", { name: /^Ada textcraft@1 5 \d+$/ })
    .waitFor();
  expect(await other.locator("main").innerText()).not.toContain("Your live episodes");
  await other.getByText("All limits").click();
  await other.getByText("Steps in flight").waitFor();
});

testStudio("the picture of a live episode changes with its steps, and the size of the log has two names", async () => {
  const { url, babyai } = await busyGym();
  const page = await openStudio(url);
  const entry = page.getByRole("list", { name: "Live pictures" }).getByRole("link");
  await entry.getByText("0 steps").waitFor();
  const picture = entry.getByRole("img");
  const before = await picture.getAttribute("src");
  await post(`${url}/v1/episodes/${babyai}/step`, { index: 0, action: "turn left" });
  await entry.getByText("1 step").waitFor();
  await expect.poll(() => picture.getAttribute("src")).not.toBe(before);
  const growth = page.getByRole("region", { name: "Log growth" });
  expect(await growth.innerText()).toMatch(/[\d.]+ [kM]B of data in files of [\d.]+ [kM]B/);
});

testStudio("an empty gym offers a sample to play, and one that the expert plays", async () => {
  const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  // A picture may be asked for just as the expert ends the episode.
  const page = await openStudio(url, "", { width: 390, height: 844, expected: /409/ });
  await page.getByText("This gym has no episodes yet.").waitFor();
  await page.getByText("Nobody plays now.").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "empty-gym");
  await page.getByRole("button", { name: "Watch the expert play" }).click();
  await page.getByText("expert used").waitFor();
  await page.getByText("terminated", { exact: true }).first().waitFor();
});

testStudio("a sample is played by hand after one click, also by a caller who may not ask the expert", async () => {
  const { url } = await serve();
  const page = await openStudio(url, "", { expected: /403/ });
  await page.getByRole("button", { name: "Watch the expert play" }).click();
  await page.getByRole("textbox", { name: "Action" }).waitFor();
  const other = await openStudio((await serve()).url);
  await other.getByRole("button", { name: "Play a sample" }).click();
  await other.getByRole("textbox", { name: "Action" }).waitFor();
});
