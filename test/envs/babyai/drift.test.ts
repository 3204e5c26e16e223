/**
 * Compares the final states of long random walks with MiniGrid's. Each walk has many missions on one random stream, and
 * every level has a walk.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import type { Move } from "#palestra/envs/babyai/engine/codes.js";
import type { Game } from "#palestra/envs/babyai/engine/game.js";
import { fixtureLines, newGame } from "./recordings.js";

interface Drift {
  id: string;
  moves: number;
  episodes: number;
  sha256: string;
}

const recorded = fixtureLines<Drift>("drift.jsonl.gz");

/** Walks as `test/peers/babyai-drift.py` does on MiniGrid 3.2.0. */
function walk(game: Game, moves: number): Omit<Drift, "id"> {
  const digest = createHash("sha256");
  const begun = () => digest.update(game.view).update(game.mission);
  game.reset(7);
  begun();
  let episodes = 1;
  let x = 7;
  for (let taken = 1; taken <= moves; taken++) {
    x = (Math.imul(1_664_525, x) + 1_013_904_223) >>> 0;
    game.step(((x >>> 16) % 7) as Move);
    digest.update(game.view).update(`${pythonFloat(game.reward)} ${+game.terminated} ${+game.truncated}\n`);
    // A recording that stops at the end of an episode has no further reset.
    if (!(game.terminated || game.truncated) || (taken === moves && recordedShort(moves))) continue;
    game.reset();
    begun();
    episodes += 1;
  }
  return { moves, episodes, sha256: digest.digest("hex") };
}

const recordedShort = (moves: number) => moves < Math.max(...recorded.map((walk) => walk.moves));

function pythonFloat(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}

test("all 96 levels are recorded", () => {
  expect(recorded).toHaveLength(96);
});

test.each(recorded)("$id ends in the recorded state after $moves moves", ({ id, ...end }) => {
  expect(walk(newGame(id, { keepsLockedRoom: false }), end.moves)).toEqual(end);
});
