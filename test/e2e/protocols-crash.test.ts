/** One gym that is killed several times while episodes of all protocols play on it. */

import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../support/free-port.js";
import { ConnectionLost } from "../support/gym-socket.js";
import type { RunningServer } from "../support/server-process.js";
import { connect, scratch, serve } from "../support/serving.js";
import { type Addresses, type Player, players } from "./protocol-players.js";

const episodesEach = 4;
const steps = 30;
const crashes = 4;
/** Number of broken connections of one action after which the test gives up. */
const mostBreaks = 20;

class KilledGym {
  /** Number of actions in flight at each kill. */
  readonly inFlight: number[] = [];
  private back: Promise<void> = Promise.resolve();
  private acknowledged = 0;
  private pending = 0;

  private constructor(
    private server: RunningServer,
    private readonly options: Parameters<typeof serve>[0],
    /** Numbers of acknowledged actions at which the gym is killed. */
    private readonly kills: number[],
  ) {}

  static async start(env: NodeJS.ProcessEnv, kills: number[]): Promise<KilledGym> {
    const options = { dataDir: scratch(), env };
    const server = await serve(options);
    return new KilledGym(server, { ...options, port: Number(new URL(server.url).port) }, kills);
  }

  get url(): string {
    return this.server.url;
  }

  /** Repeats an action until it is acknowledged. Returns its observation and the number of broken connections. */
  async survive(act: (again: boolean) => Promise<string>): Promise<{ observation: string; breaks: number }> {
    for (let breaks = 0; ; breaks++) {
      await this.back;
      this.pending += 1;
      try {
        const observation = await act(breaks > 0);
        this.acknowledged += 1;
        if (this.acknowledged >= (this.kills[0] ?? Number.POSITIVE_INFINITY)) this.kill();
        return { observation, breaks };
      } catch (error) {
        if (!(error instanceof ConnectionLost) || breaks === mostBreaks) throw error;
      } finally {
        this.pending -= 1;
      }
    }
  }

  private kill(): void {
    this.kills.shift();
    // The kill comes after the clients with a reply have sent their next action.
    this.back = new Promise((resolve) => setImmediate(resolve)).then(async () => {
      this.inFlight.push(this.pending);
      await this.server.process.kill();
      this.server = await serve(this.options);
    });
  }
}

test("a gym that is killed while every protocol plays continues the episodes, and takes no step twice", async () => {
  const nemoPort = await freePort();
  const total = Object.keys(players).length * episodesEach * steps;
  const kills = Array.from({ length: crashes }, (_, i) => Math.round(((i + 1) * total) / (crashes + 1)));
  const gym = await KilledGym.start({ PALESTRA_NEMO_GYM: `textcraft=${nemoPort}` }, kills);
  const addresses: Addresses = { gym: gym.url, nemo: `http://127.0.0.1:${nemoPort}` };
  const playing = Object.entries(players).flatMap(([protocol, create]) =>
    Array.from({ length: episodesEach }, () => ({ protocol, player: create(addresses) })),
  );
  onTestFinished(() => {
    for (const { player } of playing) player.close();
  });
  for (const { player } of playing) await player.open();

  const breaks = new Map<string, number>();
  await Promise.all(
    playing.map(async ({ protocol, player }) => {
      const broken = await play(gym, player);
      breaks.set(protocol, (breaks.get(protocol) ?? 0) + broken);
    }),
  );

  const actions = await actionsOf(gym.url);
  expect(actions).toHaveLength(playing.length);
  const acknowledged = Array.from({ length: steps }, (_, i) => `get ${i + 1} dirt`);
  // The tool calls give the same actions as the texts.
  for (const each of actions) expect(each).toEqual(acknowledged);
  console.info(
    `in flight at the kills: ${gym.inFlight.join(", ")}; broken: ${JSON.stringify(Object.fromEntries(breaks))}`,
  );
  expect(gym.inFlight).toHaveLength(crashes);
  // The protocols with an action in flight at a kill are random.
  const broken = [...breaks.values()];
  expect(broken.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(broken.length);
});

/** Returns how many connections broke. */
async function play(gym: KilledGym, player: Player): Promise<number> {
  let broken = 0;
  for (let count = 1; count <= steps; count++) {
    const { observation, breaks } = await gym.survive((again) => player.get(count, again));
    expect(observation).toBe(`Got ${count} dirt`);
    broken += breaks;
  }
  return broken;
}

/** Returns the logged actions of all episodes. */
async function actionsOf(url: string): Promise<string[][]> {
  const socket = await connect(url);
  const { episodes } = await socket.request<{ episodes: { episodeId: string }[] }>("list", { limit: 1_000 });
  return Promise.all(
    episodes.map(async ({ episodeId }) => {
      const { steps: logged } = await socket.request<{ steps: { action: string }[] }>("transcript", { episodeId });
      return logged.map(({ action }) => action);
    }),
  );
}
