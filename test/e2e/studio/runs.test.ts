/** The studio's pages of runs, with a real evaluation and a real training run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { needsEngine } from "../../native/tiny-models.js";
import { palestra } from "../../support/palestra.js";
import { startNode } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";
import { tinyRun } from "../../trainer/support/training.js";

async function evaluate(gym: string, out: string, seed: number): Promise<void> {
  const flags = ["--env", "babyai", "--policy", "random", "--limit", "12", "--seed", `${seed}`, "--gym", gym];
  const { code, stderr } = await palestra(["eval", ...flags, "--out", out]);
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

testStudio("evaluations are listed, read, and compared by family", async () => {
  const runs = scratch();
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  await evaluate(url, join(runs, "first"), 0);
  await evaluate(url, join(runs, "second"), 7);
  const page = await openStudio(url, "#/runs");
  await expect.poll(() => page.getByRole("row").count()).toBe(3);
  await expectAccessible(page);
  await keepScreenshot(page, "runs");

  await page.getByRole("checkbox", { name: "Compare first" }).check();
  await page.getByRole("checkbox", { name: "Compare second" }).check();
  await page.getByRole("button", { name: "Compare 2 runs" }).click();
  await page.getByRole("table", { name: "Success by family" }).waitFor();
  expect(await page.getByRole("region", { name: "Settings that differ" }).innerText()).toContain("seed");
  await expectAccessible(page);
  await keepScreenshot(page, "runs-compared");

  await page.goto(`${url}/ui/#/runs/first`);
  await page.getByText("success rate").first().waitFor();
  await page.getByRole("list", { name: "Steps of an episode" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "run-evaluation");
  await page.getByRole("link", { name: "Episodes" }).last().click();
  await expect.poll(() => page.getByRole("status").last().innerText()).toBe("12 of 12 episodes");
  await page.locator(".evaluation-row").first().click();
  await page.getByRole("region", { name: "Transcript" }).getByText("Your goal").first().waitFor();
  await page.setViewportSize({ width: 360, height: 700 });
  await expectAccessible(page);
  await keepScreenshot(page, "run-evaluation-narrow");
});

testStudio(
  "the curves of a training run grow while it trains",
  async () => {
    needsEngine();
    const runs = scratch();
    const { url } = await serve({ env: { PALESTRA_RUNS: runs, PALESTRA_LOCAL_EXPERT: "true" } });
    const file = join(scratch(), "live.yaml");
    mkdirSync(join(runs, "live"));
    const settings = { ...tinyRun, total_train_steps: 400, gym: url, output: join(runs, "live") };
    writeFileSync(file, stringify(settings));
    const training = startNode(["dist/server/program/cli.js", "train", file]);
    onTestFinished(async () => void (await training.kill()));
    await expect.poll(() => training.stderr, { interval: 200 }).toMatch(/train \d+\//);
    const page = await openStudio(url, "#/runs/live");
    const success = page.getByRole("slider", { name: "Success by train step" });
    await success.waitFor();
    const step = async () => Number(await success.getAttribute("aria-valuemax"));
    const first = await step();
    await expect.poll(step).toBeGreaterThan(first);
    await page.getByText("live", { exact: true }).last().waitFor();
    await training.kill();
    await expectAccessible(page);
    await keepScreenshot(page, "run-training");

    await page.getByRole("link", { name: "Groups" }).click();
    await page.getByRole("link", { name: "rollout 1" }).first().click();
    const token = page.getByRole("slider", { name: "Token" });
    await expect
      .poll(() => token.getAttribute("aria-valuetext"))
      .toMatch(/, log-probability .*, advantage .*, version \d/);
    await expectAccessible(page);
    await keepScreenshot(page, "run-tokens");

    await page
      .getByRole("checkbox", { name: /^Compare rollout 1 of/ })
      .first()
      .check();
    await page
      .getByRole("checkbox", { name: /^Compare rollout 2 of/ })
      .first()
      .check();
    await page.getByRole("button", { name: "Compare rollouts 1 and 2" }).click();
    await page
      .getByRole("region", { name: "Right" })
      .getByText(/rollout 2$/)
      .waitFor();
    await page.getByRole("button", { name: /^▸ The reset .* equal$/ }).click();
    await page.locator(".pairs-of-steps .observation").first().getByText("Goal:").waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, "run-rollouts-compared");
  },
  150_000,
);
