/** Effects of moves on the world: turning, walking, carrying, doors, keys and boxes. */
import { describe, expect, test } from "vitest";
import { Color, Kind, Move } from "#palestra/envs/babyai/engine/codes.js";
import { firstObject, nothing } from "#palestra/envs/babyai/engine/objects.js";
import type { World } from "#palestra/envs/babyai/engine/world.js";
import { draw, drawing } from "./drawing.js";

const { left, right, forward, pickup, drop, toggle, done } = Move;

/** Returns the middle row of a narrow room after the moves. */
function rowAfter(row: string, ...moves: Move[]): string {
  const world = narrow(row);
  for (const move of moves) world.apply(move);
  return drawing(world)[1] as string;
}

const narrow = (row: string): World => draw(["#".repeat(row.length), row, "#".repeat(row.length)]);

test("the agent turns left and right by quarter turns", () => {
  expect(rowAfter("#.>.#", left)).toBe("#.^.#");
  expect(rowAfter("#.>.#", left, left, left, left)).toBe("#.>.#");
  expect(rowAfter("#.>.#", right, right)).toBe("#.<.#");
});

test("the agent only walks over empty cells and open doors", () => {
  expect(rowAfter("#>..#", forward)).toBe("#.>.#");
  expect(rowAfter("#>..#", forward, forward, forward)).toBe("#..>#");
  expect(rowAfter("#>O.#", forward)).toBe("#.*.#");
  expect(rowAfter("#>O.#", forward, forward)).toBe("#.O>#");
  for (const blocked of ["#>D.#", "#>L.#", "#>K.#", "#>B.#", "#>X.#"]) expect(rowAfter(blocked, forward)).toBe(blocked);
});

test("done does nothing", () => {
  expect(rowAfter("#>K.#", done)).toBe("#>K.#");
});

test("keys, balls and boxes can be carried, one at a time", () => {
  for (const object of "KBX") expect(rowAfter(`#>${object}.#`, pickup)).toBe("#>..#");
  expect(rowAfter("#>Kb#", pickup, forward, pickup)).toBe("#.>b#");
  for (const fixed of ["#>D.#", "#>..#", "#.>#"]) expect(rowAfter(fixed, pickup)).toBe(fixed);
});

test("a carried object can only be dropped into an empty cell", () => {
  expect(rowAfter("#>K.#", pickup, forward, drop)).toBe("#.>K#");
  expect(rowAfter("#>K.#", pickup, drop, forward)).toBe("#>K.#");
  expect(rowAfter("#>KO#", pickup, forward, drop)).toBe("#.>O#");
  expect(rowAfter("#>K#", pickup, forward, drop)).toBe("#.>#");
  expect(rowAfter("#>..#", drop)).toBe("#>..#");
});

test("an object keeps its identity when it is put down", () => {
  const world = narrow("#>Kk#");
  const [red] = [firstObject];
  world.apply(pickup);
  expect(world.carried).toBe(red);
  expect(world.objects.cells[red]).toBe(0);
  world.apply(drop);
  expect(world.carried).toBe(nothing);
  expect(world.objects.cells[red]).toBe(world.cellAt(2, 1));
});

test("toggle opens a closed door and closes an open one", () => {
  expect(rowAfter("#>D.#", toggle)).toBe("#>O.#");
  expect(rowAfter("#>D.#", toggle, toggle)).toBe("#>D.#");
});

describe("a locked door", () => {
  test("does not open without a key or with a key of another colour", () => {
    expect(rowAfter("#>L.#", toggle)).toBe("#>L.#");
    expect(rowAfter("#>k.L#", pickup, forward, forward, toggle)).toBe("#..>L#");
  });

  test("opens with a key of its colour, stays unlocked, and leaves the key in hand", () => {
    const world = narrow("#>K.L#");
    for (const move of [pickup, forward, forward, toggle]) world.apply(move);
    expect(drawing(world)[1]).toBe("#..>O#");
    expect(world.objects.kinds[world.carried]).toBe(Kind.key);
    world.apply(toggle);
    expect(drawing(world)[1]).toBe("#..>D#");
  });

  test("does not open with a ball of its colour", () => {
    expect(rowAfter("#>B.L#", pickup, forward, forward, toggle)).toBe("#..>L#");
  });
});

describe("a box", () => {
  test("disappears when it is opened", () => {
    expect(rowAfter("#>X.#", toggle)).toBe("#>..#");
  });

  test("is replaced by its content when it is opened", () => {
    const world = narrow("#>X.#");
    const key = world.objects.add(Kind.key, Color.blue);
    world.objects.contents[firstObject] = key;
    world.apply(toggle);
    expect(drawing(world)[1]).toBe("#>k.#");
    world.apply(pickup);
    expect(world.carried).toBe(key);
  });

  test("keeps its content while it is carried", () => {
    const world = narrow("#>X.#");
    world.objects.contents[firstObject] = world.objects.add(Kind.key, Color.blue);
    for (const move of [pickup, forward, drop, toggle]) world.apply(move);
    expect(drawing(world)[1]).toBe("#.>k#");
  });
});

test("walls, keys, balls and empty cells cannot be toggled", () => {
  for (const row of ["#>K.#", "#>B.#", "#>..#", "#.>#"]) expect(rowAfter(row, toggle)).toBe(row);
});

test("the grid is encoded by columns", () => {
  const world = narrow("#>L#");
  const wall = [2, 5, 0];
  expect([...world.encode()]).toEqual(
    [...wall, ...wall, ...wall, ...wall, 1, 0, 0, ...wall, ...wall, 4, 0, 2].concat([
      ...wall,
      ...wall,
      ...wall,
      ...wall,
    ]),
  );
});
