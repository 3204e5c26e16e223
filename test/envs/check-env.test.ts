import { afterEach, describe, expect, test, vi } from "vitest";
import { type CheckResult, checkEnvironment } from "#palestra/envs/check-env.js";
import type {
  Environment,
  EnvironmentContext,
  EnvironmentSpec,
  ResetRequest,
  ResetResult,
  StepResult,
  Tool,
} from "#palestra/envs/env.js";
import { OrderEnforcing } from "#palestra/envs/wrappers/order-enforcing.js";
import { TimeLimit } from "#palestra/envs/wrappers/time-limit.js";
import { Cloneable, Counting, correct, numbers } from "./counting.js";

const spec = (fields: object): EnvironmentSpec => ({ ...correct, ...fields });
const playing = (Engine: new (context: EnvironmentContext) => Environment): EnvironmentSpec =>
  spec({ create: (context: EnvironmentContext) => new Engine(context) });
const fail = (): never => {
  throw new Error("engine fault");
};

/** The results of resets differ by `patch`. */
const starting = (patch: object): EnvironmentSpec =>
  playing(
    class extends Cloneable {
      override reset(request: ResetRequest): ResetResult {
        return { ...super.reset(request), ...patch };
      }
    },
  );

/** The results of steps differ by what `patch` makes of them. */
const answering = (patch: (action: string, result: StepResult) => object): EnvironmentSpec =>
  playing(
    class extends Cloneable {
      override step(action: string): StepResult {
        const result = super.step(action);
        return { ...result, ...patch(action, result) };
      }
    },
  );

/** Each step does something besides. */
const meanwhile = (act: (action: string, engine: Counting) => unknown): EnvironmentSpec =>
  playing(
    class extends Cloneable {
      override step(action: string): StepResult {
        act(action, this);
        return super.step(action);
      }
    },
  );

const closing = (close: (engine: Counting, times: number) => unknown): EnvironmentSpec =>
  playing(
    class extends Cloneable {
      private times = 0;
      override close(): void {
        close(this, ++this.times);
      }
    },
  );

/** Plays well with its default option only. */
class Moody extends Cloneable {
  override reset(request: ResetRequest): ResetResult {
    const result = super.reset(request);
    return request.options.mode === "other" ? ({ ...result, observation: 5 } as unknown as ResetResult) : result;
  }
}

const fine = { summary: "Fine." };
const option = (values: object) => spec({ options: { mode: { summary: "How.", values } } });
const split = (name: string, fields: object) => spec({ splits: { [name]: { ...numbers, ...fields } } });
const expert = (answer: (engine: Counting) => unknown) => spec({ expert: answer });
const query = (answer: (engine: Counting) => unknown, { name = "odd", summary = "Odd." } = {}) =>
  spec({ queries: { [name]: { summary, answer } } });
const needing = (fields: object) => {
  const probe = async () => ({ available: true, detail: "/usr/bin/java" });
  return spec({ requirements: [{ name: "jvm", howToGet: "Install Java 17.", probe, ...fields }] });
};
const waitMs = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

let calls = 0;

const one: Tool = {
  name: "one",
  description: "Count by one.",
  parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
  action: "one",
};
const word = { type: "string", description: "What to say." } as const;
const say: Tool = {
  name: "say",
  description: "Say something.",
  parameters: { type: "object", properties: { word }, required: ["word"], additionalProperties: false },
  action: "say {word}",
};
const optionalWord = { ...say.parameters, required: [] };

const broken: [check: string, fault: string, spec: EnvironmentSpec][] = [
  ["spec-identity", "upper case in the id", spec({ id: "Counting" })],
  ["spec-identity", "no id", spec({ id: undefined })],
  ["spec-identity", "version 0", spec({ version: 0 })],
  ["spec-identity", "a summary of two sentences", spec({ summary: "Count. Then stop." })],
  ["spec-identity", "an empty prompt", spec({ prompt: " " })],
  ["spec-identity", "an unknown way to restore", { ...playing(Counting), restore: "rewind" as "replay" }],
  ["spec-limits", "rewards from high to low", spec({ rewardRange: [1, 0] })],
  ["spec-limits", "an unbounded reward", spec({ rewardRange: [0, Number.POSITIVE_INFINITY] })],
  ["spec-limits", "no step at all", spec({ maxSteps: 0 })],
  ["spec-splits", "no split", spec({ splits: {} })],
  ["spec-splits", "an empty split", split("train", { size: 0 })],
  ["spec-splits", "a colon in a split's name", split("train:hard", {})],
  ["spec-splits", "a split without summary", split("train", { summary: "" })],
  ["spec-splits", "a task without title", split("train", { title: () => "" })],
  ["spec-limits", "a solved reward that is none", spec({ solvedReward: Number.NaN })],
  ["spec-options", "an option without values", option({})],
  [
    "spec-options",
    "a space in an option's name",
    spec({ options: { "a b": { summary: "Odd.", values: { x: fine } } } }),
  ],
  ["spec-options", "a value without summary", option({ x: { summary: "" } })],
  [
    "reset-schema",
    "no observation with another option",
    spec({
      options: { mode: { summary: "How.", values: { usual: fine, other: fine } } },
      create: (context: EnvironmentContext) => new Moody(context),
    }),
  ],
  ["reset-schema", "a kind of task that is not told", spec({ familyKey: "kind" })],
  ["spec-tools", "two tools of one name", spec({ tools: [one, one] })],
  ["spec-tools", "no tool in a list of them", spec({ tools: [] })],
  ["spec-tools", "a dash in a tool's name", spec({ tools: [{ ...one, name: "say-one" }] })],
  ["spec-tools", "a tool without description", spec({ tools: [{ ...one, description: "" }] })],
  ["spec-tools", "an action with a parameter that is none", spec({ tools: [{ ...one, action: "say {word}" }] })],
  ["spec-tools", "a parameter that is not in the action", spec({ tools: [{ ...say, action: "say" }] })],
  ["spec-tools", "a parameter that may be left out", spec({ tools: [{ ...say, parameters: optionalWord }] })],
  ["spec-tools", "a tool of an option's value", option({ x: { ...fine, tools: [{ ...one, name: "One" }] } })],
  ["expert-tools", "an action that no tool stands for", spec({ tools: [say] })],
  ["requirements", "a name of two words", needing({ name: "java runtime" })],
  ["requirements", "no way to get it", needing({ howToGet: "" })],
  ["requirements", "a probe that throws", needing({ probe: () => Promise.reject(new Error("no such file")) })],
  ["requirements", "a probe that never answers", needing({ probe: () => new Promise(() => {}) })],
  ["requirements", "a probe that only says yes", needing({ probe: async () => "yes" })],
  ["start", "no instance", spec({ create: fail })],
  [
    "start",
    "a seed that is too high",
    playing(
      class extends Cloneable {
        override reset(request: ResetRequest): ResetResult {
          return request.seed > 2 ** 32 ? fail() : super.reset(request);
        }
      },
    ),
  ],
  ["spec-restore", "restore: clone without clone()", playing(Counting)],
  ["spec-restore", "clone() without restore: clone", spec({ restore: "replay" })],
  ["reset-schema", "no observation", starting({ observation: undefined })],
  ["reset-schema", "a reward", starting({ reward: 0 })],
  ["reset-schema", "no info", starting({ info: undefined })],
  ["reset-schema", "a date in info", starting({ info: { at: new Date(0) } })],
  [
    "reset-schema",
    "a promise",
    playing(
      class extends Cloneable {
        override reset(request: ResetRequest): ResetResult {
          return Promise.resolve(super.reset(request)) as unknown as ResetResult;
        }
      },
    ),
  ],
  ["reset-schema", "an image that is not base64", starting({ parts: [image("image/png", "<svg>")] })],
  ["reset-schema", "an image of unknown kind", starting({ parts: [image("image/gif", "AAAA")] })],
  ["reset-schema", "a part of unknown type", starting({ parts: [{ type: "sound", data: "" }] })],
  ["step-schema", "the field done", answering((_, { terminated }) => ({ done: terminated }))],
  ["step-schema", "no truncated", answering(() => ({ truncated: undefined }))],
  ["step-schema", "terminated as a number", answering((_, { terminated }) => ({ terminated: terminated ? 1 : 0 }))],
  ["step-schema", "a reward in words", answering((action) => (action === "one" ? {} : { reward: "none" }))],
  ["step-schema", "NaN in info", answering(() => ({ info: { deep: [Number.NaN] } }))],
  ["step-schema", "undefined in a JSON part", answering(() => ({ parts: [{ type: "json", data: { a: undefined } }] }))],
  ["reward-range", "a reward above the range", answering((action) => (action.length > 6 ? { reward: 1.5 } : {}))],
  ["reward-range", "NaN for a reward", answering((action) => (action.length > 6 ? { reward: Number.NaN } : {}))],
  ["never-truncates", "a limit of its own", answering((action) => (action.length > 6 ? { truncated: true } : {}))],
  ["any-action", "a throw at half a surrogate pair", meanwhile((action) => /\p{Surrogate}/u.test(action) && fail())],
  ["any-action", "a throw at what is very long", meanwhile((action) => action.length > 500_000 && fail())],
  ["any-action", "more than a second", meanwhile((action) => action.startsWith("((") && waitMs(1100))],
  [
    "any-action",
    "a throw in mid-episode",
    meanwhile((_, { state }) => state.count > 1 && state.steps > state.count && fail()),
  ],
  ["close", "a second close that throws", closing((_, times) => times > 1 && fail())],
  ["close", "a close before reset that throws", closing(({ state }) => state.target === 0 && fail())],
  ["time-limit", "a throw at the last step", meanwhile((_, { state }) => state.steps === 49 && fail())],
  ["no-globals", "Math.random", meanwhile(() => Math.random())],
  ["no-globals", "Date.now", meanwhile(() => Date.now())],
  ["no-globals", "new Date()", meanwhile(() => new Date())],
  ["no-globals", "Date()", meanwhile(() => Date())],
  ["no-globals", "performance.now", meanwhile(() => performance.now())],
  ["no-globals", "crypto.randomUUID", meanwhile(() => crypto.randomUUID())],
  ["no-globals", "an expert that tosses a coin", expert(() => (Math.random() < 2 ? "one" : null))],
  [
    "determinism",
    "a count of the instances",
    playing(
      class extends Cloneable {
        private readonly number = ++calls;
        override step(action: string): StepResult {
          return { ...super.step(action), observation: `Run ${this.number}.` };
        }
      },
    ),
  ],
  [
    "interleaving",
    "a state that instances share",
    {
      ...playing(
        class extends Counting {
          override reset(request: ResetRequest): ResetResult {
            calls = 0;
            return super.reset(request);
          }
          override step(action: string): StepResult {
            return { ...super.step(action), observation: `Step ${++calls}.` };
          }
        },
      ),
      restore: "replay",
    },
  ],
  [
    "reset-again",
    "a state that outlives the reset",
    playing(
      class extends Cloneable {
        private taken = 0;
        override step(action: string): StepResult {
          return { ...super.step(action), observation: `Step ${++this.taken}.` };
        }
        override clone(): this {
          const copy = super.clone();
          copy.taken = this.taken;
          return copy;
        }
      },
    ),
  ],
  [
    "replay",
    "an observation that tells the time",
    playing(
      class extends Cloneable {
        override step(action: string): StepResult {
          return { ...super.step(action), observation: `It is ${this.context.now()}.` };
        }
      },
    ),
  ],
  [
    "clone",
    "a copy that shares the state",
    playing(
      class extends Cloneable {
        override clone(): this {
          return Object.assign(this.sibling(), { state: this.state });
        }
      },
    ),
  ],
  [
    "clone",
    "a copy that starts over",
    playing(
      class extends Cloneable {
        override clone(): this {
          return this.sibling();
        }
      },
    ),
  ],
  ["queries", "a space in a query's name", query(() => 1, { name: "how far" })],
  ["queries", "a query without summary", query(() => 1, { summary: "" })],
  ["queries", "a query that leaves a mark", query(({ state }) => state.target++ - state.target)],
  ["queries", "a query that changes its mind", query(() => ++calls)],
  ["queries", "a query that answers nothing", query(() => undefined)],
  ["queries", "NaN in a query's answer", query(() => [{ deep: Number.NaN }])],
  ["queries", "undefined in a query's answer", query(() => ({ deep: [undefined] }))],
  ["queries", "a query that throws", query(({ state }) => (state.steps > state.count ? fail() : null))],
  [
    "expert-purity",
    "an expert that leaves a mark",
    expert(({ state }) => {
      state.count += 1;
      state.target += 1;
      return "one";
    }),
  ],
  ["expert-purity", "an expert that changes its mind", expert(() => (++calls % 2 ? "one" : "one more"))],
  ["expert-purity", "an expert that answers a number", expert(({ state }) => (state.steps > state.count ? 1 : "one"))],
  ["expert-purity", "an expert that throws", expert(({ state }) => (state.steps > state.count ? fail() : "one"))],
  ["expert-reward", "an expert that gives up", expert(({ state }) => (state.count > 1 ? null : "one"))],
  ["expert-reward", "an expert without hope", expert(() => null)],
  ["expert-reward", "an expert that waits", expert(() => "wait")],
  ["expert-reward", "an expert that quits", expert(() => "quit")],
];

function image(mediaType: string, data: string): object {
  return { type: "image", mediaType, data };
}

const named = (results: CheckResult[], outcome: CheckResult["outcome"]) =>
  results.filter((result) => result.outcome === outcome).map(({ check }) => check);

afterEach(() => vi.restoreAllMocks());

describe("a correct environment", () => {
  test("passes every check", async () => {
    const results = await checkEnvironment(correct);
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(results.every(({ environment }) => environment === "counting@1")).toBe(true);
    expect(results.every(({ detail, durationMs }) => detail !== "" && durationMs >= 0)).toBe(true);
  });

  test("passes with other seeds, with one episode and with all", async () => {
    for (const options of [{ seed: 2 ** 52 }, { episodes: 1 }, { episodes: 100, seed: 7 }]) {
      expect(named(await checkEnvironment(correct, options), "passed")).toHaveLength(26);
    }
  });

  test("without clone, expert and queries skips what is about them", async () => {
    const { expert: _, queries: __, ...rest } = { ...playing(Counting), restore: "replay" as const };
    const results = await checkEnvironment(rest);
    expect(named(results, "failed")).toEqual([]);
    expect(named(results, "skipped")).toEqual(["clone", "queries", "expert-purity", "expert-reward", "expert-tools"]);
  });

  test("that cannot be restored skips replay and clone", async () => {
    const results = await checkEnvironment({ ...playing(Counting), restore: "none" });
    expect(named(results, "skipped")).toEqual(["replay", "clone"]);
  });

  test("in which no idling lasts skips the time limit", async () => {
    const results = await checkEnvironment(answering(() => ({ terminated: true, reward: 1 })));
    expect(named(results, "failed")).toEqual([]);
    expect(named(results, "skipped")).toEqual(["time-limit"]);
  });

  test("whose rewards add up to the highest has a good expert", async () => {
    const half = answering((_, { reward }) => ({ reward: reward / 2, terminated: false }));
    const twice = { ...half, expert: () => "one" };
    const results = await checkEnvironment({ ...twice, rewardRange: [0, 0.5] });
    expect(named(results, "failed")).toEqual([]);
  });
});

describe("each check fails alone", () => {
  test.each(broken)("%s on %s", async (check, _, faulty) => {
    const results = await checkEnvironment(faulty);
    expect(results.filter(({ outcome }) => outcome === "failed")).toMatchObject([{ check }]);
  });

  test("order on a wrapper that lets every step through", async () => {
    vi.spyOn(OrderEnforcing.prototype, "step").mockImplementation(function (this: OrderEnforcing, action: string) {
      return (this as unknown as { inner: Environment }).inner.step(action);
    });
    expect(named(await checkEnvironment(correct), "failed")).toEqual(["order"]);
  });

  test("every check of the suite is among these", async () => {
    const checks = (await checkEnvironment(correct)).map(({ check }) => check);
    expect(new Set(checks)).toEqual(new Set([...broken.map(([check]) => check), "order"]));
  });
});

describe("time-limit", () => {
  test("fails where nothing truncates", async () => {
    vi.spyOn(TimeLimit.prototype, "step").mockImplementation(function (this: TimeLimit, action: string) {
      return (this as unknown as { inner: Environment }).inner.step(action);
    });
    expect(named(await checkEnvironment(correct), "failed")).toContain("time-limit");
  });

  test("fails on results that the wrapper cannot write to", async () => {
    const frozen = playing(
      class extends Cloneable {
        override step(action: string): StepResult {
          return Object.freeze(super.step(action));
        }
      },
    );
    expect(named(await checkEnvironment(frozen), "failed")).toContain("time-limit");
  });
});

describe("a missing requirement", () => {
  const probe = async () => ({ available: false, detail: "no java on the path" });

  test("skips all that would run, and says how to get it", async () => {
    const results = await checkEnvironment(needing({ probe }));
    expect(named(results, "passed")).toEqual([
      "spec-identity",
      "spec-limits",
      "spec-options",
      "spec-splits",
      "spec-tools",
    ]);
    expect(named(results, "failed")).toEqual([]);
    for (const { detail } of results.slice(5)) {
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

  test("plays the first task, the last, and as many as told in each split", async () => {
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

  test("leaves the clock and the randomness of the process as they were", async () => {
    const before = [Math.random, Date, Date.now, performance.now, crypto.randomUUID];
    await checkEnvironment(meanwhile(() => Math.random()));
    expect([Math.random, Date, Date.now, performance.now, crypto.randomUUID]).toEqual(before);
  });

  test("returns results for a spec that is not one", async () => {
    const results = await checkEnvironment(spec({ splits: null, rewardRange: null, requirements: null, create: null }));
    expect(named(results, "failed")).toEqual(["spec-limits", "spec-splits", "requirements"]);
  });

  test("names the task, the seed, the step and the difference", async () => {
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
