/** Mendelian genetics, played as an experiment: two purebred plants, bees, and a look at their offspring. */
import { describe, expect, test } from "vitest";
import { Game } from "#palestra/envs/sciworld/game.js";

const [known, unknown] = ["mendelian-genetics-known-plant", "mendelian-genetics-unknown-plant"];

/** Variations about a trait that is visible in seeds, first dominant, then recessive. */
const questions = [
  [known, "seed shape", [30, 45]],
  [known, "seed color", [60, 75]],
  [unknown, "unknown E: seed color", [0, 15]],
  [unknown, "unknown E: seed shape", [30, 45]],
  [unknown, "unknown B: seed color", [150, 165]],
  [unknown, "unknown D: seed shape", [360, 375]],
] as const satisfies [string, string, [number, number]][];

/** Returns a game with a seed in each of two pots beside an open hive, after the plants have grown. */
function planted(task: string, variation: number) {
  const game = new Game(task, variation, new Set(["teleportAction", "selfWateringFlowerPots"]));
  const [, asked = "", species = ""] = /whether (\S+) .* in the (.*?) plant/.exec(game.taskDescription) ?? [];
  game.step("teleport to greenhouse");
  const pots = game.look().match(/flower pot \d/g) ?? [];
  const seeds = game.step("look at seed jar").match(new RegExp(`\\w+( \\w+)? ${species} seed`, "g")) ?? [];
  for (const [at, seed] of seeds.entries()) game.step(`move ${seed} to ${pots[at]}`);
  game.step("open bee hive");
  return { game, asked, seeds, offspring: new RegExp(`you see: [^.]*?(\\w+(?: \\w+)?)  ?${species} seed`) };
}

describe.each(questions)("in %s, of %s", (task, _, variations) => {
  test.each(variations)("the trait of the offspring in variation %i is dominant", (variation) => {
    const { game, asked, seeds, offspring } = planted(task, variation);
    expect(seeds).toHaveLength(2);
    expect(seeds.filter((seed) => seed.includes(asked))).toHaveLength(1);
    for (let waits = 0; waits < 50 && !offspring.test(game.look()); waits++) game.step("wait");
    const [, shown = ""] = offspring.exec(game.look()) ?? [];
    expect(shown).not.toBe("");
    game.step(`focus on ${shown.split(" ").includes(asked) ? "red" : "green"} box`);
    expect({ score: game.score, isCompleted: game.isCompleted }).toEqual({ score: 1, isCompleted: true });
  });
});

test("the wrong box fails the task", () => {
  const game = new Game(known as string, 0, new Set(["teleportAction"]));
  game.step("teleport to greenhouse");
  game.step("focus on green box");
  expect(game.score).toBe(-1);
});
