/** A gym that is used all day holds no more memory, descriptors, timers or threads than after its first hour. */
import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { DailyLoad } from "../support/daily-load.js";
import { fixture, scratchDir } from "../support/gym.js";
import { type Footprint, footprintOf, footprintVariables } from "../support/gym-footprint.js";
import { startGym } from "../support/server-process.js";
import { MiB } from "../support/watching.js";

const size = { episodes: 64, steps: 40 };
const warmUps = 4;
const rounds = 9;
/** Long enough for the sweep of lapsed leases and for the replacement of a lost host. */
const restMs = 1_500;

test.skipIf(!existsSync("/proc/self/fd"))(
  "a gym leaks no memory, descriptors, timers or threads",
  async () => {
    const folder = scratchDir();
    const env = { ...footprintVariables(folder), PALESTRA_HOSTS_COUNT: "1" };
    const gym = await startGym({ dataDir: scratchDir(), env, environmentModules: [fixture("faulty")] });
    onTestFinished(async () => {
      await gym.process.kill();
    });
    const load = await DailyLoad.begin(gym.url, size);
    const measure = async (count: number): Promise<Footprint> => {
      for (let round = 0; round < count; round++) await load.round();
      await new Promise((resolve) => setTimeout(resolve, restMs));
      return footprintOf(gym.process, folder);
    };
    await measure(warmUps);
    const before = await measure(rounds);
    const after = await measure(rounds);
    load.end();
    console.log({ before, after, steps: load.steps });
    // A round has about 70 episodes and 90 requests: a leak of 2 KiB for each would be found.
    expect(after.heapBytes - before.heapBytes).toBeLessThan(2.5 * MiB);
    expect(after.residentBytes - before.residentBytes).toBeLessThan(64 * MiB);
    // A connection that was just lost may still be open.
    expect(after.descriptors - before.descriptors).toBeLessThanOrEqual(2);
    expect(after.resources - before.resources).toBeLessThanOrEqual(2);
    expect(after.threads).toBe(before.threads);
  },
  180_000,
);
