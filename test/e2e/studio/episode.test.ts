/** The pages of an episode, of environments and of comparisons, driven as a user does. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { expect } from "vitest";
import { fixture } from "../../support/gym.js";
import { play as playOver } from "../../support/played-over-http.js";
import { serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const env = { PALESTRA_LOCAL_EXPERT: "true" };

function play(url: string, environment: string, actions: readonly string[], body: object = {}): Promise<string> {
  return playOver(url, actions, { environment, task: { index: 0 }, ...body });
}

function step(page: Page, at: number) {
  return page.getByRole("region", { name: `Step ${at}`, exact: true });
}

testStudio("an episode is searched by keys, with the match marked and in view", async () => {
  const { url } = await serve();
  const actions = Array.from({ length: 60 }, (_, i) => (i === 40 ? "examine the needle" : "inventory"));
  const id = await play(url, "textcraft", actions, { maxSteps: 100 });
  const page = await openStudio(url, `#/episodes/${id}?step=3`);
  await step(page, 3).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("NEEDLE");
  await step(page, 41).waitFor();
  await page.locator(".step-view mark").first().waitFor();
  expect(await page.locator(".step-view mark").first().innerText()).toBe("needle");
  await expect.poll(() => page.getByRole("search").getByRole("status").innerText()).toMatch(/^1 of \d+$/);
  await expectAccessible(page);
  await keepScreenshot(page, "episode-search");
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("carrying anything");
  await expect.poll(() => page.getByRole("search").getByRole("status").innerText()).toBe("41 of 59");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.getByRole("search").getByRole("status").innerText()).toBe("42 of 59");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Shift+Enter");
  await expect.poll(() => page.getByRole("search").getByRole("status").innerText()).toBe("40 of 59");
  await step(page, 40).waitFor();
});

testStudio("a replay verifies an episode step by step, and shows both texts of a difference", async () => {
  const { url } = await serve({ environmentModules: [fixture("faulty"), fixture("unrestorable")] });
  const proved = await play(url, "sciworld", ["look around", "inventory", "open door to kitchen"]);
  const page = await openStudio(url, `#/episodes/${proved}`);
  await page.getByRole("button", { name: "Replay and prove" }).click();
  await page.getByText("Proved: the reset and 3 steps gave the bytes in the log.").waitFor();
  expect(await page.getByRole("list", { name: "Steps" }).getByRole("img", { name: "equal" }).count()).toBe(4);
  await expectAccessible(page);
  await keepScreenshot(page, "episode-proved");

  const diverging = await play(url, "faulty", ["on", "diverge", "on"]);
  await page.goto(`${url}/ui/#/episodes/${diverging}`);
  await step(page, 3).waitFor();
  await page.getByRole("button", { name: "Replay and prove" }).click();
  await page.getByText("Different after 2 of 3 steps.").waitFor();
  await page.getByRole("region", { name: "In the log" }).getByText("it is").waitFor();
  await page.getByRole("region", { name: "Replayed" }).getByText("it is").waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "episode-different");
  await page.getByRole("region", { name: "Replay", exact: true }).getByRole("button", { name: "Step 2" }).click();
  await step(page, 2).waitFor();

  const lost = await play(url, "unrestorable", ["on"]);
  await page.goto(`${url}/ui/#/episodes/${lost}`);
  await page.getByText("This environment cannot be replayed").waitFor();
  expect(await page.getByRole("button", { name: "Replay and prove" }).isDisabled()).toBe(true);
});

testStudio("an episode is played by hand with tools, queries, pictures, history and the expert", async () => {
  const { url } = await serve({ env });
  const id = await play(url, "babyai", [], { options: { actions: "primitive" } });
  const page = await openStudio(url, `#/episodes/${id}`);
  await page.getByRole("img", { name: "Picture of the present state" }).waitFor();
  await page.getByRole("button", { name: "Ask the expert" }).click();
  await page.getByRole("button", { name: /^Play (?!on)/ }).click();
  await step(page, 1).waitFor();
  const action = page.getByRole("textbox", { name: "Action" });
  await action.press("ArrowUp");
  expect(await action.inputValue()).not.toBe("");
  await action.press("ArrowDown");
  expect(await action.inputValue()).toBe("");
  const tool = page.getByRole("combobox", { name: "Tool" });
  const names = await tool.getByRole("option").allInnerTexts();
  await tool.selectOption(names[1] as string);
  await expectAccessible(page);
  await keepScreenshot(page, "play-by-hand");
  const queries = page.getByRole("region", { name: "Queries" });
  if ((await queries.count()) > 0) {
    await queries.getByRole("button").first().click();
    await queries.getByRole("status").waitFor();
  }
  await page.getByRole("button", { name: "Raw" }).click();
  await page.locator(".step-view").getByText('"observation"').waitFor();
});

testStudio("the expert's advice is explained to callers without the right", async () => {
  const { url } = await serve();
  const id = await play(url, "textcraft", []);
  const page = await openStudio(url, `#/episodes/${id}`, { expected: /status of 403/ });
  await page.getByRole("button", { name: "Ask the expert" }).click();
  await page.getByText("The expert needs a token with the right").waitFor();
});

testStudio("a task is found by its text and started with options", async () => {
  const { url } = await serve();
  const page = await openStudio(url, "#/environments");
  await page.getByRole("searchbox", { name: "Search environments" }).fill("grid of rooms");
  await expect.poll(() => page.locator(".environments > li").count()).toBe(1);
  await page.getByRole("searchbox", { name: "Search environments" }).fill("");
  await expectAccessible(page);
  await keepScreenshot(page, "environments");
  await page.goto(`${url}/ui/#/environments/babyai%401?split=test`);
  await page.getByRole("searchbox", { name: "Search tasks" }).fill("purple ball");
  const tasks = page.getByRole("list", { name: "Tasks" }).getByRole("listitem");
  await expect.poll(async () => (await tasks.allInnerTexts()).every((text) => text.includes("purple ball"))).toBe(true);
  await page.getByRole("spinbutton", { name: "seed" }).fill("41");
  await page.getByRole("combobox", { name: "picture" }).selectOption("svg");
  await expectAccessible(page);
  await keepScreenshot(page, "environment");
  await tasks.first().getByRole("button").click();
  await page.getByRole("img", { name: "picture 1 of the observation" }).waitFor();
  await page.getByText("seed 41").waitFor();
  await keepScreenshot(page, "episode-picture");
  // The picture's base64 would fill the view, so it is a size and a button.
  await page.getByRole("button", { name: "Raw" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download file 1" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("file-1.svg");
  expect(readFileSync(await download.path(), "utf8")).toContain("<svg");
  expect(await page.locator(".step-view").innerText()).toMatch(/"file 1: [\d.]+ kB as base64"/);
  expect(await page.locator(".step-view pre").first().innerText()).not.toMatch(/[A-Za-z0-9+/]{1000}/);
  await expectAccessible(page);
});

testStudio("a task's episodes are compared as a table, a tree and side by side", async () => {
  const { url } = await serve();
  const left = await play(url, "textcraft", ["inventory", "get 1 oak log", "inventory"]);
  const right = await play(url, "textcraft", ["inventory", "get 2 oak log", "inventory", "inventory"]);
  await play(url, "textcraft", ["inventory", "get 2 oak log", "craft 1 stick using 2 oak log"]);
  const page = await openStudio(url, `#/episodes/${left}`);
  await page.getByRole("link", { name: "Compare episodes of this task" }).click();
  await page.getByText("3 episodes, mean return").waitFor();
  const tree = page.getByRole("tree");
  await tree.getByRole("treeitem").nth(4).waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "compare-group");
  await tree.getByRole("treeitem").first().focus();
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => tree.getByRole("treeitem").count()).toBe(1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("End");
  const last = await tree.getByRole("treeitem").last().innerText();
  expect(await page.evaluate("document.activeElement.innerText")).toBe(last);
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/episodes\/[^/]+\?step=2$/);
  await page.goBack();
  await tree.getByRole("treeitem").nth(4).waitFor();

  await page.getByRole("radio", { name: `${right} right` }).check();
  await page.getByRole("button", { name: "Compare side by side" }).click();
  await page.getByRole("button", { name: "The reset and 1 step are equal" }).waitFor();
  const rows = page.locator(".pairs-of-steps > li");
  expect(await rows.first().innerText()).toMatch(/get 1 oak log[\s\S]*get 2 oak log/);
  expect(await rows.count()).toBe(3);
  await expectAccessible(page);
  await keepScreenshot(page, "compare-sides");
  await page.getByRole("button", { name: "The reset and 1 step are equal" }).click();
  await expect.poll(() => rows.count()).toBe(5);
});

testStudio("the list of episodes is filtered, and its rows show phase and steps", async () => {
  const { url } = await serve();
  await play(url, "textcraft", ["inventory"], { seed: 91 });
  await play(url, "sciworld", ["look around", "inventory"]);
  const page = await openStudio(url, "#/episodes");
  const list = page.getByRole("list", { name: "Episodes" });
  await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
  expect(await list.getByRole("listitem").first().innerText()).toMatch(/running[\s\S]*sciworld@1[\s\S]*2 steps/);
  const row = await list.getByRole("link").first().boundingBox();
  expect(row?.height, "a row covers the next one").toBe(32);
  await expectAccessible(page);
  await keepScreenshot(page, "episodes");
  await page.getByRole("searchbox", { name: "Text in goal, id, task, seed or options" }).fill("seed 91");
  await expect.poll(() => list.getByRole("listitem").allInnerTexts()).toEqual([expect.stringContaining("textcraft@1")]);
  await page.getByRole("searchbox", { name: "Environment" }).fill("sciworld");
  await page.getByText("No episode passes the filter.").waitFor();
});

testStudio("the pages fit a window of 360 pixels", async () => {
  const { url } = await serve();
  const id = await play(url, "sciworld", ["look around", "inventory"]);
  const other = await play(url, "sciworld", ["look around", "look around"]);
  const places = {
    episode: `episodes/${id}`,
    episodes: "episodes",
    environments: "environments",
    environment: "environments/sciworld%401",
    group: "compare?environment=sciworld%401&split=agentgym&task=0",
    sides: `compare?left=${id}&right=${other}`,
  };
  for (const [name, place] of Object.entries(places)) {
    const page = await openStudio(url, `#/${place}`, { width: 360, height: 740 });
    await page.getByRole("heading").first().waitFor();
    await page.getByText("Loading…").waitFor({ state: "detached" });
    await keepScreenshot(page, `narrow-${name}`);
    const overflow = "[...document.querySelectorAll('html, main')].map((each) => each.scrollWidth - each.clientWidth)";
    expect(await page.evaluate(overflow), name).toEqual([0, 0]);
    await expectAccessible(page);
    await page.close();
  }
});
