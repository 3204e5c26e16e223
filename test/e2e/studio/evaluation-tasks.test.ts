/** Which tasks does a model fail, and why? Which broke since the evaluation before? */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { palestra } from "../../support/palestra.js";
import { episodeRecord, writeEvaluation } from "../../support/run-folders.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

async function gymWith(write: (runs: string) => void): Promise<string> {
  const runs = scratch();
  write(runs);
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  return url;
}

function evaluation(folder: string, records: readonly EpisodeRecord[]): void {
  mkdirSync(folder, { recursive: true });
  writeEvaluation(folder, records);
}

/** A sample of a task of the split `all`. */
function sampleOf(index: number, sample: number, change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  const played = { environment: "textcraft@1", split: "all", index, seed: sample };
  return episodeRecord(index, { played, sample, solved: true, score: 1, ...change });
}

const wall = { reply: "Action:\ngo", action: "go", observation: "a wall", reward: 0 };
const unsolved = { solved: false, score: 0 };
const looped = { ...unsolved, status: "limit", turns: [wall, wall, wall, wall] } as const;
const failure = { class: "infrastructure", code: "HOST_FAILED", message: "gone" } as const;
const lost = { ...unsolved, status: "failed", failure, turns: [] } as const;
const partial = { solved: false, score: 0.4 };

async function expectNoOverflow(page: Page): Promise<void> {
  expect(await page.evaluate("document.querySelector('main').scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
}

testStudio("which tasks a model fails is answered by two clicks from the overview", async () => {
  const runs = scratch();
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const flags = ["--env", "babyai", "--policy", "random", "--limit", "14", "--k", "3", "--rounds", "5", "--gym", url];
  const { code, stderr } = await palestra(["eval", ...flags, "--out", join(runs, "mine")]);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  for (const [width, name] of [
    [1_440, "wide"],
    [390, "narrow"],
  ] as const) {
    const page = await openStudio(url, "", { width, height: 844 });
    await page.getByRole("navigation").getByRole("link", { name: "Runs" }).click();
    await page.getByRole("link", { name: "mine" }).click();
    const tasks = page.getByRole("list", { name: "Tasks" });
    await tasks.waitFor();
    expect(await tasks.getByRole("listitem").first().getAttribute("aria-setsize")).toBe("14");
    // The answer is in view: the worst task, its samples and how many were solved.
    const worst = tasks.getByRole("listitem").first();
    await expect.poll(() => worst.innerText()).toMatch(/:\d+[\s\S]*✕[\s\S]*0 of 3/);
    expect(((await worst.boundingBox())?.y ?? 9_999) + 34).toBeLessThan(844);
    expect(await page.locator("main").getByRole("status").innerText()).toMatch(/^14 tasks: \d+ never solved/);
    await expectNoOverflow(page);
    await expectAccessible(page);
    await keepScreenshot(page, `which-tasks-fail-${name}`);
    await worst.getByRole("link").first().click();
    await page.getByRole("region", { name: "Transcript" }).getByText("Your goal").first().waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, `which-tasks-fail-transcript-${name}`);
  }
});

testStudio("the matrix tells outcomes by signs, sorts the worst first, and is filtered by an address", async () => {
  const url = await gymWith((runs) =>
    evaluation(join(runs, "e"), [
      ...[sampleOf(1, 0), sampleOf(1, 1)],
      ...[sampleOf(2, 0, looped), sampleOf(2, 1, looped)],
      ...[sampleOf(3, 0, partial), sampleOf(3, 1)],
      ...[sampleOf(4, 0, lost)],
      ...[sampleOf(5, 0, unsolved), sampleOf(5, 1, partial)],
    ]),
  );
  const page = await openStudio(url, "#/runs/e", { width: 1_000 });
  const tasks = page.getByRole("list", { name: "Tasks" });
  await tasks.waitFor();
  const texts = async () =>
    (await tasks.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  expect(await texts()).toEqual([
    "all:2 even ✕ ✕ 0 of 2 score 0.00 · looped",
    "all:5 odd ✕ ◐ 0 of 2 score 0.20 · wrong answer",
    "all:3 odd ◐ ✓ 1 of 2 score 0.70 · wrong answer",
    "all:1 odd ✓ ✓ 2 of 2 score 1.00",
    "all:4 even ! 0 of 0 failure of the gym",
  ]);
  const name = "all:2 sample 1: failed, looped, score 0";
  await tasks.getByRole("link", { name, exact: true }).waitFor();
  expect(await page.locator("main").getByRole("status").innerText()).toBe(
    "5 tasks: 2 never solved, 1 sometimes solved, 1 always solved, 1 with lost episodes",
  );
  await page.getByRole("combobox", { name: "Kind of failure" }).selectOption("looped");
  await expect.poll(texts).toHaveLength(1);
  expect(page.url()).toContain("failure=looped");
  for (const scheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${url}/ui/#/runs/e?tasks=sometimes`);
    await expect.poll(texts).toEqual([expect.stringContaining("all:3")]);
    await page.goto(`${url}/ui/#/runs/e`);
    await expect.poll(texts).toHaveLength(5);
    await expectAccessible(page);
    await keepScreenshot(page, `task-matrix-${scheme}`);
  }
  const kinds = page.getByRole("region", { name: "Kinds of failure" });
  expect((await kinds.getByRole("row").allInnerTexts()).map((text) => text.split("\t").slice(0, 2))).toEqual([
    ["failure of the gym", "1"],
    ["looped", "2"],
    ["wrong answer", "3"],
  ]);
  await kinds.getByRole("link", { name: "looped" }).click();
  await expect.poll(() => page.locator("main").getByRole("status").innerText()).toBe("2 of 9 episodes");
  await page.getByRole("button", { name: "all:2" }).first().click();
  await page.getByText("in 4 turns, from turn 1 on").waitFor();
});

testStudio("the matrix of 10,000 tasks renders the rows in view only, and is filtered", async () => {
  const url = await gymWith((runs) =>
    evaluation(
      join(runs, "large"),
      Array.from({ length: 10_000 }, (_, index) => sampleOf(index, 0, index % 100 === 7 ? looped : {})),
    ),
  );
  const page = await openStudio(url, "#/runs/large", { width: 390, height: 844 });
  const tasks = page.getByRole("list", { name: "Tasks" });
  await tasks.waitFor();
  expect(await tasks.getByRole("listitem").first().getAttribute("aria-setsize")).toBe("10000");
  expect(await tasks.getByRole("listitem").count()).toBeLessThan(80);
  await page.getByRole("searchbox", { name: "Filter tasks" }).fill("all:9907");
  await expect.poll(() => tasks.getByRole("listitem").count()).toBe(1);
  expect(await page.locator("main").getByRole("status").innerText()).toBe(
    "1 of 10,000 tasks: 100 never solved, 9,900 always solved",
  );
  await expectNoOverflow(page);
  await expectAccessible(page);
});

testStudio("two evaluations are compared task by task, by an address, with links to both transcripts", async () => {
  const url = await gymWith((runs) => {
    evaluation(
      join(runs, "before"),
      [0, 1, 2, 3].map((index) => sampleOf(index, 0, index === 1 ? unsolved : {})),
    );
    evaluation(join(runs, "after"), [
      ...[0, 1, 2].map((index) => sampleOf(index, 0, index === 2 ? looped : {})),
      sampleOf(9, 0),
    ]);
    evaluation(join(runs, "elsewhere"), [sampleOf(40, 0)]);
  });
  const page = await openStudio(url, "#/runs", { width: 1_440 });
  await page.getByRole("checkbox", { name: "Compare before" }).check();
  await page.getByRole("checkbox", { name: "Compare after" }).check();
  await page.getByRole("button", { name: "Compare 2 runs" }).click();
  const list = page.getByRole("list", { name: "Compared tasks" });
  await list.waitFor();
  const texts = async () => (await list.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  expect(await texts()).toEqual([
    "all:2 even ✓ → ✕ ▼ broken solved 100.0 % → 0.0 %",
    "all:1 odd ✕ → ✓ ▲ fixed solved 0.0 % → 100.0 %",
    "all:0 even ✓ → ✓ = same solved 100.0 % → 100.0 %",
  ]);
  const tiles = (await page.locator("dl.tiles .tile").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));
  expect(tiles.at(-1)).toBe("tasks in both 3 3 pairs of episodes, 1 only in the first, 1 only in the second");
  const difference = page.getByRole("region", { name: "Paired difference" });
  expect(await difference.getByRole("row", { name: "success rate" }).innerText()).toMatch(
    /^success rate\t66\.7 %\t66\.7 %\t0\.0 points \[-\d+\.\d, \+\d+\.\d\]$/,
  );
  await expectAccessible(page);
  await keepScreenshot(page, "evaluations-compared");
  await page.getByRole("combobox", { name: "Change" }).selectOption("broken");
  await expect.poll(texts).toHaveLength(1);
  const address = page.url();
  expect(address).toMatch(/a=before&b=after&show=broken$/);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${url}/ui/#/runs`);
  await page.goto(address);
  await expect.poll(texts).toHaveLength(1);
  await expectNoOverflow(page);
  await expectAccessible(page);
  await keepScreenshot(page, "evaluations-compared-narrow");
  await list.getByRole("link", { name: "all:2 sample 1 in after: failed, looped, score 0" }).click();
  await page.getByRole("heading", { name: "after" }).waitFor();
  await page.getByText("in 4 turns, from turn 1 on").waitFor();
  await page.goto(`${url}/ui/#/runs?a=before&b=elsewhere`);
  await page.getByRole("alert").getByText("they have no task in common: 0, 1, 2, … and 40.").waitFor();
});

testStudio(
  "the episodes of a task that are compared are all in view, or a button says how many there are",
  async () => {
    const { url } = await serve();
    const play = async () => {
      const body = JSON.stringify({ environment: "textcraft", task: { split: "test", index: 3 } });
      const reply = await fetch(`${url}/v1/episodes`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      expect(reply.status).toBe(200);
    };
    for (let count = 0; count < 16; count++) await play();
    const place = "#/compare?environment=textcraft@1&split=test&task=3";
    const page = await openStudio(url, place);
    const table = page.getByRole("region", { name: "Episodes of the task" });
    const rows = table.locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(16);
    const hidden = "({ scrollHeight, clientHeight }) => scrollHeight - clientHeight";
    expect(await table.evaluate(`(${hidden})(document.querySelector(".scroller"))`)).toBe(0);
    expect(await page.getByRole("button", { name: /Show all/ }).count()).toBe(0);
    await play();
    await page.reload();
    await page.getByRole("button", { name: "Show all 17 episodes" }).click();
    await expect.poll(() => rows.count()).toBe(17);
  },
);
