/** Inclined planes, played as an experiment: a block, a stopwatch, and a look at the position of the block. */
import { describe, expect, test } from "vitest";
import { Game } from "#palestra/envs/sciworld/game.js";

const [angles, named, unnamed] = [
  "inclined-plane-determine-angle",
  "inclined-plane-friction-named-surfaces",
  "inclined-plane-friction-unnamed-surfaces",
];

function inWorkshop(task: string, variation: number) {
  const game = new Game(task, variation, new Set(["teleportAction"]));
  const look = game.step("teleport to workshop") && game.look();
  const planes = look.match(/inclined plane[^,\n]*/g) as [string, string];
  const [block = ""] = /wood block|steel block|brick/.exec(look) ?? [];
  return { game, planes, block };
}

/** Returns the ticks on the stopwatch until the block is at the bottom. */
function timeOn(plane: string, block: string, game: Game): number {
  game.step(`move ${block} to ${plane}`);
  game.step("activate stopwatch");
  for (let looks = 0; looks < 800 && !game.step(`look at ${plane}`).includes("at the bottom"); looks++) {}
  game.step("deactivate stopwatch");
  return Number(/reads (\d+) ticks/.exec(game.step("examine stopwatch"))?.[1]);
}

describe.each([
  [angles, [0, 1, 82, 83]],
  [named, [0, 1, 700, 1001]],
  [unnamed, [0, 1, 80, 161]],
] as const)("in %s", (task, variations) => {
  test.each(variations)("the stopwatch identifies the plane of variation %i", (variation) => {
    const { game, planes, block } = inWorkshop(task, variation);
    const [one, other] = planes.map((plane) => timeOn(plane, block, game)) as [number, number];
    expect(one).not.toBe(other);
    const isSlow = /has the (most friction|shallowest angle)/.test(game.taskDescription);
    game.step(`focus on ${planes[one > other === isSlow ? 0 : 1]}`);
    expect({ score: game.score, isCompleted: game.isCompleted }).toEqual({ score: 1, isCompleted: true });
  });
});

/** Variation 0: planes B and C, with 70 and 80 degrees and a friction of 0.5. */
test("a block slides by a tenth of the sine of the angle, less friction, per tick", () => {
  const { game, block } = inWorkshop(angles as string, 0);
  game.step(`move ${block} to inclined plane B`);
  const ticks = Array.from({ length: 5 }, () => game.step("look at inclined plane B"));
  const shares = ticks.map((_, at) => Math.round((at + 1) * 10 * Math.sin((70 * Math.PI) / 180) * 0.5));
  expect(shares).toEqual([5, 9, 14, 19, 23]);
  expect(ticks).toEqual(
    shares.map((share) => `an inclined plane B, with: a ${block} approximately ${share}% down the plane`),
  );
});

test("a thing that is put on a plane again starts at its top", () => {
  const { game, block } = inWorkshop(angles as string, 0);
  game.step(`move ${block} to inclined plane C`);
  game.step("wait");
  const again = () => game.step(`move ${block} to inclined plane C`) && game.step("look at inclined plane C");
  expect(again()).toContain("approximately 5% down");
  game.step("wait");
  game.step(`pick up ${block}`);
  expect(again()).toContain("approximately 5% down");
});

test("a liquid reaches the bottom at once", () => {
  const { game } = inWorkshop(angles as string, 0);
  game.step("pick up inclined plane B");
  game.step("teleport to kitchen");
  game.step("open fridge");
  game.step("pour orange juice into inclined plane B");
  expect(game.step("look at inclined plane B")).toContain("orange juice at the bottom of the plane");
});

test("focus on the other plane, or on anything else, fails the task", () => {
  for (const thing of ["inclined plane B", "stopwatch"]) {
    const { game } = inWorkshop(angles as string, 1);
    expect(game.taskDescription).toContain("steepest");
    game.step(`focus on ${thing}`);
    expect(game.score).toBe(-1);
  }
});
