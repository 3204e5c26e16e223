/** Runs side by side, and the tints of a rollout's tokens. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import { palestra } from "../../support/palestra.js";
import { writeGroups, writeMetrics } from "../../support/run-folders.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

function writeTraining(folder: string, steps: number, settings: Record<string, unknown>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "run.json"), JSON.stringify({ startedAt: "2026-01-01T00:00:00Z", settings }));
  writeMetrics(
    folder,
    Array.from({ length: steps }, (_, i) => i + 1),
  );
  writeGroups(folder, steps);
}

testStudio("the page compares two training runs by their curves and their differing settings", async () => {
  const runs = scratch();
  writeTraining(join(runs, "slow"), 8, { algorithm: "grpo", lr: 1e-6, model: "tiny" });
  writeTraining(join(runs, "fast"), 5, { algorithm: "grpo", lr: 1e-4, clip: { low: 0.2, high: 0.28 }, model: "tiny" });
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs");
  await page.getByRole("checkbox", { name: "Compare slow" }).check();
  await page.getByRole("checkbox", { name: "Compare fast" }).check();
  await page.getByRole("button", { name: "Compare 2 runs" }).click();

  const settings = page.getByRole("region", { name: "Settings that differ" });
  await settings.waitFor();
  expect(await settings.getByRole("row").allInnerTexts()).toEqual([
    "setting\tslow\tfast",
    "lr\t0.000001\t0.0001",
    'clip\t–\t{"low":0.2,"high":0.28}',
  ]);
  const success = page.getByRole("slider", { name: "Success by train step" });
  await success.waitFor();
  await success.focus();
  await page.keyboard.press("Home");
  await expect
    .poll(() => success.getAttribute("aria-valuetext"))
    .toBe("step 1: slow: training 12.5 %, fast: training 12.5 %");
  await page.keyboard.press("End");
  await expect
    .poll(() => success.getAttribute("aria-valuetext"))
    .toBe("step 8: slow: training 100.0 %, fast: training –");
  await page.getByLabel("Table of Policy loss").click();
  const table = page.getByRole("region", { name: "Values of Policy loss" });
  expect(await table.getByRole("row").first().innerText()).toBe("step\tslow: pg_loss\tfast: pg_loss");
  expect(await table.getByRole("row").count()).toBe(9);
  await expectAccessible(page);
  await page.evaluate("document.querySelector('main').scrollTo(0, 0)");
  await keepScreenshot(page, "runs-compared-training");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await keepScreenshot(page, "runs-compared-training-dark");
  await page.setViewportSize({ width: 360, height: 800 });
  expect(await page.evaluate("document.querySelector('main').scrollWidth - innerWidth")).toBe(0);
  await keepScreenshot(page, "runs-compared-training-narrow");
  await page.getByRole("link", { name: "fast" }).click();
  await page.getByRole("heading", { name: "fast" }).waitFor();
});

testStudio("any number of runs share charts, at an address that can be shared", async () => {
  const runs = scratch();
  const names = Array.from({ length: 10 }, (_, at) => `run-${at}`);
  for (const [at, name] of names.entries()) writeTraining(join(runs, name), 3 + at, { lr: at / 1_000, seed: 1 });
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs");
  expect(await page.getByRole("button", { name: "Choose runs to compare" }).isDisabled()).toBe(true);
  for (const name of names) await page.getByRole("checkbox", { name: `Compare ${name}`, exact: true }).check();
  await page.getByRole("button", { name: "Compare 10 runs" }).click();
  await page.getByRole("heading", { name: "10 runs" }).waitFor();
  const address = page.url();

  const other = await openStudio(url, new URL(address).hash);
  const success = other.getByRole("slider", { name: "Success by train step" });
  await success.waitFor();
  const text = () => success.getAttribute("aria-valuetext");
  await expect.poll(async () => (await text())?.split(", ").length).toBe(10);
  const settings = other.getByRole("region", { name: "Settings that differ" });
  expect(await settings.getByRole("row").allInnerTexts()).toEqual([
    ["setting", ...names].join("\t"),
    ["lr", ...names.map((_, at) => `${at / 1_000}`)].join("\t"),
  ]);
  await expectAccessible(other);
  await keepScreenshot(other, "runs-compared-ten");
  // Addresses of earlier versions have the names `a` and `b`.
  await other.goto(`${url}/ui/#/runs?a=run-1&b=run-2`);
  await other.getByRole("heading", { name: "Two runs" }).waitFor();
});

testStudio("charts without a change are folded away under one line, which names them with their values", async () => {
  const runs = scratch();
  mkdirSync(join(runs, "one"));
  const lines = [1, 2, 3].map((step) => ({
    ...{ step, time: 1_795_000_000 + step, "episode/success_rate": step / 4, "actor/lr": 0.0001 },
    ...{ "staleness/mean": 0, "staleness/max": 0, "perf/throughput": 3_470 + step, "response_length/mean": 3_470 },
  }));
  writeFileSync(join(runs, "one", "metrics.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/one");
  const folded = page.getByText("Without a change:");
  expect(await folded.innerText()).toBe(
    "Without a change: Sampled tokens of an episode 3,470; Learning rate 1e-4; Staleness (mean 0, oldest 0)",
  );
  expect(await page.getByText("Without a value:").innerText()).toContain("Value loss");
  const titles = () => page.locator("figure.chart:visible strong").allInnerTexts();
  expect(await titles()).toEqual(["Success", "Tokens a second"]);
  // Both forms of numbers are one: a share has a digit and a space, a thousand has a comma.
  const shownBy = (name: string) => page.getByRole("slider", { name }).getAttribute("aria-valuetext");
  expect(await shownBy("Success by train step")).toBe("step 3: training 75.0 %");
  expect(await shownBy("Tokens a second by train step")).toBe("step 3: in batches 3,473");
  await folded.click();
  await expect.poll(titles).toHaveLength(5);
  await expectAccessible(page);
  await keepScreenshot(page, "charts-folded");
  expect(await page.getByText(/^3 train steps in /).innerText()).toMatch(
    /^3 train steps in 2 s, until \d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
  );
  await page.goto(`${url}/ui/#/runs`);
  expect(await page.locator("time").first().innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

testStudio("families that are numbers have the name of what they number, and a scale", async () => {
  const runs = scratch();
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  for (const seed of [0, 1]) {
    const flags = ["--env", "textcraft", "--policy", "random", "--limit", "4", "--seed", `${seed}`];
    const { code, stderr } = await palestra(["eval", ...flags, "--gym", url, "--out", join(runs, `eval-${seed}`)]);
    expect([code, stderr]).toEqual([0, expect.anything()]);
  }
  const page = await openStudio(url, "#/runs?run=eval-0&run=eval-1");
  const table = page.getByRole("table", { name: "Success by family" });
  await table.waitFor();
  const rows = await table.getByRole("rowheader").allInnerTexts();
  expect(rows.filter((label) => /^depth \d+ · eval-0$/.test(label)).length).toBeGreaterThan(0);
  expect(rows.filter((label) => /^\d/.test(label))).toEqual([]);
  expect(await table.locator(".ticks").innerText()).toMatch(/0 %\s*50 %\s*100 %/);
  await expectAccessible(page);
  await keepScreenshot(page, "families-named");
});

/** Code for the page, which draws a colour and returns the red, green and blue that the page shows. */
const shownColours = `(() => {
  const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
  const paint = (...colours) => {
    context.clearRect(0, 0, 1, 1);
    for (const colour of colours) {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
    }
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const page = getComputedStyle(document.documentElement).backgroundColor;
  return [...document.querySelectorAll(".token-text [data-at]")].map((token) => {
    const { backgroundColor, color, textDecorationLine } = getComputedStyle(token);
    return { back: paint(page, backgroundColor), text: paint(color), line: textDecorationLine, title: token.textContent };
  });
})()`;

interface Shown {
  back: number[];
  text: number[];
  line: string;
}

/** Relative luminance (WCAG 2). */
function luminance(colour: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: readonly number[], b: readonly number[]): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** Matrices of Machado, Oliveira and Fernandes (2009) for complete colour blindness of each type. */
const blindness = {
  none: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

function seenBy(matrix: readonly number[], colour: readonly number[]): number[] {
  return [0, 1, 2].map((row) =>
    colour.reduce((sum, value, column) => sum + (matrix[3 * row + column] as number) * value, 0),
  );
}

async function tokensOf(page: Page): Promise<Shown[]> {
  return page.evaluate<Shown[]>(shownColours);
}

testStudio(
  "tokens are tinted by the sign and size of their advantage, with contrast, also for colour-blind readers",
  async () => {
    const runs = scratch();
    mkdirSync(join(runs, "one"));
    writeMetrics(join(runs, "one"), [1]);
    const rollout = {
      ...{ episodeId: "ep-1", row: null, return: 1, solved: true, status: "terminated" as const, steps: [] },
      tokens: Int32Array.of(0, 1, 2, 3, 4, 5),
      mask: Uint8Array.of(0, 1, 1, 1, 1, 1),
      logprobs: Float32Array.of(0, -0.1, -4, -1, -2, -3),
      versions: Int32Array.of(-1, 3, 3, 3, 4, 4),
      advantages: Float32Array.of(0, -2, -1, 0, 1, 0.5),
    } as const;
    writeGroups(join(runs, "one"), 1, [rollout]);
    const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
    const page = await openStudio(url, "#/runs/one/groups?step=1&group=12&rollout=0");
    await page.getByRole("combobox", { name: "Tint by" }).selectOption("advantage");
    const legend = page.locator(".ramp-labels");
    expect(await legend.innerText()).toMatch(/^−2\s+0\s+\+2$/);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      const tokens = await tokensOf(page);
      for (const { back, text } of tokens) expect(contrast(back, text), scheme).toBeGreaterThanOrEqual(4.5);
      const [given, lowest, low, zero, high] = tokens as [Shown, Shown, Shown, Shown, Shown];
      expect(zero.back, scheme).toEqual(given.back);
      expect(tokens.map(({ line }) => line.includes("underline"))).toEqual([false, true, true, false, false, false]);
      const far = (a: number[], b: number[]) => Math.hypot(...a.map((value, i) => value - (b[i] as number)));
      // Equal distances from zero have equal strengths.
      expect(far(lowest.back, zero.back) / far(low.back, zero.back)).toBeCloseTo(2, 0);
      for (const [name, matrix] of Object.entries(blindness)) {
        const [negative, positive] = [seenBy(matrix, low.back), seenBy(matrix, high.back)];
        expect(far(negative, positive), `${name} in ${scheme}`).toBeGreaterThan(25);
      }
      await expectAccessible(page);
      await keepScreenshot(page, `run-tokens-advantage-${scheme}`);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    await keepScreenshot(page, "run-tokens-advantage-narrow");
  },
);
