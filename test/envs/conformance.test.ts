/** The conformance suite on every registered environment. `palestra check --all` plays more of each. */
import { describe, expect, test } from "vitest";
import { checkEnvironment } from "#palestra/envs/check-env.js";
import { Registry } from "#palestra/envs/registry.js";

const registry = await Registry.load();

describe.each(registry.list().map((spec) => ({ id: spec.id, spec })))("$id", ({ spec }) => {
  test("passes every check that applies to it", async () => {
    const results = await checkEnvironment(spec, { episodes: 1 });
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(results.find(({ check }) => check === "determinism")?.outcome).toBe("passed");
  }, 300_000);
});
