/** All desktop tasks: the solution scores 1, and no work scores 0. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAction } from "#palestra/envs/desktop/actions.js";
import { Plan } from "#palestra/envs/desktop/expert.js";
import { splits, taskOf } from "#palestra/envs/desktop/tasks.js";
import { signal, testDesktop, withDesktop } from "./desktops.js";

const refs = Object.entries(splits).flatMap(([split, { size }]) =>
  Array.from({ length: size }, (_, index) => ({ split, index })),
);
const cases = refs.map((ref) => [taskOf(ref).name, ref] as const);

test("there are ten tasks in two splits, each exactly once", () => {
  const files = readdirSync(fileURLToPath(new URL("../../../envs/desktop/data/tasks/", import.meta.url)));
  expect(files).toHaveLength(10);
  expect(cases.map(([name]) => name).sort()).toEqual(files.map((file) => file.replace(/^[0-9]+-|\.json$/g, "")).sort());
  expect(Object.fromEntries(Object.entries(splits).map(([name, { size }]) => [name, size]))).toEqual({
    train: 7,
    test: 3,
  });
});

test("the README lists each task with its split", () => {
  const readme = readFileSync(new URL("../../../envs/desktop/README.md", import.meta.url), "utf8");
  for (const [name, { split, index }] of cases) expect(readme).toContain(`| \`${split}:${index}\` ${name} |`);
});

describe.each(cases)("%s", (_, ref) => {
  test("its solution consists of valid actions and ends the task", () => {
    const plan = new Plan(taskOf(ref));
    const read: string[] = [];
    for (let text = plan.next; text !== null; text = plan.next) {
      read.push(parseAction(text).action);
      plan.done(text);
    }
    expect(read).not.toContain("none");
    expect(read.at(-1)).toBe("done");
  });

  testDesktop("its solution is worth 1", async (machines) => {
    await withDesktop(machines, ref, async (desktop) => {
      const seen: string[] = [];
      for (let action = desktop.advise(); action !== null; action = desktop.advise()) {
        const { observation, reward, terminated, info } = await desktop.step(action, signal());
        seen.push(observation);
        if (terminated) expect({ reward, info, seen }).toMatchObject({ reward: 1, info: { faults: [] } });
      }
      expect(seen.at(-1)).toBe("The task is over.");
    });
  });

  testDesktop("no work is worth 0", async (machines) => {
    await withDesktop(machines, ref, async (desktop) => {
      const { reward, terminated, info } = await desktop.step('{"action": "done"}', signal());
      expect({ reward, terminated }).toEqual({ reward: 0, terminated: true });
      expect(info.faults).not.toEqual([]);
    });
  });
});
