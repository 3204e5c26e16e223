/** Problems of the forum's task templates. Playing them needs a browser. */
import { describe, expect, test } from "vitest";
import { forumTemplates } from "#palestra/envs/webarena-lab/tasks/forum/tasks.js";
import { taskFrom } from "#palestra/envs/webarena-lab/tasks/index.js";

describe.each(forumTemplates.map((template) => [template.name, template] as const))("%s", (_, template) => {
  const tasks = [0, 1, 2, 3, 4].map((seed) => taskFrom(template, seed));

  test("five problems differ, and each is the same when it is generated again", () => {
    const slots = tasks.map(({ problem }) => JSON.stringify(problem.slots));
    expect(new Set(slots).size).toBe(5);
    expect(taskFrom(template, 2)).toEqual(tasks[2]);
  });

  test("intents have no unfilled placeholder, and plans end with an answer", () => {
    for (const { task, plan, problem } of tasks) {
      expect(task.intent).not.toMatch(/[{}]|undefined/);
      expect(Object.keys(problem.nearMisses).length).toBeGreaterThanOrEqual(2);
      for (const steps of [plan, ...Object.values(problem.nearMisses)])
        expect(steps.at(-1)).toMatchObject({ kind: "action", action: expect.stringMatching(/^stop/) });
      expect(JSON.stringify(problem)).not.toContain("undefined");
    }
  });

  test("no near miss gives the answer itself", () => {
    for (const { problem } of tasks) {
      const answer = problem.evaluation.reference_answers?.exact_match;
      if (answer === undefined) continue;
      for (const steps of Object.values(problem.nearMisses))
        expect(steps.at(-1)).not.toMatchObject({ action: `stop [${answer}]` });
    }
  });
});
