/** Compares observations, scores and ends with recordings of the original, step by step. */
import { describe, expect } from "vitest";
import { Game } from "#palestra/envs/sciworld/game.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { type Recording, recordedKinds, recordings, sharedTest } from "./recordings.js";

/** Compares the replies of the original and of the engine. */
function replay({ task, variation, steps }: Recording) {
  const game = new Game(task, variation);
  const said = steps.map(({ action }) => {
    const observation = game.step(action);
    return { action, observation, score: game.score, completed: game.isCompleted };
  });
  return {
    task,
    variation,
    taskDescription: game.taskDescription,
    said,
    look: game.look(),
    inventory: game.viewInventory(),
  };
}

describe.each(recordedKinds)("a recording of the kind %s", (kind) => {
  for (const { name } of tasks)
    sharedTest(`of ${name} has the replies of the original`, () => {
      const found = recordings(kind).filter(({ task }) => task === name);
      expect(found).not.toHaveLength(0);
      for (const recording of found) {
        const { task, variation, taskDescription, steps, look, inventory } = recording;
        const said = steps.map((step) => ({ ...step, score: expect.closeTo(step.score, 12) as number }));
        expect(replay(recording)).toEqual({ task, variation, taskDescription, said, look, inventory });
      }
    });
});
