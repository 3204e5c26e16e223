/** Simulations of large fleets: one with failures, and one whose gyms restart one after the other. */
import type { BenchResult } from "../report.js";
import type { Costs } from "./costs.js";
import type { FailureOutcome, Outcome } from "./outcome.js";
import { type Failure, killsEvery, type Plan, rollingRestart } from "./plan.js";
import { Random } from "./random.js";
import { simulate } from "./simulation.js";
import { type Demand, gymMachine, postgresCores, sizeOf } from "./sizing.js";

export interface ScenarioOptions {
  episodes: number;
  thinkMs: number;
  stepsPerEpisode: number;
  weight: "light" | "heavy";
  isForwarding: boolean;
  /** Seconds between two kills of a random gym, and the length of the fail-over of PostgreSQL. */
  killEveryS: number;
  failoverS: number;
  seed: number;
}

const warmUpS = 10;
const failuresS = 120;

export function scenario(costs: Costs, options: ScenarioOptions): BenchResult[] {
  const { gym } = costs;
  const episodeKiB = options.weight === "light" ? gym.lightEpisodeKiB : gym.heavyEpisodeKiB;
  const demand: Demand = { ...options, episodeKiB };
  const size = sizeOf(costs, demand);
  const plan: Plan = {
    ...options,
    costs,
    gyms: size.gyms,
    gymCores: gymMachine.cores,
    postgresCores,
    sharedCores: null,
    failures: [],
    seconds: failuresS,
    warmUpS,
  };
  const name = `${options.episodes.toLocaleString("en-US")} ${options.weight} episodes`;
  const row = (what: string, value: number, unit: string): BenchResult => ({ name: `${name}: ${what}`, value, unit });
  const failures = failuresOf(options, size.gyms);
  process.stderr.write(`${name} on ${size.gyms} gyms, failures      \r`);
  const failing = simulate({ ...plan, failures });
  const restarts = restartsOf(costs, size.gyms);
  process.stderr.write(`${name} on ${size.gyms} gyms, rolling restart      \r`);
  const restarting = simulate({ ...plan, ...restarts });
  return [
    row("gyms by CPU", size.byCpu, "gyms"),
    row("gyms by main threads", size.byMainThread, "gyms"),
    row("gyms by memory", size.byMemory, "gyms"),
    row("gyms with two in reserve", size.gyms, "gyms"),
    row("memory of the fullest gym", gym.baseMiB + (failing.mostInMemory * episodeKiB) / 1_024, "MiB"),
    ...outcomeRows(row, failing),
    ...failing.failures.flatMap((outcome) => failureRows(row, failing, outcome)),
    row("p99 during a rolling restart", restarting.latencies.quantile(0.99), "ms"),
    row("longest turn during a rolling restart", restarting.latencies.mostMs, "ms"),
    row("replays of a rolling restart", restarting.replays, "episodes"),
  ];
}

type Row = (what: string, value: number, unit: string) => BenchResult;

function outcomeRows(row: Row, outcome: Outcome): BenchResult[] {
  const { latencies, seconds } = outcome;
  const quietP99 = outcome.p99OfSecond.slice(warmUpS, 2 * warmUpS).sort((a, b) => a - b)[warmUpS >> 1] ?? 0;
  return [
    row("steps", outcome.stepsPerSecond, "steps/s"),
    row("turn p50", latencies.quantile(0.5), "ms"),
    row("turn p99 without failures", quietP99, "ms"),
    row("turn p99 with failures", latencies.quantile(0.99), "ms"),
    row("use of the gyms' cores", 100 * outcome.gymBusy, "%"),
    row("use of PostgreSQL's cores", 100 * outcome.postgresBusy, "%"),
    row("commits", outcome.commits / seconds, "commits/s"),
    row("WAL", outcome.walBytes / seconds / 1e6, "MB/s"),
  ];
}

function failureRows(row: Row, outcome: Outcome, { failure, atMs, ...effect }: FailureOutcome): BenchResult[] {
  const name = `${failure.kind} at ${failure.atS} s`;
  const storm = row(
    `${name}: until p99 is below twice the usual`,
    outcome.stormSeconds(atMs / 1_000, untilNext(outcome, atMs), warmUpS),
    "s",
  );
  if (failure.kind === "failover") return [storm];
  return [
    row(`${name}: first answer of its episodes`, effect.firstAnswerMs / 1_000, "s"),
    row(`${name}: last answer to a step that waited`, effect.lastAnswerMs / 1_000, "s"),
    storm,
  ];
}

/** Returns the second of the next failure after a time. The effects of each failure are counted up to the next one. */
function untilNext({ failures }: Outcome, atMs: number): number {
  return Math.min(...failures.map((each) => each.atMs).filter((other) => other > atMs), failuresS * 1_000) / 1_000;
}

/** Returns kills, then a failover and a frozen gym, with pauses between them. */
function failuresOf({ killEveryS, failoverS, seed }: ScenarioOptions, gyms: number): Failure[] {
  const random = new Random(seed + 1);
  const [failoverAtS, freezeAtS] = [failuresS - 50, failuresS - 35];
  return [
    ...killsEvery(killEveryS, failoverAtS - 5, gyms, (limit) => random.below(limit)).filter(
      ({ atS }) => atS >= 2 * warmUpS,
    ),
    { kind: "failover", atS: failoverAtS, seconds: failoverS },
    { kind: "freeze", atS: freezeAtS, gym: random.below(gyms), seconds: 15 },
  ];
}

function restartsOf({ gym }: Costs, gyms: number): Pick<Plan, "failures" | "seconds"> {
  const intervalS = gym.startS + 2;
  return { failures: rollingRestart(warmUpS, gyms, intervalS), seconds: warmUpS + gyms * intervalS + 10 };
}
