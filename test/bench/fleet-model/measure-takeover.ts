/**
 * Kills a real gym, and measures the time without service of its episodes and the cost of their replay for the other
 * gym.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PostgresServer } from "../../support/postgres.js";
import { cpuSeconds } from "../cpu-time.js";
import { FleetGyms } from "../fleet-gyms.js";
import type { ServerProcess } from "../servers.js";

const episodes = 400;
/** Steps of the short and of the long episodes. */
const [short, long] = [1, 41];

export interface Takeover {
  loadUs: number;
  replayedStepUs: number;
  startS: number;
  /** Seconds from the death of the gym until the first of its episodes answered. */
  firstAnswerS: number;
}

export async function measureTakeover(postgres: PostgresServer): Promise<Takeover> {
  const startedAt = performance.now();
  const fleet = await FleetGyms.start(postgres, 1);
  const startS = (performance.now() - startedAt) / 1_000;
  try {
    await fleet.add();
    const [dying, other] = fleet.gyms as [ServerProcess, ServerProcess];
    const shorts = await fleet.createOn(0, episodes);
    const longs = await fleet.createOn(0, episodes);
    for (let index = 0; index < long; index++) {
      await stepAll(dying.url, longs, index);
      if (index < short) await stepAll(dying.url, shorts, index);
    }
    process.kill(dying.pid, "SIGKILL");
    const killedAt = performance.now();
    while (!(await stepAll(other.url, shorts.slice(0, 1), short).catch(() => false))) await sleep(20);
    const firstAnswerS = (performance.now() - killedAt) / 1_000;
    // The first replays compile the code, so they do not count.
    const half = episodes / 2;
    await stepAll(other.url, [...shorts.slice(0, half), ...longs.slice(0, half)], null);
    const shortUs = await cpuOf(other, () => stepAll(other.url, shorts.slice(half), short));
    const longUs = await cpuOf(other, () => stepAll(other.url, longs.slice(half), long));
    const replayedStepUs = Math.max(0, (longUs - shortUs) / half / (long - short));
    return { loadUs: Math.max(0, shortUs / half - short * replayedStepUs), replayedStepUs, startS, firstAnswerS };
  } finally {
    await fleet.stop();
  }
}

async function cpuOf({ pid }: { pid: number }, work: () => Promise<unknown>): Promise<number> {
  const before = cpuSeconds([pid]);
  await work();
  return (cpuSeconds([pid]) - before) * 1e6;
}

/**
 * Steps all episodes once. Returns whether all were answered. @param index next step of the episodes, or null to read
 * it from the gym
 */
async function stepAll(url: string, ids: readonly string[], index: number | null): Promise<boolean> {
  const steps = ids.map((episodeId, i) => ({
    episodeId,
    index: index ?? (i < ids.length / 2 ? short : long),
    action: "inventory",
  }));
  const reply = await fetch(`${url}/v1/stepMany`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ steps }),
    signal: AbortSignal.timeout(60_000),
  });
  const { results } = (await reply.json()) as { results: { index?: number }[] };
  return results.every((result) => result.index !== undefined);
}
