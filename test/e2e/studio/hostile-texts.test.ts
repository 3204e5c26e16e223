/** Texts of an environment that attack the studio: nothing runs, nothing is requested, and the layout holds. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { fixture } from "../../support/gym.js";
import { serve } from "../../support/serving.js";
import { keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

const environmentModules = [fixture("sly-texts")];

/** Code for the page, which keeps breaches of the content security policy. */
const watchPolicy = `
  globalThis.violations = [];
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    violations.push(violatedDirective + " " + blockedURI));
`;

/** Code for the page, which returns whether a text has run, has become elements, or is wider than the page. */
const readState = `(() => {
  const main = document.querySelector("main");
  const elements = [...document.querySelectorAll("iframe, object, embed, base, link[rel=stylesheet], meta, style, script")];
  return {
    hacked: globalThis.hacked ?? null,
    violations,
    injected: elements.map(({ outerHTML }) => outerHTML).filter((text) => /javascript:|attacker|hacked|display:none/.test(text)),
    links: [...document.querySelectorAll("main a")].map(({ href }) => href).filter((href) => !href.startsWith(location.origin + "/")),
    overflow: [document.documentElement, document.body, main].map((each) => each.scrollWidth - each.clientWidth),
  };
})()`;

interface Watched {
  page: Page;
  /** Requests to other origins, dialogs, navigations and breaches of the content security policy. */
  breaches: string[];
}

async function open(url: string, place: string, width = 1_280): Promise<Watched> {
  // The last action makes the environment throw.
  const page = await openStudio(url, place, { width, expected: /status of 500/ });
  const breaches: string[] = [];
  page.on("request", (request) => {
    const target = request.url();
    if (!target.startsWith(`${url}/`) && !target.startsWith("data:")) breaches.push(`request ${target}`);
  });
  page.on("dialog", (dialog) => {
    breaches.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(`${url}/ui/`)) breaches.push(`navigation ${frame.url()}`);
  });
  await page.evaluate(watchPolicy);
  return { page, breaches };
}

async function expectUnharmed({ page, breaches }: Watched, name: string): Promise<void> {
  await keepScreenshot(page, `hostile-${name}`);
  const state = await page.evaluate(readState);
  expect(state, name).toEqual({ hacked: null, violations: [], injected: [], links: [], overflow: [0, 0, 0] });
  expect(breaches, name).toEqual([]);
}

async function call<T>(url: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    ...(body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  return response.json() as Promise<T>;
}

for (const width of [1_280, 360]) {
  testStudio(`an environment's texts are shown as text at ${width} pixels`, async () => {
    const { url } = await serve({ environmentModules });
    for (const place of ["environments", "environments/sly-texts@1"]) {
      const watched = await open(url, `#/${place}`, width);
      await watched.page.getByRole("heading").first().waitFor();
      await watched.page.getByText("gnp.exe").first().waitFor({ state: "attached" });
      for (const summary of await watched.page.locator("main summary").all()) await summary.click();
      await expectUnharmed(watched, `${place.replaceAll("/", "-")}-${width}`);
    }
  });

  testStudio(`an episode's texts are shown as text at ${width} pixels`, async () => {
    const { url } = await serve({ environmentModules });
    const environment = "sly-texts@1";
    const { episodeId } = await call<{ episodeId: string }>(url, "/v1/episodes", { environment, task: { index: 0 } });
    const actions = [..."0123456789", "long line", "many lines", "<b>bold</b>\u202e\u0000\ud800".toWellFormed()];
    for (const [index, action] of actions.entries())
      await call(url, `/v1/episodes/${episodeId}/step`, { index, action });
    const watched = await open(url, `#/episodes/${episodeId}?step=0`, width);
    const { page } = watched;
    for (let at = 0; at <= actions.length; at++) {
      await page.getByRole("region", { name: `Step ${at}`, exact: true }).waitFor();
      for (const summary of await page.locator(".step-view details:not([open]) > summary").all()) await summary.click();
      await expectUnharmed(watched, `step-${at}-${width}`);
      await page.keyboard.press("j");
    }
    await page.getByRole("button", { name: "Raw" }).click();
    await expectUnharmed(watched, `raw-${width}`);
    await page.getByRole("button", { name: "Raw" }).click();
    await page.getByRole("button", { name: "ask", exact: true }).click();
    await page.getByRole("region", { name: "Queries" }).getByRole("status").waitFor();
    await page.getByRole("combobox", { name: "Tool" }).selectOption("attack");
    await expectUnharmed(watched, `play-${width}`);
    await page.getByRole("combobox", { name: "Tool" }).selectOption("");
    await page.getByRole("textbox", { name: "Action" }).fill("throw");
    await page.getByRole("textbox", { name: "Action" }).press("Enter");
    await page.getByRole("alert").first().waitFor();
    await expectUnharmed(watched, `failed-${width}`);
  });
}

testStudio("a line of a megabyte is shown in full without a long freeze", async () => {
  const { url } = await serve({ environmentModules });
  const environment = "sly-texts@1";
  const { episodeId } = await call<{ episodeId: string }>(url, "/v1/episodes", { environment, task: { index: 0 } });
  await call(url, `/v1/episodes/${episodeId}/step`, { index: 0, action: "long line" });
  const { page } = await open(url, `#/episodes/${episodeId}`);
  const observation = page.locator(".observation");
  expect((await observation.innerText()).length).toBeLessThan(40_000);
  const begun = performance.now();
  await observation.getByRole("button", { name: /^Show all 1\.0 M characters$/ }).click();
  await page.waitForFunction('document.querySelector(".observation").textContent.length > 2 ** 20');
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  expect(performance.now() - begun).toBeLessThan(3_000);
});
