import { describe, expect, test } from "vitest";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { summarise } from "#palestra/trainer/evaluation/summary.js";

function record(index: number, sample: number, change: Partial<EpisodeRecord> = {}): EpisodeRecord {
  const played = { environment: "textcraft@1", split: "test", index, seed: sample };
  const turns = [{ reply: "a", action: "a", observation: "b", reward: 0 }];
  return { played, sample, status: "terminated", score: 0, solved: false, wallMs: 500, opening: "", turns, ...change };
}

const solved = { score: 1, solved: true };
const failure = {
  class: "infrastructure",
  code: "GYM_TIMEOUT",
  message: "expected a reply, but received none",
} as const;
const usage = { requests: 2, promptTokens: 1_000, completionTokens: 100 };

describe("a summary", () => {
  test("leaves failed episodes out of every rate, and counts them", () => {
    const lost = record(1, 0, { status: "failed", failure, turns: [], usage });
    const summary = summarise([record(0, 0, { ...solved, usage }), lost], 2, { in: 2, out: 10 });
    expect(summary).toMatchObject({
      planned: 2,
      tasks: 1,
      episodes: 1,
      failed: 1,
      successRate: { value: 1 },
      meanScore: { value: 1 },
      statuses: { terminated: 1, failed: 1 },
      failures: [{ class: "infrastructure", code: "GYM_TIMEOUT", count: 1, example: failure.message }],
      usage: { requests: 4, promptTokens: 2_000, completionTokens: 200 },
      cost: 0.006,
      playSeconds: 1,
    });
  });

  test("names the reasons for lost episodes, the most frequent first, each with a remedy", () => {
    const refused = (status: number) =>
      ({ class: "policy", code: "POLICY_REFUSED", message: `${status}`, status }) as const;
    const failures = [refused(500), failure, refused(429), refused(429)];
    const lost = failures.map((each, index) => record(index, 0, { status: "failed", failure: each }));
    expect(summarise(lost, 4, undefined).failures).toMatchObject([
      { code: "POLICY_REFUSED", status: 429, count: 2, remedy: expect.stringContaining("Lower --concurrency") },
      { code: "POLICY_REFUSED", status: 500, count: 1, remedy: expect.stringContaining("policy server's log") },
      { code: "GYM_TIMEOUT", count: 1, remedy: expect.stringContaining("Lower --concurrency") },
    ]);
  });

  test("counts episodes by kind of failure, lost ones included, and retries of the policy's server by cause", () => {
    const turn = { reply: "go", action: "go", observation: "a wall", reward: 0 };
    const unread = { reply: "hm", observation: "Error: expected an action", reward: 0 };
    const records = [
      record(0, 0, { ...solved, usage: { ...usage, retries: { "429": 2 } } }),
      record(1, 0),
      record(2, 0, { status: "limit", turns: [turn, turn, turn] }),
      record(3, 0, { status: "limit", turns: [unread] }),
      record(4, 0, { status: "failed", failure, usage: { ...usage, retries: { "429": 1, timeout: 3 } } }),
    ];
    const summary = summarise(records, 5, undefined);
    expect(summary.failureKinds).toEqual({ "gym-failure": 1, "unread-reply": 1, looped: 1, "wrong-answer": 1 });
    expect(summary.usage.retries).toEqual({ "429": 3, timeout: 3 });
    expect(summarise(records.slice(1, 2), 1, undefined).usage).not.toHaveProperty("retries");
  });

  test("computes pass@k over the tasks that have k episodes", () => {
    const records = [
      ...[solved, {}, {}, {}].map((change, sample) => record(0, sample, change)),
      ...[{}, {}, { status: "failed" as const, failure }, {}].map((change, sample) => record(1, sample, change)),
    ];
    expect(summarise(records, 8, undefined).passAtK).toMatchObject([
      { k: 1, tasks: 2, value: 0.125 },
      { k: 2, tasks: 2, value: 0.25 },
      { k: 4, tasks: 1, value: 1 },
    ]);
  });

  test("has a row for each family, in the order of their numbers", () => {
    const families = ["10", "9", "10"].map((family, index) => record(index, 0, { family, ...(index > 0 && solved) }));
    expect(summarise(families, 3, undefined).families).toMatchObject([
      { family: "9", episodes: 1, successRate: { value: 1, method: "korn-graubard" } },
      { family: "10", episodes: 2, successRate: { value: 0.5 } },
    ]);
  });

  test.each([
    ["solved", solved, 0.5407, 1],
    ["unsolved", {}, 0, 0.4593],
  ])("of tasks that are all %s has intervals that do not collapse", (_, change, low, high) => {
    const records = [0, 1, 2, 3].flatMap((index) => [0, 1, 2, 3].map((sample) => record(index, sample, change)));
    const { successRate, meanScore, passAtK } = summarise(records, 16, undefined);
    // Clopper and Pearson's for 4 trials are [0.3976, 1] and [0, 0.6024].
    for (const estimate of [successRate, meanScore, ...passAtK]) {
      expect(estimate?.low).toBeLessThanOrEqual(low);
      expect(estimate?.high).toBeGreaterThanOrEqual(high);
      expect(estimate?.effectiveSize).toBeCloseTo(4, 9);
    }
  });

  test("uses the range of scores from 0 to the score of a solved task", () => {
    const records = [0, 1, 2, 3].map((index) => record(index, 0));
    expect(summarise(records, 4, undefined, 100).meanScore?.high).toBeCloseTo(60.24, 2);
  });

  test("of no episodes has no rates", () => {
    const summary = summarise([], 4, undefined);
    expect(summary).toMatchObject({ episodes: 0, planned: 4, passAtK: [], families: [] });
    expect([summary.successRate, summary.meanScore, summary.meanSteps, summary.cost]).toEqual(Array(4).fill(undefined));
  });
});
