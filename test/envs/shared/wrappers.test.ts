import { describe, expect, test, vi } from "vitest";
import type {
  AsyncEnvironment,
  Environment,
  EnvironmentSpec,
  ResetRequest,
  ResetResult,
  StepResult,
} from "#palestra/envs/env.js";
import { EnvironmentClosed, EpisodeOver, ResetNeeded } from "#palestra/envs/errors.js";
import { AsyncWrapped } from "#palestra/envs/shared/wrappers/async-wrapped.js";
import { cloneOf, OrderEnforcing } from "#palestra/envs/shared/wrappers/order-enforcing.js";
import { TimeLimit } from "#palestra/envs/shared/wrappers/time-limit.js";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";

/** An engine that ends at the action `end` and counts its calls. */
class Engine implements Environment {
  steps = 0;
  closes = 0;

  reset({ task, seed }: ResetRequest): ResetResult {
    this.steps = 0;
    return { observation: `${task.split}:${task.index} ${seed}`, info: {} };
  }

  step(action: string): StepResult {
    if (action === "throw") throw new Error("engine fault");
    this.steps += 1;
    return {
      observation: action,
      reward: 0,
      terminated: action === "end",
      truncated: false,
      info: { step: this.steps },
    };
  }

  close(): void {
    this.closes += 1;
  }

  clone(): Engine {
    return Object.assign(new Engine(), this);
  }
}

const request: ResetRequest = { task: { split: "train", index: 2 }, seed: 7, options: {} };

function started<E extends Environment>(environment: E): E {
  environment.reset(request);
  return environment;
}

const flags = (environment: Environment, actions: readonly string[]) =>
  actions.map((action) => {
    const { terminated, truncated } = environment.step(action);
    return [terminated, truncated];
  });

const [on, over, cut] = [
  [false, false],
  [true, false],
  [false, true],
];

describe("OrderEnforcing", () => {
  test("passes the request and the results on unchanged", () => {
    const environment = new OrderEnforcing(new Engine());
    expect(environment.reset(request)).toEqual({ observation: "train:2 7", info: {} });
    expect(environment.step("look")).toEqual(started(new Engine()).step("look"));
  });

  test("a step before reset is refused with ResetNeeded and does not reach the engine", () => {
    const engine = new Engine();
    expect(() => new OrderEnforcing(engine).step("look")).toThrow(ResetNeeded);
    expect(engine.steps).toBe(0);
  });

  test("a step after the end of the task is refused with EpisodeOver", () => {
    const environment = started(new OrderEnforcing(new Engine()));
    environment.step("end");
    expect(() => environment.step("look")).toThrow(EpisodeOver);
  });

  test("a step after truncation is refused with EpisodeOver", () => {
    const environment = started(new OrderEnforcing(new TimeLimit(new Engine(), 1)));
    environment.step("look");
    expect(() => environment.step("look")).toThrow(EpisodeOver);
  });

  test("reset starts a new episode, during an episode and after its end", () => {
    const environment = started(new OrderEnforcing(new Engine()));
    environment.step("look");
    expect(started(environment).step("end").info).toEqual({ step: 1 });
    expect(started(environment).step("look").info).toEqual({ step: 1 });
  });

  test("an engine that throws leaves the episode open", () => {
    const environment = started(new OrderEnforcing(new Engine()));
    expect(() => environment.step("throw")).toThrow("engine fault");
    expect(environment.step("look").observation).toBe("look");
  });

  test("a reset that throws starts nothing", () => {
    const engine = new Engine();
    vi.spyOn(engine, "reset").mockImplementation(() => {
      throw new Error("engine fault");
    });
    const environment = new OrderEnforcing(engine);
    expect(() => environment.reset(request)).toThrow("engine fault");
    expect(() => environment.step("look")).toThrow(ResetNeeded);
  });

  test("a second close does not reach the engine", () => {
    const engine = new Engine();
    const environment = new OrderEnforcing(engine);
    environment.close();
    environment.close();
    expect(engine.closes).toBe(1);
  });

  test.each<[string, (environment: OrderEnforcing) => unknown]>([
    ["reset", (environment) => environment.reset(request)],
    ["step", (environment) => environment.step("look")],
    ["clone", (environment) => environment.clone()],
  ])("%s after close is refused with EnvironmentClosed", (call, act) => {
    const environment = started(new OrderEnforcing(new Engine()));
    environment.close();
    expect(() => act(environment)).toThrow(EnvironmentClosed);
    expect(() => act(environment)).toThrow(`The environment is closed and cannot perform ${call}.`);
  });

  test.each<[string, (environment: OrderEnforcing) => void, (new (call: string) => Error) | undefined]>([
    ["new", () => {}, ResetNeeded],
    ["playing", (environment) => started(environment), undefined],
    ["over", (environment) => started(environment).step("end"), EpisodeOver],
  ])("a clone of an instance that is %s is in the same state", (_, live, refusal) => {
    const environment = new OrderEnforcing(new Engine());
    live(environment);
    const copy = environment.clone();
    environment.close();
    if (refusal) expect(() => copy.step("look")).toThrow(refusal);
    else expect(copy.step("look").observation).toBe("look");
  });

  test("an engine without clone is refused with TypeError", () => {
    const { reset, step, close } = new Engine();
    expect(() => new OrderEnforcing({ reset, step, close }).clone()).toThrow(TypeError);
    expect(() => cloneOf({ reset, step, close })).toThrow(TypeError);
  });
});

describe("TimeLimit", () => {
  test("truncates at the last step and not before", () => {
    const environment = started(new TimeLimit(new Engine(), 3));
    expect(flags(environment, ["a", "b", "c"])).toEqual([on, on, cut]);
  });

  test("a task that terminates at the last step is not truncated", () => {
    const environment = started(new TimeLimit(new Engine(), 2));
    expect(flags(environment, ["a", "end"])).toEqual([on, over]);
  });

  test("a limit of one step truncates the first", () => {
    expect(flags(started(new TimeLimit(new Engine(), 1)), ["a"])).toEqual([cut]);
  });

  test("reset restores the full number of steps", () => {
    const environment = started(new TimeLimit(new Engine(), 2));
    environment.step("a");
    expect(flags(started(environment), ["a", "b"])).toEqual([on, cut]);
  });

  test("a step that throws does not count", () => {
    const environment = started(new TimeLimit(new Engine(), 2));
    expect(() => environment.step("throw")).toThrow("engine fault");
    expect(flags(environment, ["a", "b"])).toEqual([on, cut]);
  });

  test("a clone has the same number of steps left, and counts its own", () => {
    const environment = started(new TimeLimit(new Engine(), 3));
    environment.step("a");
    const copy = environment.clone();
    expect(flags(copy, ["b", "c"])).toEqual([on, cut]);
    expect(flags(environment, ["b", "c"])).toEqual([on, cut]);
  });

  test("passes on the other fields of a result, and close", () => {
    const engine = new Engine();
    const environment = started(new TimeLimit(engine, 1));
    expect(environment.step("a")).toMatchObject({ observation: "a", reward: 0, info: { step: 1 } });
    environment.close();
    expect(engine.closes).toBe(1);
  });
});

describe("createWrapped", () => {
  const context = { now: () => 0 };
  const create = vi.fn(() => new Engine());
  const environment = () => createWrapped({ maxSteps: 2, create } as unknown as EnvironmentSpec, context);

  test("makes one instance with the given context", () => {
    environment();
    expect(create.mock.calls).toEqual([[context]]);
  });

  test("refuses calls out of order", () => {
    expect(() => environment().step("look")).toThrow(ResetNeeded);
  });

  test("truncates at the spec's maxSteps and then refuses further steps", () => {
    const wrapped = started(environment());
    expect(flags(wrapped, ["a", "b"])).toEqual([on, cut]);
    expect(() => wrapped.step("c")).toThrow(EpisodeOver);
  });
});

describe("AsyncWrapped", () => {
  const { signal } = new AbortController();
  const request = { task: { split: "all", index: 0 }, seed: 0, options: {} };
  const outside = (engine: Engine): AsyncEnvironment => ({
    reset: async (request) => engine.reset(request),
    step: async (action) => engine.step(action),
    close: async () => engine.close(),
  });

  test("refuses calls out of order, in each state", async () => {
    const engine = new Engine();
    const environment = new AsyncWrapped(outside(engine), 10);
    await expect(environment.step("a", signal)).rejects.toThrow(ResetNeeded);
    await environment.reset(request, signal);
    await environment.step("end", signal);
    await expect(environment.step("a", signal)).rejects.toThrow(EpisodeOver);
    await environment.reset(request, signal);
    expect(await environment.step("a", signal)).toMatchObject({ observation: "a", truncated: false });
    await environment.close();
    await environment.close();
    expect(engine.closes).toBe(1);
    await expect(environment.step("a", signal)).rejects.toThrow(EnvironmentClosed);
    await expect(environment.reset(request, signal)).rejects.toThrow(EnvironmentClosed);
  });

  test("truncates at the last step unless the task terminates there, and counts from zero after a reset", async () => {
    const environment = new AsyncWrapped(outside(new Engine()), 2);
    const flagsOf = async (action: string) => {
      const { terminated, truncated } = await environment.step(action, signal);
      return [terminated, truncated];
    };
    await environment.reset(request, signal);
    expect([await flagsOf("a"), await flagsOf("b")]).toEqual([on, cut]);
    await environment.reset(request, signal);
    expect([await flagsOf("a"), await flagsOf("end")]).toEqual([on, over]);
  });

  test("stays closed if a call returns after close", async () => {
    const environment = new AsyncWrapped(outside(new Engine()), 2);
    const reset = environment.reset(request, signal);
    await environment.close();
    await reset;
    await expect(environment.step("a", signal)).rejects.toThrow(EnvironmentClosed);
  });
});
