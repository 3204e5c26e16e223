/** The trainer's client at a fleet of gyms on one PostgreSQL database. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { FleetMap } from "#palestra/trainer/gym/fleet-map.js";
import type { GymEpisode } from "#palestra/trainer/gym/gym.js";
import type { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import { eventually } from "../../support/gym.js";
import { type Outcome, palestra } from "../../support/palestra.js";
import { postgresFolder } from "../../support/postgres.js";
import { scratch, serve } from "../../support/serving.js";
import { connect, listen } from "../support/gym.js";
import { WatchedFleet, type WatchedGym } from "../support/watched-fleet.js";

const gymAt = (incarnation: number, address: string | null, shards: [number, number][], isSelf = false) => ({
  ...{ incarnation, address, isSelf, isDraining: false, version: "0.1.0", environments: ["textcraft@1", "babyai@1"] },
  ...{ episodes: 0, stepsPerSecond: 0, freeSandboxes: 0, ageMs: 0, shards },
});
const mapOf = (...gyms: ReturnType<typeof gymAt>[]) => new FleetMap({ shards: 4096, durability: "local", gyms });

describe("the map of a fleet", () => {
  const map = mapOf(
    gymAt(
      3,
      "http://10.0.0.3:8700",
      [
        [0, 99],
        [4000, 4095],
      ],
      true,
    ),
    gymAt(4, "http://10.0.0.4:8700", [[100, 3998]]),
  );

  test("finds the gym of an episode by the shard of its id", () => {
    expect(map.ownerOf("ep-4096-x")).toBe("http://10.0.0.3:8700");
    expect(map.ownerOf(`ep-${7 * 4096 + 100}-x`)).toBe("http://10.0.0.4:8700");
    expect(map.ownerOf("ep-3999-x"), "a shard without a gym").toBeUndefined();
    expect(map.ownerOf("none")).toBeUndefined();
  });

  test("gives a client only valid addresses to which the client may send its token", () => {
    expect(map.addressesFor("http://palestra:8700")).toHaveLength(2);
    expect(map.addressesFor("https://gym.example.org"), "without encryption").toEqual([]);
    expect(map.addressesFor("http://127.0.0.1:8700"), "through a tunnel").toEqual([]);
    const local = mapOf(gymAt(1, "http://127.0.0.1:8700", [[0, 4095]], true), gymAt(2, "ftp://10.0.0.1", []));
    expect(local.addressesFor("http://10.0.0.9:8700"), "loopback of another machine").toEqual([]);
    const lookalike = mapOf(
      gymAt(1, "http://127.evil.example:8700", [[0, 4095]], true),
      gymAt(2, "ftp://10.0.0.1", []),
    );
    expect(lookalike.addressesFor("http://localhost:8700"), "a name that begins like a loopback address").toEqual([]);
    expect(local.addressesFor("http://localhost:8700")).toEqual(["http://127.0.0.1:8700"]);
  });

  test("is not confirmed by a gym of another fleet at the same address", () => {
    const other = "http://10.0.0.4:8700";
    const self = gymAt(4, other, [[100, 3998]], true);
    expect(map.isConfirmedBy(mapOf(self, gymAt(3, "http://10.0.0.3:8700", [])), other)).toBe(true);
    expect(map.isConfirmedBy(mapOf(self, gymAt(3, "http://10.9.9.9:8700", [])), other)).toBe(false);
    expect(map.isConfirmedBy(mapOf(gymAt(9, other, [], true)), other)).toBe(false);
    expect(map.isConfirmedBy(mapOf(gymAt(0, null, [[0, 4095]], true)), other), "a gym that is alone").toBe(false);
  });

  test("contains the environments of gyms that do not drain", () => {
    const draining = { ...gymAt(5, "http://10.0.0.5:8700", []), isDraining: true };
    const gyms = mapOf(gymAt(4, "http://10.0.0.4:8700", [], true), draining);
    expect(gyms.offers("http://10.0.0.4:8700", "textcraft")).toBe(true);
    expect(gyms.offers("http://10.0.0.4:8700", "textcraft@1")).toBe(true);
    expect(gyms.offers("http://10.0.0.4:8700", "text")).toBe(false);
    expect(gyms.offers("http://10.0.0.5:8700", "textcraft")).toBe(false);
  });
});

test("the client of a single gym has one connection", async () => {
  const { url, gym } = await listen();
  const client = await connect(url);
  await client.begin({ environment: "textcraft", index: 0 });
  const connections = await new Promise((resolve) => gym.app.server.getConnections((_, count) => resolve(count)));
  expect(connections).toBe(1);
});

const actionsOf = (count: number) => Array.from({ length: count }, (_, i) => `get ${i + 1} nothing`);

/** Plays episodes side by side, and waits a little between their steps. */
async function play(episodes: readonly GymEpisode[], actions: readonly string[], pauseMs = 0): Promise<void> {
  await Promise.all(
    episodes.map(async (episode) => {
      for (const action of actions) {
        await episode.step(action);
        await sleep(pauseMs);
      }
    }),
  );
}

async function expectPlayed(client: PalestraClient, episodes: readonly GymEpisode[], actions: readonly string[]) {
  for (const { id } of episodes) {
    const { steps } = await client.transcript(id, { from: 0 });
    expect(steps.map(({ action }) => action)).toEqual(actions);
  }
}

const begin = (client: PalestraClient, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => client.begin({ environment: "textcraft", index })));

/** Opens episodes until the client has opened one on each gym: it finds the other gyms after it has connected. */
async function untilAllKnown(client: Parameters<typeof begin>[0], map: FleetMap): Promise<void> {
  const owners = new Set<string | undefined>();
  await eventually(async () => {
    for (const { id } of await begin(client, 1)) owners.add(map.ownerOf(id));
    return owners.size === 3;
  });
}

describe.skipIf(postgresFolder === null)("a client of three gyms", () => {
  test("sends steps to the gyms that own the episodes, over one socket per gym", {
    timeout: 240_000,
  }, async () => {
    const fleet = await WatchedFleet.start(3);
    const clients = await Promise.all(fleet.urls.map((url) => connect(url)));
    const reply = await fetch(`${fleet.urls[0]}/v1/fleet`);
    const map = new FleetMap((await reply.json()) as ConstructorParameters<typeof FleetMap>[0]);
    const actions = actionsOf(10);
    const played = await Promise.all(
      clients.map(async (client) => {
        await untilAllKnown(client, map);
        return { client, episodes: await begin(client, 30) };
      }),
    );
    const before = await fleet.forwarded();
    await Promise.all(played.map(({ episodes }) => play(episodes, actions)));
    expect((await fleet.forwarded()) - before, "forwarded steps").toBe(0);
    expect(fleet.sockets, "sockets of three clients at three gyms").toBe(9);
    for (const { client, episodes } of played) await expectPlayed(client, episodes, actions);
  });

  test("continues when the gym at its URL is killed, and uses that gym again after its restart", {
    timeout: 240_000,
  }, async () => {
    const fleet = await WatchedFleet.start(3);
    const client = await connect(fleet.urls[0]);
    const episodes = await begin(client, 12);
    const actions = actionsOf(20);
    const killed = sleep(200).then(() => fleet.kill(0));
    await play(episodes, actions, 20);
    await killed;
    await expectPlayed(client, episodes, actions);
    await begin(client, 6);
    const before = fleet.gyms[0]?.relay.sockets as number;
    await fleet.restart(0);
    await eventually(() => (fleet.gyms[0]?.relay.sockets as number) > before);
    await eventually(async () => (await client.begin({ environment: "textcraft", index: 0 })).id !== "");
  });

  test("continues while all gyms are restarted one after another", async () => {
    const fleet = await WatchedFleet.start(3);
    const client = await connect(fleet.urls[0]);
    const old = await begin(client, 12);
    const actions = actionsOf(5);
    const played: GymEpisode[] = [];
    let isRolling = true;
    const rolled = fleet.roll().finally(() => {
      isRolling = false;
    });
    while (isRolling) {
      const episodes = await begin(client, 4);
      await play(episodes, actions, 20);
      played.push(...episodes);
    }
    await rolled;
    await play(old, actions);
    await expectPlayed(client, [...old, ...played], actions);
    expect(new Set(played.map(({ id }) => id)).size).toBe(played.length);
  });

  test("skips a gym that it cannot reach, and continues when another one freezes", {
    timeout: 240_000,
  }, async () => {
    const fleet = await WatchedFleet.start(3);
    const [, second, third] = fleet.gyms as [WatchedGym, WatchedGym, WatchedGym];
    third.relay.refusesClients = true;
    const client = await connect(fleet.urls[0]);
    const episodes = await begin(client, 24);
    onTestFinished(() => void second.process.kill());
    second.process.signal("SIGSTOP");
    await play(episodes, actionsOf(3));
    second.process.signal("SIGCONT");
    await expectPlayed(client, episodes, actionsOf(3));
  });
});

describe.skipIf(postgresFolder === null)("palestra eval at three gyms", () => {
  const measured = ["eval", "--env", "babyai", "--policy", "random", "--limit", "60", "--k", "4", "--rounds", "20"];

  /** Evaluates, and returns each scored episode with its turns, sorted. */
  async function scoresOf(url: string, out: string): Promise<{ outcome: Outcome; scores: string[] }> {
    const outcome = await palestra([...measured, "--gym", url, "--concurrency", "8", "--out", out, "--json"]);
    return { outcome, scores: scoresIn(out) };
  }

  const linesIn = (out: string) => readFileSync(join(out, "episodes.jsonl"), "utf8").trimEnd().split("\n");

  function scoresIn(out: string): string[] {
    const [, ...lines] = linesIn(out);
    // The times differ, and only the first record contains the prompt.
    const varying = { wallMs: undefined, prompt: undefined };
    return lines.map((line) => JSON.stringify({ ...(JSON.parse(line) as object), ...varying })).sort();
  }

  test("has the scores of a run at one gym, each episode once, even if a gym is killed and restarted", {
    timeout: 300_000,
  }, async () => {
    const alone = await scoresOf((await serve()).url, scratch());
    expect(alone.outcome.code, alone.outcome.stderr).toBe(0);
    const fleet = await WatchedFleet.start(3);
    const out = scratch();
    let isRunning = true;
    const running = scoresOf(fleet.urls[0], out).finally(() => {
      isRunning = false;
    });
    await eventually(() => existsSync(join(out, "episodes.jsonl")) && linesIn(out).length >= 10);
    await fleet.kill(1);
    await sleep(1_000);
    expect(isRunning).toBe(true);
    await fleet.restart(1);
    const { outcome, scores } = await running;
    expect(outcome.code, outcome.stderr).toBe(0);
    expect(scores).toHaveLength(240);
    expect(scores.filter((line, at) => line !== alone.scores[at])).toEqual([]);
  });
});
