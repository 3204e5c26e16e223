/** Every bundled task: its solution has the reward 1, and no work and every attempt at cheating have the reward 0. */
import { copyFileSync, cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readTask } from "#palestra/envs/workbench/harbor/task.js";
import workbench from "#palestra/envs/workbench/index.js";
import { loadTask } from "#palestra/envs/workbench/tasks.js";
import { scratchDir } from "../../support/gym.js";
import { machines, workbench as open, signal, testMachines } from "./machines.js";

const root = fileURLToPath(new URL("../../../envs/workbench/data/tasks/", import.meta.url));
const grader = fileURLToPath(new URL("../../../envs/workbench/data/grader.py", import.meta.url));
const names = readdirSync(root).sort();
const places = ["train", "test"].flatMap((split) =>
  Array.from({ length: workbench.splits[split]?.size ?? 0 }, (_, index) => ({ split, index })),
);
const refs = new Map(await Promise.all(places.map(async (ref) => [(await loadTask(ref)).name, ref] as const)));

interface Outcome {
  reward: number;
  fault: unknown;
}

/** Plays actions, and then submits until the task is over. */
async function play(name: string, next: (turn: number) => string | Promise<string | null>): Promise<Outcome> {
  const environment = open(machines);
  try {
    await environment.reset(
      { task: refs.get(name) as { split: string; index: number }, seed: 0, options: {} },
      signal(),
    );
    let reward = 0;
    for (let turn = 0; turn < 20; turn++) {
      const result = await environment.step((await next(turn)) ?? "submit", signal());
      reward += result.reward;
      if (result.terminated) return { reward, fault: result.info.fault };
    }
    throw new Error("expected the task to end within 20 actions");
  } finally {
    await environment.close();
  }
}

test("there are 24 tasks in two splits, without duplicates", () => {
  expect(names).toHaveLength(24);
  expect([...refs.keys()].sort()).toEqual(names);
});

test("all tasks have the same grader, at least two attempts at cheating, and no note of the importer", async () => {
  const expected = readFileSync(grader, "utf8");
  for (const [name, ref] of refs) {
    const task = await loadTask(ref);
    expect(task.notes).toEqual([]);
    expect(task.machine.needsImage).toBeUndefined();
    expect(task.stages.every(({ solution }) => solution !== undefined)).toBe(true);
    expect(readdirSync(join(root, name, "cheats")).length).toBeGreaterThanOrEqual(2);
    for (const { verifier } of task.stages) {
      expect(verifier.tests.map(({ path }) => path)).toEqual(["check.py", "grader.py", "test.sh"]);
      expect(readFileSync(verifier.tests[1]?.at ?? "", "utf8")).toBe(expected);
    }
    // The checks and the solution never come to the agent.
    expect(task.machine.files.some(({ at }) => /\/((tests|solution|cheats)\/|grader\.py$)/.test(at))).toBe(false);
  }
});

test("a copied task has no grader, and with the grader beside its checks it has the digest of the bundled task", async () => {
  for (const [name, ref] of refs) {
    const folder = join(scratchDir(), name);
    cpSync(join(root, name), folder, { recursive: true });
    const paths = readdirSync(folder, { recursive: true }).map(String);
    expect(paths.filter((path) => basename(path) === "grader.py")).toEqual([]);
    const bare = await readTask(folder);
    for (const { verifier } of bare.stages)
      expect(verifier.tests.map(({ path }) => path)).toEqual(["check.py", "test.sh"]);
    for (const path of paths.filter((one) => basename(one) === "check.py"))
      copyFileSync(grader, join(folder, dirname(path), "grader.py"));
    expect((await readTask(folder)).digest).toBe((await loadTask(ref)).digest);
  }
});

describe.each(names)("%s", (name) => {
  testMachines("its solution has the reward 1", async () => {
    const environment = open(machines);
    try {
      await environment.reset(
        { task: refs.get(name) as { split: string; index: number }, seed: 0, options: {} },
        signal(),
      );
      let reward = 0;
      for (let action = environment.advise(); action !== null; action = environment.advise())
        reward += (await environment.step(action, signal())).reward;
      expect(reward).toBe(1);
    } finally {
      await environment.close();
    }
  });

  testMachines("no work has the reward 0", async () => {
    expect(await play(name, () => "submit")).toEqual({ reward: 0, fault: undefined });
  });

  const folder = join(root, name, "cheats");
  for (const cheat of existsSync(folder) ? readdirSync(folder) : []) {
    testMachines(`${cheat} is worth 0`, async () => {
      const script = readFileSync(join(folder, cheat), "utf8");
      const { reward, fault } = await play(name, (turn) => (turn === 0 ? `bash\n${script}` : "submit"));
      expect(reward).toBe(0);
      // The verifier was ended by the program under test: its own word that it was right is not believed.
      if (cheat === "kill-checks.sh") expect(fault).toContain("expected the verifier to end by itself");
    });
  }
});
