/** Resources that a gym's process holds: memory after a garbage collection, file descriptors, threads and child processes. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ServerProcess } from "./server-process.js";
import { eventually, openDescriptors } from "./watching.js";

const preload = new URL("heap-report.mjs", import.meta.url).href;

export interface Footprint {
  /** Bytes of the main thread's heap that are in use after a garbage collection. */
  heapBytes: number;
  /** Open timers, sockets and other resources of the main thread. */
  resources: number;
  residentBytes: number;
  descriptors: number;
  threads: number;
}

/** Environment variables of a gym whose footprint a test measures. @param folder folder for the gym's reports */
export function footprintVariables(folder: string): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--import ${preload}`, HEAP_REPORT: reportPath(folder) };
}

/** Measures a gym that was started with `footprintVariables`. Linux only. */
export async function footprintOf(gym: ServerProcess, folder: string): Promise<Footprint> {
  const path = reportPath(folder);
  rmSync(path, { force: true });
  gym.signal("SIGUSR2");
  await eventually(() => existsSync(path), Boolean);
  const report = JSON.parse(readFileSync(path, "utf8")) as { heapUsed: number; external: number; resources: number };
  return {
    heapBytes: report.heapUsed + report.external,
    resources: report.resources,
    residentBytes: gym.residentBytes(),
    descriptors: openDescriptors(gym.pid),
    threads: readdirSync(`/proc/${gym.pid}/task`).length,
  };
}

function reportPath(folder: string): string {
  return join(folder, "heap.json");
}
