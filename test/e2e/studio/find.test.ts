/** The dialogs that keys open on every page: the search over everything, and the list of keys. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import { createEpisode, playSteps } from "../../support/played.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Find" });
const option = (page: Page, name: string | RegExp) => dialog(page).getByRole("option", { name });

async function findFor(page: Page, words: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await dialog(page).getByRole("combobox").fill(words);
}

testStudio("Ctrl+K finds pages, environments, runs, episodes and tasks, by keyboard alone", async () => {
  const runs = scratch();
  mkdirSync(join(runs, "nightly-craft"));
  writeFileSync(join(runs, "nightly-craft", "run.json"), "{}");
  const { url } = await serve({ env: { PALESTRA_RUNS: runs } });
  const episodeId = await createEpisode(url);
  const page = await openStudio(url);
  await page.locator(".connection.open").waitFor();

  await findFor(page, "craft");
  await option(page, /^environment textcraft@1/).waitFor();
  await option(page, "run nightly-craft").waitFor();
  await option(page, /^episode .*textcraft@1 all 0/).waitFor();
  await option(page, /^task textcraft@1/)
    .first()
    .waitFor();
  await expectAccessible(page);
  await keepScreenshot(page, "find");
  const chosen = () => dialog(page).getByRole("option", { selected: true }).innerText();
  expect(await chosen()).toContain("textcraft@1");
  await page.keyboard.press("ArrowDown");
  await expect.poll(chosen).toContain("textcraft-pair@1");
  await page.keyboard.press("ArrowDown");
  await expect.poll(chosen).toContain("nightly-craft");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("#/runs/nightly-craft");
  expect(await dialog(page).count()).toBe(0);

  await findFor(page, episodeId);
  await option(page, new RegExp(`^episode ${episodeId}`)).click();
  await page.getByRole("textbox", { name: "Action" }).waitFor();

  await findFor(page, "textcraft chest");
  await option(page, /^task textcraft@1 .* chest/i)
    .first()
    .click();
  await expect.poll(() => page.getByRole("searchbox", { name: "Search tasks" }).inputValue()).toMatch(/chest/i);
  await page
    .getByRole("button", { name: /^Start task/ })
    .first()
    .waitFor();

  await findFor(page, "no such words anywhere");
  await dialog(page).getByText("Nothing found.").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => dialog(page).count()).toBe(0);
});

testStudio("Ctrl+K pressed at once after a choice opens the search, and it stays open", async () => {
  const { url } = await serve();
  const page = await openStudio(url);
  await page.locator(".connection.open").waitFor();
  await findFor(page, "textcraft");
  await option(page, /^environment textcraft@1/).waitFor();
  const turns = await page.evaluate<number>(`(async () => {
    const press = (target, init) =>
      target.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
    press(document.querySelector("dialog input"), { key: "Enter" });
    let waited = 0;
    // Only microtasks run here, so that the old dialog's event of closing is still to come.
    for (; document.querySelector("dialog") && waited < 1000; waited++) await Promise.resolve();
    press(document.body, { key: "k", ctrlKey: true });
    await new Promise((resolve) => setTimeout(resolve, 200));
    return waited;
  })()`);
  expect(turns).toBeLessThan(1_000);
  expect(await dialog(page).count()).toBe(1);
});

testStudio("`?` lists the keys of the page, which do nothing meanwhile, in a narrow dark window, too", async () => {
  const { url } = await serve();
  const episodeId = await createEpisode(url);
  await playSteps(url, episodeId, 0, 3);
  const page = await openStudio(url, `#/episodes/${episodeId}?step=1`, { width: 390, height: 844 });
  await page.getByRole("region", { name: "Step 1", exact: true }).waitFor();
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByRole("row", { name: "j ↓ → next step" }).waitFor();
  await keys.getByRole("row", { name: /^Ctrl K find/ }).waitFor();
  await page.keyboard.press("j");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(page);
  await keepScreenshot(page, "keys-narrow-dark");
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  await page.keyboard.press("Escape");
  await expect.poll(() => keys.count()).toBe(0);
  expect(page.url()).toContain("step=1");
  await page.keyboard.press("j");
  await page.getByRole("region", { name: "Step 2", exact: true }).waitFor();

  await page.getByRole("textbox", { name: "Action" }).or(page.getByRole("searchbox")).first().fill("what");
  await page.keyboard.press("?");
  expect(await keys.count()).toBe(0);
  await page.getByRole("button", { name: /^Find/ }).click();
  await dialog(page).getByRole("combobox").fill("judge");
  await option(page, "page Judge").click();
  await expect.poll(() => page.title()).toBe("Judge · Palestra");
  await page.keyboard.press("?");
  await keys.getByRole("row", { name: "4 both bad" }).waitFor();
});
