/** Texts of an environment that attack the studio: nothing runs, nothing is requested, and the layout holds. */
import { expect } from "vitest";
import { fixture } from "../../support/gym.js";
import { callGym as call, expectUnharmed, openHostile } from "../../support/hostile.js";
import { serve } from "../../support/serving.js";
import { testStudio } from "../../support/studio.js";

const environmentModules = [fixture("sly-texts")];

for (const width of [1_280, 360]) {
  testStudio(`an environment's texts are shown as text at ${width} pixels`, async () => {
    const { url } = await serve({ environmentModules });
    for (const place of ["environments", "environments/sly-texts@1"]) {
      const watched = await openHostile(`${url}/ui/`, `#/${place}`, width, `${place.replaceAll("/", "-")}-${width}`);
      await watched.page.getByRole("heading").first().waitFor();
      await watched.page.getByText("gnp.exe").first().waitFor({ state: "attached" });
      for (const summary of await watched.page.locator("main summary").all()) await summary.click();
      await expectUnharmed(watched, "page");
    }
  });

  testStudio(`an episode's texts are shown as text at ${width} pixels`, async () => {
    const { url } = await serve({ environmentModules });
    const environment = "sly-texts@1";
    const { episodeId } = await call<{ episodeId: string }>(url, "/v1/episodes", { environment, task: { index: 0 } });
    const actions = [..."0123456789", "long line", "many lines", "<b>bold</b>\u202e\u0000\ud800".toWellFormed()];
    for (const [index, action] of actions.entries())
      await call(url, `/v1/episodes/${episodeId}/step`, { index, action });
    const watched = await openHostile(`${url}/ui/`, `#/episodes/${episodeId}?step=0`, width, `episode-${width}`);
    const { page } = watched;
    for (let at = 0; at <= actions.length; at++) {
      await page.getByRole("region", { name: `Step ${at}`, exact: true }).waitFor();
      for (const summary of await page.locator(".step-view details:not([open]) > summary").all()) await summary.click();
      await expectUnharmed(watched, `step-${at}`);
      await page.keyboard.press("j");
    }
    await page.getByRole("button", { name: "Raw" }).click();
    await expectUnharmed(watched, "raw");
    await page.getByRole("button", { name: "Raw" }).click();
    await page.getByRole("button", { name: "ask", exact: true }).click();
    await page.getByRole("region", { name: "Queries" }).getByRole("status").waitFor();
    await page.getByRole("combobox", { name: "Tool" }).selectOption("attack");
    await expectUnharmed(watched, "play");
    await page.getByRole("combobox", { name: "Tool" }).selectOption("");
    await page.getByRole("textbox", { name: "Action" }).fill("throw");
    await page.getByRole("textbox", { name: "Action" }).press("Enter");
    await page.getByRole("alert").first().waitFor();
    await expectUnharmed(watched, "failed");
  });
}

testStudio("a line of a megabyte is shown in full without a long freeze", async () => {
  const { url } = await serve({ environmentModules });
  const environment = "sly-texts@1";
  const { episodeId } = await call<{ episodeId: string }>(url, "/v1/episodes", { environment, task: { index: 0 } });
  await call(url, `/v1/episodes/${episodeId}/step`, { index: 0, action: "long line" });
  const { page } = await openHostile(`${url}/ui/`, `#/episodes/${episodeId}`, 1_280, "long-line");
  const observation = page.locator(".observation");
  expect((await observation.innerText()).length).toBeLessThan(40_000);
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  /** Returns the seconds of processor time of the page's tasks. */
  const busy = async () =>
    (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value as number;
  const before = await busy();
  await observation.getByRole("button", { name: /^Show all 1\.0 M characters$/ }).click();
  await page.waitForFunction('document.querySelector(".observation").textContent.length > 2 ** 20');
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  expect((await busy()) - before).toBeLessThan(3);
});
