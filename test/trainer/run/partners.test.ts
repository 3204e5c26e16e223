/** The choice of partners: versions that are spread over a run, the newest model of another run, and models in use. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Policy } from "#palestra/trainer/policy/policy.js";
import { spread } from "#palestra/trainer/run/earlier-versions.js";
import { LoadedModels } from "#palestra/trainer/run/loaded-models.js";
import { newestModel, OtherRun } from "#palestra/trainer/run/other-run.js";

test("versions are spread over the run, with the first and the newest one", () => {
  let steps: readonly number[] = [0];
  const kept = Array.from({ length: 12 }, (_, at) => {
    steps = spread([...steps, 10 * (at + 1)], 4);
    return steps;
  });
  expect(kept.slice(2, 5)).toEqual([
    [0, 10, 20, 30],
    [0, 20, 30, 40],
    [0, 20, 40, 50],
  ]);
  for (const each of kept) expect([each[0], each.length <= 4]).toEqual([0, true]);
  expect(Math.max(...steps.slice(1).map((step, at) => step - (steps[at] as number)))).toBeLessThanOrEqual(60);
  expect([spread([0, 10, 20], 2), spread([0, 10, 20], 1)]).toEqual([[0, 20], [20]]);
});

test("the newest model of a run is its newest checkpoint, and before that the model that it starts with", async () => {
  const run = mkdtempSync(join(tmpdir(), "run-"));
  const settings = (given: object) => writeFileSync(join(run, "run.json"), JSON.stringify({ settings: given }));
  const model = (...path: string[]) => {
    mkdirSync(join(run, ...path), { recursive: true });
    writeFileSync(join(run, ...path, "config.json"), "{}");
    return join(run, ...path);
  };
  expect(await newestModel(run)).toBeUndefined();
  settings({ clone_episodes: 8 });
  expect(await newestModel(run)).toBeUndefined();
  const cloned = model("cloned");
  expect(await newestModel(run)).toBe(cloned);
  settings({ clone_episodes: 0, model: model("given") });
  expect(await newestModel(run)).toBe(join(run, "given"));
  model("checkpoints", "step-00000002");
  const newest = model("checkpoints", "step-00000010");
  model("checkpoints", ".step-00000012");
  expect(await newestModel(run)).toBe(newest);
});

/** Opens policies that note what is closed. */
function opener() {
  const closed: string[] = [];
  const open = async (folder: string): Promise<Policy> => ({
    name: folder,
    converse: () => {
      throw new Error("not played");
    },
    close: async () => void closed.push(folder),
  });
  return { open, closed };
}

test("a run that has no model yet is waited for, and each group plays with its newest model", async () => {
  const run = mkdtempSync(join(tmpdir(), "run-"));
  const { open, closed } = opener();
  const { signal } = new AbortController();
  let say: (line: string) => void = () => {};
  const said = new Promise<string>((resolve) => {
    say = resolve;
  });
  const other = new OtherRun({ folder: run, open, say });
  const waiting = other.borrow(0, signal);
  expect(await said).toBe(`waiting for a model of the partner's run ${run}: train it at the same time`);
  const checkpoint = (step: number) => join(run, "checkpoints", `step-0000000${step}`);
  mkdirSync(checkpoint(1), { recursive: true });
  const first = await waiting;
  expect(first.policy.name).toBe(checkpoint(1));
  mkdirSync(checkpoint(2));
  expect((await other.borrow(0, signal)).policy.name).toBe(checkpoint(2));
  // The older model is closed once its group has been played.
  expect(closed).toEqual([]);
  first.release();
  await other.close();
  expect(closed).toEqual([checkpoint(1), checkpoint(2)]);
});

test("a model that cannot be opened is tried again", async () => {
  let attempts = 0;
  const { open } = opener();
  const models = new LoadedModels(async (folder) => {
    attempts += 1;
    if (attempts === 1) throw new Error("out of memory");
    return open(folder);
  });
  await expect(models.borrow("a")).rejects.toThrow("out of memory");
  expect((await models.borrow("a")).policy.name).toBe("a");
});
