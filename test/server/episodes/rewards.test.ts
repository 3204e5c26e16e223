/** Answers are scored without an episode. An answer that breaks its verifier affects no other answer. */
import { describe, expect, test } from "vitest";
import { DistantGym, distantId } from "../../support/distant-gym.js";
import { fixture, openGym } from "../../support/gym.js";

const gym = await openGym({
  environments: [fixture("faulty"), fixture("plain")],
  hosts: { count: 2, stepDeadlineMs: 2_000, memoryMb: 128 },
  limits: { maxActionLength: 1_000, maxInFlightSteps: 200 },
});
const distant = await DistantGym.open();

const task = { index: 0 };
const ask = (answers: string[], environment = "faulty") => ({
  environment,
  answers: answers.map((answer) => ({ task, answer })),
});

/** Returns the reward of each result, or its error code. */
async function rewards(answers: string[], { of = gym, environment = "faulty" } = {}): Promise<(number | string)[]> {
  const { results } = await of.call("score", ask(answers, environment));
  return results.map((result) => ("error" in result ? result.error.code : result.reward));
}

describe("answers to tasks", () => {
  test("are scored in their order, also answers of several commands", async () => {
    const answers = Array.from({ length: 50 }, (_, i) => "x".repeat(i));
    expect(await rewards(answers)).toEqual(answers.map(({ length }) => length / 10));
    expect(await rewards(answers, { of: distant.gym, environment: distantId })).toEqual(
      answers.map(({ length }) => length / 10),
    );
  });

  test("are passed to the verifier with their task, steps and tokens", async () => {
    const answers = [{ task: { split: "play", index: 7 }, answer: "ab", steps: 3, tokens: 40 }];
    expect(await gym.call("score", { environment: "faulty@1", answers })).toEqual({
      environment: "faulty@1",
      results: [{ reward: 0.2, info: { task: "play:7", options: {}, steps: 3, tokens: 40 } }],
    });
  });

  test("may be an empty list", async () => {
    expect(await gym.call("score", ask([]))).toEqual({ environment: "faulty@1", results: [] });
  });

  test("without a task, or of too great a length, are refused one by one", async () => {
    const answers = [
      { task: { index: 1_000 }, answer: "a" },
      { task, answer: "a" },
      { task: { split: "exam", index: 0 }, answer: "a" },
      { task, answer: "x".repeat(1_001) },
    ];
    const { results } = await gym.call("score", { environment: "faulty", answers });
    expect(results).toMatchObject([
      { error: { code: "TASK_OUT_OF_RANGE" } },
      { reward: 0.1 },
      { error: { code: "SPLIT_UNKNOWN" } },
      { error: { code: "ACTION_TOO_LARGE" } },
    ]);
  });

  test("for an environment without a verifier are refused together", async () => {
    expect(await gym.refusal("score", ask(["a"], "plain"))).toMatchObject({ code: "VERIFIER_MISSING" });
    expect(await gym.refusal("score", ask(["a"], "chess"))).toMatchObject({ code: "ENVIRONMENT_UNKNOWN" });
    const { hasVerifier } = await gym.call("getEnvironment", { environment: "plain" });
    expect(hasVerifier).toBe(false);
  });

  test("in flight are limited", async () => {
    expect(await gym.refusal("score", ask(Array.from({ length: 201 }, () => "a")))).toMatchObject({
      code: "LIMIT_IN_FLIGHT",
    });
    expect(await rewards(Array.from({ length: 200 }, () => "a"))).toHaveLength(200);
  });

  test("are counted in the metrics", async () => {
    const count = () => gym.metric("palestra_answers_scored_total");
    const before = await count();
    await rewards(["a", "b"]);
    expect(await count()).toBe(before + 2);
  });
});

describe("an answer that breaks its verifier", () => {
  test("fails alone, with its own error", async () => {
    const answers = ["a", "throw", "no number", "no result", "circular info", "list as info", "huge info", "abc"];
    expect(await rewards(answers)).toEqual([
      0.1,
      "ENVIRONMENT_THREW",
      "ENVIRONMENT_RESULT",
      "ENVIRONMENT_RESULT",
      "ENVIRONMENT_RESULT",
      "ENVIRONMENT_RESULT",
      0.9,
      0.3,
    ]);
  });

  test("by hanging or exhausting memory fails no other answer and no step of an episode", async () => {
    const { episodeId } = await gym.create({ environment: "faulty", task });
    expect(await rewards(["a", "hang", "ab", "heap", "abc"])).toEqual([
      0.1,
      "ENVIRONMENT_HUNG",
      0.2,
      "ENVIRONMENT_OUT_OF_MEMORY",
      0.3,
    ]);
    expect(await gym.call("step", { episodeId, index: 0, action: "on" })).toMatchObject({ observation: "1: on" });
  });

  test("fails alone in an async environment as well", async () => {
    const answers = [
      "a",
      "throw",
      "hang",
      "deaf",
      "no-text",
      "no-result",
      "throw-later",
      "unserved",
      "loop",
      "kill",
      "ab",
    ];
    const scored = await rewards(answers, { of: distant.gym, environment: distantId });
    expect(scored).toEqual([
      0.1,
      "ENVIRONMENT_THREW",
      "ENVIRONMENT_TIMEOUT",
      "ENVIRONMENT_TIMEOUT",
      0.7,
      "ENVIRONMENT_RESULT",
      1.1,
      "SERVICE_FAILED",
      "ENVIRONMENT_HUNG",
      expect.stringMatching(/HOST_FAILED/),
      0.2,
    ]);
  });
});
