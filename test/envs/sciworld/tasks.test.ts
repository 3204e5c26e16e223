/** The tasks, their variations and their splits, against what the original says of them. */
import { describe, expect, test } from "vitest";
import { Game } from "#palestra/envs/sciworld/game.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { problemOf, splits } from "#palestra/envs/sciworld/tasks.js";
import { sharedTest, taskFacts } from "./recordings.js";

describe("AgentGym's numbering", () => {
  test("has 4639 tasks", () => {
    expect(splits.agentgym?.size).toBe(4639);
  });

  test.each([
    [0, "boil", 0],
    [29, "boil", 29],
    [30, "melt", 0],
    [1395, "measure-melting-point-unknown-substance", 299],
    [1396, "power-component", 0],
    [4136, "chemistry-mix", 0],
    [4638, "identify-life-stages-2", 9],
  ])("has at %i %s %i", (index, task, variation) => {
    expect(problemOf({ split: "agentgym", index })).toEqual({ task, variation });
  });
});

sharedTest("a task has the original's variations, texts, actions and objects", () => {
  const facts = taskFacts().filter(({ task }) => tasks.some(({ name }) => name === task));
  expect(facts.length).toBeGreaterThanOrEqual(23);
  for (const { task, maxVariations, taskDescriptionVar0, ...possible } of facts) {
    const game = new Game(task, 0);
    const actions = game.possibleActions();
    expect({
      variations: tasks.find(({ name }) => name === task)?.variations,
      description: game.taskDescription,
      actions: actions.map(({ example }) => example).sort(),
      numbered: actions.map(({ example, templateId }) => ({ action_example: example, template_id: templateId })),
      objects: game.possibleObjects(),
    }).toEqual({
      variations: maxVariations,
      description: taskDescriptionVar0,
      actions: possible.possibleActions,
      numbered: possible.possibleActionsWithIDs,
      objects: possible.possibleObjectsVar0,
    });
  }
});

sharedTest("train, dev and test have the original's variations of each task", () => {
  for (const part of ["train", "dev", "test"] as const) {
    const size = splits[part]?.size ?? 0;
    const all = Array.from({ length: size }, (_, index) => problemOf({ split: part, index }));
    for (const facts of taskFacts()) {
      const variations = all.filter(({ task }) => task === facts.task).map(({ variation }) => variation);
      if (variations.length === 0) continue;
      expect([variations[0], variations.at(-1), variations.length]).toEqual(facts[part]);
    }
  }
});
