/** The conformance suite on the domains of tau2-bench, with small data in its formats. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { checkEnvironment } from "#palestra/envs/check-env.js";
import { domainNames } from "#palestra/envs/tau2/domains/domain.js";
import { specOf } from "#palestra/envs/tau2/spec.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";
import { fixtureData } from "./recorded.js";

const sandboxes = openSandboxes(loadConfig({ env: {}, flags: {} }));
beforeAll(() => vi.stubEnv("TAU2_DATA_DIR", fixtureData));
afterAll(() => {
  vi.unstubAllEnvs();
  return sandboxes.close();
});

test.each(domainNames)("%s passes every check that applies to it", async (domain) => {
  const spec = specOf(domain);
  expect(spec.prompt).toContain("<policy>");
  const results = await checkEnvironment(spec, { episodes: 1, sandboxes });
  expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const passed = results.filter(({ outcome }) => outcome === "passed").map(({ check }) => check);
  expect(passed).toEqual(expect.arrayContaining(["requirements", "determinism", "replay", "expert-reward", "verdict"]));
});

test("a domain without data has the published splits, and states how to get the data", async () => {
  vi.stubEnv("TAU2_DATA_DIR", "");
  const { splits, requirements, prompt } = specOf("retail");
  vi.stubEnv("TAU2_DATA_DIR", fixtureData);
  expect(Object.entries(splits).map(([name, { size }]) => [name, size])).toEqual([
    ["train", 74],
    ["test", 40],
    ["base", 114],
  ]);
  expect(prompt).not.toContain("<policy>");
  vi.stubEnv("TAU2_DATA_DIR", "/nowhere");
  expect(await requirements[0]?.probe()).toEqual({
    available: false,
    detail: "no file at /nowhere/tau2/domains/retail/db.json",
  });
  vi.stubEnv("TAU2_DATA_DIR", fixtureData);
});
