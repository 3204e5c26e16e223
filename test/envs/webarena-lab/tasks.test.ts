/** The lab's tasks without a browser: templates, their problems, and WebArena's format. */
import { describe, expect, test } from "vitest";
import { evaluate } from "#palestra/envs/shared/web-tasks/evaluators/evaluate.js";
import { readTaskFile } from "#palestra/envs/shared/web-tasks/tasks/format.js";
import type { PlanStep } from "#palestra/envs/webarena-lab/plan.js";
import { labUrls } from "#palestra/envs/webarena-lab/sites/index.js";
import { rawTask, splits, taskFrom, taskOf, templates } from "#palestra/envs/webarena-lab/tasks/index.js";

const perTemplate = 5;

test("templates cover all sites, pairs of them, and the three kinds of tasks", () => {
  expect(templates.length).toBeGreaterThanOrEqual(60);
  expect(new Set(templates.flatMap(({ sites }) => sites))).toEqual(new Set(Object.keys(labUrls)));
  expect(templates.filter(({ sites }) => sites.length > 1).length).toBeGreaterThanOrEqual(5);
  expect(new Set(templates.map(({ kind }) => kind))).toEqual(new Set(["find", "navigate", "change"]));
  expect(new Set(templates.map(({ name }) => name)).size).toBe(templates.length);
});

test("training and testing share no template", () => {
  const names = (split: string, count: number) =>
    new Set(Array.from({ length: count }, (_, index) => taskOf({ split, index }).template.name));
  const [train, testing] = [names("train", templates.length), names("test", splits.test?.size ?? 0)];
  expect([...testing].filter((name) => train.has(name))).toEqual([]);
  expect(train.size + testing.size).toBe(templates.length);
});

describe.each(templates.map((template) => ({ name: template.name, template })))("$name", ({ template }) => {
  const tasks = Array.from({ length: perTemplate }, (_, seed) => taskFrom(template, seed));

  test("draws different problems, each deterministically", () => {
    expect(new Set(tasks.map(({ task }) => task.intent)).size).toBe(perTemplate);
    expect(taskFrom(template, 3).task).toEqual(tasks[3]?.task);
    expect(tasks.filter(({ task }) => task.intent.includes("{{"))).toEqual([]);
  });

  test("is parsed as a task of WebArena, with an expert and near misses", () => {
    for (const [seed, { problem }] of tasks.entries()) {
      const { broken } = readTaskFile(JSON.stringify(rawTask(template, seed, problem)));
      expect(broken).toEqual([]);
      expect(Object.keys(problem.nearMisses).length).toBeGreaterThanOrEqual(2);
      for (const plan of [problem.plan, ...Object.values(problem.nearMisses)])
        expect(answerOf(plan), "the last step of a plan").toBeDefined();
    }
  });

  test("accepts the expert's answer and no near miss", async () => {
    for (const { problem, task } of tasks) {
      if (specOf(task).eval_types.join() !== "string_match") continue;
      expect(await isAccepted(task, answerOf(problem.plan) as string)).toBe(true);
      for (const [name, plan] of Object.entries(problem.nearMisses))
        expect(await isAccepted(task, answerOf(plan) as string), name).toBe(false);
    }
  });
});

/** Returns the answer of a plan's last step, if that is a stop. */
function answerOf(plan: readonly PlanStep[]): string | undefined {
  const last = plan.at(-1);
  if (last?.kind !== "action" || !last.action.startsWith("stop")) return undefined;
  return /^stop \[(.*)\]$/s.exec(last.action)?.[1] ?? "";
}

type Task = ReturnType<typeof taskFrom>["task"];

function specOf({ evaluation }: Task) {
  if (evaluation.kind !== "original")
    throw new Error(`expected WebArena's own evaluators, but received ${evaluation.kind}`);
  return evaluation.spec;
}

async function isAccepted(task: Task, answer: string) {
  const nothing = new Proxy({}, { get: () => () => Promise.reject(new Error("expected no look at a page")) });
  const verdicts = await evaluate(specOf(task), task.intent, {
    answer,
    page: nothing,
    open: () => nothing,
    shop: nothing,
    judge: nothing,
  } as never);
  return verdicts.every(({ passed }) => passed);
}
