/**
 * A simulation of large fleets with measured costs. The costs are measured in the same run, or read from a file. The
 * bench compares predictions for this machine with real runs on it.
 */
import { writeFileSync } from "node:fs";
import { startDatabase } from "./fleet-gyms.js";
import { type Costs, readCosts } from "./fleet-model/costs.js";
import { measureCosts } from "./fleet-model/measure-costs.js";
import { predictions, takeoverRow } from "./fleet-model/one-machine.js";
import { assumptions } from "./fleet-model/plan.js";
import { type ScenarioOptions, scenario } from "./fleet-model/scenarios.js";
import { gymMachine, postgresCores } from "./fleet-model/sizing.js";
import type { BenchResult } from "./report.js";

export interface FleetModelOptions {
  /** File with costs, which replace a measurement. */
  costs?: string;
  /** File to which the measured costs are written. */
  saveCosts?: string;
  /** Numbers of concurrent episodes, separated by commas. */
  episodes: string;
  think: number;
  steps: number;
  killEvery: number;
  failover: number;
  seconds: number;
  seed: number;
}

export async function fleetModel(options: FleetModelOptions): Promise<BenchResult[]> {
  const { costs, results } = options.costs === undefined ? await measured(options) : given(options.costs);
  printAssumptions(options);
  return [...results, ...costRows(costs), ...scenariosOf(options).flatMap((each) => scenario(costs, each))];
}

function given(path: string): { costs: Costs; results: BenchResult[] } {
  return { costs: readCosts(path), results: [] };
}

async function measured({ seconds, seed, saveCosts }: FleetModelOptions) {
  const postgres = await startDatabase();
  try {
    const { costs, takeover } = await measureCosts(postgres, seconds);
    if (saveCosts !== undefined) writeFileSync(saveCosts, `${JSON.stringify(costs, null, 2)}\n`);
    const results = [...(await predictions(postgres, costs, { seconds, seed })), takeoverRow(costs, takeover, seed)];
    return { costs, results };
  } finally {
    await postgres.remove();
  }
}

function scenariosOf({ episodes, think, steps, killEvery, failover, seed }: FleetModelOptions): ScenarioOptions[] {
  return episodes.split(",").flatMap((count) => {
    if (!/^[1-9][0-9]*$/.test(count))
      throw new Error(`expected numbers of episodes, separated by commas, but received ${JSON.stringify(episodes)}`);
    return (["light", "heavy"] as const).map((weight) => ({
      episodes: Number(count),
      thinkMs: think * 1_000,
      stepsPerEpisode: steps,
      weight,
      isForwarding: true,
      killEveryS: killEvery,
      failoverS: failover,
      seed,
    }));
  });
}

function printAssumptions({ think, steps }: FleetModelOptions): void {
  const { cores, memoryMiB, plannedUse } = gymMachine;
  const machines = [
    `Clients think for ${think} seconds on average, and an episode has ${steps} steps.`,
    `A gym has a machine with ${cores} cores and ${memoryMiB} MiB, of whose CPU ${100 * plannedUse} % are planned for steps.`,
    `PostgreSQL has a machine with ${postgresCores} cores. The load has machines of its own.`,
  ];
  process.stderr.write(`Assumptions:\n${[...machines, ...assumptions].map((line) => `- ${line}`).join("\n")}\n`);
}

function costRows({ gym, postgres, loadStepUs }: Costs): BenchResult[] {
  const row = (name: string, value: number, unit: string): BenchResult => ({ name: `cost: ${name}`, value, unit });
  const latency = (part: number) =>
    postgres.commitLatencyMs[Math.round(part * (postgres.commitLatencyMs.length - 1))] ?? 0;
  return [
    row("step on a gym", gym.stepUs, "us"),
    row("step on the main thread", gym.mainStepUs, "us"),
    row("commit on a gym", gym.commitUs, "us"),
    row("forwarding of a step", gym.forwardUs, "us"),
    row("create on a gym", gym.createUs, "us"),
    row("load of an episode", gym.loadUs, "us"),
    row("replayed step", gym.replayedStepUs, "us"),
    row("start of a gym", gym.startS, "s"),
    row("gym without episodes", gym.baseMiB, "MiB"),
    row("light episode", gym.lightEpisodeKiB, "KiB"),
    row("heavy episode", gym.heavyEpisodeKiB, "KiB"),
    row("step in PostgreSQL", postgres.stepUs, "us"),
    row("commit in PostgreSQL", postgres.commitUs, "us"),
    row("create in PostgreSQL", postgres.createUs, "us"),
    row("WAL of a step", postgres.walBytesPerStep, "bytes"),
    row("WAL of a commit", postgres.walBytesPerCommit, "bytes"),
    row("WAL of a create", postgres.walBytesPerCreate, "bytes"),
    row("commit latency, p50", latency(0.5), "ms"),
    row("commit latency, p95", latency(0.95), "ms"),
    row("step of the load", loadStepUs, "us"),
  ];
}
