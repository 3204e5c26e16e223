/** The page of a study, opened as a file: in both colours, on a narrow screen, and as it is printed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright";
import { expect } from "vitest";
import { reportPage } from "#palestra/trainer/report/report-page.js";
import { readRuns } from "#palestra/trainer/report/study/stored-run.js";
import { studyOf } from "#palestra/trainer/report/study/study.js";
import { studyPaper } from "#palestra/trainer/report/study/study-paper.js";
import { scratch } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openBrowser, testStudio } from "../../support/studio.js";
import { writeStudyRun } from "../../support/study-runs.js";

const hostile = '</script><img src=x onerror="window.ran = 1">';

async function openStudy(): Promise<Page> {
  const folder = scratch();
  for (const seed of [1, 2, 3]) {
    for (const rounds_ctrl of [undefined, [2, 4]]) {
      const last = "1".repeat(3 + seed + (rounds_ctrl ? 2 : 0)).padEnd(10, "0");
      const sets = { "textcraft:test:0-9": ["1000000000", "1100000000", last] };
      writeStudyRun(join(folder, `seed-${seed}-${rounds_ctrl ? "growing" : "fixed"}`), seed, sets, {
        settings: rounds_ctrl ? { rounds_ctrl } : {},
        metrics: (step) => ({ "actor/entropy": 1 / step + seed / 10, "episode/length/mean": step }),
      });
    }
  }
  const paper = studyPaper(studyOf({ title: hostile, runs: readRuns(folder, []), command: `palestra ${hostile}` }));
  const path = join(folder, "report.html");
  writeFileSync(path, reportPage(paper.title, { kind: "paper", ...paper }, "report.md has the same."));
  const page = await openBrowser();
  await page.goto(pathToFileURL(path).href);
  return page;
}

testStudio("a study has tables and curves with bands, and is accessible in both colours", async () => {
  const page = await openStudy();
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(hostile);
  expect(await page.getByRole("heading", { level: 2 }).allInnerTexts()).toEqual([
    ...["Held-out success", "Seeds", "Curves", "Data", "Cost", "Settings", "Versions and machine", "Commands"],
  ]);
  const chart = page.getByRole("img", { name: /^Success on held-out tasks by train step\. At the end: / });
  expect(await chart.getAttribute("aria-label")).toBe(
    "Success on held-out tasks by train step. At the end: rounds_ctrl unset 50.0 %, rounds_ctrl 2,4 70.0 %",
  );
  expect(await chart.locator(".area").count()).toBe(2);
  expect(await chart.locator(".thin").count()).toBe(6);
  const dashes = await page.evaluate(
    `[...document.querySelectorAll(".band .line")].slice(0, 2).map((each) => getComputedStyle(each).strokeDasharray)`,
  );
  expect(new Set(dashes as string[]).size).toBe(2);
  expect(await page.evaluate("window.ran")).toBeUndefined();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
    await keepScreenshot(page, `paper-${colorScheme}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate("document.querySelector('main').scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
});

testStudio("a printed study is black and white, and nothing of it scrolls or is cut off", async () => {
  const page = await openStudy();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  // The width of A4 within its margins.
  await page.setViewportSize({ width: 718, height: 1_000 });
  const boxes = (selector: string, which: string) =>
    page.evaluate(
      `[...document.querySelectorAll("${selector}")].filter((each) => ${which}).map((each) => each.outerHTML.slice(0, 80))`,
    );
  expect(await boxes(".scroll, main, .chart", "getComputedStyle(each).overflow !== 'visible'")).toEqual([]);
  expect(await boxes("table, figure", "each.getBoundingClientRect().right > innerWidth + 1")).toEqual([]);
  const colours = await page.evaluate<string[]>(
    `[...document.querySelectorAll("p, td, th, h1, h2, .line, .thin, figcaption")].flatMap((each) => [getComputedStyle(each).color, getComputedStyle(each).stroke])`,
  );
  const grey = /^(none|rgb\((\d+), \2, \2\))$/;
  expect([...new Set(colours)].filter((colour) => !grey.test(colour))).toEqual([]);
  expect(await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")).toBe("rgb(255, 255, 255)");
  await keepScreenshot(page, "paper-print");
});
