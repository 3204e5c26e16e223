/** Where do two rollouts part? Of episodes, of a train step's group, and of evaluations. */
import { join } from "node:path";
import { expect } from "vitest";
import { play } from "../../support/played-over-http.js";
import { episodeRecord, group, writeEvaluation, writeGroups, writeMetrics } from "../../support/run-folders.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

for (const width of [1440, 390])
  testStudio(`two clicks from the overview say where two rollouts part, in a window of ${width} pixels`, async () => {
    const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
    const body = { environment: "textcraft", task: { index: 0 }, maxSteps: 3 };
    const left = await play(url, ["inventory", "get 1 dirt", "inventory"], body);
    const right = await play(url, ["inventory", "get 2 dirt", "fly"], body);
    await play(url, ["inventory"], { ...body, seed: 1 });
    const page = await openStudio(url, "", { width, height: 844 });
    await page.getByRole("link", { name: right }).click();
    await page.getByRole("link", { name: "Compare episodes of this task" }).click();
    await page.getByRole("heading", { name: "Where they part" }).waitFor();
    const branches = page.getByRole("treeitem");
    // The first step is the same in both, and the second is not.
    const texts = async () => (await branches.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
    await expect.poll(async () => (await texts()).filter((text) => / [12] dirt/.test(text)).sort()).toHaveLength(2);
    const parting = (await texts()).filter((text) => / dirt/.test(text));
    expect(parting.map((text) => /^2 (get \d dirt)/.exec(text)?.[1]).sort()).toEqual(["get 1 dirt", "get 2 dirt"]);
    expect(await page.evaluate("document.querySelector('main').scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await keepScreenshot(page, `where-rollouts-part-${width}`);

    // The episode with the same seed is chosen beside it, so a third click shows both, step by step.
    await page.getByRole("button", { name: "Compare side by side" }).click();
    await page.waitForURL(new RegExp(`left=${right}&right=${left}$`));
    await page.getByRole("button", { name: "The reset and 1 step are equal" }).waitFor();
    await expect.poll(() => page.locator(".parting mark").allInnerTexts()).toEqual(expect.arrayContaining(["1", "2"]));
  });

/** A rollout of one sampled text and one given text for each step. A text is a token. */
function rolloutOf(texts: string[], words: readonly string[], solved: boolean) {
  const tokens = Int32Array.from(words, (word) => {
    if (!texts.includes(word)) texts.push(word);
    return texts.indexOf(word);
  });
  const isReply = (_: unknown, at: number) => Number(at % 2 === 1);
  const steps = words.flatMap((word, at) =>
    at % 2 === 1 ? [{ first: at, end: at + 1, action: actionIn(word), reward: 0 }] : [],
  );
  return {
    ...{
      episodeId: `ep-${solved}`,
      row: null,
      return: Number(solved),
      solved,
      status: "terminated" as const,
      steps,
      tokens,
    },
    mask: Uint8Array.from(words, isReply),
    logprobs: new Float32Array(words.length),
    versions: Int32Array.from(words, () => 1),
    advantages: new Float32Array(words.length),
  };
}

function actionIn(reply: string): string {
  return reply.split("Action: ")[1] as string;
}

testStudio("two rollouts of a train step's group are paired by their actions", async () => {
  const runs = scratch();
  const texts: string[] = [];
  const long = [
    "You are in a room.",
    "Action: look",
    "A table.",
    "I wonder. Action: wait",
    "Time passes.",
    "Action: take key",
  ];
  const short = ["You are in a room.", "Action: look", "A table.", "Action: take key"];
  const rollouts = [rolloutOf(texts, long, false), rolloutOf(texts, short, true), group.rollouts[1] as never];
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const ends = bytes.map((_, at) => BigInt(bytes.slice(0, at + 1).reduce((sum, { length }) => sum + length, 0)));
  const vocabulary = { bytes: Buffer.concat(bytes), offsets: BigUint64Array.of(0n, ...ends) };
  writeMetrics(join(runs, "a"), [1, 2]);
  writeGroups(join(runs, "a"), 2, rollouts, vocabulary);
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/a/groups", { width: 390, height: 844, expected: /404/ });
  const choose = (rollout: number) => page.getByRole("checkbox", { name: `Compare rollout ${rollout} of all:7` });
  const button = page.getByRole("button", { name: /rollouts/ });
  await choose(3).check();
  expect(await button.isDisabled()).toBe(true);
  await choose(2).check();
  await choose(1).check();
  expect(await choose(3).isChecked()).toBe(false);
  await expectAccessible(page);
  await keepScreenshot(page, "rollouts-chosen-390");
  await page.getByRole("button", { name: "Compare rollouts 1 and 2" }).click();
  await page.getByRole("button", { name: "The reset and 1 step are equal" }).waitFor();
  const left = page.getByRole("region", { name: "Left" });
  expect(await left.innerText()).toMatch(/train step 2, rollout 1[\s\S]*failed return 0, 3 steps, seed 5/);
  expect(await page.getByRole("region", { name: "Right" }).innerText()).toMatch(/solved return 1, 2 steps/);
  const rows = page.locator(".pairs-of-steps > li");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(0).innerText()).toMatch(/^step 2\s+I wonder\. Action: wait\s+Time passes\.$/);
  expect(await rows.nth(1).innerText()).toMatch(/step 3[\s\S]*take key[\s\S]*step 2[\s\S]*take key/);
  expect(await page.evaluate("document.querySelector('main').scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  await expectAccessible(page);
  await keepScreenshot(page, "rollouts-compared-390");
  await left.getByRole("link").click();
  await page.getByRole("slider", { name: "Token" }).waitFor();
  await page.goto(`${url}/ui/#/compare?run=a&step=2&group=12&left=0&right=9`);
  await page.getByRole("alert").getByText("RUN_PART_UNKNOWN").waitFor();
});

testStudio("samples of a task are compared step by step, in one evaluation and between two", async () => {
  const runs = scratch();
  const played = { environment: "textcraft@1", split: "all", index: 7, seed: 5 };
  const turn = (action: string) => ({ reply: `Action: ${action}`, action, observation: `You ${action}.`, reward: 0 });
  const sample = (number: number, solved: boolean, actions: readonly string[]) =>
    episodeRecord(7, { played: { ...played, seed: number }, sample: number, solved, turns: actions.map(turn) });
  const solved = sample(0, true, ["look", "take key"]);
  writeEvaluation(join(runs, "before"), [solved, sample(1, false, ["look", "wait", "take key"])]);
  writeEvaluation(join(runs, "after"), [sample(0, false, ["look", "sleep"]), sample(1, false, ["look"])]);
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const page = await openStudio(url, "#/runs/before");
  await page.getByRole("list", { name: "Tasks" }).getByRole("link", { name: "1 of 2" }).click();
  await page.getByRole("button", { name: "The reset and 1 step are equal" }).waitFor();
  const rows = page.locator(".pairs-of-steps > li");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.nth(0).innerText()).toMatch(/step 2[\s\S]*wait/);
  expect(await page.getByRole("region", { name: "Left" }).innerText()).toContain("before, sample 2");
  await page.goto(`${url}/ui/#/runs?a=before&b=after`);
  await page.getByRole("link", { name: "▼ broken" }).click();
  await expect.poll(() => page.getByRole("region", { name: "Right" }).innerText()).toContain("after, sample 1");
  await expect
    .poll(() => rows.nth(0).locator("mark").allInnerTexts())
    .toEqual(expect.arrayContaining(["take", "sleep"]));
  await expectAccessible(page);
  await keepScreenshot(page, "samples-compared");
  await page.getByRole("region", { name: "Right" }).getByRole("link").click();
  await page.getByRole("region", { name: "Transcript" }).getByText("You sleep.").waitFor();
});
