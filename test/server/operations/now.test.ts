/** `GET /v1/now`: who plays what, and what failed. */
import { expect, test } from "vitest";
import type { Episode } from "#palestra/server/episodes/episode/episode.js";
import { Playing } from "#palestra/server/episodes/playing.js";
import { GymError } from "#palestra/server/errors.js";
import { eventually, fixture, openGym } from "../../support/gym.js";

test("a token sees its own plays and failures, and the gym's own user those of all", async () => {
  const gym = await openGym({ environments: [fixture("faulty")] });
  const ada = await gym.createToken([], 100, { name: "ada" });
  const bob = await gym.createToken([], 100, { name: "bob" });
  const { episodeId } = await gym.create({}, { token: ada });
  for (const index of [0, 1, 2]) await gym.step(episodeId, index, "get 1 dirt", { token: ada });
  const painted = await gym.create({ environment: "babyai", task: { index: 0 } }, { token: bob });
  await gym.send("create", { environment: "faulty", task: { split: "reset", index: 0 }, seed: 0 }, { token: bob });

  const now = (token?: string) => gym.call("now", {}, { token });
  // A snapshot is kept for two seconds.
  await eventually(async () => (await now()).plays.length === 2);
  const [own, others, all] = [await now(ada), await now(bob), await now()];
  const plays = { player: { kind: "token", name: "ada" }, environment: "textcraft@1", episodes: 1 };
  expect(own).toMatchObject({ plays: [plays], failures: [], pictured: [] });
  expect(all.plays.map(({ player }) => player.name).sort()).toEqual(["ada", "bob"]);
  expect(others.plays.map(({ environment }) => environment)).toEqual(["babyai@1"]);
  expect(others.pictured).toEqual([{ episodeId: painted.episodeId, environment: "babyai@1", index: 0 }]);
  const failure = { player: { kind: "token", name: "bob" }, environment: "faulty@1", atReset: true, episodeId: null };
  expect(others.failures).toMatchObject([failure]);
  expect(others.failures[0]?.message).toContain("thrown as asked");
  expect(all.failures).toEqual([{ ...others.failures[0], message: null }]);
  expect(all.pictured).toEqual([]);
});

test("steps are counted for a minute, and a caller who no longer plays is left out", () => {
  const playing = new Playing(() => []);
  for (const at of [1_000_000, 1_000_500, 1_030_000]) playing.onStep("ada", "textcraft@1", at);
  playing.onStep("bob", "babyai@1", 1_030_000);
  const stepsAt = (at: number) =>
    playing.snapshot(at).plays.map(({ owner, stepsLastMinute }) => [owner, stepsLastMinute]);
  expect(stepsAt(1_040_000)).toEqual([
    ["ada", 3],
    ["bob", 1],
  ]);
  // Within two seconds, the same snapshot serves all readers.
  playing.onStep("bob", "babyai@1", 1_041_000);
  expect(stepsAt(1_041_000)).toEqual(stepsAt(1_040_000));
  expect(stepsAt(1_065_000)).toEqual([
    ["bob", 2],
    ["ada", 1],
  ]);
  expect(stepsAt(1_101_000)).toEqual([]);
});

const episodeOf = (id: string, owner: string, touchedAtMs: number) =>
  ({
    row: { id, owner, environment: "painter@1", options: `{"@run":"run ${touchedAtMs % 7}"}` },
    spec: { render: () => ({}) },
    steps: 2,
    live: true,
    phase: "running",
    touchedAtMs,
  }) as unknown as Episode;

test("of many episodes with pictures, the twelve that were called last are kept, newest first", () => {
  const times = Array.from({ length: 40 }, (_, at) => (at * 17) % 40);
  const playing = new Playing(() => times.map((at) => episodeOf(`ep-${at}`, "ada", at)));
  const { plays, pictured } = playing.snapshot();
  expect(plays).toMatchObject([{ owner: "ada", environment: "painter@1", episodes: 40, stepsLastMinute: 0 }]);
  expect(plays[0]?.runs, "at most five of the seven runs").toEqual([0, 3, 6, 4, 5].map((number) => `run ${number}`));
  expect(pictured.get("ada")?.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, at) => `ep-${39 - at}`));
});

test("of the failures, the newest 500 are kept, with a message of at most 500 characters", () => {
  const playing = new Playing(() => []);
  for (let at = 0; at < 510; at++)
    playing.onFailure(at % 2 ? "ada" : "bob", "faulty@1", `ep-${at}`, GymError.ofState("HOST_FAILED", "x".repeat(900)));
  expect(playing.failures(null, 600).map(({ episodeId }) => episodeId)).toEqual(
    Array.from({ length: 500 }, (_, at) => `ep-${509 - at}`),
  );
  expect(playing.failures("ada", 2)).toMatchObject([{ episodeId: "ep-509" }, { episodeId: "ep-507" }]);
  expect(playing.failures("ada", 1)[0]?.message).toHaveLength(500);
});
