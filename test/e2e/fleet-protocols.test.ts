/** Three gyms behind a balancer that sends each request to the next gym. Every protocol plays through it. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Balancer } from "../support/balancer.js";
import { Fleet } from "../support/fleet.js";
import { ConnectionLost } from "../support/gym-socket.js";
import { postgresFolder } from "../support/postgres.js";
import { type Player, players } from "./protocol-players.js";

/** Attempts of one action after which the fleet counts as gone. A dead gym's episodes are taken over in 15 seconds. */
const mostAttempts = 200;
const pauseMs = 250;

interface Playing {
  protocol: string;
  player: Player;
}

async function openAll(fleet: Fleet, each: number): Promise<Playing[]> {
  const ports = () => fleet.nodes.map(({ port }) => port);
  const gym = await Balancer.start(ports);
  const nemo = await Balancer.start(ports, "/nemo-gym/textcraft");
  const playing = Object.entries(players).flatMap(([protocol, create]) =>
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

/** Whether the action was not acknowledged: the connection broke, or no gym had the episode. */
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

const actionsOf = (steps: number) => Array.from({ length: steps }, (_, i) => `get ${i + 1} dirt`);

describe.skipIf(postgresFolder === null)("protocols on a fleet of three gyms", () => {
  test("each request of every protocol may go to another gym", { timeout: 120_000 }, async () => {
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

  test("every protocol goes on while gyms are killed, and steps nothing twice", { timeout: 300_000 }, async () => {
    const fleet = await Fleet.start(3);
    const steps = 20;
    const playing = await openAll(fleet, 3);
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
});
