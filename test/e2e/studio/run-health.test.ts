/** A person asks whether a training run is healthy, from the overview with two clicks, on a wide and on a narrow screen. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const recorded = fileURLToPath(new URL("../../fixtures/trainer/runs/", import.meta.url));

/** Writes the folder of a run that was recorded. */
function writeRun(runs: string, name: string): void {
  const folder = join(runs, name);
  mkdirSync(folder);
  const settings = { algorithm: "grpo", total_train_steps: 24, train_tasks: ["textcraft:all:0-3"] };
  const times = { startedAt: "2026-11-30T00:00:00Z", endedAt: "2026-11-30T00:10:00Z" };
  writeFileSync(join(folder, "run.json"), JSON.stringify({ ...times, settings }));
  copyFileSync(join(recorded, `${name}.jsonl`), join(folder, "metrics.jsonl"));
}

for (const width of [1_440, 390]) {
  testStudio(`at ${width} pixels, two clicks from the overview tell whether a run is healthy`, async () => {
    const runs = scratch();
    for (const name of ["stuck", "torn", "well"]) writeRun(runs, name);
    const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
    const page = await openStudio(url, "", { width, height: 844 });
    await page.getByRole("heading", { name: "Overview" }).waitFor();

    // First click. The list answers already: each run has its worst level.
    await page.getByRole("link", { name: "Runs" }).click();
    const row = page.getByRole("row", { name: "stuck" });
    await row.waitFor();
    const mark = row.locator(".light.red");
    expect(await mark.isVisible()).toBe(true);
    const place = await mark.boundingBox();
    expect(place && place.x + place.width).toBeLessThan(width);
    expect(await mark.locator("..").getAttribute("title")).toContain("8 of 8 train steps");
    expect(await page.getByRole("row", { name: "well" }).innerText()).toContain("amber");
    await expectAccessible(page);
    await keepScreenshot(page, `health-list-${width}`);

    // Second click. The page says what is wrong, and what to change.
    await row.getByRole("link", { name: "stuck" }).click();
    const health = page.getByRole("region", { name: "Health of the run" });
    await health.waitFor();
    const checks = await health.getByRole("list", { name: "Checks" }).getByRole("listitem").allInnerTexts();
    expect(checks.map((text) => text.replace(/\s+/g, " ").replace(" :", ":"))).toEqual([
      "✕ gradient: red",
      "✕ groups: red",
      "✓ held-out trend: green",
      "✓ staleness: green",
      "! idle time: amber",
    ]);
    const cause = health.getByText("8 of 8 train steps had no gradient: every group had equal rewards");
    const box = await cause.boundingBox();
    expect(box && box.y + box.height).toBeLessThan(844);
    expect(await health.locator("code").allInnerTexts()).toEqual(
      expect.arrayContaining(["clone_episodes", "max_rounds", "train_tasks", "max_concurrent_groups"]),
    );
    await health.getByText("2 green checks").click();
    await health.getByText("too few evaluations to see a trend").waitFor();
    expect(await page.evaluate("document.querySelector('main').scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await keepScreenshot(page, `health-run-${width}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
    await keepScreenshot(page, `health-run-${width}-dark`);
  });
}

testStudio("a run without a third train step is not judged", async () => {
  const runs = scratch();
  mkdirSync(join(runs, "new"));
  const line = { step: 1, time: 1_795_000_000, "groups/count": 2, "actor/no_gradient": 1 };
  writeFileSync(join(runs, "new", "metrics.jsonl"), `${JSON.stringify(line)}\n`);
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/new");
  await page.getByText("judged from the third train step on").waitFor();
});
