/** The status and the text of instructions. */
import { describe, expect, test } from "vitest";
import { Color, Kind, Move } from "#palestra/envs/babyai/engine/codes.js";
import { Descriptor } from "#palestra/envs/babyai/engine/descriptor.js";
import { GoTo, Open, Pickup, PutNext } from "#palestra/envs/babyai/engine/instructions.js";
import { After, And, Before, type Instruction } from "#palestra/envs/babyai/engine/sequences.js";
import type { World } from "#palestra/envs/babyai/engine/world.js";
import { draw } from "./drawing.js";

const { left, right, forward, pickup, drop, toggle, done } = Move;
const names = ["continue", "success", "failure"];

const redKey = () => new Descriptor(Kind.key, Color.red);
const blueKey = () => new Descriptor(Kind.key, Color.blue);
const redBall = () => new Descriptor(Kind.ball, Color.red);
const redDoor = () => new Descriptor(Kind.door, Color.red);
const blueDoor = () => new Descriptor(Kind.door, Color.blue);

/** Returns the status after the last move. All moves before must leave the instruction unfinished. */
function play(world: World, instruction: Instruction, ...moves: Move[]): string {
  instruction.begin(world);
  const told = moves.map((move) => {
    world.apply(move);
    if (move === drop) instruction.track(world);
    return names[instruction.verify(world, move)] as string;
  });
  expect(told.slice(0, -1)).toEqual(moves.slice(1).map(() => "continue"));
  return told.at(-1) as string;
}

const row = (middle: string) => draw(["#".repeat(middle.length), middle, "#".repeat(middle.length)]);

describe("go to", () => {
  test("is done when the agent faces the object, after any move", () => {
    expect(play(row("#>..K#"), new GoTo(redKey()), forward, forward)).toBe("success");
    expect(play(row("#>K..#"), new GoTo(redKey()), done)).toBe("success");
    expect(play(row("#>.K#"), new GoTo(redKey()), left, right)).toBe("continue");
  });

  test("is done in front of the object's former cell, until the agent drops it", () => {
    expect(play(row("#>.K.#"), new GoTo(redKey()), forward)).toBe("success");
    const world = row("#>K..#");
    const goTo = new GoTo(redKey());
    expect(play(world, goTo, pickup)).toBe("success");
    for (const move of [forward, drop]) world.apply(move);
    goTo.track(world);
    expect(names[goTo.verify(world)]).toBe("success");
    world.apply(left);
    world.apply(left);
    expect(names[goTo.verify(world)]).toBe("continue");
  });

  test("is done at any of several objects", () => {
    expect(play(row("#K.>.k#"), new GoTo(new Descriptor(Kind.key)), forward)).toBe("success");
    expect(play(row("#K.<.k#"), new GoTo(new Descriptor(Kind.key)), forward)).toBe("success");
  });
});

describe("open", () => {
  test("is done when the door is toggled open", () => {
    expect(play(row("#>D.#"), new Open(redDoor()), done, toggle)).toBe("success");
    expect(play(row("#>O.#"), new Open(redDoor()), toggle, toggle)).toBe("success");
    expect(play(row("#>L.#"), new Open(redDoor()), toggle)).toBe("continue");
    expect(play(row("#>d.#"), new Open(redDoor()), toggle)).toBe("continue");
  });

  test("fails, if strict, when another door is toggled or this door stays shut", () => {
    expect(play(row("#>D.#"), new Open(redDoor(), true), toggle)).toBe("success");
    expect(play(row("#>d.#"), new Open(redDoor(), true), toggle)).toBe("failure");
    expect(play(row("#>L.#"), new Open(redDoor(), true), toggle)).toBe("failure");
    expect(play(row("#>X.#"), new Open(redDoor(), true), toggle)).toBe("continue");
  });
});

describe("pick up", () => {
  test("is done when the object is picked up", () => {
    expect(play(row("#>K.#"), new Pickup(redKey()), pickup)).toBe("success");
    expect(play(row("#>k.#"), new Pickup(redKey()), pickup)).toBe("continue");
  });

  test("is not done by an object that is already carried", () => {
    const world = row("#>kK#");
    world.apply(pickup);
    const blue = new Pickup(blueKey());
    blue.begin(world);
    blue.verify(world, forward);
    expect(names[blue.verify(world, pickup)]).toBe("continue");
  });

  test("is done by a carried object if the first verified move is a pickup", () => {
    const world = row("#>..K.k#");
    // The second part sees no moves before the first part is done, and takes the key for a new pickup.
    const instruction = new Before(new GoTo(blueKey()), new Pickup(redKey()));
    const moves = [forward, forward, pickup, forward];
    expect(play(world, instruction, ...moves)).toBe("continue");
    world.apply(forward);
    world.apply(pickup);
    expect(instruction.aDone).toBe(false);
    expect(names[instruction.verify(world, pickup)]).toBe("success");
  });

  test("fails, if strict, when another object is picked up", () => {
    expect(play(row("#>k.#"), new Pickup(redKey(), true), pickup)).toBe("failure");
    expect(play(row("#>..#"), new Pickup(redKey(), true), pickup)).toBe("continue");
    expect(play(row("#>K.#"), new Pickup(redKey(), true), pickup)).toBe("success");
  });
});

describe("put next", () => {
  test("is done when the object is dropped next to the other", () => {
    expect(play(row("#>K..B#"), new PutNext(redKey(), redBall()), pickup, forward, drop)).toBe("continue");
    expect(play(row("#>K.B#"), new PutNext(redKey(), redBall()), pickup, forward, drop)).toBe("success");
  });

  test("is not done when the other is dropped next to the object", () => {
    expect(play(row("#>B.K#"), new PutNext(redKey(), redBall()), pickup, forward, drop)).toBe("continue");
  });

  test("is not done by a drop that fails", () => {
    expect(play(row("#>KB#"), new PutNext(redKey(), redBall()), pickup, forward, drop)).toBe("continue");
  });

  test("is not done by a drop in a diagonal cell", () => {
    const world = draw(["#####", "#>K.#", "#..B#", "#####"]);
    expect(play(world, new PutNext(redKey(), redBall()), pickup, drop)).toBe("continue");
  });

  test("uses the current cell of the other object", () => {
    const world = row("#K.<B..#");
    const instruction = new PutNext(redBall(), redKey());
    // The agent moves the key towards the ball, then takes the ball and puts it back next to the key.
    expect(play(world, instruction, forward, pickup, right, right, forward, left, left, drop)).toBe("continue");
    expect(world.xOf(instruction.fixed.cells[0] as number)).toBe(2);
  });

  test("fails, if strict, when anything is picked up", () => {
    expect(play(row("#>K.B#"), new PutNext(redKey(), redBall(), true), pickup)).toBe("failure");
  });
});

describe("and", () => {
  const both = () => new And(new Open(redDoor()), new Open(blueDoor()));

  test("is done in either order", () => {
    expect(play(row("#D<d#"), both(), toggle, right, right, toggle)).toBe("success");
    expect(play(row("#D>d#"), both(), toggle, right, right, toggle)).toBe("success");
  });

  test("can be done by one move", () => {
    expect(play(row("#>.K#"), new And(new GoTo(redKey()), new GoTo(new Descriptor(Kind.key))), forward)).toBe(
      "success",
    );
  });

  test("remembers which parts are done", () => {
    const instruction = both();
    expect(play(row("#D<d#"), instruction, toggle, toggle)).toBe("continue");
    expect([instruction.aDone, instruction.bDone]).toEqual([true, false]);
    instruction.begin(row("#D<d#"));
    expect([instruction.aDone, instruction.bDone]).toEqual([false, false]);
  });
});

describe("before and after", () => {
  const doors = (strict: boolean) => [new Open(redDoor()), new Open(blueDoor()), strict] as const;
  const redFirst = [toggle, right, right, toggle];

  test("the first part has to be done first", () => {
    expect(play(row("#D<d#"), new Before(...doors(false)), ...redFirst)).toBe("success");
    expect(play(row("#d<D#"), new Before(...doors(false)), ...redFirst)).toBe("continue");
    expect(play(row("#d<D#"), new After(...doors(false)), ...redFirst)).toBe("success");
    expect(play(row("#D<d#"), new After(...doors(false)), ...redFirst)).toBe("continue");
  });

  test("a part that was done too early can be done again", () => {
    expect(play(row("#d<D#"), new Before(...doors(false)), ...redFirst, left, left, toggle, toggle)).toBe("success");
    expect(play(row("#D<d#"), new After(...doors(false)), ...redFirst, left, left, toggle, toggle)).toBe("success");
  });

  test("one move can complete both parts", () => {
    const key = () => new GoTo(redKey());
    expect(play(row("#>.K#"), new Before(key(), key()), forward)).toBe("success");
    expect(play(row("#>.K#"), new After(key(), key()), forward)).toBe("success");
  });

  test("a strict sequence fails when the second part is done first", () => {
    expect(play(row("#d<D#"), new Before(...doors(true)), toggle)).toBe("failure");
    expect(play(row("#D<d#"), new After(...doors(true)), toggle)).toBe("failure");
    expect(play(row("#D<d#"), new Before(...doors(true)), ...redFirst)).toBe("success");
  });

  test("a sequence fails if one part fails", () => {
    const strict = () => new Open(redDoor(), true);
    expect(play(row("#d<D#"), new Before(strict(), new Open(blueDoor())), toggle)).toBe("failure");
    expect(play(row("#d<D#"), new After(new Open(blueDoor()), strict()), toggle)).toBe("failure");
  });

  test("one move can complete the first part and fail a strict second part", () => {
    const strict = () => new Open(redDoor(), true);
    expect(play(row("#d<D#"), new Before(new Open(blueDoor()), strict()), toggle)).toBe("failure");
    expect(play(row("#d<D#"), new After(strict(), new Open(blueDoor())), toggle)).toBe("failure");
  });
});

describe("a description", () => {
  const room = () => draw(["########", "#.k.#..#", "#K>B#K.#", "#..x#..#", "########"], 5);
  const found = (descriptor: Descriptor, world = room()) => {
    descriptor.find(world);
    return descriptor.cells.map((cell) => [world.xOf(cell), world.yOf(cell)]);
  };

  test("lists the fitting objects by column, then by row", () => {
    expect(found(new Descriptor(Kind.key))).toEqual([
      [1, 2],
      [2, 1],
      [5, 2],
    ]);
    expect(found(new Descriptor(Kind.key, Color.blue))).toEqual([[2, 1]]);
    expect(found(new Descriptor(null, Color.red))).toEqual([
      [1, 2],
      [3, 2],
      [5, 2],
    ]);
  });

  test("locations are relative to the agent, within its room", () => {
    expect(found(new Descriptor(Kind.key, null, "left"))).toEqual([[2, 1]]);
    expect(found(new Descriptor(Kind.box, null, "right"))).toEqual([[3, 3]]);
    expect(found(new Descriptor(Kind.key, null, "behind"))).toEqual([[1, 2]]);
    expect(found(new Descriptor(Kind.key, null, "front"))).toEqual([]);
    const turned = room();
    turned.agentDir = 2;
    expect(found(new Descriptor(Kind.key, null, "front"), turned)).toEqual([[1, 2]]);
    expect(found(new Descriptor(Kind.key, null, "right"), turned)).toEqual([[2, 1]]);
  });

  test("grey without a kind also fits the walls", () => {
    const world = room();
    const grey = new Descriptor(null, Color.grey);
    expect(found(grey, world)).toHaveLength(
      [...world.encode()].filter((code, at) => at % 3 === 0 && code === 2).length,
    );
    grey.track(world);
    expect(grey.cells).toHaveLength(grey.objects.length);
  });

  test("tracks the objects found at the start", () => {
    const world = room();
    const left = new Descriptor(Kind.key, null, "left");
    left.find(world);
    for (const move of [Move.left, pickup, right, right, drop]) world.apply(move);
    left.track(world);
    expect(left.cells.map((cell) => [world.xOf(cell), world.yOf(cell)])).toEqual([[2, 3]]);
    world.apply(pickup);
    left.track(world);
    expect([left.objects.length, left.cells.length]).toEqual([1, 0]);
  });

  test("has a text with its colour, kind and location", () => {
    const surface = (...described: ConstructorParameters<typeof Descriptor>) => {
      const descriptor = new Descriptor(...described);
      descriptor.find(room());
      return descriptor.surface();
    };
    expect(surface(Kind.key)).toBe("a key");
    expect(surface(Kind.key, Color.blue)).toBe("the blue key");
    expect(surface(null, Color.red)).toBe("a red object");
    expect(surface(Kind.box, null, "right")).toBe("the box on your right");
    expect(surface(Kind.key, null, "left")).toBe("the key on your left");
    expect(surface(Kind.key, null, "behind")).toBe("the key behind you");
    expect(surface(Kind.ball, Color.red, "front")).toBe("the red ball in front of you");
  });
});

test("the text of an instruction has the texts of its parts", () => {
  const world = draw(["#####", "#D>k#", "#KBx#", "#####"]);
  const surface = (instruction: Instruction) => {
    instruction.begin(world);
    return instruction.surface();
  };
  const putNext = () => new PutNext(redBall(), new Descriptor(Kind.key));
  const open = () => new Open(redDoor());
  expect(surface(new And(open(), putNext()))).toBe("open the red door and put the red ball next to a key");
  expect(surface(new Before(open(), new Pickup(blueKey())))).toBe("open the red door, then pick up the blue key");
  expect(surface(new After(new GoTo(redKey()), new And(open(), putNext())))).toBe(
    "go to the red key after you open the red door and put the red ball next to a key",
  );
  expect(new Before(new And(open(), putNext()), open()).navigations).toBe(4);
});

test("a copy is independent", () => {
  const world = row("#D<d#");
  const instruction = new Before(new Open(redDoor()), new Open(blueDoor()));
  expect(play(world, instruction, toggle)).toBe("continue");
  const copy = instruction.clone();
  expect([copy.aDone, copy.bDone]).toEqual([true, false]);
  for (const move of [right, right, toggle]) world.apply(move);
  expect(names[copy.verify(world, toggle)]).toBe("success");
  expect([instruction.bDone, copy.bDone]).toEqual([false, true]);
});
