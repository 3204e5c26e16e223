/** Effects of actions that the observation does not show: changed rows of a web site, and commands on a machine. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { testMachines } from "../../envs/workbench/machines.js";
import { callGym } from "../../support/hostile.js";
import { serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, missing, openStudio, testStudio } from "../../support/studio.js";

async function open(url: string, environment: string, task: object): Promise<Page> {
  const { episodeId } = await callGym<{ episodeId: string }>(url, "/v1/episodes", { environment, task });
  return openStudio(url, `#/episodes/${episodeId}`);
}

async function play(page: Page, action: string, step: number): Promise<void> {
  await page.getByRole("textbox", { name: "Action" }).fill(action);
  await page.getByRole("textbox", { name: "Action" }).press("Enter");
  await page.getByRole("region", { name: `Step ${step}`, exact: true }).waitFor();
}

testStudio(
  "the page shows which rows of a web site a step changed, and the verdicts at the end",
  async () => {
    const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
    const environment = "webarena-lab@2";
    const { tasks } = await callGym<{ tasks: { index: number; title: string }[] }>(
      url,
      `/v1/environments/${environment}/tasks?split=train&limit=500`,
    );
    // Tasks that ask for a change name it first.
    const found = tasks.find(({ title }) => /(create|post|upvote|subscribe|follow|star) /i.test(title));
    const page = await open(url, environment, { split: "train", index: found?.index ?? -1 });
    const changes = page.getByRole("region", { name: "Changes" });
    const ask = page.getByRole("button", { name: "Ask the expert" });
    for (let step = 1; step <= 30; step++) {
      await ask.click();
      await page.locator("button.advice").click();
      await page.getByRole("region", { name: `Step ${step}`, exact: true }).waitFor();
      if ((await changes.count()) > 0) break;
    }
    await changes
      .getByText(/^(added|changed|removed)$/)
      .first()
      .waitFor();
    expect(await changes.getByRole("heading").innerText()).toMatch(/^\d+ changes? by this step$/);
    expect(await changes.locator("ins").count()).toBeGreaterThan(0);
    await changes.scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await keepScreenshot(page, "webarena-changes");
    await page.setViewportSize({ width: 360, height: 800 });
    await changes.scrollIntoViewIfNeeded();
    await keepScreenshot(page, "webarena-changes-narrow");
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByRole("textbox", { name: "Action" }).fill("stop [wrong]");
    await page.getByRole("textbox", { name: "Action" }).press("Enter");
    const verdicts = page.getByRole("region", { name: "Verdicts" });
    await verdicts
      .getByText(/^(passed|failed)$/)
      .first()
      .waitFor();
    await verdicts.scrollIntoViewIfNeeded();
    await keepScreenshot(page, "webarena-verdicts");
  },
  240_000,
);

testMachines(
  "the page shows the exit codes and the output of commands, and the output of the verifier",
  async (context) => {
    if (missing) context.skip(missing);
    const { url } = await serve();
    const page = await open(url, "workbench@2", { split: "train", index: 0 });
    await play(page, "bash ls /app | head -3", 1);
    await page.getByText("exit code 0", { exact: true }).waitFor();
    await play(page, "bash echo out; printf '\\033[31mred\\033[0m\\n'; echo problem >&2; exit 3", 2);
    await page.getByText("exit code 3", { exact: true }).waitFor();
    const observation = page.locator(".observation");
    expect(await observation.innerText()).toMatch(/out\nred[\s\S]*problem/);
    await expectAccessible(page);
    await keepScreenshot(page, "workbench-exit-code");
    await play(page, "submit", 3);
    await page.getByRole("heading", { name: "verifierOutput" }).waitFor();
    await page.getByText("rewards.reward", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "verifierOutput" }).scrollIntoViewIfNeeded();
    await expectAccessible(page);
    await keepScreenshot(page, "workbench-verifier");
  },
  120_000,
);
