/** Measures the costs of the model on real gyms and a real PostgreSQL server. */
import pg from "pg";
import type { PostgresServer } from "../../support/postgres.js";
import { cpuBetween, FleetGyms } from "../fleet-gyms.js";
import { liveMemory } from "../memory.js";
import { median } from "../report.js";
import { createEpisodes } from "../steps.js";
import type { Costs } from "./costs.js";
import { measureTakeover, type Takeover } from "./measure-takeover.js";
import { playThinking, type ThinkingLoad, type ThinkingPlan } from "./thinking-load.js";

/** Episodes of the quiet load, whose commits have few steps, and of the busy one. */
const [quiet, busy] = [2, 256];
const commits = 400;

/** @param seconds how long each load is played */
export async function measureCosts(
  postgres: PostgresServer,
  seconds: number,
): Promise<{ costs: Costs; takeover: Takeover }> {
  const memory = await measureMemory();
  const commitLatencyMs = await measureCommits(postgres);
  const one = await FleetGyms.start(postgres, 1);
  let split: Split;
  let creation: Creation;
  try {
    split = await measureSteps(one, seconds);
    creation = await measureCreates(one, split);
  } finally {
    await one.stop();
  }
  const forwardUs = await measureForwarding(postgres, seconds);
  const takeover = await measureTakeover(postgres);
  const { loadUs, replayedStepUs, startS } = takeover;
  const costs = {
    gym: {
      ...split.gym,
      forwardUs,
      createUs: creation.gymUs,
      loadUs,
      replayedStepUs,
      ...memory,
      startS,
    },
    postgres: { ...split.postgres, ...creation.postgres, commitLatencyMs },
    loadStepUs: split.loadStepUs,
  };
  return { costs, takeover };
}

/** Plays steps without thinking. */
export function playBusy(
  fleet: FleetGyms,
  episodes: number,
  seconds: number,
  isForwarding = false,
): Promise<ThinkingLoad> {
  const plan: ThinkingPlan = { episodes, thinkMs: 0, seconds, warmUpS: 3, isForwarding, seed: 1 };
  return playThinking(fleet, plan);
}

type Split = Awaited<ReturnType<typeof measureSteps>>;

/** Splits costs into those of a step and those of a commit, by two loads whose commits have few and many steps. */
async function measureSteps(fleet: FleetGyms, seconds: number) {
  // The busy load comes first, since it compiles the code of the gym.
  const many = await playBusy(fleet, busy, seconds);
  const few = await playBusy(fleet, quiet, seconds);
  const split = (costOf: (load: ThinkingLoad) => number) => solved(few, many, costOf);
  const gym = split(({ cpu }) => cpu.gyms * 1e6);
  const database = split(({ cpu }) => cpu.postgres * 1e6);
  const wal = split(({ walBytes }) => walBytes);
  return {
    gym: { stepUs: gym.step, mainStepUs: (many.cpu.mainThreads * 1e6) / many.steps, commitUs: gym.commit },
    postgres: {
      stepUs: database.step,
      commitUs: database.commit,
      walBytesPerStep: wal.step,
      walBytesPerCommit: wal.commit,
    },
    loadStepUs: (many.cpu.load * 1e6) / many.steps,
  };
}

/** Solves `cost = steps * step + commits * commit` for two loads. Neither part is below zero. */
export function solved(
  few: ThinkingLoad,
  many: ThinkingLoad,
  costOf: (load: ThinkingLoad) => number,
): { step: number; commit: number } {
  const [costFew, costMany] = [costOf(few) / few.steps, costOf(many) / many.steps];
  const [commitsFew, commitsMany] = [few.commits / few.steps, many.commits / many.steps];
  const slope = (costFew - costMany) / (commitsFew - commitsMany);
  const commit = Math.min(Math.max(0, slope), costMany / commitsMany);
  return { step: costMany - commit * commitsMany, commit };
}

type Creation = Awaited<ReturnType<typeof measureCreates>>;

async function measureCreates(fleet: FleetGyms, { gym, postgres }: Split) {
  const [rounds, batch] = [8, 100];
  await createEpisodes(fleet.urls[0] as string, batch);
  const [before, writtenBefore] = [fleet.cpu(), await fleet.written()];
  for (let round = 0; round < rounds; round++) await createEpisodes(fleet.urls[0] as string, batch);
  const [cpu, written] = [cpuBetween(before, fleet.cpu()), await fleet.written()];
  const count = rounds * batch;
  const commitsPerCreate = (written.commits - writtenBefore.commits) / count;
  const without = (cost: number, ofCommit: number) => Math.max(0, cost / count - commitsPerCreate * ofCommit);
  return {
    gymUs: without(cpu.gyms * 1e6, gym.commitUs),
    postgres: {
      createUs: without(cpu.postgres * 1e6, postgres.commitUs),
      walBytesPerCreate: without(written.walBytes - writtenBefore.walBytes, postgres.walBytesPerCommit),
    },
  };
}

/** Returns the additional CPU of a forwarded step. With two gyms, every other step is forwarded. */
async function measureForwarding(postgres: PostgresServer, seconds: number): Promise<number> {
  const fleet = await FleetGyms.start(postgres, 2);
  try {
    await playBusy(fleet, busy, seconds, true);
    const differences: number[] = [];
    for (let round = 0; round < 3; round++) {
      const [forwarded, local] = [await playBusy(fleet, busy, seconds, true), await playBusy(fleet, busy, seconds)];
      const perStep = (load: ThinkingLoad) => (load.cpu.gyms * 1e6) / load.steps;
      differences.push(2 * (perStep(forwarded) - perStep(local)));
    }
    return Math.max(0, median(differences));
  } finally {
    await fleet.stop();
  }
}

async function measureMemory() {
  const KiB = 1024;
  const light = await liveMemory({ environment: "textcraft", task: { index: 0 } }, "inventory", 2_000);
  const heavy = await liveMemory({ environment: "sciworld", task: { index: 0 } }, "look around", 200);
  return {
    baseMiB: Math.max(0, light.resident - (2_000 * light.perEpisode) / KiB),
    lightEpisodeKiB: Math.max(0, light.perEpisode),
    heavyEpisodeKiB: Math.max(0, heavy.perEpisode),
  };
}

/** Returns the latencies of commits of one small row, at evenly spaced probabilities. */
async function measureCommits(postgres: PostgresServer): Promise<number[]> {
  const client = new pg.Client({ connectionString: await postgres.createDatabase() });
  await client.connect();
  try {
    await client.query("CREATE TABLE written (line text)");
    const latencies: number[] = [];
    for (let i = 0; i < commits; i++) {
      const startedAt = performance.now();
      await client.query({ name: "write", text: "INSERT INTO written VALUES ($1)", values: ["x".repeat(300)] });
      latencies.push(performance.now() - startedAt);
    }
    latencies.sort((a, b) => a - b);
    return Array.from({ length: 21 }, (_, i) => latencies[Math.round((i / 20) * (commits - 1))] as number);
  } finally {
    await client.end();
  }
}
