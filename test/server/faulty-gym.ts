/** A gym without HTTP, with the environment `faulty`, which has missing and failing tasks. */
import { join } from "node:path";
import { Registry } from "#palestra/envs/registry.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { Gym } from "#palestra/server/episodes/gym.js";
import { fixture, scratchDir } from "../support/gym.js";
import { whenDone } from "../support/when-done.js";

/** @param maxEpisodes limit on live episodes of one owner */
export async function openFaultyGym(maxEpisodes: number): Promise<Gym> {
  const environments = [fixture("faulty")];
  const gym = await Gym.open({
    registry: await Registry.load(environments),
    log: { path: join(scratchDir(), "episodes.db"), sync: "normal" },
    hosts: {
      count: 1,
      isolation: "process",
      passVariables: [],
      sandboxes: loadConfig({ env: {}, flags: {} }).sandboxes,
      stepDeadlineMs: 5_000,
      limits: { memoryMb: 256, maxReplyLength: 1_000_000 },
    },
    limits: {
      maxEpisodes: 100,
      maxInFlightSteps: 100,
      maxPendingSteps: 100,
      maxSeatWaits: 10,
      maxReplays: 1,
      maxReplayMs: 1_000,
      maxActionLength: 1_000,
    },
    defaultLeaseMs: 60_000,
    quietMs: 60_000,
    sweepMs: 10,
    retainMs: 0,
    storage: { minFreeBytes: 0, maxBytes: 0, maxBytesOf: () => null },
    quotasOf: (owner) => ({ own: { kind: "token", name: owner, quota: { maxEpisodes } }, group: null }),
    observer: {
      onStep() {},
      onCreate() {},
      onFailure() {},
      onThrown() {},
      onScored() {},
      onLapse() {},
      onYield() {},
      onQuota() {},
      onHostLost() {},
      onStray() {},
      onInstanceLost() {},
      onRoom() {},
      onLogFailure() {},
      onFleetTrouble() {},
      onUseUnshared() {},
      onRemoved() {},
    },
  });
  whenDone(() => gym.close());
  return gym;
}
