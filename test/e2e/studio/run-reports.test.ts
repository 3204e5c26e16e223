/** The reports of the trainer, opened as files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright";
import { expect } from "vitest";
import { AlgorithmSettings, createAlgorithm } from "#palestra/trainer/algorithms/index.js";
import { diagnose } from "#palestra/trainer/evaluation/diagnosis.js";
import type { Evaluation } from "#palestra/trainer/evaluation/evaluate.js";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { successByRounds } from "#palestra/trainer/evaluation/rounds.js";
import { suiteReport } from "#palestra/trainer/evaluation/suite.js";
import { summarise } from "#palestra/trainer/evaluation/summary.js";
import { lossMetrics } from "#palestra/trainer/report/batch-metrics.js";
import { evaluationHtml } from "#palestra/trainer/report/evaluation/evaluation-html.js";
import { suiteHtml } from "#palestra/trainer/report/evaluation/suite-html.js";
import { trainingHtml } from "#palestra/trainer/report/training-html.js";
import { scratch } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openBrowser, type StudioOptions, testStudio } from "../../support/studio.js";
import { recordAt } from "../../support/train-records.js";

const hostile = '</script><img src=x onerror="window.ran = 1"> & <!--<script>';

async function open(html: string, options: StudioOptions = {}): Promise<Page> {
  const path = join(scratch(), "report.html");
  writeFileSync(path, html);
  const page = await openBrowser(options);
  await page.goto(pathToFileURL(path).href);
  return page;
}

function record(index: number, sample: number, change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  const played = { environment: "textcraft@1", split: "test", index, seed: sample };
  const turns = [{ reply: `I try ${hostile}`, action: "get wood", observation: "Got 1 oak log", reward: 0 }];
  const outcome = { status: "terminated", score: 0, solved: false, wallMs: 500 } as const;
  return { played, sample, family: "easy", ...outcome, opening: `Goal ${index}`, turns, ...change };
}

const failure = {
  class: "policy",
  code: "POLICY_TIMEOUT",
  message: `expected a reply, but received ${hostile}`,
} as const;
const four = [
  record(0, 0, { score: 1, solved: true }),
  record(0, 1),
  record(7, 0, { family: "hard", turns: [{ reply: "LAMP on", observation: "A lamp glows", reward: 1 }] }),
  record(7, 1, { status: "failed", failure, turns: [] }),
];

function evaluation(records: readonly EpisodeRecord[], k = 2): Evaluation {
  const report = {
    ...{ environment: "textcraft@1", split: "test", policy: hostile, k, seed: 0, maxRounds: 5, format: "react" },
    ...{ options: {}, policySettings: {}, notes: [hostile], complete: true },
    summary: summarise(records, records.length, undefined),
    byRounds: successByRounds(records, [1, 5], 1),
    diagnosis: diagnose(records),
  };
  return { report, records, prompt: hostile };
}

testStudio("a training run's report has curves with values, held-out success by set, and settings", async () => {
  const at = (step: number, success: Record<string, number>) => ({ step, success });
  const records = [
    {
      ...recordAt(1, { "episode/success_rate": 0.5 }),
      held_out: {
        ...at(0, { "babyai:GoToObj": 0.5, "babyai:GoToLocal": 0.25, "textcraft:test": 0.25 }),
        episodes: { "babyai:GoToObj": 20, "babyai:GoToLocal": 20, "textcraft:test": 20 },
      },
    },
    recordAt(2, { "episode/success_rate": 0.25, "actor/grad_norm": Number.NaN }),
    {
      ...recordAt(3, { "episode/success_rate": 0.75 }),
      held_out: at(3, { "babyai:GoToObj": 0.9, "babyai:GoToLocal": 0.5 }),
    },
  ];
  const settings = { lr: 1e-4, prompt: hostile };
  const page = await open(trainingHtml({ title: hostile, records, settings, engine: { device: "cuda:0" } }));
  expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(hostile);
  const success = page.getByRole("slider", { name: "Success by train step" });
  expect(await success.getAttribute("aria-valuetext")).toBe("step 3: training 75.0 %");
  await success.focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => success.getAttribute("aria-valuetext")).toBe("step 2: training 25.0 %");
  await page.getByLabel("Table of Success", { exact: true }).click();
  expect(
    await page.getByRole("region", { name: "Values of Success", exact: true }).getByRole("row").allInnerTexts(),
  ).toEqual(["step\ttraining", "1\t50.0 %", "2\t25.0 %", "3\t75.0 %"]);
  const heldOut = page.getByRole("region", { name: "Held-out success by task set" });
  expect(await heldOut.getByRole("row").allInnerTexts()).toEqual([
    "task set, success in % [95 % interval]\tgain\tstep 0\tstep 3",
    "babyai:GoToObj\t+40.0\t50.0 [30, 70]\t90.0",
    "babyai:GoToLocal\t+25.0\t25.0 [11, 47]\t50.0",
    "textcraft:test\t\t25.0 [11, 47]\t",
    "mean in babyai\t+32.5\t37.5\t70.0",
  ]);
  expect(await page.getByRole("row", { name: "lr" }).innerText()).toBe("lr\t0.0001");
  expect(await page.evaluate("window.ran")).toBeUndefined();
  await expectAccessible(page);
  await keepScreenshot(page, "report-training");
});

testStudio(
  "the gain of each task set is in view without scrolling, after many evaluations and on a narrow screen",
  async () => {
    const set = "babyai:GoToRedBallNoDists:2000000-2009999";
    const records = Array.from({ length: 12 }, (_, at) => ({
      ...recordAt(at + 1),
      held_out: { step: at + 1, success: { [set]: 0.3 + at / 100 }, episodes: { [set]: 100 } },
    }));
    const page = await open(trainingHtml({ title: "run", records, settings: {} }), { width: 1_440 });
    for (const width of [1_440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const gain = page.getByRole("cell", { name: "+11.0" });
      const table = await page.getByRole("region", { name: "Held-out success by task set" }).boundingBox();
      const box = await gain.boundingBox();
      if (!table || !box) throw new Error("expected the table and its gain to be shown, but received no box");
      expect(box.x + box.width).toBeLessThanOrEqual(Math.min(width, table.x + table.width));
    }
  },
);

interface Canvas {
  readonly width: number;
  readonly height: number;
  getContext(kind: "2d"): {
    getImageData(left: number, top: number, width: number, height: number): { data: Uint8ClampedArray };
  };
}

/** Returns whether a canvas has a pixel in the colour of a curve. Axes and grids are grey. */
const isColoured = (element: unknown): boolean => {
  const canvas = element as Canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < data.length; at += 4) {
    const colour = [...data.slice(at, at + 3)];
    if ((data[at + 3] ?? 0) > 100 && Math.max(...colour) - Math.min(...colour) > 60) return true;
  }
  return false;
};

/** Expects a point in the canvas of each chart. @returns the titles of the charts */
async function titlesOfDrawn(page: Page): Promise<string[]> {
  const titles: string[] = [];
  for (const figure of await page.locator("figure.chart:has(canvas)").all()) {
    const title = await figure.locator("strong").innerText();
    titles.push(title);
    await figure.scrollIntoViewIfNeeded();
    const canvas = figure.locator("canvas");
    await expect.poll(() => canvas.evaluate(isColoured), { message: title }).toBe(true);
  }
  return titles;
}

/** Statistics of a pack in a loss without KL, critic and clip. */
const plainLoss = {
  ...{ tokens: 100, loss: 1.2, policyLoss: 1.2, klLoss: 0, valueLoss: 0, entropy: 30, ratio: 100, highestRatio: 1 },
  ...{ clippedLow: 0, clippedHigh: 0, dualClipped: 0, behaviourWeight: 100, behaviourCut: 0 },
  ...{ proximalKl: 0, referenceKl: 0 },
};

testStudio("a training run's report draws no chart without a point, with either scale", async () => {
  const sft = createAlgorithm(AlgorithmSettings.parse({ algorithm: "sft" }));
  const metrics = { ...lossMetrics([plainLoss], sft), "actor/grad_norm": 0.5, "groups/filtered": 0 };
  const page = await open(trainingHtml({ title: "sft", records: [recordAt(1, metrics)], settings: {} }));
  const titles = ["Success", "Policy loss", "KL", "Entropy", "Gradient norm", "Groups", "Tokens a second"];
  for (const isLog of [false, true]) {
    await page.getByLabel("Logarithmic scales").setChecked(isLog);
    expect(await titlesOfDrawn(page)).toEqual(titles);
  }
});

testStudio("a training run's report without a train step has no charts and no controls of charts", async () => {
  const page = await open(trainingHtml({ title: "new", records: [], settings: { lr: 1 } }));
  await page.getByText("No train step yet.").waitFor();
  expect(await page.getByLabel("Logarithmic scales").count()).toBe(0);
  expect(await page.locator("figure").count()).toBe(0);
});

testStudio("an evaluation's report has intervals, failures with remedies, and the diagnosis", async () => {
  const page = await open(evaluationHtml(evaluation(four)));
  const families = page.getByRole("table", { name: "Success by family" });
  expect(await families.getByRole("row", { name: "easy" }).innerText()).toMatch(/50\.0 %\s+of 2/);
  await page.getByRole("table", { name: "Pass@k" }).waitFor();
  expect(await page.getByRole("table", { name: "Success by rounds" }).getByRole("row").count()).toBe(2);
  expect(await page.getByRole("list", { name: "Steps of an episode" }).innerText()).toBe("1: 1 solved, 2 unsolved");
  await page.getByText("Raise --timeout").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "report-evaluation");

  await page.getByRole("link", { name: "test:0 sample 2 of 2" }).click();
  const transcript = page.getByRole("region", { name: "Transcript" });
  await transcript.getByText(`I try ${hostile}`).waitFor();
  expect(await page.evaluate("window.ran")).toBeUndefined();
});

testStudio("an evaluation's report finds the transcripts in which each word occurs", async () => {
  const page = await open(`${evaluationHtml(evaluation(four))}`, { width: 360 });
  await page.getByRole("link", { name: "Episodes" }).click();
  const list = page.getByRole("list", { name: "Episodes" });
  const status = page.getByRole("status");
  await expect.poll(() => status.innerText()).toBe("4 of 4 episodes");
  await page.getByRole("searchbox").fill("lamp GLOWS");
  await expect.poll(() => status.innerText()).toBe("1 of 4 episodes");
  await list.getByRole("button", { name: "test:7 sample 1 of 2" }).click();
  await expect.poll(() => page.locator("mark").allInnerTexts()).toEqual(["LAMP", "lamp", "glows"]);
  await page.getByRole("searchbox").fill("policy_timeout");
  await expect.poll(() => list.innerText()).toContain("test:7 sample 2 of 2");
  await page.getByRole("searchbox").fill("");
  await page.getByRole("combobox", { name: "Outcome" }).selectOption("solved");
  await expect.poll(() => status.innerText()).toBe("1 of 4 episodes");
  await expectAccessible(page);
  await keepScreenshot(page, "report-evaluation-narrow");
});

testStudio("an evaluation's report of thousands of episodes renders those in view only", async () => {
  const records = Array.from({ length: 2_500 }, (_, index) => record(index, 0));
  const page = await open(evaluationHtml(evaluation(records, 1)));
  await page.getByRole("link", { name: "Episodes" }).click();
  await expect.poll(() => page.getByRole("status").innerText()).toBe("2500 of 2500 episodes");
  expect(await page.locator(".evaluation-row").count()).toBeLessThan(80);
});

testStudio("the report of a suite has its table, charts and links", async () => {
  const { report } = evaluation(four);
  const rows = [{ environment: "textcraft", report }];
  const page = await open(suiteHtml(suiteReport(rows, { policy: hostile, isCut: true })));
  await page.getByText("Cut short").waitFor();
  expect(await page.getByRole("link", { name: "textcraft" }).getAttribute("href")).toBe("textcraft/report.html");
  await page.getByRole("table", { name: "Success by environment" }).waitFor();
  expect(await page.getByRole("region", { name: "Results" }).innerText()).toContain("33.3 %");
  await expectAccessible(page);
  await keepScreenshot(page, "report-suite");
});
