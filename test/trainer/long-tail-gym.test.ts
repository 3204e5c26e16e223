/** The slow gym of the benches has the stated latencies, at the same steps every time. */
import { beforeAll, describe, expect, test } from "vitest";
import { quantile } from "#palestra/trainer/evaluation/statistics.js";
import type { EpisodeRequest } from "#palestra/trainer/gym/gym.js";
import { connect, type ListeningGym, listen } from "./support/gym.js";
import { LongTailGym, type LongTailOptions, latencyMs } from "./support/long-tail-gym.js";

const latency = { medianMs: 50, p99Ms: 5_000 };

let gym: ListeningGym;
beforeAll(async () => {
  gym = await listen();
});

describe("the latency", () => {
  test("has the requested median and 99th percentile", () => {
    const draws = Array.from({ length: 200_000 }, (_, step) => latencyMs(latency, 7, step)).sort((a, b) => a - b);
    expect(quantile(draws, 0.5) / latency.medianMs).toBeCloseTo(1, 1);
    expect(quantile(draws, 0.99) / latency.p99Ms).toBeCloseTo(1, 1);
    expect(quantile(draws, 0.01) / 0.5).toBeCloseTo(1, 1);
  });

  test("depends only on its keys", () => {
    expect(latencyMs(latency, 1, 2)).toBe(latencyMs(latency, 1, 2));
    expect(latencyMs(latency, 1, 2)).not.toBe(latencyMs(latency, 2, 1));
  });
});

describe("a gym with a long tail", () => {
  const task = { environment: "textcraft", split: "all", index: 0 };

  async function open(options: Partial<LongTailOptions> = {}): Promise<LongTailGym> {
    return new LongTailGym(await connect(gym.url), { latency, seed: 1, ...options });
  }

  /** Returns the delay of each step, by sample, when all samples are played side by side in this order. */
  async function waits(samples: readonly EpisodeRequest[], order: readonly number[]): Promise<number[][]> {
    const waited: number[][] = samples.map(() => []);
    let playing = 0;
    const slow = await open({ wait: async (ms) => void waited[playing]?.push(ms) });
    const episodes = await Promise.all(samples.map((request) => slow.begin(request)));
    for (const sample of order) {
      playing = sample;
      await episodes[sample]?.step("inventory");
    }
    return waited;
  }

  test("delays the same steps of the same samples equally, in any order of play", async () => {
    const samples = [task, task, { ...task, index: 1 }];
    const inTurn = await waits(samples, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    expect(await waits(samples, [2, 2, 2, 1, 1, 1, 0, 0, 0])).toEqual(inTurn);
    expect(new Set(inTurn.flat()).size).toBe(9);
  });

  test("does not delay other episodes", async () => {
    const waited: number[] = [];
    const slow = await open({ isSlow: ({ index }) => index > 0, wait: async (ms) => void waited.push(ms) });
    for (const index of [0, 1]) await slow.begin({ ...task, index }).then((episode) => episode.step("inventory"));
    expect(waited).toHaveLength(1);
  });

  test("rejects a delayed step at once when its signal is aborted", async () => {
    const slow = await open({ latency: { medianMs: 3_600_000, p99Ms: 3_600_001 } });
    const episode = await slow.begin(task);
    const stopping = new AbortController();
    const step = episode.step("inventory", stopping.signal);
    stopping.abort(new Error("stopped"));
    await expect(step).rejects.toThrow("stopped");
  });
});
