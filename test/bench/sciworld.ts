/**
 * Compares ScienceWorld's native engine with the original in a JVM, on the original's solutions, and measures memory
 * per instance.
 */
import type { ResetRequest } from "#palestra/envs/env.js";
import { fillOptions } from "#palestra/envs/registry.js";
import native from "#palestra/envs/sciworld/index.js";
import { JvmScienceWorld } from "#palestra/envs/sciworld/jvm/env.js";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import { liveMemory } from "./memory.js";
import { type BenchResult, median } from "./report.js";

export interface SciworldOptions {
  episodes: number;
  /** Seconds of play for each task on each engine. */
  seconds: number;
}

/** Tasks about heat, electricity, living things and chemistry, and tasks that need only one look. */
const measured = [
  ...["boil", "use-thermometer", "measure-melting-point-known-substance", "power-component", "test-conductivity"],
  ...["find-plant", "chemistry-mix", "lifespan-longest-lived", "identify-life-stages-1"],
];

const { signal } = new AbortController();
const now = () => 0;

/** Times of resets and steps. */
class Stopwatch {
  private resets = 0;
  private resetMs = 0;
  private steps = 0;
  private stepMs = 0;

  /** @param mostMs milliseconds of both together after which the measurement ends */
  constructor(private readonly mostMs: number) {}

  add(begun: number, reset: number, steps: number): void {
    this.resets += 1;
    this.resetMs += reset - begun;
    this.steps += steps;
    this.stepMs += performance.now() - reset;
  }

  get isDone(): boolean {
    return this.resetMs + this.stepMs > this.mostMs;
  }

  /** Steps and resets per second. */
  get rates() {
    return { step: (1_000 * this.steps) / this.stepMs, reset: (1_000 * this.resets) / this.resetMs };
  }
}

type Rates = Stopwatch["rates"];

/** Plays twice. The first play warms up the code. */
function timeNative(request: ResetRequest, path: readonly string[], seconds: number): Rates {
  const environment = native.create({ now });
  const play = (watch: Stopwatch) => {
    const begun = performance.now();
    environment.reset(request);
    const reset = performance.now();
    for (const action of path) environment.step(action);
    watch.add(begun, reset, path.length);
  };
  const [warm, watch] = [new Stopwatch(seconds * 500), new Stopwatch(seconds * 1_000)];
  while (!warm.isDone) play(warm);
  while (!watch.isDone) play(watch);
  return watch.rates;
}

async function timeOriginal(
  environment: JvmScienceWorld,
  request: ResetRequest,
  path: readonly string[],
  seconds: number,
): Promise<Rates> {
  const play = async (watch: Stopwatch) => {
    const begun = performance.now();
    await environment.reset(request, signal);
    const reset = performance.now();
    for (const action of path) await environment.step(action, signal);
    watch.add(begun, reset, path.length);
  };
  const [warm, watch] = [new Stopwatch(seconds * 500), new Stopwatch(seconds * 1_000)];
  while (!warm.isDone) await play(warm);
  while (!watch.isDone) await play(watch);
  return watch.rates;
}

export async function sciworld({ episodes, seconds }: SciworldOptions): Promise<BenchResult[]> {
  const jvm = new JvmProvider();
  const theirs = new JvmScienceWorld({ now, sandboxes: { jvm } });
  const pairs: { task: string; ours: Rates; theirs: Rates }[] = [];
  try {
    for (const task of measured) {
      process.stderr.write(`${task}${" ".repeat(40)}\r`);
      const request = { task: { split: task, index: 0 }, seed: 0, options: fillOptions(native, {}) };
      await theirs.reset(request, signal);
      const path = await theirs.solve(signal);
      const original = await timeOriginal(theirs, request, path, seconds);
      pairs.push({ task, theirs: original, ours: timeNative(request, path, seconds) });
    }
  } finally {
    await theirs.close();
    await jvm.close();
  }
  return [...pairs.map(stepsOf), ...medians(pairs), ...(await memoryResults(episodes))];
}

function stepsOf({ task, ours, theirs }: { task: string; ours: Rates; theirs: Rates }): BenchResult {
  return { name: `steps, ${task}`, value: ours.step, unit: "per second", baseline: theirs.step };
}

function medians(pairs: readonly { ours: Rates; theirs: Rates }[]): BenchResult[] {
  const both = (kind: keyof Rates) => ({
    value: median(pairs.map(({ ours }) => ours[kind])),
    unit: "per second",
    baseline: median(pairs.map(({ theirs }) => theirs[kind])),
  });
  return [
    { name: "steps, median of the tasks", ...both("step"), target: ">= 100" },
    { name: "resets, median of the tasks", ...both("reset") },
  ];
}

async function memoryResults(episodes: number): Promise<BenchResult[]> {
  const boil = { environment: "sciworld", task: { split: "boil", index: 0 } };
  const { perEpisode, stepped, resident } = await liveMemory(boil, "open door to kitchen", episodes);
  return [
    { name: "resident memory of a live episode", value: perEpisode, unit: "KiB", target: "< 2048" },
    { name: "live episodes that were stepped", value: stepped, unit: "episodes", target: `>= ${episodes}` },
    { name: "resident memory of the server", value: resident, unit: "MiB" },
  ];
}
