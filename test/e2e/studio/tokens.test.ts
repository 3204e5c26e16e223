/** The studio of a gym that asks for tokens, and of a gym that starts again. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { palestra } from "../../support/palestra.js";
import { scratch, serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openBrowser, openStudio, testStudio } from "../../support/studio.js";

// The browser itself logs each refused request.
const expected = /^Failed to load resource: |ERR_/;
const required = { PALESTRA_AUTH: "required" };

async function createToken(dataDir: string): Promise<string> {
  const { stdout } = await palestra(["--data-dir", dataDir, "token", "create", "--name", "Ada"]);
  return /pal_\S+/.exec(stdout)?.[0] as string;
}

testStudio("a gym that asks for a token offers a form, which opens the same place below the token", async () => {
  const dataDir = scratch();
  const { url } = await serve({ dataDir, env: required });
  const page = await openStudio(url, "#/environments", { expected });
  await page.getByRole("heading", { name: "This gym asks for a token" }).waitFor();
  expect(await page.getByRole("status").innerText()).toBe("The gym asks for a token");
  expect(await page.locator("main").innerText()).toContain("palestra token create --name");
  await expectAccessible(page);
  await keepScreenshot(page, "token-form");

  await page.getByLabel("Token").fill("pal_wrong");
  await page.getByRole("button", { name: "Open the studio" }).click();
  await page.getByRole("alert").getByText("TOKEN_INVALID").waitFor();
  const token = await createToken(dataDir);
  await page.getByLabel("Token").fill(` ${token} `);
  await page.getByRole("button", { name: "Open the studio" }).click();
  await page.getByRole("link", { name: "textcraft@1" }).waitFor();
  expect(page.url()).toBe(`${url}/t/${token}/ui/#/environments`);
  await expect.poll(() => page.locator(".connection").innerText()).toBe("Live");
});

testStudio(
  "the overview without a token shows the form instead of loading for ever, also in a narrow window",
  async () => {
    const { url } = await serve({ env: required });
    const page = await openStudio(url, "", { expected, width: 390, height: 844 });
    await page.getByRole("heading", { name: "This gym asks for a token" }).waitFor();
    expect(await page.getByText("Loading…").count()).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.emulateMedia({ colorScheme: "dark" });
    await expectAccessible(page);
    await keepScreenshot(page, "token-form-narrow-dark");
  },
);

testStudio(
  "a page of `palestra ui` goes on after a restart of the gym, and a revoked token leads to the form",
  async () => {
    const dataDir = scratch();
    const first = await serve({ dataDir, env: required });
    const port = Number(new URL(first.url).port);
    const { stdout } = await palestra(["--data-dir", dataDir, "ui", "--no-open"]);
    const page = await openBrowser({ expected });
    await page.goto(/http\S+/.exec(stdout)?.[0] as string);
    const status = page.locator(".connection");
    await expect.poll(() => status.innerText()).toBe("Live");
    await first.process.stop();
    await expect.poll(() => status.innerText()).toBe("Connection lost. Reconnecting…");
    await serve({ dataDir, port, env: required });
    await expect.poll(() => status.innerText()).toBe("Live");
    await page.reload();
    await page.getByRole("heading", { name: "Latest episodes" }).waitFor();
    await expect.poll(() => status.innerText()).toBe("Live");

    rmSync(join(dataDir, "studio-tokens.json"));
    const usage = page.url().replace(/ui\/.*/, "v1/usage");
    await expect.poll(async () => (await fetch(usage)).status, { timeout: 20_000 }).toBe(401);
    await page.reload();
    await page.getByRole("heading", { name: "This gym asks for a token" }).waitFor();
  },
);

testStudio("every page has its own title, and the tab has an icon", async () => {
  const { url } = await serve();
  const page = await openStudio(url);
  await expect.poll(() => page.title()).toBe("Overview · Palestra");
  const titles = {
    "#/episodes": "Episodes · Palestra",
    "#/environments": "Environments · Palestra",
    "#/environments/textcraft@1": "textcraft@1 · Environments · Palestra",
    "#/runs": "Runs · Palestra",
    "#/judge/agreement": "agreement · Judge · Palestra",
    "#/compare": "Compare · Palestra",
    "#/nothing": "No such page · Palestra",
  };
  for (const [place, title] of Object.entries(titles)) {
    await page.goto(`${url}/ui/${place}`);
    await expect.poll(() => page.title()).toBe(title);
  }
  const icon = await page.locator("link[rel=icon]").getAttribute("href");
  const shown = await openBrowser();
  await shown.setContent(`<img src="${icon}">`);
  const width = await shown
    .locator("img")
    .evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
  expect(width).toBeGreaterThan(0);
});
