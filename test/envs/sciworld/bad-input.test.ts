/** Tens of thousands of possible actions of models, over all tasks: none throws, and the invariants of the world hold. */
import { expect, test } from "vitest";
import { Game } from "#palestra/envs/sciworld/game.js";
import { tasks } from "#palestra/envs/sciworld/tasks/all.js";
import { OddActions } from "./odd-actions.js";
import { WorldInvariants } from "./world-invariants.js";

const actions = 50_000;
const actionsOfEpisode = 80;
const playable = tasks.filter(({ variations }) => variations > 0);

test(`${actions} random and malformed actions do not throw and keep the invariants`, () => {
  const counts = { understood: 0, asked: 0, moves: 0 };
  for (let episode = 0; episode * actionsOfEpisode < actions; episode++) {
    const task = playable[episode % playable.length] as (typeof playable)[number];
    const game = new Game(task.name, (episode * 7) % task.variations);
    playOddly(game, episode, counts);
  }
  expect(counts.understood).toBeGreaterThan(actions / 2);
  expect(counts.asked).toBeGreaterThan(actions / 100);
  expect(counts.moves).toBeGreaterThan(actions / 4);
});

function playOddly(game: Game, seed: number, counts: { understood: number; asked: number; moves: number }): void {
  const odd = new OddActions(game, seed);
  const invariants = new WorldInvariants(game);
  const said: string[] = ["look around"];
  try {
    let observation = game.step("look around");
    for (let at = 0; at < actionsOfEpisode; at++) {
      said.push(odd.next(observation));
      observation = game.step(said.at(-1) as string);
      expect(observation).not.toMatch(/undefined|\[object|NaN/);
      if (!observation.startsWith("No known action")) counts.understood += 1;
      if (observation.startsWith("Ambiguous request")) counts.asked += 1;
      if (at % 8 === 0) invariants.check();
    }
    invariants.check();
    counts.moves += game.moves;
  } catch (error) {
    const last = said.slice(-6).map((action) => action.slice(0, 100));
    throw new Error(`in the episode of seed ${seed}, after ${JSON.stringify(last)}`, { cause: error });
  }
}
