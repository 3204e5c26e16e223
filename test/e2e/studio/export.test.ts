/** Exported episodes, saved on the episode page and opened as files. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { play as playOver } from "../../support/played-over-http.js";
import { root } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openBrowser, openStudio, testStudio } from "../../support/studio.js";
import { unzip } from "../../support/unzip.js";

const painter = join(root, "test/fixtures/environments/painter.mjs");

/** Texts that could end the element with the data, open a comment, break lines, or take long. */
const hostile = [
  "</script><script>window.ran = 1</script>",
  "<!-- <script> --!> ]]>",
  "before\u2028after\u2029end",
  "a lone \ud800 surrogate",
  '<img src=x onerror="window.ran = 2">',
  "x".repeat(2 ** 20),
];

function play(url: string, actions: readonly string[], maxSteps: number): Promise<string> {
  return playOver(url, actions, { environment: "painter", task: { index: 0 }, maxSteps });
}

testStudio(
  "an episode is saved from its page, and its HTML file shows it with pictures, scrubbing and search",
  async () => {
    const { url } = await serve({ environmentModules: [painter] });
    const id = await play(url, ["red", "green", "blue"], 10);
    const studio = await openStudio(url, `#/episodes/${id}`);
    await studio.getByText("Export", { exact: true }).click();
    await expectAccessible(studio);
    await keepScreenshot(studio, "export-menu");
    const folder = scratch();
    const save = async (name: string) => {
      const [download] = await Promise.all([
        studio.waitForEvent("download"),
        studio.getByRole("link", { name }).click(),
      ]);
      await download.saveAs(join(folder, download.suggestedFilename()));
      return download.suggestedFilename();
    };
    expect(await save("HTML page")).toBe(`palestra-${id}.html`);
    expect(await save("Inspect log")).toBe(`palestra-${id}.eval`);
    expect([...unzip(readFileSync(join(folder, `palestra-${id}.eval`))).keys()]).toContain("header.json");
    await studio.keyboard.press("Escape");
    expect(await studio.getByRole("link", { name: "HTML page" }).isVisible()).toBe(false);

    const page = await openBrowser();
    await page.goto(pathToFileURL(join(folder, `palestra-${id}.html`)).href);
    const steps = page.getByRole("list", { name: "Steps" }).getByRole("listitem");
    await expect.poll(() => steps.count()).toBe(4);
    expect(await steps.last().innerText()).toMatch(/Step 3[\s\S]*blue[\s\S]*You said blue\./);
    await page.getByRole("link", { name: "Step by step" }).click();
    await page.locator(".step-view .picture").waitFor();
    await page.locator(".step-view").getByText("You said blue.").waitFor();
    await page.keyboard.press("k");
    await page.locator(".step-view").getByText("You said green.").waitFor();
    await page.getByRole("slider").fill("1");
    await page.locator(".step-view").getByText("You said red.").waitFor();
    await page.getByRole("searchbox").fill("green");
    await page.keyboard.press("Enter");
    await page.locator(".step-view").getByText("You said green.").waitFor();
    await expectAccessible(page);
    await keepScreenshot(page, "export-html");
  },
);

testStudio("hostile texts run nothing in an exported page", async () => {
  const { url } = await serve({ environmentModules: [painter] });
  const id = await play(url, hostile, 100);
  const path = join(scratch(), "hostile.html");
  writeFileSync(path, Buffer.from(await (await fetch(`${url}/v1/episodes/${id}/export?format=html`)).arrayBuffer()));
  const page = await openBrowser();
  await page.goto(pathToFileURL(path).href);
  const view = page.locator(".step-view");
  for (const [index, text] of hostile.entries()) {
    await page.getByRole("slider").fill(`${index + 1}`);
    await view.getByText(text.slice(0, 6)).first().waitFor();
    await view.getByText("You said").first().waitFor();
  }
  expect(await page.evaluate("window.ran")).toBeUndefined();
  await expectAccessible(page);
});
