/** A page whose address has a token does not repeat it: a screenshot or a copied error would give it away. */
import { expect } from "vitest";
import { palestra } from "../../support/palestra.js";
import { scratch, serve } from "../../support/serving.js";
import { openBrowser, testStudio } from "../../support/studio.js";

/** Starts a gym, and opens its studio below the token of the gym's user. */
async function openWithToken(place: string, blocked: RegExp) {
  const dataDir = scratch();
  const gym = await serve({ dataDir });
  const { stdout } = await palestra(["--data-dir", dataDir, "ui", "--no-open"]);
  const [address = "", token = ""] = /http\S+\/t\/([^/\s]+)\/ui\//.exec(stdout) ?? [];
  expect(token.length).toBeGreaterThan(10);
  // The browser itself logs a failed request, in a text without the address.
  const page = await openBrowser({ expected: /^Failed to load resource: / });
  const logged: string[] = [];
  page.on("console", (message) => void logged.push(message.text()));
  page.on("pageerror", (error) => void logged.push(String(error)));
  await page.route(blocked, (route) => route.abort());
  await page.goto(`${address}${place}`);
  /** Returns all texts of the page and of its console. */
  const shown = async () => [await page.locator("body").innerText(), await page.title(), ...logged].join("\n");
  return { gym, page, token, shown };
}

testStudio("an error about a part that does not load names the address without the token", async () => {
  const { page, token, shown } = await openWithToken("#/runs", /assets\/pages-[^/]*\.js$/);
  const alert = page.getByRole("alert");
  await alert.getByText("/t/…/ui/assets/pages-").waitFor();
  expect(await alert.innerText()).toMatch(/http:\/\/127\.0\.0\.1:\d+\/t\/…\/ui\/assets\/pages-/);
  expect(await shown()).not.toContain(token);
  await alert.getByRole("button", { name: "Try again" }).waitFor();
});

testStudio("an error about a style sheet that does not load names no token", async () => {
  const { page, token, shown } = await openWithToken("#/runs", /assets\/pages-[^/]*\.css$/);
  await page
    .getByRole("alert")
    .or(page.getByRole("heading", { level: 1 }))
    .first()
    .waitFor();
  expect(await shown()).not.toContain(token);
});

testStudio("an error about a gym that has ended, or refuses the token, does not contain the token", async () => {
  const { gym, page, token, shown } = await openWithToken("#/runs", /nothing/);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.route(/\/v1\//, (route) => route.continue({ url: route.request().url().replace(token, "pal_other") }));
  await page.reload();
  const alert = page.getByRole("alert").first();
  await alert.getByText("TOKEN_INVALID").waitFor();
  expect(await shown()).not.toContain(token);
  await page.unrouteAll();
  await gym.process.kill();
  await alert.getByRole("button", { name: "Try again" }).click();
  await alert.getByText("UNREACHABLE").waitFor();
  expect(await shown()).not.toContain(token);
});
