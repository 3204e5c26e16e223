/** Environments with one fault each. */
import type {
  EnvironmentContext,
  EnvironmentSpec,
  EpisodeEnd,
  ResetRequest,
  ResetResult,
  StepResult,
  Tool,
} from "#palestra/envs/env.js";
import { brokenSeats } from "./broken-seats.js";
import { answering, Cloneable, Counting, numbers, playing, spec } from "./counting.js";

export { answering, playing, spec };

const fail = (): never => {
  throw new Error("engine fault");
};

const failInWords = (): never => {
  throw "engine fault";
};

/** Changes the result of each reset by `patch`. */
const starting = (patch: object): EnvironmentSpec =>
  playing(
    class extends Cloneable {
      override reset(request: ResetRequest): ResetResult {
        return { ...super.reset(request), ...patch };
      }
    },
  );

/** Calls a function during each step. */
export const meanwhile = (act: (action: string, engine: Counting) => unknown): EnvironmentSpec =>
  playing(
    class extends Cloneable {
      override step(action: string): StepResult {
        act(action, this);
        return super.step(action);
      }
    },
  );

/** Answers each step with a promise. */
const answeringLater = playing(
  class extends Cloneable {
    override step(action: string): StepResult {
      return Promise.resolve(super.step(action)) as unknown as StepResult;
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

/** An environment that works only with its default option. */
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
const verdict = (answer: (engine: Counting, end: EpisodeEnd) => unknown) => spec({ verdict: answer });
const query = (answer: (engine: Counting) => unknown, { name = "odd", summary = "Odd." } = {}) =>
  spec({ queries: { [name]: { summary, answer } } });
export const needing = (fields: object) => {
  const probe = async () => ({ available: true, detail: "/usr/bin/java" });
  return spec({ requirements: [{ name: "jvm", howToGet: "Install Java 17.", probe, ...fields }] });
};
const waitMs = (ms: number) => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

let calls = 0;

/** Number of steps at the latest query of each engine. */
const askedAt = new WeakMap<Counting, number>();

function askedEachStep(engine: Counting): string {
  const { steps } = engine.state;
  const isKnown = steps === 0 || (askedAt.get(engine) ?? -1) >= steps - 1;
  if (isKnown) askedAt.set(engine, steps);
  return isKnown ? "one" : "wait";
}

/** An environment that counts the steps of all its episodes. */
class Tallying extends Cloneable {
  tally = 0;
  override step(action: string): StepResult {
    this.tally += 1;
    return super.step(action);
  }
  override clone(): this {
    return Object.assign(super.clone(), { tally: this.tally });
  }
}

/** An environment whose steps return nothing. */
class Silent extends Cloneable {
  override step(): StepResult {
    return undefined as unknown as StepResult;
  }
}

/** An environment without observations. */
class Blank extends Cloneable {
  override reset(request: ResetRequest): ResetResult {
    return { ...super.reset(request), observation: undefined as unknown as string };
  }
  override step(action: string): StepResult {
    return { ...super.step(action), observation: undefined as unknown as string };
  }
}

/** An environment whose clones lack what its expert needs. */
class Forgetful extends Cloneable {
  hint: string | null = null;
  override reset(request: ResetRequest): ResetResult {
    this.hint = "one";
    return super.reset(request);
  }
}

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

/** For each check, environments with one fault that the check must find. */
export const broken: [check: string, fault: string, spec: EnvironmentSpec][] = [
  ["spec-identity", "upper case in the id", spec({ id: "Counting" })],
  ["spec-identity", "no id", spec({ id: undefined })],
  ["spec-identity", "version 0", spec({ version: 0 })],
  ["spec-identity", "a summary of two sentences", spec({ summary: "Count. Then stop." })],
  ["spec-identity", "an empty prompt", spec({ prompt: " " })],
  ["spec-identity", "an unknown format of replies", spec({ promptFormat: "json" as "react" })],
  ["spec-identity", "an unknown way to restore", { ...playing(Counting), restore: "rewind" as "replay" }],
  ["spec-limits", "rewards from high to low", spec({ rewardRange: [1, 0] })],
  ["spec-limits", "an unbounded reward", spec({ rewardRange: [0, Number.POSITIVE_INFINITY] })],
  ["spec-limits", "no step at all", spec({ maxSteps: 0 })],
  ["spec-splits", "no split", spec({ splits: {} })],
  ["spec-splits", "an empty split", split("train", { size: 0 })],
  ["spec-splits", "a colon in a split's name", split("train:hard", {})],
  ["spec-splits", "a split without summary", split("train", { summary: "" })],
  ["spec-splits", "a task without title", split("train", { title: () => "" })],
  ["spec-splits", "an option of a split that is none", split("train", { options: { mode: "loud" } })],
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
    "start",
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
  ["any-action", "a promise", answeringLater],
  ["reset-schema", "an observation that is too long", starting({ observation: "x".repeat(17 * 2 ** 20) })],
  ...brokenSeats,
  ["step-schema", "an observation that is too long", answering(() => ({ observation: "x".repeat(17 * 2 ** 20) }))],
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
  ["request", "another index in the task", resetting(({ task }) => Object.assign(task, { index: task.index + 1 }))],
  ["request", "an option of its own", resetting(({ options }) => Object.assign(options, { mode: "hard" }))],
  ["request", "another seed at a step", changingLater()],
  ["built-ins", "a method for all arrays", meanwhile(() => alter(Array.prototype, "last", () => 0))],
  ["built-ins", "another Math.hypot", meanwhile(() => alter(Math, "hypot", () => 0))],
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
    "queries",
    "a query that remembers the episode before the reset",
    {
      ...playing(Tallying),
      queries: { tally: { summary: "Steps so far.", answer: (engine) => (engine as Tallying).tally } },
    },
  ],
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
  [
    "expert-purity",
    "an expert that remembers the episode before the reset",
    { ...playing(Tallying), expert: (engine) => ((engine as Tallying).tally < 40 ? "one" : "one more") },
  ],
  ["expert-reward", "an expert that gives up", expert(({ state }) => (state.count > 1 ? null : "one"))],
  ["expert-reward", "an expert without hope", expert(() => null)],
  ["expert-reward", "an expert that waits", expert(() => "wait")],
  ["expert-reward", "an expert that quits", expert(() => "quit")],
  [
    "expert-restore",
    "an expert that does not know a clone",
    { ...playing(Forgetful), expert: (engine) => (engine as Forgetful).hint },
  ],
  ["expert-restore", "an expert that starts over unless it is asked before each step", expert(askedEachStep)],
  ["verdict", "a verdict without a sentence", verdict(() => ({ expected: 3 }))],
  ["verdict", "a sentence of two lines", verdict(() => ({ why: "Counted.\nTo three." }))],
  ["verdict", "a sentence that does not end", verdict(() => ({ why: "Counted to three" }))],
  ["verdict", "an empty goal", verdict(() => ({ why: "Counted.", goal: "" }))],
  ["verdict", "NaN as the expected answer", verdict(() => ({ why: "Counted.", expected: Number.NaN }))],
  ["verdict", "an unknown field", verdict(() => ({ why: "Counted.", reason: "No." }))],
  [
    "verdict",
    "a verdict that throws at the limit",
    verdict((_, { solved }) => (solved ? { why: "Counted." } : fail())),
  ],
  ["verdict", "a verdict that changes its mind", verdict(() => ({ why: `Asked ${++calls} times.` }))],
  [
    "verdict",
    "a verdict that leaves a mark",
    verdict(({ state }) => ({ why: `Counted to ${state.count++ && "one"}.` })),
  ],
  ["verdict", "a verdict about all instances", verdict(perInstance())],
];

/** Returns a verdict that is the same each time for one instance, and different for another. */
function perInstance(): (engine: Counting) => object {
  const seen = new Map<Counting, number>();
  return (engine) => {
    if (!seen.has(engine)) seen.set(engine, seen.size);
    return { why: `Counted on instance ${seen.get(engine)}.` };
  };
}

/** Mistakes that affect many checks, with the check that reports each. */
export const common: [mistake: string, check: string, spec: EnvironmentSpec][] = [
  ["each reset throws", "start", resetting(fail)],
  ["each step throws", "any-action", meanwhile(fail)],
  ["each step throws text", "any-action", meanwhile(failInWords)],
  ["each close throws", "close", closing(fail)],
  ["each close throws text", "close", closing(failInWords)],
  ["each question to the expert throws", "expert-purity", expert(fail)],
  ["each query throws", "queries", query(fail)],
  ["each step returns a promise", "any-action", answeringLater],
  ["the expert returns a promise", "expert-purity", expert(async () => "one")],
  ["a query returns a promise", "queries", query(async () => 1)],
  ["no step returns anything", "step-schema", playing(Silent)],
  ["no step has a reward", "step-schema", answering(() => ({ reward: undefined }))],
  ["no result has an observation", "reset-schema", playing(Blank)],
  ["each observation has a random number", "no-globals", answering(() => ({ observation: `${Math.random()}` }))],
  ["the expert returns a number", "expert-purity", expert(() => 1)],
  ["the verdict returns a promise", "verdict", verdict(async () => ({ why: "Counted." }))],
];

/** Calls a function at each reset. */
function resetting(act: (request: ResetRequest) => unknown): EnvironmentSpec {
  return playing(
    class extends Cloneable {
      override reset(request: ResetRequest): ResetResult {
        const result = super.reset(request);
        act(request);
        return result;
      }
    },
  );
}

/** Changes the seed of the request at the first step. */
function changingLater(): EnvironmentSpec {
  return playing(
    class extends Cloneable {
      private request: ResetRequest | undefined;
      override reset(request: ResetRequest): ResetResult {
        this.request = request;
        return super.reset(request);
      }
      override step(action: string): StepResult {
        if (this.request) this.request.seed += 1;
        return super.step(action);
      }
    },
  );
}

/** Built-in objects with a changed property, and how to restore it. */
export const altered: (() => void)[] = [];

function alter(owner: object, key: string, value: unknown): void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { configurable: true, writable: true, value });
  altered.push(() => {
    if (before) Object.defineProperty(owner, key, before);
    else Reflect.deleteProperty(owner, key);
  });
}

function image(mediaType: string, data: string): object {
  return { type: "image", mediaType, data };
}
