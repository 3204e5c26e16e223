/** The studio's pages of a run whose environment has seats. */
import { join } from "node:path";
import { expect } from "vitest";
import { MetricsLog } from "#palestra/trainer/report/metrics.js";
import { group, writeGroups } from "../../support/run-folders.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, openStudio, testStudio } from "../../support/studio.js";
import { recordAt } from "../../support/train-records.js";

testStudio("a run shows the mean return of each seat, and the seat of each rollout", async () => {
  const runs = scratch();
  const folder = join(runs, "pair");
  const [first, second] = group.rollouts;
  if (!first || !second) throw new Error("expected two rollouts");
  writeGroups(folder, 1, [{ ...first, seat: "left" }, { ...first, seat: "right" }, second]);
  const log = new MetricsLog(join(folder, "metrics.jsonl"));
  for (const step of [1, 2])
    log.write(recordAt(step, { seats: { left: { players: {}, reward: 0.25 }, right: { players: {}, reward: 0.75 } } }));
  log.close();
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/pair");
  await page.getByText("reward of left, last tenth of the steps").waitFor();
  const main = () => page.locator("main").innerText();
  expect(await main()).toMatch(/0\.25\s+reward of left|reward of left, last tenth of the steps\s+0\.25/);
  expect(await main()).toMatch(/0\.75\s+reward of right|reward of right, last tenth of the steps\s+0\.75/);
  await page.getByRole("link", { name: "Groups" }).click();
  await page.getByRole("link", { name: "rollout 3" }).waitFor();
  const cells = await page.getByRole("cell", { name: /^rollout|Compare rollout/ }).allInnerTexts();
  expect(cells.map((text) => text.trim().replace(/\s+/g, " "))).toEqual([
    "rollout 1 left",
    "rollout 2 right",
    "rollout 3",
  ]);
  await expectAccessible(page);
  await page.getByRole("checkbox", { name: "Compare rollout 1 of all:7" }).check();
  await page.getByRole("checkbox", { name: "Compare rollout 2 of all:7" }).check();
  await page.getByRole("button", { name: "Compare rollouts 1 and 2" }).click();
  await page.getByRole("region", { name: "Right" }).getByText("train step 1, rollout 2, right").waitFor();
});
