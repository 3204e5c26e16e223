/** The view of the agent: the cells in it, and those that walls and shut doors hide. */
import { describe, expect, test } from "vitest";
import { Color, dirX, dirY, Kind, Move } from "#palestra/envs/babyai/engine/codes.js";
import { Game } from "#palestra/envs/babyai/engine/game.js";
import { levels } from "#palestra/envs/babyai/engine/levels/index.js";
import { nothing, wall } from "#palestra/envs/babyai/engine/objects.js";
import { View } from "#palestra/envs/babyai/engine/view.js";
import type { World } from "#palestra/envs/babyai/engine/world.js";
import { draw } from "./drawing.js";

const size = 7;
const unseen = " ".repeat(size);

function look(world: World): View {
  const view = new View();
  view.look(world);
  return view;
}

/** Draws a view, the farthest row first: `.` empty, `#` wall, a letter for an object, a space for a hidden cell. */
function seen(world: World): string[] {
  const { image, visible } = look(world);
  return Array.from({ length: size }, (_, y) => {
    return Array.from({ length: size }, (_, x) => {
      const [kind] = image.subarray(3 * (x * size + y));
      expect(kind === Kind.unseen).toBe(visible[x * size + y] === 0);
      return " .#_DKBX"[kind as number];
    }).join("");
  });
}

test("the agent stands in the middle of the lowest row and looks up", () => {
  const rows = ["#########", "#......B#", "#.......#", "#...^...#", "#K......#", "#########", "#########"];
  expect(seen(draw(rows))).toEqual([unseen, unseen, unseen, "#######", "......B", ".......", "......."]);
});

test("the view turns with the agent", () => {
  const room = (agent: string) => draw(["#####", "#B..#", `#.${agent}.#`, "#..K#", "#####"]);
  const lowest = (rows: string[]) => rows.slice(-3);
  expect(lowest(seen(room("^")))).toEqual([" ##### ", " #B..# ", " #...# "]);
  expect(lowest(seen(room(">")))).toEqual([" ##### ", " #..K# ", " #...# "]);
  expect(lowest(seen(room("v")))).toEqual([" ##### ", " #K..# ", " #...# "]);
  expect(lowest(seen(room("<")))).toEqual([" ##### ", " #..B# ", " #...# "]);
});

test("a closed or locked door hides the cells behind it, and an open one does not", () => {
  const behind = (door: string) =>
    seen(draw(["#######", "#..B..#", "#.....#", `###${door}###`, "#..^..#", "#######", "#######"]));
  expect(behind("d")[3]).toBe(unseen);
  expect(behind("l")[3]).toBe(unseen);
  expect(behind("o")[3]).toBe("#..B..#");
});

test("objects hide no cells", () => {
  expect(seen(draw(["#####", "#.B.#", "#.X.#", "#.^.#", "#####"])).slice(-4)).toEqual([
    " ##### ",
    " #.B.# ",
    " #.X.# ",
    " #...# ",
  ]);
});

test("the agent's cell shows the carried object, and not the door in which the agent stands", () => {
  const own = 3 * (3 * size + 6);
  const world = draw(["#######", "#>k.O.#", "#######"]);
  expect([...look(world).image.subarray(own, own + 3)]).toEqual([Kind.empty, 0, 0]);
  for (const move of [Move.pickup, Move.forward, Move.forward, Move.forward]) world.apply(move);
  expect(world.agentX).toBe(4);
  expect([...look(world).image.subarray(own, own + 3)]).toEqual([Kind.key, Color.blue, 0]);
});

/** `process_vis` cell by cell: a slow proof. */
function slowView(world: World): { image: number[]; visible: number[] } {
  const at = (x: number, y: number) => x * size + y;
  const objects = Array.from({ length: size * size }, (_, index) => {
    const ahead = size - 1 - (index % size);
    const aside = Math.floor(index / size) - 3;
    const right = (world.agentDir + 1) % 4;
    const x = world.agentX + ahead * (dirX[world.agentDir] as number) + aside * (dirX[right] as number);
    const y = world.agentY + ahead * (dirY[world.agentDir] as number) + aside * (dirY[right] as number);
    return x < 0 || y < 0 || x >= world.width || y >= world.height ? wall : world.objectAt(x, y);
  });
  const { kinds, colors, states } = world.objects;
  const isClear = (x: number, y: number) => {
    const object = objects[at(x, y)] as number;
    return object !== wall && !(kinds[object] === Kind.door && states[object] !== 0);
  };
  const mask = new Set([at(3, 6)]);
  for (let y = size - 1; y >= 0; y--) {
    const sweep = (x: number, towards: number) => {
      if (!mask.has(at(x, y)) || !isClear(x, y)) return;
      mask.add(at(x + towards, y));
      if (y > 0) mask.add(at(x, y - 1)).add(at(x + towards, y - 1));
    };
    for (let x = 0; x < size - 1; x++) sweep(x, 1);
    for (let x = size - 1; x > 0; x--) sweep(x, -1);
  }
  objects[at(3, 6)] = world.carried;
  const codes = (object: number) => [kinds[object], colors[object], states[object]] as number[];
  return {
    image: objects.flatMap((object, index) => (mask.has(index) ? codes(object) : [0, 0, 0])),
    visible: objects.map((_, index) => (mask.has(index) ? 1 : 0)),
  };
}

describe("the view equals the slow proof", () => {
  test("in random clutter of every kind", () => {
    const random = lcg(1);
    const characters = "......##dDoOlLkbX";
    for (let round = 0; round < 400; round++) {
      const rows = Array.from({ length: 9 }, () =>
        Array.from({ length: 9 }, () => characters[random(characters.length)]).join(""),
      );
      const world = draw(rows);
      world.agentX = random(9);
      world.agentY = random(9);
      world.carried = random(3) === 0 ? nothing : random(world.objects.end);
      for (const dir of [0, 1, 2, 3]) {
        world.agentDir = dir;
        const { image, visible } = look(world);
        expect({ image: [...image], visible: [...visible] }).toEqual(slowView(world));
      }
    }
  });

  test("on walks through every level", () => {
    for (const level of levels.values()) {
      const random = lcg(2);
      const game = new Game(level);
      game.reset(1);
      for (let step = 0; step < 40; step++) {
        game.step([Move.forward, Move.forward, Move.left, Move.right, Move.pickup, Move.toggle][random(6)] as Move);
        expect({ image: [...game.view], visible: [...game.visible] }).toEqual(slowView(game.world));
      }
    }
  });
});

function lcg(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
}
