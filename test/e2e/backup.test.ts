/** `palestra log backup` while a gym plays. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGym } from "../support/gym.js";
import type { GymSocket } from "../support/gym-socket.js";
import { palestra } from "../support/palestra.js";
import { connect, scratch, serve } from "../support/serving.js";
import { MiB } from "../support/watching.js";

const episodes = 24;
/** More bytes than the gym writes between two checkpoints. Replies repeat the actions. */
const filledBytes = 40 * MiB;
const actionLength = 10_000;
/** Pause of each player between two steps, so that the log grows slower than it is copied. */
const pauseMs = 30;
const backups = 2;
/** Far above the printed times, to tell slow from stopped even on a busy machine. */
const delayedMs = 60_000;

/** Plays episodes, and records the time of each step. */
class Players {
  readonly acknowledged: number[];
  waits: number[] = [];
  private playing = true;
  private readonly all: Promise<void>[];

  constructor(
    private readonly socket: GymSocket,
    readonly ids: readonly string[],
  ) {
    this.acknowledged = ids.map(() => 0);
    this.all = ids.map((_, i) => this.play(i));
  }

  get bytes(): number {
    return this.acknowledged.reduce((sum, steps) => sum + steps * actionLength, 0);
  }

  async stop(): Promise<void> {
    this.playing = false;
    await Promise.all(this.all);
  }

  private async play(i: number): Promise<void> {
    const episodeId = this.ids[i];
    for (let index = 0; this.playing; index++) {
      const sentAt = performance.now();
      await this.socket.requestText("step", { episodeId, index, action: actionOf(i, index) });
      this.waits.push(performance.now() - sentAt);
      this.acknowledged[i] = index + 1;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

function actionOf(i: number, index: number): string {
  return `${i}/${index} `.padEnd(actionLength, "x");
}

test("backups of a gym under load are consistent, have every acknowledged step and delay no step", async () => {
  const dataDir = scratch();
  const { url } = await serve({ dataDir });
  const socket = await connect(url);
  const requests = Array.from({ length: episodes }, () => ({
    environment: "textcraft",
    task: { index: 0 },
    maxSteps: 1_000_000,
  }));
  const created = await socket.request<{ results: { episodeId: string }[] }>("createMany", { episodes: requests });
  const players = new Players(
    socket,
    created.results.map(({ episodeId }) => episodeId),
  );
  while (players.bytes < filledBytes) await new Promise((resolve) => setTimeout(resolve, 50));
  const before = summary(players);

  const folder = scratch();
  const copies: { file: string; acknowledged: number[] }[] = [];
  for (let i = 0; i < backups; i++) {
    const file = join(folder, `${i}.db`);
    const acknowledged = [...players.acknowledged];
    const { code, stdout, stderr } = await palestra(["--data-dir", dataDir, "log", "backup", file]);
    expect([code, stdout], stderr).toEqual([0, `${file} has ${episodes} episodes.\n`]);
    // Short work prints no progress.
    expect(stderr).toMatch(/^(log: \d+ of \d+ parts \(\d+%\)\n)*$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    copies.push({ file, acknowledged });
  }
  const during = summary(players);
  await players.stop();
  console.info(`log of ${(players.bytes / MiB).toFixed(0)} MiB; step times in ms before: ${before}; during: ${during}`);
  expect(existsSync(join(dataDir, "episodes.db.hold"))).toBe(false);
  for (const { file, acknowledged } of copies) await expectSteps(file, players, acknowledged);
}, 300_000);

/** Describes the step times since the last call, and checks that no step waited long. */
function summary(players: Players): string {
  const waits = players.waits.sort((a, b) => a - b);
  players.waits = [];
  const at = (part: number) => waits[Math.floor(part * (waits.length - 1))] as number;
  expect(at(1)).toBeLessThan(delayedMs);
  return `p50 ${at(0.5).toFixed(1)}, p99 ${at(0.99).toFixed(1)}, longest ${at(1).toFixed(0)} of ${waits.length}`;
}

/** Restores a backup in a new data directory, and checks the steps that its gym serves. */
async function expectSteps(file: string, players: Players, acknowledged: readonly number[]): Promise<void> {
  const dataDir = scratch();
  expect(await palestra(["--data-dir", dataDir, "log", "restore", file])).toMatchObject({ code: 0 });
  const gym = await openGym({}, dataDir);
  for (const [i, episodeId] of players.ids.entries()) {
    const { index } = await gym.call("get", { episodeId });
    expect(index).toBeGreaterThanOrEqual(acknowledged[i] as number);
    expect(index).toBeLessThanOrEqual(players.acknowledged[i] as number);
    const from = index - 1;
    const { steps } = await gym.call("transcript", { episodeId, from, limit: 1 });
    expect(steps[0]?.action).toBe(actionOf(i, from));
  }
  await gym.close();
}
