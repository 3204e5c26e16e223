/** Two training runs side by side, and the tints of a rollout's tokens. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
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
  await expect.poll(() => success.getAttribute("aria-valuetext")).toBe("step 8: slow: training 100.0 %, fast: training –");
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
