/**
 * Compares valid actions and objects with recordings of the original's Python API, which requests both after every
 * step.
 */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { parseSimplifications } from "#palestra/envs/sciworld/engine/simplifications.js";
import { Game } from "#palestra/envs/sciworld/game.js";
import type { ValidAction } from "#palestra/envs/sciworld/parser/valid-actions.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { type ApiRecording, type ApiStep, apiRecordings, sharedTest } from "./recordings.js";

sharedTest(
  "the calls of the Python API have the replies of the original, and queries do not affect the episode",
  () => {
    const found = apiRecordings();
    expect(new Set(found.map(({ task }) => task)).size).toBe(tasks.length);
    for (const recording of found) replay(recording);
  },
);

function replay({ task, variation, taskDescription, simplifications, steps }: ApiRecording): void {
  const game = new Game(task, variation, parseSimplifications(simplifications, task));
  expect(game.taskDescription).toBe(taskDescription);
  for (const [at, step] of steps.entries()) {
    const { action, observation, score, completed, moves, look, inv } = step;
    const said = { task, at, action, observation: game.step(action), moves: game.moves, completed: game.isCompleted };
    expect(said).toEqual({ task, at, action, observation, moves, completed });
    expect(game.score).toBeCloseTo(score, 12);
    expect({ look: game.look(), inv: game.viewInventory() }).toEqual({ look, inv });
    expectValid(game, step);
  }
}

function expectValid(game: Game, { validCount, validSortedSha256, validRaw }: ApiStep): void {
  const asked = game.validActions();
  // From here on, the list draws from the episode's random generator, as in the original.
  const valid = game.validActions({ isDrawing: true });
  expect(asked).toEqual(valid);
  const sorted = valid.map(({ action }) => action).sort();
  expect(sorted).toHaveLength(validCount);
  expect(createHash("sha256").update(sorted.join("\n")).digest("hex")).toBe(validSortedSha256);
  if (!validRaw) return;
  const theirs = validRaw.map(({ action, template_id, obj_ids, type_ids }) => {
    return { action, templateId: template_id, objectIds: obj_ids, typeIds: type_ids };
  });
  expect(byRank(valid)).toEqual(byRank(theirs));
}

/** The ids of a task's objects differ from the original's, but have the same order. */
function byRank(actions: readonly ValidAction[]): ValidAction[] {
  const ids = [...new Set(actions.flatMap(({ objectIds }) => objectIds))].sort((one, other) => one - other);
  const ranks = new Map(ids.map((id, rank) => [id, rank]));
  return actions.map(({ action, templateId, objectIds, typeIds }) => {
    return { action, templateId, objectIds: objectIds.map((id) => ranks.get(id) as number), typeIds: [...typeIds] };
  });
}
