/** The conformance suite on every registered environment. `palestra check --all` plays more of each. */
import { afterAll, describe, expect, test } from "vitest";
import { checkEnvironment } from "#palestra/envs/check-env.js";
import type { AsyncEnvironmentSpec } from "#palestra/envs/env.js";
import { Registry, versionedId } from "#palestra/envs/registry.js";
import { loadConfig } from "#palestra/server/config.js";
import { openSandboxes } from "#palestra/server/sandboxes.js";

const registry = await Registry.load();
const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
afterAll(() => sandboxes.close());

describe.each(registry.list().map((spec) => ({ name: versionedId(spec), spec })))("$name", ({ spec }) => {
  test("passes every check that applies to it", async (context) => {
    const results = await checkEnvironment(spec.isAsync ? withFirstSplit(spec) : spec, { episodes: 1, sandboxes });
    const outcomes = new Map(results.map((result) => [result.check, result]));
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const requirements = outcomes.get("requirements");
    if (requirements?.outcome === "skipped") return context.skip(requirements.detail);
    expect(outcomes.get("determinism")?.outcome).toBe("passed");
  }, 300_000);
});

/** An engine outside of the gym takes its time: `palestra check` plays all of its splits. */
function withFirstSplit(spec: AsyncEnvironmentSpec): AsyncEnvironmentSpec {
  return { ...spec, splits: Object.fromEntries(Object.entries(spec.splits).slice(0, 1)) };
}
