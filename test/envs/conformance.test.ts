/** The conformance suite on every environment, with fewer episodes than `palestra check --all`. */
import { afterAll, describe, expect, test } from "vitest";
import { checkEnvironment } from "#palestra/envs/check-env.js";
import type { AnyEnvironmentSpec, EnvironmentOption } from "#palestra/envs/env.js";
import { Registry, versionedId } from "#palestra/envs/registry.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";

const registry = await Registry.load();
const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
afterAll(() => sandboxes.close());

describe.each(registry.list().map((spec) => ({ name: versionedId(spec), spec })))("$name", ({ spec }) => {
  test("passes every check that applies to it", async (context) => {
    const results = await checkEnvironment(shortened(spec), { episodes: 1, sandboxes });
    const outcomes = new Map(results.map((result) => [result.check, result]));
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    const requirements = outcomes.get("requirements");
    if (requirements?.outcome === "skipped") return context.skip(requirements.detail);
    expect(outcomes.get("determinism")?.outcome).toBe("passed");
  }, 600_000);
});

/**
 * Shortens the check of an environment with a slow engine: one split, and no options that another option implies.
 * `palestra check` plays all of its splits with every option.
 */
function shortened(spec: AnyEnvironmentSpec): AnyEnvironmentSpec {
  const splits = Object.fromEntries(Object.entries(spec.splits).slice(0, 1));
  if (spec.options === undefined) return { ...spec, splits };
  // `simplifications=easy` turns on teleport, open doors, self-watering pots and no wires at once.
  // Views of a page have tests of their own.
  const parts = ["teleport", "openDoors", "selfWatering", "withoutWires", "observation", "extent"];
  // A step of the original simulator takes fifty times as long. Its options have tests of their own.
  const isJvm = spec.requirements.some(({ name }) => name === "jvm");
  const options = Object.fromEntries(
    Object.entries(spec.options).map(([name, option]) => [
      name,
      isJvm || parts.includes(name) ? withDefault(option) : option,
    ]),
  );
  return { ...spec, splits, options };
}

/** Returns the option with its default as the only value. */
function withDefault({ summary, values }: EnvironmentOption): EnvironmentOption {
  return { summary, values: Object.fromEntries(Object.entries(values).slice(0, 1)) };
}
