/**
 * Latency of playing clients, and memory of the gym, while other clients without a token attack the gym. The reference
 * is the same attack on Fastify alone.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { scratchDir, startGym, startNode } from "../support/server-process.js";
import { MiB } from "../support/watching.js";
import { attacks } from "./flood-attacks.js";
import { Bystanders, type Latency } from "./flood-bystanders.js";
import { underSameAttack } from "./flood-reference.js";
import type { BenchResult } from "./report.js";

export interface FloodOptions {
  /** Names of attacks, separated by commas. Default: all. */
  only?: string | undefined;
  /** Seconds of an attack. */
  seconds: number;
}

const undisturbedSeconds = 3;
/** Time in seconds within which the gym must recover after an attack. */
const recoverySeconds = 30;
/** Largest ratio of latency and memory to their undisturbed values that counts as recovered. */
const recoveredLatency = 3;
/** Freed memory returns to the system late, so the resident memory stays above its undisturbed value. */
const recoveredMemory = 512 * MiB;

export async function flood({ only, seconds }: FloodOptions): Promise<BenchResult[]> {
  const known = Object.keys(attacks);
  const names = only === undefined ? known : only.split(",");
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`expected attacks of ${known.join(", ")}, but received ${unknown.join(", ")}`);
  }
  const results: BenchResult[] = [];
  for (const name of names) {
    process.stderr.write(`${name}\n`);
    results.push(...(await underAttack(name, seconds)));
  }
  return results;
}

async function underAttack(name: string, seconds: number): Promise<BenchResult[]> {
  const data = scratchDir();
  const { url, process: gym } = await startGym({ dataDir: data.path, showErrors: true });
  const bystanders = await Bystanders.begin(url);
  let measured: Omit<Measured, "bare">;
  let environments: string;
  try {
    await bystanders.measure(1);
    const undisturbed = await bystanders.measure(undisturbedSeconds);
    const attacker = startNode(["--import", "tsx", "test/bench/flood-attacks.ts", name, url], { showErrors: true });
    const during = await bystanders.measure(seconds);
    const peak = gym.peakResidentBytes();
    await attacker.kill();
    const recovered = await recovery(bystanders, undisturbed, () => gym.residentBytes());
    environments = await (await fetch(`${url}/v1/environments`)).text();
    measured = { undisturbed, during, peak, recovered };
  } finally {
    await bystanders.end();
    await gym.stop();
    data.remove();
  }
  // The bare server runs alone on the machine, as the gym did.
  return resultsOf(name, { ...measured, bare: await underSameAttack(name, seconds, environments) });
}

/** Returns the seconds until the gym has recovered, or more than `recoverySeconds`. */
async function recovery(bystanders: Bystanders, before: Latency, resident: () => number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { p50 } = await bystanders.measure(1);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (p50 <= recoveredLatency * before.p50 && resident() <= recoveredMemory) return seconds;
    if (seconds > recoverySeconds) return seconds;
    await sleep(100);
  }
}

interface Measured {
  undisturbed: Latency;
  during: Latency;
  peak: number;
  recovered: number;
  /** Latency of the bare server under the same attack, or null if it cannot be attacked in the same way. */
  bare: Latency | null;
}

function resultsOf(name: string, { undisturbed, during, peak, recovered, bare }: Measured): BenchResult[] {
  return [
    { name: `${name}: p99 undisturbed`, value: undisturbed.p99, unit: "ms", target: "< 20" },
    { name: `${name}: p50`, value: during.p50, unit: "ms", baseline: undisturbed.p50 },
    { name: `${name}: p99`, value: during.p99, unit: "ms", target: "< 250" },
    { name: `${name}: p99 / undisturbed`, value: during.p99, unit: "ms", baseline: undisturbed.p99 },
    ...(bare ? [{ name: `${name}: p99 / bare Fastify`, value: during.p99, unit: "ms", baseline: bare.p99 }] : []),
    { name: `${name}: max`, value: during.max, unit: "ms", baseline: undisturbed.max },
    { name: `${name}: peak memory`, value: peak / MiB, unit: "MiB", target: "< 1024" },
    { name: `${name}: recovered after`, value: recovered, unit: "s", target: `< ${recoverySeconds}` },
  ];
}
