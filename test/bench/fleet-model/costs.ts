/** The measured costs that the model uses. CPU times are in microseconds. */
import { readFileSync } from "node:fs";

export interface Costs {
  gym: {
    /** CPU of a step that its owner receives, of which `mainStepUs` is on the main thread. */
    stepUs: number;
    mainStepUs: number;
    /** CPU of a commit, however many steps it has. */
    commitUs: number;
    /** Additional CPU of a forwarded step compared with a local one, on both gyms together. */
    forwardUs: number;
    createUs: number;
    /** CPU of loading an episode from the log, and of each of its steps that is played again. */
    loadUs: number;
    replayedStepUs: number;
    /** Memory of a gym without episodes, and of a live episode of a light and of a heavy environment. */
    baseMiB: number;
    lightEpisodeKiB: number;
    heavyEpisodeKiB: number;
    /** Seconds from the start of a gym's process until it serves. */
    startS: number;
  };
  postgres: {
    stepUs: number;
    commitUs: number;
    createUs: number;
    walBytesPerStep: number;
    walBytesPerCommit: number;
    walBytesPerCreate: number;
    /** Latency of a commit in milliseconds, at evenly spaced probabilities from 0 to 1. */
    commitLatencyMs: number[];
  };
  /** CPU of the load generator per step. */
  loadStepUs: number;
}

/** Costs of 0, for special cases of the model. */
export const noCosts: Costs = {
  gym: {
    stepUs: 0,
    mainStepUs: 0,
    commitUs: 0,
    forwardUs: 0,
    createUs: 0,
    loadUs: 0,
    replayedStepUs: 0,
    baseMiB: 0,
    lightEpisodeKiB: 0,
    heavyEpisodeKiB: 0,
    startS: 0,
  },
  postgres: {
    stepUs: 0,
    commitUs: 0,
    createUs: 0,
    walBytesPerStep: 0,
    walBytesPerCommit: 0,
    walBytesPerCreate: 0,
    commitLatencyMs: [0],
  },
  loadStepUs: 0,
};

/** Reads costs that `fleet-model --save-costs` has written. @throws {Error} the file lacks a cost, or has a wrong one */
export function readCosts(path: string): Costs {
  const costs = JSON.parse(readFileSync(path, "utf8")) as Costs;
  expectLike(costs, noCosts, "costs");
  if (costs.postgres.commitLatencyMs.length === 0)
    throw new Error(`expected latencies in costs.postgres.commitLatencyMs of ${path}, but received none`);
  return costs;
}

function expectLike(value: unknown, like: unknown, name: string): void {
  if (Array.isArray(like)) {
    if (!Array.isArray(value)) throw new Error(`expected an array as ${name}, but received ${JSON.stringify(value)}`);
    for (const [i, each] of value.entries()) expectLike(each, 0, `${name}[${i}]`);
  } else if (typeof like === "object") {
    if (typeof value !== "object" || value === null)
      throw new Error(`expected an object as ${name}, but received ${JSON.stringify(value)}`);
    for (const [key, each] of Object.entries(like as object))
      expectLike((value as Record<string, unknown>)[key], each, `${name}.${key}`);
  } else if (typeof value !== "number" || !(value >= 0)) {
    throw new Error(`expected a number of at least 0 as ${name}, but received ${JSON.stringify(value)}`);
  }
}
