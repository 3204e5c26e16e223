import { afterEach, describe, expect, test, vi } from "vitest";
import { checkEnvironment } from "#palestra/envs/check-env.js";
import type { Environment, EnvironmentContext, EnvironmentSpec, StepResult } from "#palestra/envs/env.js";
import { OrderEnforcing } from "#palestra/envs/wrappers/order-enforcing.js";

/** A correct environment: count to the target, one by one. */
class Counting implements Environment {
  state = { target: 0, count: 0 };

  constructor(readonly context: EnvironmentContext) {}

  reset({ task, seed }: Parameters<Environment["reset"]>[0]): ReturnType<Environment["reset"]> {
    this.state = { target: 3 + ((task.index + seed) % 5), count: 0 };
    return { observation: `Count to ${this.state.target}. Say one or quit.`, info: { at: this.context.now() } };
  }

  step(action: string): StepResult {
    if (action === "one") this.state.count += 1;
    const solved = this.state.count === this.state.target;
    const observation = action === "one" ? `You are at ${this.state.count}.` : `You cannot ${action}.`;
    const terminated = solved || action === "quit";
    return { observation, reward: solved ? 1 : 0, terminated, truncated: false, info: { count: this.state.count } };
  }

  close(): void {}

  clone(): Counting {
    const copy = this.sibling();
    copy.state = { ...this.state };
    return copy;
  }

  /** An instance of the same class, so that broken variants clone to broken variants. */
  sibling(): this {
    const Variant = this.constructor as new (context: EnvironmentContext) => this;
    return new Variant(this.context);
  }
}

type Variant = new (context: EnvironmentContext) => Environment;

const correct = {
  id: "counting",
  version: 1,
  summary: "Count to a number, one by one.",
  splits: {
    train: { size: 20, summary: "Numbers from 3 to 7, in turn.", title: (index: number) => `count ${index}` },
    test: { size: 1, summary: "One number.", title: () => "count" },
  },
  maxSteps: 50,
  rewardRange: [0, 1],
  prompt: "Say one until you are there.",
  requirements: [],
  restore: "clone",
  create: (context) => new Counting(context),
  expert: (environment) => (environment instanceof Counting ? "one" : null),
} satisfies EnvironmentSpec as EnvironmentSpec;

const change = (fields: object): EnvironmentSpec => ({ ...correct, ...fields });
const play = (Engine: Variant, fields: object = {}) => change({ create: (c: EnvironmentContext) => new Engine(c), ...fields });

/** A variant of which some results differ: `patch` sees the action and the result. */
function answer(patch: (action: string, result: StepResult) => object): EnvironmentSpec {
  return play(
    class extends Counting {
      override step(action: string) {
        const result = super.step(action);
        return { ...result, ...patch(action, result) };
      }
    },
  );
}

function start(patch: object): EnvironmentSpec {
  return play(
    class extends Counting {
      override reset(request: Parameters<Environment["reset"]>[0]) {
        return { ...super.reset(request), ...patch };
      }
    },
  );
}

/** A variant that does something besides in each step. */
function meanwhile(act: (action: string) => void): EnvironmentSpec {
  return play(
    class extends Counting {
      override step(action: string) {
        act(action);
        return super.step(action);
      }
    },
  );
}

const split = (name: string, fields: object) => change({ splits: { [name]: { ...correct.splits.train, ...fields } } });
const needing = (fields: object) => {
  const probe = async () => ({ available: true, detail: "there" });
  return change({ requirements: [{ name: "jvm", howToGet: "Install Java 17.", probe, ...fields }] });
};

let made = 0;
let sharedCount = 0;

const broken: [check: string, fault: string, spec: EnvironmentSpec][] = [
  ["spec-identity", "upper case in the id", change({ id: "Counting" })],
  ["spec-identity", "no id", change({ id: undefined })],
  ["spec-identity", "version 0", change({ version: 0 })],
  ["spec-identity", "a summary of two sentences", change({ summary: "Count. Then stop." })],
  ["spec-identity", "an empty prompt", change({ prompt: " " })],
  ["spec-identity", "an unknown way to restore", change({ restore: "maybe", create: withoutClone })],
  ["spec-limits", "rewards from high to low", change({ rewardRange: [1, 0] })],
  ["spec-limits", "an unbounded reward", change({ rewardRange: [0, Number.POSITIVE_INFINITY] })],
  ["spec-limits", "no step at all", change({ maxSteps: 0 })],
  ["spec-splits", "no split", change({ splits: {} })],
  ["spec-splits", "an empty split", split("train", { size: 0 })],
  ["spec-splits", "a colon in a split's name", split("train:hard", {})],
  ["spec-splits", "a split without summary", split("train", { summary: "" })],
  ["spec-splits", "a task without title", split("train", { title: () => "" })],
  ["requirements", "a name of two words", needing({ name: "java runtime" })],
  ["requirements", "no way to get it", needing({ howToGet: "" })],
  ["requirements", "a probe that throws", needing({ probe: () => Promise.reject(new Error("no such file")) })],
  ["requirements", "a probe that never answers", needing({ probe: () => new Promise(() => {}) })],
  ["requirements", "a probe that answers yes", needing({ probe: async () => "yes" })],
  ["spec-restore", "restore: clone without clone()", change({ create: withoutClone })],
  ["spec-restore", "clone() without restore: clone", change({ restore: "replay" })],
  ["start", "no instance", change({ create: fail })],
  ["start", "a seed that is too high", play(class extends Counting {
    override reset(request: Parameters<Environment["reset"]>[0]) {
      if (request.seed > 2 ** 32) fail();
      return super.reset(request);
    }
  })],
  ["reset-schema", "no observation", start({ observation: undefined })],
  ["reset-schema", "a field of steps", start({ reward: 0 })],
  ["reset-schema", "a date in info", start({ info: { at: new Date(0) } })],
  ["reset-schema", "no info", start({ info: undefined })],
  ["reset-schema", "a promise", start({ then: () => {} })],
  ["reset-schema", "an image that is not base64", start({ parts: [{ type: "image", mediaType: "image/png", data: "<svg>" }] })],
  ["reset-schema", "a part of unknown type", start({ parts: [{ type: "sound", data: "" }] })],
  ["step-schema", "the field done", answer((_, { terminated }) => ({ done: terminated }))],
  ["step-schema", "no truncated", answer(() => ({ truncated: undefined }))],
  ["step-schema", "terminated by a number", answer((_, { terminated }) => ({ terminated: terminated ? 1 : 0 }))],
  ["step-schema", "a reward in words", answer((_, { reward }) => (reward === 1 ? {} : { reward: "none" }))],
  ["step-schema", "NaN in info", answer(() => ({ info: { deep: [Number.NaN] } }))],
  ["step-schema", "undefined in a JSON part", answer(() => ({ parts: [{ type: "json", data: { a: undefined } }] }))],
  ["reward-range", "a reward above the range", answer((action) => (action.length > 6 ? { reward: 1.5 } : {}))],
  ["reward-range", "no number", answer((action) => (action.length > 6 ? { reward: Number.NaN } : {}))],
  ["never-truncates", "a limit of its own", answer((action) => (action.length > 6 ? { truncated: true } : {}))],
  ["any-action", "an engine that throws on half a pair", meanwhile((action) => /\p{Surrogate}/u.test(action) && fail())],
  ["any-action", "an engine that throws on what is long", meanwhile((action) => action.length > 500_000 && fail())],
  ["any-action", "an engine that takes its time", meanwhile((action) => action.startsWith("((") && wait(1100))],
  ["close", "an engine that closes once", closing((times) => times > 1 && fail())],
  ["time-limit", "an engine that throws at its last step", play(class extends Counting {
    taken = 0;
    override step(action: string) {
      this.taken += 1;
      if (this.taken === 50) fail();
      return super.step(action);
    }
  })],
  ["no-globals", "Math.random", meanwhile(() => Math.random())],
  ["no-globals", "Date.now", meanwhile(() => Date.now())],
  ["no-globals", "new Date()", meanwhile(() => new Date())],
  ["no-globals", "Date()", meanwhile(() => Date())],
  ["no-globals", "performance.now", meanwhile(() => performance.now())],
  ["no-globals", "crypto.randomUUID", meanwhile(() => crypto.randomUUID())],
  ["determinism", "a count of the instances", play(class extends Counting {
    readonly number = ++made;
    override step(action: string) {
      return { ...super.step(action), observation: `Run ${this.number}.` };
    }
  })],
  ["interleaving", "a state that instances share", play(class extends Counting {
    override reset(request: Parameters<Environment["reset"]>[0]) {
      sharedCount = 0;
      return super.reset(request);
    }
    override step(action: string) {
      return { ...super.step(action), observation: `Step ${++sharedCount}.` };
    }
  }, { restore: "replay", create: undefined })],
  ["reset-again", "a state that outlives the reset", play(class extends Counting {
    taken = 0;
    override step(action: string) {
      return { ...super.step(action), observation: `Step ${++this.taken}.` };
    }
    override clone() {
      const copy = super.clone();
      (copy as this).taken = this.taken;
      return copy;
    }
  })],
  ["replay", "an observation that tells the time", play(class extends Counting {
    override step(action: string) {
      return { ...super.step(action), observation: `It is ${this.context.now()}.` };
    }
  })],
  ["clone", "a copy that shares its state", play(class extends Counting {
    override clone() {
      const copy = this.sibling();
      copy.state = this.state;
      return copy;
    }
  })],
  ["clone", "a copy that starts over", play(class extends Counting {
    override clone() {
      return this.sibling();
    }
  })],
  ["expert-purity", "an expert that plays", expertOf((engine) => {
    engine.state.count += 1;
    engine.state.target += 1;
    return "one";
  })],
  ["expert-purity", "an expert that changes its mind", expertOf(() => (++made % 2 ? "one" : "one "), )],
  ["expert-purity", "an expert that answers a number", expertOf(({ state }) => (state.count > 8 ? 1 : "one") as string)],
  ["expert-reward", "an expert that gives up", expertOf(({ state }) => (state.count > 1 ? null : "one"))],
  ["expert-reward", "an expert that waits", expertOf(() => "wait")],
  ["expert-reward", "an expert that quits", expertOf(() => "quit")],
];
