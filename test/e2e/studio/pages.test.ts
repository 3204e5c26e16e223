/** The studio's pages, driven as a user does. */
import { expect } from "vitest";
import { serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

testStudio("an episode is started from a task, played by hand, and forked", async () => {
  const { url } = await serve();
  const page = await openStudio(url, "#/environments");
  await page.getByRole("link", { name: "textcraft@1" }).click();
  await page.getByRole("button", { name: "Start" }).first().click();
  const steps = page.getByRole("list", { name: "Steps" });
  await steps.getByText("reset").waitFor();

  await page.getByRole("textbox", { name: "Action" }).fill("inventory");
  await page.getByRole("textbox", { name: "Action" }).press("Enter");
  await steps.getByText("inventory").waitFor();
  await expect
    .poll(() => page.locator(".observation").innerText())
    .toContain("Inventory: You are not carrying anything.");
  await expectAccessible(page);
  await keepScreenshot(page, "episode");

  const id = page.url().split("/").at(-1);
  await page.keyboard.press("Escape");
  await page.locator("h1").click();
  await page.keyboard.press("k");
  await page.getByRole("button", { name: "Fork from here" }).click();
  await page.getByText("forked from").waitFor();
  expect(page.url()).not.toContain(id);
});
