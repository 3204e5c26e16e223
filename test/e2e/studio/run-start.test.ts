/** Runs that make their starting model: what a page shows of it, from the records of a real run and while one clones. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { needsEngine } from "../../native/tiny-models.js";
import { startNode } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";
import { tinyRun } from "../../trainer/support/training.js";

testStudio("a run that clones shows its phase, its progress, its loss and the time left", async () => {
  needsEngine();
  const runs = scratch();
  const { url } = await serve({ env: { PALESTRA_RUNS: runs, PALESTRA_LOCAL_EXPERT: "true" } });
  const output = join(runs, "cloning");
  mkdirSync(output);
  const file = join(scratch(), "run.yaml");
  writeFileSync(file, stringify({ ...tinyRun, clone_episodes: 200, clone_epochs: 1_000, gym: url, output }));
  const training = startNode(["dist/server/program/cli.js", "train", file]);
  onTestFinished(async () => void (await training.kill()));
  await expect.poll(() => training.stderr, { interval: 200 }).toMatch(/cloning \d+\//);

  const page = await openStudio(url, "#/runs");
  await page.getByText(/^Cloning the experts: [\d,]+ of [\d,]+ steps$/).waitFor();
  await page.getByRole("link", { name: "cloning" }).click();
  const start = page.getByRole("region", { name: "Making the starting model" });
  const status = start.getByRole("status");
  const text = /^Cloning the experts: [\d,]+ of [\d,]+ steps, pass \d+ of 1000, loss [\d.]+, about [\d hmins]+ left$/;
  await expect.poll(() => status.innerText()).toMatch(text);
  const step = async () => Number(await start.getByRole("progressbar").getAttribute("value"));
  const first = await step();
  await expect.poll(step).toBeGreaterThan(first);
  const loss = start.getByRole("slider", { name: "Loss of cloning by step of cloning" });
  await loss.waitFor();
  await expect.poll(() => loss.getAttribute("aria-valuetext")).toMatch(/^step of cloning [\d]+: loss [\d.]+$/);
  await expectAccessible(page);
  await keepScreenshot(page, "run-cloning");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate("document.querySelector('main').scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  await keepScreenshot(page, "run-cloning-narrow");
});
