/** A fleet of three gyms whose gyms, connections and database fail while clients play, with all replies checked. */
import { type ChaosResult, runChaos } from "../support/chaos/run.js";
import { postgresFolder } from "../support/postgres.js";
import type { BenchResult } from "./report.js";

export interface FleetChaosOptions {
  episodes: number;
  agentgym: number;
  kills: number;
  freezes: number;
  seed: number;
}

/** Longest time in seconds without service that is allowed for the episodes of an ended gym. */
const longestService = 15;

export async function fleetChaos({
  episodes,
  agentgym,
  kills,
  freezes,
  seed,
}: FleetChaosOptions): Promise<BenchResult[]> {
  if (postgresFolder === null) throw new Error("expected an installed PostgreSQL, but found none");
  const result = await runChaos({
    ...{ episodes, agentgym, kills, freezes, seed, freezeMs: 30_000 },
    ...{ longSilences: 3, shortSilences: 3, resets: 3, restarts: 3, crashes: 3, failOvers: 2 },
    onFault: (text) => process.stderr.write(`${text}\n`),
  });
  for (const fault of result.faults) process.stderr.write(`wrong: ${fault}\n`);
  return results(result);
}

function results(result: ChaosResult): BenchResult[] {
  const { faults, services, episodes, acknowledged, unanswered, refused, seconds, steps } = result;
  const count = (name: string, value: number, unit: string): BenchResult => ({ name, value, unit });
  return [
    { ...count("wrong replies, contradictions and ends of gyms", faults.length, "faults"), target: "<= 0" },
    count("episodes", episodes, "episodes"),
    count("steps in the log", steps, "steps"),
    count("acknowledged calls", acknowledged, "calls"),
    count("calls without a reply", unanswered, "calls"),
    count("calls refused for another client's step", refused, "calls"),
    count("time of the run", seconds, "s"),
    ...[...services].flatMap(([kind, tookMs]) => serviceResults(kind, tookMs)),
  ];
}

function serviceResults(kind: string, tookMs: readonly number[]): BenchResult[] {
  const sorted = [...tookMs].sort((a, b) => a - b);
  const at = (part: number) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0) / 1_000;
  const figure = (name: string, value: number) => ({ name: `${kind}: ${name}`, value, unit: "s" });
  return [
    { name: `${kind}: episodes`, value: sorted.length, unit: "episodes" },
    figure("p50 of the time without service", at(0.5)),
    { ...figure("longest time without service", at(1)), ...(kind === "kill" && { target: `<= ${longestService}` }) },
  ];
}
