/** Three gyms behind a balancer that sends each request to the next gym. Every protocol plays through it. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Balancer } from "../support/balancer.js";
import { EventClient } from "../support/events.js";
import { Fleet, type Node } from "../support/fleet.js";
import { ConnectionLost } from "../support/gym-socket.js";
import { postgresFolder } from "../support/postgres.js";
import { unzip } from "../support/unzip.js";
import { type Player, players } from "./protocol-players.js";

/** Number of attempts at one action after which the test gives up. A dead gym's episodes are taken over in seconds. */
const mostAttempts = 200;
const pauseMs = 250;

interface Playing {
  protocol: string;
  player: Player;
}

/** @param left protocol that does not play */
async function openAll(fleet: Fleet, each: number, left = ""): Promise<Playing[]> {
  const ports = () => fleet.nodes.map(({ port }) => port);
  const gym = await Balancer.start(ports);
  const nemo = await Balancer.start(ports, "/nemo-gym/textcraft");
  const chosen = Object.entries(players).filter(([protocol]) => protocol !== left);
  const playing = chosen.flatMap(([protocol, create]) =>
    Array.from({ length: each }, () => ({ protocol, player: create({ gym: gym.url, nemo: nemo.url }) })),
  );
  onTestFinished(() => {
    for (const { player } of playing) player.close();
  });
  for (const { player } of playing) await player.open();
  return playing;
}

/** Takes an action, and repeats it as a client of the protocol does until it is acknowledged. Returns the repetitions. */
async function survive(player: Player, count: number): Promise<number> {
  for (let attempt = 0; ; attempt++) {
    try {
      expect(await player.get(count, attempt > 0)).toBe(`Got ${count} dirt`);
      return attempt;
    } catch (error) {
      if (!isPassing(error as Error) || attempt === mostAttempts) throw error;
      await sleep(pauseMs);
    }
  }
}

/** Returns whether the action was not acknowledged: the connection broke, or no gym owned the episode. */
function isPassing(error: Error & { code?: string }): boolean {
  if (error instanceof ConnectionLost || error.code === "EPISODE_ELSEWHERE") return true;
  return /EPISODE_ELSEWHERE|received 503/.test(error.message);
}

interface Listed {
  episodeId: string;
  state: { phase: string; index: number; reward: number };
}

async function transcriptsOf(fleet: Fleet): Promise<string[][]> {
  const { episodes } = (await fleet.send("/episodes?limit=1000&detail=state")) as unknown as { episodes: Listed[] };
  return Promise.all(
    episodes.map(async ({ episodeId, state }) => {
      const reply = await fleet.send(`/episodes/${episodeId}/transcript?limit=1000`);
      const { steps } = reply as unknown as { steps: { action: string }[] };
      expect(state).toMatchObject({ phase: "running", index: steps.length });
      return steps.map(({ action }) => action);
    }),
  );
}

/** Plays an episode that is created on one gym, through random gyms. Returns its id. */
async function episodeOn(fleet: Fleet, { url }: Node, { index, steps }: { index: number; steps: number }) {
  const { episodeId } = await fleet.send("/episodes", { environment: "textcraft", task: { index } }, {}, url);
  for (let i = 0; i < steps; i++) await step(fleet, episodeId as string, i);
  return episodeId as string;
}

async function step(fleet: Fleet, id: string, index: number): Promise<void> {
  await fleet.send(`/episodes/${id}/step`, { index, action: `get ${index + 1} dirt` });
}

async function post(url: string, body?: object): Promise<Buffer> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(url, { method: "POST", ...(body && { headers, body: JSON.stringify(body) }) });
  expect(reply.status).toBe(200);
  return Buffer.from(await reply.arrayBuffer());
}

function actionsIn(exported: string): string[] {
  return (JSON.parse(exported) as { steps: { action: string }[] }).steps.map(({ action }) => action);
}

const actionsOf = (steps: number) => Array.from({ length: steps }, (_, i) => `get ${i + 1} dirt`);

describe.skipIf(postgresFolder === null)("protocols on a fleet of three gyms", () => {
  test("accept each request at any gym", async () => {
    const fleet = await Fleet.start(3);
    const steps = 12;
    const playing = await openAll(fleet, 1);
    await Promise.all(
      playing.map(async ({ protocol, player }) => {
        for (let count = 1; count <= steps; count++) {
          expect(await survive(player, count), `repetitions of ${protocol}`).toBe(0);
        }
      }),
    );
    const transcripts = await transcriptsOf(fleet);
    expect(transcripts).toEqual(playing.map(() => actionsOf(steps)));
  });

  test("continue while gyms are killed and take no step twice, if the client can read the last step", {
    timeout: 300_000,
  }, async () => {
    const fleet = await Fleet.start(3);
    const steps = 20;
    // In the Open Reward Standard, a call without a received id may have been a step, and its client cannot find out.
    const playing = await openAll(fleet, 3, "Open Reward Standard");
    const total = playing.length * steps;
    const kills = [0.2, 0.5, 0.8].map((part) => Math.round(part * total));
    let acknowledged = 0;
    let killed = Promise.resolve();
    const repeated = new Map<string, number>();
    await Promise.all(
      playing.map(async ({ protocol, player }) => {
        for (let count = 1; count <= steps; count++) {
          repeated.set(protocol, (repeated.get(protocol) ?? 0) + (await survive(player, count)));
          acknowledged += 1;
          if (acknowledged < (kills[0] ?? Number.POSITIVE_INFINITY)) continue;
          const victim = kills.length - 1;
          kills.shift();
          killed = killed.then(() => fleet.replace(victim));
        }
      }),
    );
    await killed;
    console.info(`repeated actions: ${JSON.stringify(Object.fromEntries(repeated))}`);
    expect(kills).toEqual([]);
    expect(await transcriptsOf(fleet)).toEqual(playing.map(() => actionsOf(steps)));
  });

  test("stream, export and replay the episodes of one gym at every other gym", async () => {
    const fleet = await Fleet.start(2);
    const [first, second] = fleet.nodes as [Node, Node];
    const ids = await Promise.all([
      episodeOn(fleet, first, { index: 0, steps: 3 }),
      episodeOn(fleet, second, { index: 1, steps: 3 }),
    ]);
    for (const { url } of fleet.nodes) {
      const archive = await post(`${url}/v1/export`, { format: "json", episodeIds: ids });
      expect([...unzip(archive).values()].map(actionsIn)).toEqual([actionsOf(3), actionsOf(3)]);
      for (const id of ids) {
        const file = await fetch(`${url}/v1/episodes/${id}/export?format=json`);
        expect(actionsIn(await file.text())).toEqual(actionsOf(3));
        const lines = String(await post(`${url}/v1/episodes/${id}/replay`))
          .trim()
          .split("\n");
        expect(JSON.parse(lines.at(-1) as string)).toEqual({ steps: 3, proved: true });
        const events = await EventClient.connect(`${url}/v1/episodes/${id}/events?from=1`);
        await expect.poll(() => events.state).toMatchObject({ episodeId: id, index: 3 });
        expect(events.indexes).toEqual([1, 2]);
        events.disconnect();
      }
      const unknown = `${url}/v1/episodes/${ids[0]}f/export?format=json`;
      expect(await (await fetch(unknown)).json()).toMatchObject({ error: { code: "EPISODE_UNKNOWN" } });
    }
  });

  test("stream the events of all gyms from one gym, also after a gym was killed", {
    timeout: 240_000,
  }, async () => {
    const fleet = await Fleet.start(2);
    const [first, second] = fleet.nodes as [Node, Node];
    const id = await episodeOn(fleet, first, { index: 0, steps: 2 });
    const gym = await EventClient.connect(`${second.url}/v1/events?episode=${id}`);
    const followed = await EventClient.connect(`${second.url}/v1/episodes/${id}/events`);
    await expect.poll(() => gym.indexes).toEqual([0, 1]);
    const created = await episodeOn(fleet, first, { index: 1, steps: 0 });
    await expect.poll(() => gym.of("episodes").flatMap(({ data }) => data.episodeIds)).toContain(created);
    await step(fleet, id, 2);
    await expect
      .poll(() => [gym.indexes, followed.indexes])
      .toEqual([
        [0, 1, 2],
        [0, 1, 2],
      ]);
    await fleet.replace(0);
    await Promise.all([gym.ended, followed.ended].map((ended) => ended.catch(() => {})));
    await step(fleet, id, 3);
    const last = followed.of("step").at(-1)?.id as string;
    const again = await EventClient.connect(`${second.url}/v1/episodes/${id}/events`, { "last-event-id": last });
    await expect.poll(() => again.indexes).toEqual([3]);
  });
});
