/** A gym on a machine whose wall clock jumps. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { connect, scratch, serve } from "../support/serving.js";
import { eventually, metric } from "../support/watching.js";

const tenYearsMs = 10 * 365 * 86_400_000;
const leaseMs = 2_000;

/** Settings of a gym whose wall clock is wrong by a number of milliseconds, which can be changed. */
function shiftedClock(): { env: Record<string, string>; shift(ms: number): void } {
  const file = join(scratch(), "shift");
  const shift = (ms: number) => {
    // The file is replaced in one step, since the gym may read it at any time.
    writeFileSync(`${file}.new`, `${ms}`);
    renameSync(`${file}.new`, file);
  };
  shift(0);
  const preload = fileURLToPath(new URL("../support/shifted-clock.mjs", import.meta.url));
  return { env: { NODE_OPTIONS: `--import=${preload}`, CLOCK_SHIFT_FILE: file }, shift };
}

const creation = { environment: "textcraft", task: { index: 0 } };
const liveEpisodes = (url: string) => metric(url, "palestra_live_episodes");
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("a jump of the wall clock by ten years neither ends leases nor extends them", async () => {
  const { env, shift } = shiftedClock();
  const { url } = await serve({
    env: { ...env, PALESTRA_LEASES_DEFAULT_MS: `${leaseMs}`, PALESTRA_LEASES_SWEEP_MS: "50" },
  });
  const socket = await connect(url);
  const { episodeId } = await socket.request<{ episodeId: string }>("create", creation);
  const calledAt = performance.now();
  shift(tenYearsMs);
  await pause(400);
  const live = await liveEpisodes(url);
  // If the machine was busy for the whole lease, the lease has expired correctly.
  if (performance.now() - calledAt < leaseMs) expect(live).toBe(1);
  expect(await socket.request("step", { episodeId, index: 0, action: "inventory" })).toMatchObject({ index: 0 });
  shift(-tenYearsMs);
  expect(
    await eventually(
      () => liveEpisodes(url),
      (count) => count === 0,
    ),
  ).toBe(0);
  expect(await socket.request("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({ index: 1 });
  expect(await liveEpisodes(url)).toBe(1);
});

test("a gym that starts with a wall clock ten years ahead removes no episode for its age", async () => {
  const dataDir = scratch();
  const { env, shift } = shiftedClock();
  const settings = { dataDir, env: { ...env, PALESTRA_LOG_RETAIN_DAYS: "1" } };
  const ids: string[] = [];
  const createOne = async (url: string) => {
    const socket = await connect(url);
    ids.push((await socket.request<{ episodeId: string }>("create", creation)).episodeId);
  };
  for (const ms of [0, tenYearsMs, -tenYearsMs, 0]) {
    shift(ms);
    const { url, process } = await serve(settings);
    await createOne(url);
    await process.stop();
  }
  const { url } = await serve(settings);
  const socket = await connect(url);
  // The gym removes old episodes when it starts.
  await pause(500);
  const { episodes } = await socket.request<{ episodes: { episodeId: string }[] }>("list");
  expect(episodes.map(({ episodeId }) => episodeId)).toEqual(ids.toReversed());
});
