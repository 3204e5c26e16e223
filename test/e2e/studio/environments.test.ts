/** Episodes of every environment that this machine can run, started and played in the studio. */
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type RunningServer, scratchDir, startGym } from "../../support/server-process.js";
import { expectAccessible, keepScreenshot, missing, openStudio } from "../../support/studio.js";

interface Environment {
  id: string;
  version: string | number;
  requirements: { name: string; available: boolean; howToGet: string }[];
}

/** Environments of the registry. A test holds the list equal to the gym's. */
const names = [
  ...["textcraft@1", "textcraft-pair@1", "babyai@1", "sciworld@1", "sciworld@jvm", "memory@2", "math@3"],
  ...["math@python", "service@1", "bargain@1", "delegate@1", "assistant@1"],
  ...["searchqa@1", "deepsearch@1", "sql@2", "tau2-airline@1", "tau2-retail@1", "tau2-mock@1"],
  ...["webarena-lab@2", "webarena@2", "miniwob@1", "workbench@2", "desktop@1"],
];

let gym: RunningServer;
let environments: Environment[];

beforeAll(async () => {
  const data = scratchDir();
  gym = await startGym({ dataDir: data.path, showErrors: true, env: { PALESTRA_LOCAL_EXPERT: "true" } });
  ({ environments } = (await (await fetch(`${gym.url}/v1/environments`)).json()) as { environments: Environment[] });
  return async () => {
    await gym.process.stop();
    data.remove();
  };
});

test("every environment of the gym is among the tested ones", () => {
  expect(environments.map(({ id, version }) => `${id}@${version}`)).toEqual(names);
});

describe.skipIf(missing)("in Chromium", () => {
  test.each(names)("an episode of %s is started from a task and played by hand", async (name) => {
    const environment = environments.find(({ id, version }) => `${id}@${version}` === name);
    const lacking = environment?.requirements.filter(({ available }) => !available) ?? [];
    const page = await openStudio(gym.url, `#/environments/${encodeURIComponent(name)}`);
    if (lacking.length > 0) {
      for (const { name: what } of lacking) await page.getByText(what).first().waitFor();
      await keepScreenshot(page, `environment-${name}`);
      return;
    }
    await page.getByRole("button", { name: "Start" }).first().click();
    const steps = page.getByRole("list", { name: "Steps" });
    await steps.getByText("reset").waitFor();
    const id = page.url().split("/").at(-1)?.split("?")[0];
    onTestFinished(async () => void (await fetch(`${gym.url}/v1/episodes/${id}`, { method: "DELETE" })));

    // An unknown action is an ordinary step, and the observation reports it.
    await page.getByRole("textbox", { name: "Action" }).fill("look at nothing");
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await steps.getByText("look at nothing").waitFor();
    expect((await page.locator(".observation").innerText()).length).toBeGreaterThan(0);
    await expectAccessible(page);
    await keepScreenshot(page, `episode-${name}`);
  });
});
