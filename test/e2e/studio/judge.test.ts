/** Judging pairs of episodes, as several people do with one token. */
import { join } from "node:path";
import { expect } from "vitest";
import { root } from "../../support/server-process.js";
import { serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const painter = join(root, "test/fixtures/environments/painter.mjs");

async function call(url: string, path: string, body: object) {
  const reply = await fetch(`${url}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  expect(reply.status).toBe(200);
  return reply.json() as Promise<{ episodeId: string }>;
}

async function paint(url: string, index: number, actions: readonly string[]): Promise<string> {
  const { episodeId } = await call(url, "/v1/episodes", { environment: "painter", task: { index } });
  for (const [at, action] of actions.entries())
    await call(url, `/v1/episodes/${episodeId}/step`, { index: at, action });
  return episodeId;
}

testStudio("two raters judge the same pair blind, by mouse and by keyboard, and see their agreement", async () => {
  const { url } = await serve({ environmentModules: [painter] });
  const hostile = '<img src=x onerror="window.ran = 1">';
  const solved = await paint(url, 0, ["red", hostile, "blue"]);
  const truncated = await paint(url, 0, ["red", "red", "red", "red"]);
  const page = await openStudio(url, "#/judge");
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Begin" }).click();

  const sides = page.locator(".judge-sides");
  await sides.getByText("You said blue.").waitFor();
  await page.getByText("Goal picture 0").waitFor();
  const blind = await page.locator("main").innerText();
  for (const hidden of [solved, truncated, "0.5", "terminated", "truncated"]) expect(blind).not.toContain(hidden);
  await expectAccessible(page);
  await keepScreenshot(page, "judge");

  await page.getByLabel("Note").fill("It paints both.");
  const isLeft = (await page.getByRole("region", { name: "Left" }).innerText()).includes("You said blue.");
  await page.getByRole("button", { name: isLeft ? "Left is better" : "Right is better" }).click();
  await sides.getByText("return 1 · terminated").waitFor();
  await sides.getByText("return 0.5 · truncated").waitFor();
  await sides.getByRole("link", { name: solved }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "judge-verdict");
  await page.keyboard.press("Enter");
  await page.getByText("There is no pair left to judge.").waitFor();

  await page.getByRole("button", { name: "Change name" }).click();
  await page.getByLabel("Your name").fill("Bob");
  await page.keyboard.press("Enter");
  await sides.getByText("You said blue.").waitFor();
  await page.keyboard.press("4");
  await page.getByText("Kept: both bad.").waitFor();
  await page.getByRole("link", { name: "Agreement" }).click();
  await page.getByRole("row", { name: "Ada and Bob 1 0 %" }).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "judge-agreement");

  const { judgments } = (await (await fetch(`${url}/v1/judgments`)).json()) as { judgments: Record<string, string>[] };
  expect(judgments.map(({ rater, choice, note }) => [rater, choice, note])).toEqual([
    ["Bob", "bad", ""],
    ["Ada", isLeft ? "left" : "right", "It paints both."],
  ]);
  expect(await page.evaluate("window.ran")).toBeUndefined();
});

testStudio("a pair fits a narrow window, and the name outlasts a reload", async () => {
  const { url } = await serve({ environmentModules: [painter] });
  await paint(url, 0, ["red", "blue"]);
  await paint(url, 0, ["blue", "red"]);
  const page = await openStudio(url, "#/judge?environment=painter", { width: 360, height: 740 });
  await page.getByLabel("Your name").fill("Ada");
  await page.getByRole("button", { name: "Begin" }).click();
  await page.getByRole("button", { name: "Both bad" }).waitFor();
  await page.reload();
  await page.getByText("You said blue.").first().waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  await expectAccessible(page);
  await keepScreenshot(page, "judge-narrow");
});
