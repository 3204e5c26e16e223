import { afterEach, describe, expect, test, vi } from "vitest";
import { type CheckResult, checkEnvironment, checkNames } from "#palestra/envs/check-env.js";
import type {
  Environment,
  EnvironmentContext,
  EnvironmentSpec,
  ResetRequest,
  ResetResult,
  StepResult,
} from "#palestra/envs/env.js";
import { OrderEnforcing } from "#palestra/envs/shared/wrappers/order-enforcing.js";
import { TimeLimit } from "#palestra/envs/shared/wrappers/time-limit.js";
import { altered, answering, broken, common, meanwhile, needing, playing, spec } from "./broken.js";
import { seated } from "./broken-seats.js";
import { Cloneable, Counting, correct } from "./counting.js";

const named = (results: CheckResult[], outcome: CheckResult["outcome"]) =>
  results.filter((result) => result.outcome === outcome).map(({ check }) => check);

afterEach(() => {
  vi.restoreAllMocks();
  for (const restore of altered.splice(0).reverse()) restore();
});

describe("a correct environment", () => {
  test("passes every check", async () => {
    const results = await checkEnvironment(correct);
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(results.every(({ environment }) => environment === "counting@1")).toBe(true);
    expect(results.every(({ detail, durationMs }) => detail !== "" && durationMs >= 0)).toBe(true);
  });

  test("passes with other seeds, with one episode and with all", async () => {
    for (const options of [{ seed: 2 ** 52 }, { episodes: 1 }, { episodes: 100, seed: 7 }]) {
      expect(named(await checkEnvironment(correct, options), "passed")).toHaveLength(checkNames.length);
    }
  });

  test("skips the checks of clone, expert, queries and verdict if it has none", async () => {
    const { expert: _, queries: __, verdict: ___, ...rest } = { ...playing(Counting), restore: "replay" as const };
    const results = await checkEnvironment(rest);
    expect(named(results, "failed")).toEqual([]);
    expect(named(results, "skipped")).toEqual([
      "clone",
      "queries",
      "expert-purity",
      "expert-reward",
      "expert-restore",
      "verdict",
      "expert-tools",
    ]);
  });

  test("with seats passes every check", async () => {
    const results = await checkEnvironment(seated(() => ({})));
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
  });

  test("skips the checks of restoring if it cannot be restored", async () => {
    const results = await checkEnvironment({ ...playing(Counting), restore: "none" });
    expect(named(results, "skipped")).toEqual(["replay", "clone", "expert-restore"]);
  });

  test("skips the time limit if every idle action ends the task", async () => {
    const results = await checkEnvironment(answering(() => ({ terminated: true, reward: 1 })));
    expect(named(results, "failed")).toEqual([]);
    expect(named(results, "skipped")).toEqual(["time-limit"]);
  });

  test("passes expert-reward if the rewards of several steps add up to the solved reward", async () => {
    const half = answering((_, { reward }) => ({ reward: reward / 2, terminated: false }));
    const twice = { ...half, expert: () => "one" };
    const results = await checkEnvironment({ ...twice, rewardRange: [0, 0.5] });
    expect(named(results, "failed")).toEqual([]);
  });
});

describe("only the responsible check fails", () => {
  test.each(broken)("%s on %s", async (check, _, faulty) => {
    const results = await checkEnvironment(faulty);
    expect(results.filter(({ outcome }) => outcome === "failed")).toMatchObject([{ check }]);
  });

  test("order fails on a wrapper that lets every step through", async () => {
    vi.spyOn(OrderEnforcing.prototype, "step").mockImplementation(function (this: OrderEnforcing, action: string) {
      return (this as unknown as { inner: Environment }).inner.step(action);
    });
    expect(named(await checkEnvironment(correct), "failed")).toEqual(["order"]);
  });

  test("the broken environments cover every check of the suite", async () => {
    const checks = (await checkEnvironment(correct)).map(({ check }) => check);
    expect(new Set(checks)).toEqual(new Set([...broken.map(([check]) => check), "order"]));
  });
});

describe("a mistake that affects many checks is one failure, and the other checks name that check", () => {
  test.each(common)("%s", async (_, check, faulty) => {
    const results = await checkEnvironment(faulty);
    expect(results.filter(({ outcome }) => outcome === "failed")).toMatchObject([{ check }]);
    const told = results.filter(({ outcome, detail }) => outcome === "skipped" && detail.includes(check));
    // A failed check of queries, of the verdict or of the expert affects no other check.
    if (!["queries", "expert-purity", "verdict", "close"].includes(check)) expect(told.length).toBeGreaterThan(1);
  });
});

test("a result that is too long is reported with its size, the limit and a remedy", async () => {
  const faulty = answering(() => ({ observation: "x".repeat(2_000) }));
  const results = await checkEnvironment(faulty, { maxReplyLength: 1_000 });
  expect(results.find(({ outcome }) => outcome === "failed")?.detail).toMatch(
    /^expected a result of at most 1,000 characters of JSON, but received 2,\d\d\d, of which `observation` has 2,002\. Return a shorter one, or raise the setting `limits\.maxReplyLength` of the gym\.$/,
  );
});

describe("time-limit", () => {
  test("fails if no step is truncated", async () => {
    vi.spyOn(TimeLimit.prototype, "step").mockImplementation(function (this: TimeLimit, action: string) {
      return (this as unknown as { inner: Environment }).inner.step(action);
    });
    expect(named(await checkEnvironment(correct), "failed")).toContain("time-limit");
  });

  test("stops at frozen results, and `order` reports these", async () => {
    const frozen = playing(
      class extends Cloneable {
        override step(action: string): StepResult {
          return Object.freeze(super.step(action));
        }
      },
    );
    const results = await checkEnvironment(frozen);
    expect(named(results, "failed")).toEqual(["order"]);
    expect(results.find(({ check }) => check === "time-limit")?.detail).toBe("stopped by the error that order reports");
  });
});

describe("a missing requirement", () => {
  const probe = async () => ({ available: false, detail: "no java on the path" });

  test("skips every check that runs the environment, and prints how to provide it", async () => {
    const results = await checkEnvironment(needing({ probe }));
    expect(named(results, "passed")).toEqual([
      "spec-identity",
      "spec-limits",
      "spec-options",
      "spec-splits",
      "spec-tools",
      "spec-seats",
    ]);
    expect(named(results, "failed")).toEqual([]);
    for (const { detail } of results.slice(6)) {
      expect(detail).toBe("jvm is missing: no java on the path (Install Java 17.)");
    }
  });

  test("makes no instance", async () => {
    const create = vi.fn(correct.create);
    await checkEnvironment({ ...needing({ probe }), create });
    expect(create).not.toHaveBeenCalled();
  });
});

describe("checkEnvironment", () => {
  test("reports progress after each check", async () => {
    const onProgress = vi.fn();
    const results = await checkEnvironment(correct, { onProgress });
    expect(onProgress.mock.calls).toEqual(results.map((_, i) => [i + 1, results.length]));
  });

  test("plays the first task, the last, and the given number of tasks in each split", async () => {
    const played = new Set<string>();
    const watched = playing(
      class extends Cloneable {
        override reset(request: ResetRequest): ResetResult {
          played.add(`${request.task.split}:${request.task.index}`);
          return super.reset(request);
        }
      },
    );
    await checkEnvironment(watched, { episodes: 3 });
    expect([...played]).toEqual(["train:0", "train:10", "train:19", "test:0"]);
  });

  test("closes every instance", async () => {
    const open = new Set<Environment>();
    const watched = playing(
      class extends Cloneable {
        constructor(context: EnvironmentContext) {
          super(context);
          open.add(this);
        }
        override close(): void {
          open.delete(this);
        }
      },
    );
    await checkEnvironment(watched);
    expect(open.size).toBe(0);
  });

  test("restores the clock and the randomness of the process", async () => {
    const before = [Math.random, Date, Date.now, performance.now, crypto.randomUUID];
    await checkEnvironment(meanwhile(() => Math.random()));
    expect([Math.random, Date, Date.now, performance.now, crypto.randomUUID]).toEqual(before);
  });

  test("returns results for an object that is not a spec", async () => {
    const results = await checkEnvironment(spec({ splits: null, rewardRange: null, requirements: null, create: null }));
    expect(named(results, "failed")).toEqual(["spec-limits", "spec-splits", "requirements"]);
  });

  test("reports the task, the seed, the step and the difference of a failure", async () => {
    const faulty = broken.find(([check]) => check === "replay")?.[2] as EnvironmentSpec;
    const { detail } = (await checkEnvironment(faulty)).find(({ check }) => check === "replay") as CheckResult;
    expect(detail).toMatch(/^train:0 with seed 0, step 1: expected .*1700000000000.*, but received .*1700086400000/);
  });

  test.each([{ episodes: 0 }, { episodes: 1.5 }, { seed: -1 }, { seed: 2 ** 53 }, { seed: 0.5 }])(
    "the options %j are refused",
    async (options) => {
      await expect(checkEnvironment(correct, options)).rejects.toThrow(RangeError);
    },
  );
});
