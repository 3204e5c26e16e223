/**
 * The steps of a whole day, played without the pauses between them. The bench compares memory, descriptors and latency
 * of the last hours with those of the first.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DailyLoad } from "../support/daily-load.js";
import { type Footprint, footprintOf, footprintVariables } from "../support/gym-footprint.js";
import { scratchDir, startGym } from "../support/server-process.js";
import { MiB } from "../support/watching.js";
import { httpLoad } from "./load.js";
import { type BenchResult, median } from "./report.js";
import { createEpisodes, httpStepLoop } from "./steps.js";

export interface DayOptions {
  /** Number of steps of the day. */
  steps: number;
  /** Memory of the episode log in MiB, after which the gym removes the oldest episodes. */
  logMb: number;
}

interface Hour extends Footprint {
  p50Ms: number;
  p99Ms: number;
}

const faulty = fileURLToPath(new URL("../fixtures/environments/faulty.mjs", import.meta.url));
const hours = 24;
/** Hours at each end of the day that are compared. The very first hour is a warm-up. */
const compared = 6;
const size = { episodes: 256, steps: 250 };
const probeSeconds = 2;
const restMs = 1_500;

export async function day({ steps, logMb }: DayOptions): Promise<BenchResult[]> {
  const folder = scratchDir();
  const env = { ...footprintVariables(folder.path), PALESTRA_LOG_MAX_MB: `${logMb}` };
  const gym = await startGym({
    dataDir: join(folder.path, "data"),
    env,
    environmentModules: [faulty],
    showErrors: true,
  });
  try {
    const load = await DailyLoad.begin(gym.url, size);
    const [probe] = (await createEpisodes(gym.url, 1)).map(httpStepLoop);
    const measured: Hour[] = [];
    for (let hour = 1; hour <= hours; hour++) {
      while (load.steps < (steps * hour) / hours) await load.round();
      await new Promise((resolve) => setTimeout(resolve, restMs));
      const { p50Ms, p99Ms } = await httpLoad(gym.url, probe ? [probe] : [], probeSeconds);
      const footprint = await footprintOf(gym.process, folder.path);
      measured.push({ ...footprint, p50Ms, p99Ms });
      process.stderr.write(`hour ${hour}: ${load.steps} steps, ${JSON.stringify(measured.at(-1))}\n`);
    }
    load.end();
    return results(measured, load.steps);
  } finally {
    await gym.process.stop();
    folder.remove();
  }
}

function results(measured: readonly Hour[], steps: number): BenchResult[] {
  const compare = (name: string, unit: string, figure: (hour: Hour) => number, target: string): BenchResult => ({
    name: `${name}, last hours / first hours`,
    value: median(measured.slice(-compared).map(figure)),
    unit,
    baseline: median(measured.slice(1, compared + 1).map(figure)),
    target,
  });
  return [
    { name: "steps", value: steps, unit: "steps" },
    compare("heap of the main thread", "MiB", ({ heapBytes }) => heapBytes / MiB, "<= 1.05"),
    compare("resident memory", "MiB", ({ residentBytes }) => residentBytes / MiB, "<= 1.1"),
    compare("file descriptors", "descriptors", ({ descriptors }) => descriptors, "<= 1.02"),
    compare("threads", "threads", ({ threads }) => threads, "<= 1"),
    compare("http step p50", "ms", ({ p50Ms }) => p50Ms, "<= 1.2"),
    compare("http step p99", "ms", ({ p99Ms }) => p99Ms, "<= 1.5"),
  ];
}
