/** The conformance suite on async environments: the same checks find the same faults. */
import { afterAll, describe, expect, test } from "vitest";
import { type CheckResult, checkEnvironment } from "#palestra/envs/check-env.js";
import type {
  AsyncContext,
  AsyncEnvironmentSpec,
  Environment,
  EnvironmentSpec,
  ResetRequest,
} from "#palestra/envs/env.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";
import { broken } from "./broken.js";
import { correct } from "./counting.js";

const named = (results: CheckResult[], outcome: CheckResult["outcome"]) =>
  results.filter((result) => result.outcome === outcome).map(({ check }) => check);
const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
afterAll(() => sandboxes.close());

/** Returns an async version of an environment. */
function outside(spec: EnvironmentSpec): AsyncEnvironmentSpec {
  const { create, expert, render: _, verify: __, verdict, queries = {}, ...facts } = spec;
  const asked = Object.entries(queries).map(([name, { summary, answer }]) => [
    name,
    { summary, answer: async (engine: unknown) => answer(engine as Environment) },
  ]);
  return {
    ...facts,
    isAsync: true,
    restore: spec.restore === "clone" ? "replay" : spec.restore,
    create: (context) => {
      const engine = create(context);
      return Object.assign(Object.create(engine), {
        reset: async (request: ResetRequest) => engine.reset(request),
        step: async (action: string) => engine.step(action),
        close: async () => engine.close(),
        clone: undefined,
      });
    },
    ...(verdict && { verdict: async (engine, end) => verdict(engine as unknown as Environment, end) }),
    ...(expert && { expert: async (engine) => expert(engine as unknown as Environment) }),
    queries: Object.fromEntries(asked),
  };
}

/** For each check that an async environment can fail, an environment that fails it. */
const brokenOutside = new Map(
  broken
    .filter(
      ([check, fault]) =>
        !["spec-restore", "clone", "built-ins", "no-globals"].includes(check) && fault !== "a promise",
    )
    .map(([check, fault, faulty]) => [check, { check, fault, faulty: outside(faulty) }]),
);

describe("an async environment", () => {
  test("passes all checks except those that do not apply to async environments", async () => {
    const results = await checkEnvironment(outside(correct), { sandboxes });
    expect(named(results, "failed")).toEqual([]);
    expect(named(results, "skipped")).toEqual(["built-ins", "no-globals", "clone"]);
  });

  test.each([...brokenOutside.values()])("fails $check alone on $fault", async ({ check, faulty }) => {
    const results = await checkEnvironment(faulty, { sandboxes });
    expect(results.filter(({ outcome }) => outcome === "failed")).toMatchObject([{ check }]);
  });

  test("fails spec-restore if it has clone(), which the gym never calls", async () => {
    const { create, ...rest } = outside(correct);
    const clone = () => {};
    const copied = { ...rest, create: (context: AsyncContext) => Object.assign(create(context), { clone }) };
    const results = await checkEnvironment(copied, { sandboxes });
    expect(named(results, "failed")).toEqual(["spec-restore"]);
  });

  test("is aborted and fails if a call never returns", async () => {
    const hanging = { ...outside(correct), deadlineMs: 50 };
    const { create } = hanging;
    const step = (_: string, signal: AbortSignal) =>
      new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const spec = { ...hanging, create: (context: AsyncContext) => Object.assign(create(context), { step }) };
    const results = await checkEnvironment(spec, { sandboxes, episodes: 1 });
    expect(named(results, "failed")).toContain("any-action");
  });

  test("fails to start without sandboxes", async () => {
    const failed = (await checkEnvironment(outside(correct))).filter(({ outcome }) => outcome === "failed");
    expect(failed).toMatchObject([{ check: "start", detail: expect.stringContaining("expected sandboxes") }]);
  });
});
