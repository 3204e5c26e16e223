/** Compares the model of a fleet with laws that hold for every queue, and with queues whose waiting times are known. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { noCosts } from "../bench/fleet-model/costs.js";
import { EventHeap } from "../bench/fleet-model/event-heap.js";
import { Histogram } from "../bench/fleet-model/histogram.js";
import { solved } from "../bench/fleet-model/measure-costs.js";
import { killsEvery, type Plan, rollingRestart } from "../bench/fleet-model/plan.js";
import { Random } from "../bench/fleet-model/random.js";
import { simulate } from "../bench/fleet-model/simulation.js";
import { sizeOf } from "../bench/fleet-model/sizing.js";
import { ThinkWheel } from "../bench/fleet-model/think-wheel.js";
import type { ThinkingLoad } from "../bench/fleet-model/thinking-load.js";
import { type FleetModelOptions, fleetModel } from "../bench/fleet-model.js";

const costs = {
  ...noCosts,
  gym: { ...noCosts.gym, stepUs: 100, mainStepUs: 50, commitUs: 100, forwardUs: 60, createUs: 300, startS: 3 },
  postgres: { ...noCosts.postgres, stepUs: 5, commitUs: 50, createUs: 50, commitLatencyMs: [0.5, 1, 4] },
};
costs.gym.loadUs = 500;
costs.gym.replayedStepUs = 20;

const plan: Plan = {
  costs,
  episodes: 3_000,
  gyms: 3,
  gymCores: 2,
  postgresCores: 2,
  sharedCores: null,
  thinkMs: 1_000,
  stepsPerEpisode: 30,
  isForwarding: true,
  failures: [],
  seconds: 40,
  warmUpS: 5,
  seed: 1,
};

const failures: Plan["failures"] = [
  { kind: "kill", atS: 8, gym: 1 },
  { kind: "failover", atS: 15, seconds: 3 },
  { kind: "freeze", atS: 20, gym: 2, seconds: 12 },
  { kind: "restart", atS: 36, gym: 0 },
];

/** A queue with one server and no other costs. It has so many clients that their steps arrive at random. */
const queue = (use: number, isExponential: boolean): Plan => {
  const serviceMs = 1;
  const episodes = 20_000;
  return {
    ...plan,
    costs: { ...noCosts, gym: { ...noCosts.gym, stepUs: serviceMs * 1_000, mainStepUs: serviceMs * 1_000 } },
    episodes,
    gyms: 1,
    gymCores: 1,
    thinkMs: (episodes * serviceMs) / use,
    // No episode ends, since the creation of an episode is free.
    stepsPerEpisode: 60_000,
    isForwarding: false,
    isExponential,
    seconds: 400,
    warmUpS: 50,
  };
};

describe("a simulation", () => {
  test.each([
    ["without failures", []],
    ["with failures", failures],
  ])("answers every step once, %s", (_name, chosen) => {
    const outcome = simulate({ ...plan, failures: chosen });
    expect(outcome.failures).toHaveLength(chosen.length);
    expect(outcome.asked).toBeGreaterThan(100_000);
    // Each episode has one step in flight at most, and `simulate` throws at a second reply.
    expect(outcome.answered + outcome.inFlight).toBe(outcome.asked);
    expect(outcome.inFlight).toBeLessThan(200);
  });

  test("answers all steps although every gym fails in turn", () => {
    const random = new Random(5);
    const chosen = [...killsEvery(9, 60, 3, (limit) => random.below(limit)), ...rollingRestart(70, 3, 8)];
    const outcome = simulate({ ...plan, failures: chosen, seconds: 120, thinkMs: 5_000 });
    expect(outcome.failures.length).toBeGreaterThan(6);
    for (const { waited, latencies } of outcome.failures) expect(latencies.count).toBe(waited);
    expect(outcome.asked - outcome.answered).toBeLessThan(50);
  });

  test.each([
    ["without failures", []],
    ["with failures", failures],
  ])("obeys Little's law, %s", (_name, chosen) => {
    const outcome = simulate({ ...plan, failures: chosen, seconds: 120 });
    const residenceS = (outcome.meanThinkMs + outcome.latencies.meanMs) / 1_000;
    expect((outcome.stepsPerSecond * residenceS) / plan.episodes).toBeCloseTo(1, 1.7);
    expect(Math.abs((outcome.stepsPerSecond * residenceS) / plan.episodes - 1)).toBeLessThan(0.02);
  });

  test.each([
    ["M/D/1", false, 0.5],
    ["M/D/1", false, 0.8],
    ["M/M/1", true, 0.5],
    ["M/M/1", true, 0.8],
  ])("of %s has the mean latency of the closed form (exponential: %s, use: %d)", (_name, isExponential, use) => {
    const { latencies, stepsPerSecond } = simulate(queue(use, isExponential));
    const waiting = (use / (1 - use)) * (isExponential ? 1 : 0.5);
    expect(stepsPerSecond / (1_000 * use)).toBeCloseTo(1, 1);
    expect(Math.abs(latencies.meanMs / (1 + waiting) - 1)).toBeLessThan(0.05);
  });

  test("gives the same result for the same seed, and another result for another seed", () => {
    const [first, second, other] = [1, 1, 2].map((seed) => simulate({ ...plan, failures, seed }));
    expect(second).toEqual(first);
    expect(other?.answered).not.toBe(first?.answered);
  });

  test("makes the episodes of a killed gym wait until it is fenced, and those of a frozen gym longer", () => {
    const { failures: outcomes } = simulate({ ...plan, failures: [failures[0], failures[2]] as Plan["failures"] });
    const [killed, frozen] = outcomes;
    expect(killed?.firstAnswerMs).toBeGreaterThan(2_000);
    expect(killed?.lastAnswerMs).toBeLessThan(5_500);
    expect(frozen?.firstAnswerMs).toBeGreaterThan(9_000);
    expect(frozen?.lastAnswerMs).toBeLessThan(13_000);
    expect(killed?.waited).toBeGreaterThan(500);
  });

  test("commits nothing while PostgreSQL is down, and everything afterwards", () => {
    const { latencies } = simulate({ ...plan, failures: [{ kind: "failover", atS: 15, seconds: 3 }] });
    expect(latencies.mostMs).toBeGreaterThan(2_900);
    expect(latencies.mostMs).toBeLessThan(3_500);
  });

  test("needs more time per step if all parts share one machine", () => {
    const alone = simulate({ ...plan, episodes: 100, thinkMs: 0.001, isForwarding: false });
    const shared = simulate({ ...plan, episodes: 100, thinkMs: 0.001, isForwarding: false, sharedCores: 2 });
    expect(shared.stepsPerSecond).toBeLessThan(0.6 * alone.stepsPerSecond);
  });
});

describe("the bench", () => {
  function costsFile(content: unknown): string {
    const path = join(mkdtempSync(join(tmpdir(), "palestra-costs-")), "costs.json");
    onTestFinished(() => rmSync(dirname(path), { recursive: true }));
    writeFileSync(path, JSON.stringify(content));
    return path;
  }
  const run = (path: string, seed: number) => fleetModel({ ...options, costs: path, seed } satisfies FleetModelOptions);
  const options = { episodes: "3000", think: 2, steps: 20, killEvery: 30, failover: 5, seconds: 1 };

  test("gives the same results for the same costs and seed", async () => {
    const path = costsFile(costs);
    const [first, second, other] = [await run(path, 1), await run(path, 1), await run(path, 2)];
    expect(second).toEqual(first);
    expect(other).not.toEqual(first);
    const value = (name: string) => first.find((result) => result.name === `3,000 light episodes: ${name}`)?.value;
    expect(value("gyms with two in reserve")).toBe(3);
    expect(value("steps")).toBeGreaterThan(1_200);
    expect(value("kill at 30 s: first answer of its episodes")).toBeGreaterThan(2);
  });

  test("refuses a file that lacks a cost, and an invalid number of episodes", async () => {
    const { stepUs: _, ...gym } = costs.gym;
    await expect(run(costsFile({ ...costs, gym }), 1)).rejects.toThrow(
      "expected a number of at least 0 as costs.gym.stepUs, but received undefined",
    );
    const unknown = fleetModel({ ...options, costs: costsFile(costs), seed: 1, episodes: "many" });
    await expect(unknown).rejects.toThrow('expected numbers of episodes, separated by commas, but received "many"');
  });

  test("splits the cost of two loads into steps and commits", () => {
    const load = (steps: number, commits: number) =>
      ({ steps, commits, walBytes: 100 * steps + 700 * commits }) as ThinkingLoad;
    const { step, commit } = solved(load(100, 100), load(1_000, 50), ({ walBytes }) => walBytes);
    expect(step).toBeCloseTo(100);
    expect(commit).toBeCloseTo(700);
  });

  test("needs more gyms for more memory, and for more steps", () => {
    const demand = { episodes: 1e6, thinkMs: 10_000, stepsPerEpisode: 30, episodeKiB: 12, isForwarding: true };
    const light = sizeOf(costs, demand);
    expect(light.gyms).toBe(Math.max(light.byCpu, light.byMainThread, light.byMemory) + 2);
    expect(light.byMemory).toBe(1);
    expect(sizeOf(costs, { ...demand, episodeKiB: 400 }).byMemory).toBe(24);
    expect(sizeOf(costs, { ...demand, thinkMs: 1_000 }).byCpu).toBeGreaterThan(9 * light.byCpu);
  });
});

test("a heap returns its events in the order of time, and equal ones in the order of arrival", () => {
  const random = new Random(3);
  const times = Array.from({ length: 2_000 }, () => random.below(300));
  const heap = new EventHeap<number>();
  for (const [i, at] of times.entries()) heap.add(at, i);
  const taken = times.map(() => heap.take());
  expect(taken).toEqual(times.map((_, i) => i).sort((a, b) => (times[a] as number) - (times[b] as number) || a - b));
});

test("a timer wheel returns the ends of all think times in order, also those after its first turn", () => {
  const random = new Random(4);
  const ends = Array.from({ length: 500 }, () => random.next() * 400_000);
  const wheel = new ThinkWheel(ends.length);
  for (const [episode, at] of ends.entries()) wheel.add(episode, at);
  const taken: number[] = [];
  for (let at = 0; at < 400_000; ) {
    at = wheel.nextAt(400_000);
    if (at < 400_000) taken.push(wheel.take());
  }
  expect(taken).toEqual(ends.map((_, i) => i).sort((a, b) => (ends[a] as number) - (ends[b] as number)));
});

test("a histogram's quantiles have an error of 1 %", () => {
  const histogram = new Histogram();
  for (let ms = 1; ms <= 10_000; ms++) histogram.add(ms);
  for (const part of [0.01, 0.5, 0.99]) expect(histogram.quantile(part) / (10_000 * part)).toBeCloseTo(1, 1.7);
  expect([histogram.meanMs, histogram.mostMs]).toEqual([5_000.5, 10_000]);
});
