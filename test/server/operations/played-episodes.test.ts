/** Episodes that are judged while they move from this gym to another one of its fleet. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { elsewhere } from "#palestra/server/episodes/episode/refusals.js";
import { createEpisodeId } from "#palestra/server/log/records/episode-id.js";
import type { Call, Operation } from "#palestra/server/operations/operation.js";
import { PlayedEpisodes, type ReadingOperations } from "#palestra/server/operations/played-episodes.js";

const id = createEpisodeId(7);

/** A gym that had the episode when it was asked whether it has it, and has it no longer when it reads it. */
function callThatMoves(asked: string[]): Call {
  const moved = () => Promise.reject(elsewhere(id));
  const state = { episodeId: id, environment: "textcraft@1", task: { split: "train", index: 3 }, seed: 5, options: {} };
  const replies: Record<string, object> = {
    get: { ...state, phase: "ended", index: 2 },
    transcript: { steps: [{ action: "look" }, { action: "get 1 log" }], next: null },
  };
  return {
    gym: { find: moved, reader: { readSteps: moved }, ownership: { has: () => true } },
    caller: { owner: "ada" },
    router: {
      async run(name: string) {
        asked.push(name);
        return JSON.stringify(replies[name]);
      },
    },
  } as unknown as Call;
}

test("an episode that moves meanwhile is read at the gym that has it now", async () => {
  const asked: string[] = [];
  const operations = { get: {} as Operation, transcript: {} as Operation } satisfies ReadingOperations;
  const played = new PlayedEpisodes(callThatMoves(asked), operations);
  const task = { id, environment: "textcraft@1", split: "train", taskIndex: 3, seed: 5, options: "{}" };
  expect(await played.task(id)).toEqual(task);
  const actions = createHash("sha256").update(`"look"`).update(`"get 1 log"`).digest("hex");
  expect(await played.actions(id)).toBe(actions);
  expect(asked).toEqual(["get", "get", "transcript"]);
});
