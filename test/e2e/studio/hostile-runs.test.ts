/** Hostile names, settings, texts and numbers in folders of runs and in reports of the trainer. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { suiteReport } from "#palestra/trainer/evaluation/suite.js";
import { evaluationHtml } from "#palestra/trainer/report/evaluation/evaluation-html.js";
import { suiteHtml } from "#palestra/trainer/report/evaluation/suite-html.js";
import { trainingHtml } from "#palestra/trainer/report/training-html.js";
import { expectUnharmed, goToPlace, openHostile, sly, wide } from "../../support/hostile.js";
import { hostileEvaluation, names, trainingRecords, writeHostileRuns } from "../../support/hostile-runs.js";
import { scratch, serve } from "../../support/serving.js";
import { testStudio } from "../../support/studio.js";

for (const width of [1_280, 360]) {
  testStudio(
    `runs with hostile names and texts are shown as text at ${width} pixels`,
    async () => {
      const runs = scratch();
      writeHostileRuns(runs);
      const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
      const watched = await openHostile(`${url}/ui/`, "#/runs", width, `runs-${width}`);
      const { page } = watched;
      await expect.poll(() => page.getByRole("row").count()).toBe(5);
      await expectUnharmed(watched, "list");

      const training = `#/runs/${encodeURIComponent(names.training)}`;
      await goToPlace(watched, training);
      await page.getByRole("slider", { name: "Success by train step" }).waitFor();
      for (const summary of (await page.locator("main details > summary").all()).slice(0, 4)) await summary.click();
      await expectUnharmed(watched, "curves");
      await goToPlace(watched, `${training}/settings`);
      await page.getByRole("region", { name: "Settings" }).waitFor();
      await expectUnharmed(watched, "settings");
      await goToPlace(watched, `${training}/groups`);
      await page.getByRole("link", { name: "rollout 1" }).click();
      await page.getByRole("slider", { name: "Token" }).press("End");
      await expectUnharmed(watched, "tokens");
      const [a, b] = [names.training, names.other].map(encodeURIComponent);
      await goToPlace(watched, `#/runs?a=${a}&b=${b}`);
      await page.getByRole("slider", { name: "Success by train step" }).waitFor();
      await expectUnharmed(watched, "compared");

      const evaluation = `#/runs/${encodeURIComponent(names.evaluation)}`;
      await goToPlace(watched, evaluation);
      await page.getByRole("heading", { name: "Lost episodes" }).waitFor();
      await expectUnharmed(watched, "results");
      const same = encodeURIComponent(names.evaluation);
      await goToPlace(watched, `#/runs?a=${same}&b=${same}`);
      await page.getByRole("list", { name: "Compared tasks" }).waitFor();
      await expectUnharmed(watched, "evaluations-compared");
      await goToPlace(watched, `#/compare?run=${same}&left=1&right=2`);
      await page.getByRole("region", { name: "Right" }).waitFor();
      await expectUnharmed(watched, "samples-compared");
      await goToPlace(watched, `${evaluation}/settings`);
      await expectUnharmed(watched, "evaluation-settings");
      await goToPlace(watched, `${evaluation}/episodes?q=script`);
      await page.locator(".evaluation-row").first().waitFor();
      for (const row of await page.locator(".evaluation-row").all()) {
        await row.click();
        await page.getByRole("region", { name: "Transcript" }).getByRole("heading").waitFor();
        await expectUnharmed(watched, `transcript-${await row.locator("b").innerText()}`.replaceAll(/\W/g, ""));
      }
      await goToPlace(watched, `${evaluation}/episodes?episode=3`);
      await page.getByRole("region", { name: "Transcript" }).locator(".failure").waitFor();
      await expectUnharmed(watched, "failure");
    },
    240_000,
  );

  testStudio(`a run with a damaged report shows the error, and its other parts, at ${width} pixels`, async () => {
    const runs = scratch();
    writeHostileRuns(runs);
    const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
    const damaged = `#/runs/${encodeURIComponent(names.damaged)}`;
    const watched = await openHostile(`${url}/ui/`, damaged, width, `damaged-${width}`);
    const { page } = watched;
    await page.getByRole("alert").getByText("This part of the page cannot be shown").waitFor();
    await expectUnharmed(watched, "results");
    await page.getByRole("link", { name: "Episodes" }).last().click();
    await page.locator(".evaluation-row").first().waitFor();
    await expectUnharmed(watched, "episodes");
  });

  testStudio(`reports of the trainer show hostile texts as text at ${width} pixels`, async () => {
    const evaluation = hostileEvaluation();
    const settings = { [`${sly}${wide}`]: sly, prompt: `${sly}${wide}` };
    const suite = suiteReport([{ environment: "sly", report: evaluation.report }], {
      policy: `${sly}${wide}`,
      isCut: true,
    });
    const pages = {
      training: trainingHtml({
        title: `${sly}${wide}`,
        records: trainingRecords() as never,
        settings,
        engine: settings,
      }),
      evaluation: evaluationHtml(evaluation),
      suite: suiteHtml(suite),
    };
    for (const [name, html] of Object.entries(pages)) {
      const path = join(scratch(), "report.html");
      writeFileSync(path, html);
      const watched = await openHostile(pathToFileURL(path).href, "", width, `report-${name}-${width}`);
      await watched.page.getByRole("heading", { level: 1 }).waitFor();
      await expectUnharmed(watched, "page");
      if (name !== "evaluation") continue;
      await goToPlace(watched, "#/episodes?episode=0&q=script");
      await watched.page.getByRole("region", { name: "Transcript" }).getByRole("heading").waitFor();
      await expectUnharmed(watched, "transcript");
      await goToPlace(watched, "#/settings");
      await expectUnharmed(watched, "settings");
    }
  });
}
