/** Compares games with bees, step by step, with recordings of the original (test/peers/record-sciworld-bees.ts). */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { parseSimplifications } from "#palestra/envs/sciworld/engine/simplifications.js";
import { Game } from "#palestra/envs/sciworld/game.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import type { Recording } from "./recordings.js";

interface BeeRecording extends Recording {
  /** "easy", or "" for none. */
  simplifications: string;
  /** SHA-256 of the sorted valid actions after the last step, one per line. They depend on the state of the generator. */
  validSortedSha256: string;
  validCount: number;
}

const file = new URL("../../fixtures/sciworld/bees.jsonl.gz", import.meta.url);
const recordings = gunzipSync(readFileSync(file))
  .toString("utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as BeeRecording);

/** Plays the actions of a recording on the native engine. */
function replay(recording: BeeRecording): BeeRecording {
  const { task, variation, simplifications } = recording;
  const game = new Game(task, variation, parseSimplifications(simplifications, task));
  const steps = recording.steps.map(({ action }) => {
    const observation = game.step(action);
    return { action, observation, score: game.score, completed: game.isCompleted };
  });
  const [inventory, look] = [game.viewInventory(), game.look()];
  const actions = game.validActions().map(({ action }) => action);
  const validSortedSha256 = createHash("sha256").update(actions.sort().join("\n")).digest("hex");
  return {
    ...{ task, variation, simplifications, taskDescription: game.taskDescription, steps, inventory, look },
    ...{ validCount: actions.length, validSortedSha256 },
  };
}

test("at least 100 recorded games look into an open hive", () => {
  const looksInto = ({ action, observation }: Recording["steps"][number]) =>
    action === "look in bee hive" && observation.startsWith("Inside the bee hive");
  expect(recordings.filter(({ steps }) => steps.some(looksInto)).length).toBeGreaterThanOrEqual(100);
});

describe("a recorded game with bees", () => {
  for (const { name } of tasks)
    test(`of ${name} has the replies of the original`, () => {
      const found = recordings.filter(({ task }) => task === name);
      expect(found).not.toHaveLength(0);
      for (const recording of found) {
        const steps = recording.steps.map((step) => ({ ...step, score: expect.closeTo(step.score, 12) as number }));
        expect(replay(recording)).toEqual({ ...recording, steps });
      }
    });
});
