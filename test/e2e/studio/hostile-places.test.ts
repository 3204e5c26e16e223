/** Hostile texts on the pages that list, compare and judge episodes, and hostile links to the studio. */
import { expect } from "vitest";
import { fixture } from "../../support/gym.js";
import {
  attacks,
  callGym,
  expectUnharmed,
  goToPlace,
  openHostile,
  sly,
  type Watched,
  wide,
} from "../../support/hostile.js";
import { serve } from "../../support/serving.js";
import { testStudio } from "../../support/studio.js";

const environment = "sly-texts@1";

async function serveSly(): Promise<string> {
  const environmentModules = [fixture("sly-texts")];
  return (await serve({ environmentModules, env: { PALESTRA_LOCAL_EXPERT: "true" } })).url;
}

async function play(url: string, actions: readonly string[], maxSteps = 1_000): Promise<string> {
  const { options } = await callGym<{ options: Record<string, { values: object }> }>(
    url,
    `/v1/environments/${environment}`,
  );
  const chosen = Object.entries(options).map(([name, { values }]) => [name, Object.keys(values)[0]]);
  const body = { environment, task: { index: 0 }, options: Object.fromEntries(chosen), maxSteps };
  const { episodeId } = await callGym<{ episodeId: string }>(url, "/v1/episodes", body);
  for (const [index, action] of actions.entries())
    await callGym(url, `/v1/episodes/${episodeId}/step`, { index, action });
  return episodeId;
}

const readable = (text: string) => text.toWellFormed().replaceAll("\u0000", "");

async function expectPlaces(watched: Watched, places: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, place] of Object.entries(places)) {
    await goToPlace(watched, place);
    await expectUnharmed(watched, name);
  }
}

for (const width of [1_280, 360]) {
  testStudio(`lists and comparisons show hostile texts as text at ${width} pixels`, async () => {
    const url = await serveSly();
    const split = encodeURIComponent(
      Object.keys((await callGym<{ splits: object }>(url, `/v1/environments/${environment}`)).splits)[0] as string,
    );
    const [first, second] = [
      await play(url, ["0", ...attacks.map(readable), wide]),
      await play(url, ["0", ...attacks.map(readable).reverse(), "long line"]),
    ];
    const failed = await play(url, ["0", "throw"]);
    const watched = await openHostile(`${url}/ui/`, "", width, `places-${width}`);
    const { page } = watched;
    await page.getByRole("link", { name: failed }).first().waitFor();
    await expectPlaces(watched, {
      overview: "#/overview",
      episodes: "#/episodes",
      table: `#/compare?environment=${environment}&split=${split}&task=0`,
    });
    await page.getByRole("treeitem").first().waitFor();
    await page.getByRole("treeitem").first().press("ArrowLeft");
    await expectUnharmed(watched, "tree");
    await goToPlace(watched, `#/compare?left=${first}&right=${second}`);
    await page.getByRole("button", { name: /^▸ The reset and \d+ steps? are equal$/ }).click();
    await expectUnharmed(watched, "side-by-side");

    await goToPlace(watched, `#/episodes/${first}`);
    await page.getByRole("button", { name: "Ask the expert" }).click();
    await page.locator("button.advice").waitFor();
    await expectUnharmed(watched, "advice");
    await page.locator("button.advice").click();
    await page.getByRole("region", { name: `Step ${attacks.length + 3}`, exact: true }).waitFor();
    await page.getByRole("button", { name: "Replay and prove" }).click();
    await page.getByText(/^Proved/).waitFor();
    await expectUnharmed(watched, "proved");
    await goToPlace(watched, `#/episodes/${failed}`);
    await page.locator(".failure").first().waitFor();
    await expectUnharmed(watched, "failed");
  });

  testStudio(`raters, notes and pairs with hostile texts are shown as text at ${width} pixels`, async () => {
    const url = await serveSly();
    const ended = [];
    for (const action of ["1", "2", "long line"]) ended.push(await play(url, [action], 1));
    const names = [attacks[0], attacks[4], wide].map((name) => readable(name as string).slice(0, 90));
    const [left, right] = ended as [string, string];
    for (const rater of names)
      await callGym(url, "/v1/judgments", { left, right, choice: "left", rater, note: readable(sly).slice(0, 2_000) });
    const watched = await openHostile(`${url}/ui/`, "#/judge/agreement", width, `judge-${width}`);
    const { page } = watched;
    await page.getByRole("table").first().waitFor();
    expect(await page.getByRole("row").count()).toBe(8);
    await expectUnharmed(watched, "agreement");
    await goToPlace(watched, "#/judge");
    await page.getByRole("textbox", { name: "Your name" }).fill(names[1] as string);
    await page.getByRole("button", { name: "Begin" }).click();
    await page.getByRole("button", { name: /Left is better/ }).waitFor();
    await page.getByText("Instructions and first observation").click();
    await expectUnharmed(watched, "pair");
    await page.getByRole("textbox", { name: "Note" }).fill(readable(sly));
    await page.getByRole("button", { name: /Both bad/ }).click();
    await page.getByText("Kept: both bad.").waitFor();
    await expectUnharmed(watched, "verdict");
  });

  testStudio(
    `links with hostile values harm nothing at ${width} pixels`,
    async () => {
      const url = await serveSly();
      const id = await play(url, ["0"]);
      const values = [readable(sly), readable(attacks[4] as string), wide, "..", "%E0%A4%A", "__proto__", "1e999"];
      const watched = await openHostile(`${url}/ui/`, "", width, `links-${width}`);
      const places = (value: string) => [
        `#/${value}`,
        `#/episodes/${value}`,
        `#/episodes?environment=${value}&text=${value}`,
        `#/episodes/${id}?step=${value}`,
        `#/environments/${value}`,
        `#/environments/${environment}?split=${value}`,
        `#/compare?left=${value}&right=${value}`,
        `#/compare?environment=${value}&split=${value}&task=0&left=${value}`,
        `#/runs/${value}`,
        `#/runs/${value}/${value}`,
        `#/runs?a=${value}&b=${value}`,
        `#/judge/${value}?environment=${value}`,
      ];
      const requests: string[] = [];
      watched.page.on("request", (request) => requests.push(new URL(request.url()).pathname));
      for (const [i, value] of values.entries()) {
        const written = value.startsWith("%") ? value : encodeURIComponent(value);
        for (const [j, place] of places(written).entries()) {
          await goToPlace(watched, place);
          await expectUnharmed(watched, `${i}-${j}`, { keeps: false });
        }
      }
      // No name in a link leads to another path of the gym.
      expect(requests.filter((path) => !/^\/(ui|v1)\//.test(path) || path === "/v1/")).toEqual([]);
      // The page still works.
      await goToPlace(watched, "#/episodes");
      await watched.page.locator(`a[href="#/episodes/${id}"]`).waitFor();
    },
    240_000,
  );
}
