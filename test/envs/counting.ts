import type {
  Environment,
  EnvironmentContext,
  EnvironmentSpec,
  ResetRequest,
  ResetResult,
  StepResult,
} from "#palestra/envs/env.js";

/** A correct environment, in which the agent counts to a target, one by one. */
export class Counting implements Environment {
  state = { target: 0, count: 0, steps: 0 };

  constructor(readonly context: EnvironmentContext) {}

  reset({ task, seed }: ResetRequest): ResetResult {
    this.state = { target: 3 + ((task.index + seed) % 5), count: 0, steps: 0 };
    return { observation: `Count to ${this.state.target}. Say one or quit.`, info: { at: this.context.now() } };
  }

  step(action: string): StepResult {
    const { state } = this;
    state.steps += 1;
    if (action === "one") state.count += 1;
    const solved = state.count === state.target;
    return {
      observation: action === "one" ? `You are at ${state.count}.` : `You cannot ${action}.`,
      reward: solved ? 1 : 0,
      terminated: solved || action === "quit",
      truncated: false,
      info: { count: state.count },
    };
  }

  close(): void {}
}

export class Cloneable extends Counting {
  clone(): this {
    const copy = this.sibling();
    copy.state = { ...this.state };
    return copy;
  }

  /** Makes an instance of the same class, so that a clone of a broken variant is broken too. */
  sibling(): this {
    return new (this.constructor as new (context: EnvironmentContext) => this)(this.context);
  }
}

export const numbers = {
  size: 20,
  summary: "Numbers from 3 to 7, in turn.",
  title: (index: number) => `count ${index}`,
};

export const correct: EnvironmentSpec = {
  id: "counting",
  version: 1,
  summary: "Count to a number, one by one.",
  splits: { train: numbers, test: { size: 1, summary: "One number.", title: () => "count" } },
  maxSteps: 50,
  rewardRange: [0, 1],
  prompt: "Say one until you are there.",
  requirements: [],
  restore: "clone",
  create: (context) => new Cloneable(context),
  tools: [
    {
      name: "one",
      description: "Count by one.",
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
      action: "one",
    },
  ],
  expert: () => "one",
  verdict: (engine, { solved }) => {
    const { count, target } = (engine as Counting).state;
    return { why: solved ? `Counted to ${target}.` : `Counted to ${count} of ${target}.`, expected: target };
  },
  queries: {
    count: { summary: "How far it has come.", answer: (engine) => (engine as Counting).state.count },
    state: { summary: "All there is to know.", answer: (engine) => ({ ...(engine as Counting).state }) },
  },
};

export const spec = (fields: object): EnvironmentSpec => ({ ...correct, ...fields });
export const playing = (Engine: new (context: EnvironmentContext) => Environment): EnvironmentSpec =>
  spec({ create: (context: EnvironmentContext) => new Engine(context) });

/** Changes the result of each step by the return value of `patch`. */
export const answering = (patch: (action: string, result: StepResult) => object): EnvironmentSpec =>
  playing(
    class extends Cloneable {
      override step(action: string): StepResult {
        const result = super.step(action);
        return { ...result, ...patch(action, result) };
      }
    },
  );
