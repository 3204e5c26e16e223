/** Reports as files: pages that need no gym. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { reportPage } from "#palestra/server/operations/exports/report-page.js";
import { openGym } from "../../support/gym.js";
import { scratch } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openBrowser, testStudio } from "../../support/studio.js";

const hostile = '</script><script>window.ran = 1</script><!-- <script> \u2028 <img src=x onerror="window.ran = 2">';

testStudio("an exported episode is shown by a file alone, and its texts run nothing", async () => {
  const gym = await openGym();
  const { episodeId } = await gym.call("create", { environment: "textcraft", task: { index: 0 } });
  await gym.call("step", { episodeId, index: 0, action: hostile });
  const episode = await gym.call("get", { episodeId });
  const opening = await gym.call("opening", { episodeId });
  const { steps } = await gym.call("transcript", { episodeId });
  const path = join(scratch(), "report.html");
  writeFileSync(path, await reportPage(hostile, { kind: "episode", episode, opening, steps } as { kind: string }));

  const page = await openBrowser();
  await page.goto(pathToFileURL(path).href);
  await page.locator(".step", { hasText: "window.ran" }).waitFor();
  expect(await page.title()).toBe(hostile.replace("\u2028", "\u2028"));
  expect(await page.evaluate("window.ran")).toBeUndefined();
  expect(await page.getByRole("button", { name: "Fork from here" }).count()).toBe(0);
  await expectAccessible(page);
  await keepScreenshot(page, "report-episode");
});
