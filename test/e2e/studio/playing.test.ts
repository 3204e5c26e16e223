/** Playing an episode by hand, and addresses and comparisons of an episode that goes on. */
import { expect } from "vitest";
import { createEpisode, playSteps, post } from "../../support/played.js";
import { serve } from "../../support/serving.js";
import { expectAccessible, keepScreenshot, openStudio, testStudio } from "../../support/studio.js";

testStudio("an action that the gym does not take stays in its field, and is sent again", async () => {
  const { url } = await serve();
  const episodeId = await createEpisode(url);
  const page = await openStudio(url, `#/episodes/${episodeId}`, { expected: /^Failed to load resource: / });
  const field = page.getByRole("textbox", { name: "Action" });
  await field.fill("craft 1 stick");
  await page.route("**/step", (route) => route.abort());
  await field.press("Enter");
  await page.getByRole("alert").getByText("UNREACHABLE").waitFor();
  expect(await field.inputValue()).toBe("craft 1 stick");
  await page.unrouteAll();
  await field.press("Enter");
  await page.getByRole("list", { name: "Steps" }).getByText("craft 1 stick").waitFor();
  await expect.poll(() => field.inputValue()).toBe("");
});

testStudio("an observation with a picture shows it once while the episode is played", async () => {
  const { url } = await serve();
  const body = { environment: "babyai", task: { index: 0 }, options: { picture: "png" } };
  const { episodeId } = await post<{ episodeId: string }>(`${url}/v1/episodes`, body);
  const page = await openStudio(url, `#/episodes/${episodeId}`);
  await page.getByRole("img", { name: "picture 1 of the observation" }).waitFor();
  await page.getByRole("textbox", { name: "Action" }).fill("turn left");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Step 1", exact: true }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.locator(".step-view img").count()).toBe(1);
});

testStudio("the action field is in view beside a long observation, in wide and narrow windows", async () => {
  const { url } = await serve();
  const { episodeId } = await post<{ episodeId: string }>(`${url}/v1/episodes`, {
    environment: "sciworld",
    task: { index: 0 },
  });
  await post(`${url}/v1/episodes/${episodeId}/step`, { index: 0, action: "look around" });
  const page = await openStudio(url, `#/episodes/${episodeId}`, { width: 1_280, height: 600 });
  const field = page.getByRole("textbox", { name: "Action" });
  for (const [width, height] of [
    [1_280, 600],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await field.waitFor();
    const box = await field.boundingBox();
    expect(box, "the field's place").not.toBeNull();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    await expectAccessible(page);
    await keepScreenshot(page, `playing-${width}`);
  }
});

testStudio("an address of a step that the episode does not have says so", async () => {
  const { url } = await serve();
  const episodeId = await createEpisode(url);
  await playSteps(url, episodeId, 0, 3);
  const page = await openStudio(url, `#/episodes/${episodeId}?step=99999`);
  await page.getByText("The episode has no step 99999. This is step 3.").waitFor();
  await page.goto(`${url}/ui/#/episodes/${episodeId}?step=first`);
  await page.getByText("The episode has no step first. This is its reset.").waitFor();
  await page.goto(`${url}/ui/#/episodes/${episodeId}?step=2`);
  await page.getByRole("region", { name: "Step 2", exact: true }).waitFor();
  expect(await page.getByText("The episode has no step").count()).toBe(0);
});

testStudio("a comparison tells an episode that is over from one that goes on", async () => {
  const { url } = await serve();
  const [running, closed] = [await createEpisode(url), await createEpisode(url)];
  await playSteps(url, closed, 0, 2);
  await fetch(`${url}/v1/episodes/${closed}`, { method: "DELETE" });
  const page = await openStudio(url, `#/compare?left=${running}&right=${closed}`);
  await page.getByText("The episode goes on. It has no further step yet.").waitFor();
  expect(await page.getByText("The episode is over.").count()).toBe(0);

  const longer = await createEpisode(url);
  await playSteps(url, longer, 0, 4);
  await page.goto(`${url}/ui/#/compare?left=${closed}&right=${longer}`);
  await page.getByText("The episode is over.").waitFor();
});
