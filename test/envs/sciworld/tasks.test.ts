/** Compares tasks, variations and splits with those of the original. */
import { describe, expect, test } from "vitest";
import { Game } from "#palestra/envs/sciworld/game.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { problemOf, splits } from "#palestra/envs/sciworld/tasks.js";
import { sharedTest, taskFacts } from "./recordings.js";

describe("AgentGym's numbering", () => {
  test("has 4639 tasks, and none about growing, inclined planes or genetics", () => {
    expect(splits.agentgym?.size).toBe(4639);
    const all = Array.from({ length: 4639 }, (_, index) => problemOf({ split: "agentgym", index }));
    const played = new Set(all.map(({ task }) => task));
    expect(tasks.map(({ name }) => name).filter((name) => !played.has(name))).toEqual([
      ...["grow-plant", "grow-fruit"],
      ...["inclined-plane-friction-named-surfaces", "inclined-plane-friction-unnamed-surfaces"],
      ...["inclined-plane-determine-angle", "mendelian-genetics-known-plant", "mendelian-genetics-unknown-plant"],
    ]);
  });

  test.each([
    [0, "boil", 0],
    [29, "boil", 29],
    [30, "melt", 0],
    [1395, "measure-melting-point-unknown-substance", 299],
    [1396, "power-component", 0],
    [4136, "chemistry-mix", 0],
    [4638, "identify-life-stages-2", 9],
  ])("has at index %i the task %s with variation %i", (index, task, variation) => {
    expect(problemOf({ split: "agentgym", index })).toEqual({ task, variation });
  });
});

sharedTest("a task has the original's variations, texts, actions and objects", () => {
  const facts = taskFacts();
  expect(tasks.map(({ name }) => name).sort()).toEqual(facts.map(({ task }) => task).sort());
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

test.each([
  ["train", 3592],
  ["dev", 1796],
  ["test", 1819],
])("%s has %i of the 7207 variations", (part, size) => {
  expect(splits[part]?.size).toBe(size);
});

test("each task is a split", () => {
  const sizes = tasks.map(({ name }) => splits[name]?.size);
  expect(sizes).toEqual(tasks.map(({ variations }) => variations));
  const ref = { split: "mendelian-genetics-unknown-plant", index: 479 };
  expect(problemOf(ref)).toEqual({ task: "mendelian-genetics-unknown-plant", variation: 479 });
});

sharedTest("train, dev and test have the original's variations of each task", () => {
  for (const part of ["train", "dev", "test"] as const) {
    const size = splits[part]?.size ?? 0;
    const all = Array.from({ length: size }, (_, index) => problemOf({ split: part, index }));
    for (const facts of taskFacts()) {
      const variations = all.filter(({ task }) => task === facts.task).map(({ variation }) => variation);
      expect([variations[0], variations.at(-1), variations.length]).toEqual(facts[part]);
    }
  }
});
