/** Forks from random steps of episodes of each environment. A fork has the bytes of its parent up to its step. */
import { expect, test } from "vitest";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";
import { serve } from "../../support/serving.js";
import { openStudio, testStudio } from "../../support/studio.js";

interface Episode {
  episodeId: string;
  index: number;
}

/** Environments that need nothing beyond Node. */
const environments = ["textcraft", "babyai", "sciworld", "memory", "math", "searchqa", "deepsearch", "sql"];
const episodesOfEach = 6;
const fallbacks = ["look around", "inventory", "go forward", "search[river]", "help"];

class Client {
  constructor(private readonly url: string) {}

  async text(path: string, body?: object): Promise<string> {
    const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(`${this.url}/v1/${path}`, body && post);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text;
  }

  async call<T>(path: string, body?: object): Promise<T> {
    return JSON.parse(await this.text(path, body)) as T;
  }

  /** Plays a random number of steps of a random task, with the expert's actions if it has any. */
  async play(environment: string, random: Pcg64): Promise<Episode> {
    const index = random.integers(0, 50);
    const { episodeId } = await this.call<Episode>("episodes", {
      environment,
      task: { index },
      seed: random.integers(0, 1_000),
    });
    const steps = 3 + random.integers(0, 12);
    for (let step = 0; step < steps; step++) {
      const { action } = await this.call<{ action: string | null }>(`episodes/${episodeId}/expert`);
      const wandering = fallbacks[random.integers(0, fallbacks.length)] as string;
      // Some wrong actions keep the episode from ending early.
      const chosen = action === null || random.integers(0, 2) === 0 ? wandering : action;
      const reply = await this.call<{ terminated: boolean; truncated: boolean }>(`episodes/${episodeId}/step`, {
        index: step,
        action: chosen,
      });
      if (reply.terminated || reply.truncated) return { episodeId, index: step + 1 };
    }
    return { episodeId, index: steps };
  }

  /** Returns the bytes of the reset and of the first steps. */
  async prefix(episodeId: string, count: number): Promise<string[]> {
    const opening = await this.text(`episodes/${episodeId}/opening`);
    if (count === 0) return [opening];
    const { steps } = await this.call<{ steps: object[] }>(`episodes/${episodeId}/transcript?limit=${count}`);
    return [opening, ...steps.map((step) => JSON.stringify(step))];
  }
}

test("50 forks at random steps have the bytes of their parents, and a replay confirms them", async () => {
  const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const client = new Client(url);
  const random = new Pcg64(20_260_001);
  let forks = 0;
  for (const environment of environments) {
    for (let i = 0; i < episodesOfEach + (environment === "textcraft" ? 2 : 0); i++) {
      const { episodeId, index } = await client.play(environment, random);
      const at = random.integers(0, index);
      const fork = await client.call<Episode>(`episodes/${episodeId}/fork`, { index: at });
      expect(fork.index).toBe(at);
      const [old, forked] = [await client.prefix(episodeId, at), await client.prefix(fork.episodeId, at)];
      expect(forked).toEqual(old);
      const lines = (await client.text(`episodes/${fork.episodeId}/replay`, {})).trim().split("\n");
      expect(JSON.parse(lines.at(-1) as string), `${environment} ${fork.episodeId}`).toEqual({
        steps: at,
        proved: true,
      });
      forks += 1;
    }
  }
  expect(forks).toBe(50);
});

testStudio("an episode is forked from a random step on its page, by keys alone", async () => {
  const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
  const client = new Client(url);
  const random = new Pcg64(7);
  for (const environment of ["textcraft", "babyai", "sciworld"]) {
    const { episodeId, index } = await client.play(environment, random);
    const at = random.integers(0, index);
    const page = await openStudio(url, `#/episodes/${episodeId}`);
    await page.getByRole("region", { name: `Step ${index}`, exact: true }).waitFor();
    await page.keyboard.press("Home");
    for (let step = 0; step < at; step++) await page.keyboard.press("j");
    await page.getByRole("region", { name: `Step ${at}`, exact: true }).waitFor();
    const fork = page.getByRole("button", { name: "Fork from here" });
    await fork.focus();
    await page.keyboard.press("Enter");
    await page.getByText("forked from").waitFor();
    const forked = new URL(page.url()).hash.split("/")[2] as string;
    expect(forked).not.toBe(episodeId);
    expect(await client.prefix(forked, at)).toEqual(await client.prefix(episodeId, at));
    expect(await client.call<Episode>(`episodes/${forked}`)).toMatchObject({ index: at, parent: episodeId });
    await page.close();
  }
});
