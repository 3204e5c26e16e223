/** Why an episode failed, and where two episodes part: the answers that a reader finds from the overview in two clicks. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { play } from "../../support/played-over-http.js";
import { serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const env = { PALESTRA_LOCAL_EXPERT: "true" };

async function expectFits(page: Page): Promise<void> {
  const overflow = "[...document.querySelectorAll('html, main')].map((each) => each.scrollWidth - each.clientWidth)";
  expect(await page.evaluate(overflow)).toEqual([0, 0]);
}

const math = { environment: "math", task: { split: "test", index: 0 } };

for (const width of [1440, 390])
  testStudio(`two clicks from the overview say why an episode failed, in a window of ${width} pixels`, async () => {
    const { url } = await serve({ env });
    await play(url, ["Thought:\nI guess.\n\nAction:\nsubmit 1"], { ...math, format: "react", maxSteps: 1 });
    const page = await openStudio(url, "", { width, height: 800 });
    await page.getByRole("link", { name: "Episodes", exact: true }).click();
    const row = page.getByRole("list", { name: "Episodes" }).getByRole("link").first();
    expect(await row.innerText()).toMatch(/failed[\s\S]*A desk of 160 dollars/);
    await row.click();
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.waitFor();
    expect(await verdict.innerText()).toMatch(/failed[\s\S]*Answered 1, expected \d+\./);
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toContain("A desk of 160 dollars");
    const step = page.getByRole("region", { name: "Step 1", exact: true });
    expect(await step.locator(".thought").innerText()).toBe("I guess.");
    expect(await step.locator(".acted").innerText()).toContain("submit 1");
    await expectFits(page);
    await expectAccessible(page);
    await keepScreenshot(page, `why-failed-${width}`);
  });

testStudio(
  "a repeated action, an unread reply and the limit are marked, and a note is kept and found by its tag",
  async () => {
    const { url } = await serve({ env });
    const body = { environment: "textcraft", task: { index: 2 }, maxSteps: 4, format: "react" };
    const action = "Action:\ninventory";
    const id = await play(url, [action, action, "I have no idea what to write here, Action:", action], body);
    await play(url, ["inventory"], { environment: "textcraft", task: { index: 2 }, maxSteps: 1 });
    const page = await openStudio(url, `#/episodes/${id}`);
    const step = (at: number) => page.getByRole("region", { name: `Step ${at}`, exact: true });
    await step(2).getByText("repeats step 1").waitFor();
    await step(3).getByText("no action read").waitFor();
    await step(4).getByText("limit reached").waitFor();
    expect(await page.getByRole("region", { name: "Verdict" }).innerText()).toMatch(/failed[\s\S]*limit reached/);
    await page.getByRole("button", { name: "Write a note on step 3" }).click();
    await page.getByRole("textbox", { name: "Note", exact: true }).fill("It stops writing actions.");
    await page.getByRole("textbox", { name: "Tags, separated by commas" }).fill("unread, odd");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save" }).click();
    await step(3).getByText("It stops writing actions.").waitFor();
    await page.reload();
    await step(3).getByText("It stops writing actions.").waitFor();
    await keepScreenshot(page, "episode-note");
    await step(3).getByRole("link", { name: "odd" }).click();
    await page.waitForURL(/#\/episodes\?tag=odd$/);
    const rows = page.getByRole("list", { name: "Episodes" }).getByRole("link");
    await expect.poll(() => rows.count()).toBe(1);
  },
);

testStudio("the table of episodes is filtered and ordered, at an address that can be shared", async () => {
  const { url } = await serve({ env });
  for (const maxSteps of [1, 3, 2])
    await play(url, Array(maxSteps).fill("inventory"), { environment: "textcraft", task: { index: 0 }, maxSteps });
  await play(url, ["inventory"], { environment: "textcraft", task: { index: 1 }, policy: "ours" });
  const page = await openStudio(url, "#/episodes");
  const rows = page.getByRole("list", { name: "Episodes" }).getByRole("link");
  await expect.poll(() => rows.count()).toBe(4);
  await page.getByRole("button", { name: "Steps", exact: true }).click();
  await expect
    .poll(async () => (await rows.allInnerTexts()).map((text) => /\d steps?/.exec(text)?.[0]))
    .toEqual(["3 steps", "2 steps", "1 step"]);
  await page.getByRole("combobox", { name: "Order" }).selectOption("");
  await page.getByRole("combobox", { name: "Outcome" }).selectOption("running");
  await expect.poll(() => rows.count()).toBe(1);
  // The fields follow the address, so that a link to all episodes shows all of them.
  const text = page.getByRole("searchbox", { name: /^Text in goal/ });
  await page.getByRole("navigation").getByRole("link", { name: "Episodes" }).click();
  await expect.poll(() => rows.count()).toBe(4);
  const goal = (await rows.first().locator("bdi").first().innerText()).split(" ");
  await text.fill([...goal].reverse().join(" "));
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("navigation").getByRole("link", { name: "Episodes" }).click();
  await expect.poll(() => rows.count()).toBe(4);
  expect(await text.inputValue()).toBe("");
  await page.getByRole("searchbox", { name: "Environment" }).fill("textcraft");
  await page.waitForURL(/#\/episodes\?environment=textcraft$/);
  await page.getByRole("combobox", { name: "Outcome" }).selectOption("running");
  await page.waitForURL(/#\/episodes\?environment=textcraft&outcome=running$/);
  await expect.poll(() => rows.count()).toBe(1);
  const shared = await openStudio(url, new URL(page.url()).hash);
  await expect.poll(() => shared.getByRole("list", { name: "Episodes" }).getByRole("link").count()).toBe(1);
  await expectAccessible(shared);
  await keepScreenshot(shared, "episodes-filtered");
});

testStudio("two episodes are paired by their actions, with the differing words marked", async () => {
  const { url } = await serve({ env });
  const body = { environment: "textcraft", task: { index: 0 }, maxSteps: 9 };
  const left = await play(url, ["inventory", "get 1 dirt", "inventory", "fly"], body);
  const right = await play(url, ["inventory", "inventory", "fly"], body);
  const page = await openStudio(url, `#/compare?left=${left}&right=${right}`);
  const rows = page.locator(".pairs-of-steps > li");
  await page.getByRole("button", { name: "The reset and 1 step are equal" }).waitFor();
  await expect.poll(() => rows.count()).toBe(3);
  expect(await rows.nth(0).innerText()).toMatch(/step 2[\s\S]*get 1 dirt/);
  expect(await rows.nth(1).innerText()).toMatch(/step 3[\s\S]*step 2/);
  expect(await rows.nth(2).innerText()).toMatch(/step 4[\s\S]*step 3/);
  await page.goto(`${url}/ui/#/compare?left=${left}&right=${await play(url, ["inventory", "get 2 dirt"], body)}`);
  await expect.poll(() => page.locator(".pairs-of-steps mark").first().innerText()).toBe("1");
  await expectAccessible(page);
  await keepScreenshot(page, "compare-aligned");
});
