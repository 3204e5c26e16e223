/** Resets, the random stream across resets, copies, and cases in which MiniGrid never returns. */
import { describe, expect, test } from "vitest";
import { Color, DoorState, Kind, Move } from "#palestra/envs/babyai/engine/codes.js";
import { Game } from "#palestra/envs/babyai/engine/game.js";
import type { Level } from "#palestra/envs/babyai/engine/level.js";
import { levels } from "#palestra/envs/babyai/engine/levels/index.js";
import { nothing } from "#palestra/envs/babyai/engine/objects.js";
import { Rejection } from "#palestra/envs/babyai/engine/rejection.js";
import { RoomGrid } from "#palestra/envs/babyai/engine/room-grid.js";
import { carrying, sha256 } from "./recordings.js";

const level = (name: string) => levels.get(name) as Level;

/** Returns the public state of a game. */
function snapshot(game: Game): object {
  const { mission, maxSteps, agentX, agentY, agentDir, stepCount, reward, terminated, truncated } = game;
  const state = { mission, maxSteps, agentX, agentY, agentDir, stepCount, reward, terminated, truncated };
  return {
    ...state,
    ...{ carrying: carrying(game), rejections: game.rejections, timeouts: game.timeouts },
    ...{ view: sha256(game.view), visible: sha256(game.visible), grid: sha256(game.encode()) },
  };
}

function begin(name: string, seed: number): Game {
  const game = new Game(level(name));
  game.reset(seed);
  return game;
}

describe("the levels", () => {
  test("are those of MiniGrid, plus one of an older version", () => {
    expect(levels.size).toBe(97);
    expect([level("GoToLocal").name, level("GoToLocal").id]).toEqual(["GoToLocal", "BabyAI-GoToLocal-v0"]);
    expect(level("GoToObjS6-v0").id).toBe("BabyAI-GoToObjS6-v0");
    expect(level("GoToObjS6-v1").id).toBe("BabyAI-GoToObjS6-v1");
    expect(levels.has("GoToObjS6")).toBe(false);
  });

  test("GoToObjS6-v0 equals GoToObjS4", () => {
    for (const seed of [0, 1, 2, 3]) {
      expect(snapshot(begin("GoToObjS6-v0", seed))).toEqual(snapshot(begin("GoToObjS4", seed)));
    }
    expect(begin("GoToObjS6-v1", 0).width).toBe(6);
  });
});

describe("reset", () => {
  test("the same seed gives the same mission on any game of the level", () => {
    const game = begin("BossLevel", 7);
    const first = snapshot(game);
    for (const move of [Move.forward, Move.left, Move.forward]) game.step(move);
    game.reset(7);
    expect(snapshot(game)).toEqual(first);
    expect(snapshot(begin("BossLevel", 7))).toEqual(first);
  });

  test("a reset without a seed continues the random stream", () => {
    const game = begin("GoTo", 7);
    const other = begin("GoTo", 7);
    const seeded = snapshot(game);
    for (const each of [game, other]) each.reset();
    expect(snapshot(game)).toEqual(snapshot(other));
    expect(snapshot(game)).not.toEqual(seeded);
  });

  test("accepts seeds of any size", () => {
    expect(snapshot(begin("GoTo", 2 ** 40))).not.toEqual(snapshot(begin("GoTo", 0)));
    const game = new Game(level("GoTo"));
    game.reset(2n ** 80n);
    expect(game.mission).toMatch(/^go to /);
    expect(() => game.reset(-1)).toThrow(RangeError);
  });

  test("the first reset needs a seed, and a step needs a reset", () => {
    const game = new Game(level("GoTo"));
    expect(() => game.step(Move.left)).toThrow("The game has not been reset. Call reset before the first step.");
    expect(() => game.reset()).toThrow("The random stream has no seed. Pass a seed to the first reset.");
  });

  test("an agent that starts with an object in hand sees it in its old place in the first view", () => {
    const game = begin("PutNextS5N2Carrying", 0);
    const cells = (kind: number, color: number) =>
      Array.from({ length: 49 }, (_, cell) => game.view.subarray(3 * cell, 3 * cell + 2)).filter(
        ([k, c]) => k === kind && c === color,
      ).length;
    const held = [game.carriedKind, game.carriedColor] as const;
    expect(held[0]).not.toBe(Kind.unseen);
    const own = game.view.subarray(3 * (3 * 7 + 6));
    expect(own[0]).toBe(Kind.empty);
    expect(cells(...held)).toBe(1);
    game.step(Move.done);
    expect(own[0]).toBe(held[0]);
    expect(cells(...held)).toBe(1);
    expect(game.world.objects.cells[game.world.carried]).toBe(0);
  });

  test("UnlockPickup keeps the limit on steps that is computed from its rooms", () => {
    expect(begin("UnlockPickup", 0).maxSteps).toBe(72);
    expect(begin("BlockedUnlockPickup", 0).maxSteps).toBe(576);
  });
});

describe("the locked room of an earlier mission", () => {
  /** Returns consecutive missions of a long stream. */
  function missions(keepsLockedRoom: boolean): string[] {
    const game = new Game(level("SynthSeq"), { keepsLockedRoom });
    game.reset(0);
    return Array.from({ length: 100 }, () => {
      game.reset();
      return game.mission;
    });
  }

  test("is avoided on the same game up to MiniGrid 3.1.0, and not from 3.2.0 on", () => {
    expect(missions(true)).not.toEqual(missions(false));
    expect(missions(true)).toEqual(missions(true));
  });
});

describe("a copy", () => {
  test("plays on like the original, and is independent of it", () => {
    for (const name of ["BossLevel", "PutNextS6N3Carrying", "KeyInBox", "OpenDoorsOrderN4Debug", "SynthSeq"]) {
      const game = begin(name, 5);
      for (const move of [Move.forward, Move.pickup, Move.right, Move.forward, Move.toggle]) game.step(move);
      const copy = game.clone();
      const before = snapshot(game);
      expect(snapshot(copy)).toEqual(before);
      const moves = [Move.drop, Move.forward, Move.left, Move.forward, Move.toggle, Move.pickup];
      const played = (each: Game) =>
        moves.map((move) => {
          each.step(move);
          return snapshot(each);
        });
      const ofCopy = played(copy);
      expect(snapshot(game)).toEqual(before);
      expect(played(game)).toEqual(ofCopy);
      copy.reset();
      expect(snapshot(copy)).not.toEqual(ofCopy.at(-1));
      expect(snapshot(game)).toEqual(ofCopy.at(-1));
      game.reset();
      expect(snapshot(game)).toEqual(snapshot(copy));
    }
  });

  test("of a game before its first reset can be reset", () => {
    const copy = new Game(level("GoTo")).clone();
    copy.reset(3);
    expect(snapshot(copy)).toEqual(snapshot(begin("GoTo", 3)));
  });
});

describe("a room in which the agent cannot face a free cell", () => {
  /** Makes a closed room of 3 x 3 cells with objects in all cells except the given ones. */
  function crowded(...free: [x: number, y: number][]): RoomGrid {
    const grid = new RoomGrid(5, 1, 1, true);
    grid.draws.seed(0);
    grid.clear();
    for (let y = 1; y < 4; y++) {
      for (let x = 1; x < 4; x++) {
        if (free.some(([i, j]) => i === x && j === y)) continue;
        grid.world.put(grid.world.objects.add(Kind.ball, Color.red), grid.world.cellAt(x, y));
      }
    }
    return grid;
  }

  test("is rejected where MiniGrid never returns", () => {
    expect(() => crowded([2, 2]).placeAgent(0, 0)).toThrow(Rejection);
  });

  test("is rejected without a free cell, as in the reference", () => {
    expect(() => crowded().placeAgent(0, 0)).toThrow(Rejection);
  });

  test("is accepted if the agent can face a wall or a free cell", () => {
    for (const free of [
      [[1, 1]],
      [[2, 1]],
      [
        [2, 2],
        [2, 3],
      ],
    ] as [number, number][][]) {
      const grid = crowded(...free);
      grid.placeAgent(0, 0);
      const { world } = grid;
      expect(world.objectAt(world.agentX, world.agentY)).toBe(nothing);
      expect([Kind.empty, Kind.wall]).toContain(world.objects.kinds[world.cells[world.frontCell] as number]);
    }
  });

  test("is rejected if the agent could only face a shut door", () => {
    const grid = crowded([2, 1]);
    grid.world.put(grid.world.objects.add(Kind.door, Color.red, DoorState.closed), grid.world.cellAt(2, 0));
    expect(() => grid.placeAgent(0, 0)).toThrow(Rejection);
  });

  test("SynthS5R2 with seed 3 has a second mission", () => {
    const game = begin("SynthS5R2", 3);
    game.reset();
    expect(game.timeouts).toBeGreaterThan(0);
    expect(game.mission).not.toBe("");
  });
});
