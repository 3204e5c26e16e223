/** A fuzzed server, with its resources before and after, and a health check. */
import type { RunningServer } from "../support/server-process.js";
import { eventually, MiB, metric, openDescriptors } from "../support/watching.js";
import { type FuzzReport, fuzzFrames } from "./frames.js";

export interface SessionReport extends FuzzReport {
  seconds: number;
  /** Growth of the server's memory since the end of a first round of the same kind. */
  grownMiB: number;
  openSockets: number;
  liveEpisodes: number;
  surplusDescriptors: number;
  alive: boolean;
}

/** Number of frames before the first measurement, so that one-time allocations do not count. */
const warmUpFrames = 1_000;

export async function fuzzSession(
  { url, process }: RunningServer,
  frames: number,
  seed: number,
): Promise<SessionReport> {
  await fuzzFrames(url, warmUpFrames, seed - 1);
  await settled(url);
  const before = { bytes: process.residentBytes(), descriptors: openDescriptors(process.pid) };
  const startedAt = performance.now();
  const report = await fuzzFrames(url, frames, seed);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { openSockets, liveEpisodes } = await settled(url);
  const bytes = await eventually(
    () => process.residentBytes(),
    (bytes) => bytes <= before.bytes + 16 * MiB,
  );
  return {
    ...report,
    seconds,
    grownMiB: (bytes - before.bytes) / MiB,
    openSockets,
    liveEpisodes,
    surplusDescriptors: openDescriptors(process.pid) - before.descriptors,
    alive: process.running && (await fetch(`${url}/livez`)).status === 200,
  };
}

async function settled(url: string): Promise<{ openSockets: number; liveEpisodes: number }> {
  const openSockets = await eventually(
    () => metric(url, "palestra_sockets"),
    (sockets) => sockets === 0,
  );
  const liveEpisodes = await eventually(
    () => metric(url, "palestra_live_episodes"),
    (episodes) => episodes === 0,
  );
  return { openSockets, liveEpisodes };
}
