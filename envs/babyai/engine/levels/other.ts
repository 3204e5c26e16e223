/** Other levels: MiniGrid's `babyai/other.py`. */
import { Kind } from "../codes.js";
import { Descriptor } from "../descriptor.js";
import { GoTo, Open, Pickup, PutNext } from "../instructions.js";
import type { LevelRules } from "../level.js";
import type { RoomGrid } from "../room-grid.js";
import { Before } from "../sequences.js";

const nineRooms = { rows: 3, cols: 3 };

export function actionObjDoor(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const { draws } = grid;
    const objects = grid.addDistractors({ i: 1, j: 1, count: 5 });
    for (let k = 0; k < 4; k++) objects.push(grid.addDoor(1, 1, { locked: false }));
    grid.placeAgent(1, 1);
    const object = draws.elem(objects);
    const desc = grid.describe(object);
    if (draws.bool()) return new GoTo(desc);
    return grid.kindOf(object) === Kind.door ? new Open(desc) : new Pickup(desc);
  };
  return { ...nineRooms, roomSize: 7, generate };
}

export function findObj({ roomSize = 5 } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    // MiniGrid draws the column from the number of rows, and the row from the number of columns.
    const object = grid.addObject(grid.draws.int(0, grid.rows), grid.draws.int(0, grid.cols));
    grid.placeAgent(1, 1);
    grid.connectAll();
    return new Pickup(new Descriptor(grid.kindOf(object)));
  };
  return { ...nineRooms, roomSize, maxSteps: 20 * roomSize ** 2, generate };
}

export function keyCorridor({ roomSize = 6, rows = 3 } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    const { rooms, draws } = grid;
    for (let j = 1; j < rows; j++) rooms.removeWall(rooms.at(1, j), 3);
    const j = draws.int(0, rows);
    const door = grid.addDoor(2, j, { side: 2, locked: true });
    const ball = grid.addObject(2, j, Kind.ball);
    grid.addObject(0, draws.int(0, rows), Kind.key, grid.colorOf(door));
    grid.placeAgent(1, rows >> 1);
    grid.connectAll();
    return new Pickup(new Descriptor(grid.kindOf(ball)));
  };
  return { roomSize, rows, cols: 3, maxSteps: 30 * roomSize ** 2, generate };
}

export function oneRoom({ roomSize = 8 } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    const ball = grid.addObject(0, 0, Kind.ball);
    grid.placeAgent();
    return new Pickup(new Descriptor(grid.kindOf(ball)));
  };
  return { roomSize, rows: 1, cols: 1, generate };
}

export function moveTwoAcross({ roomSize, objsPerRoom: count }: { roomSize: number; objsPerRoom: number }): LevelRules {
  const generate = (grid: RoomGrid) => {
    const { rooms, draws } = grid;
    grid.placeAgent(0, 0);
    const left = grid.addDistractors({ i: 0, j: 0, count });
    const right = grid.addDistractors({ i: 1, j: 0, count });
    rooms.removeWall(rooms.at(0, 0), 0);
    const [a, d] = draws.subset(left, 2) as [number, number];
    const [b, c] = draws.subset(right, 2) as [number, number];
    return new Before(new PutNext(grid.describe(a), grid.describe(b)), new PutNext(grid.describe(c), grid.describe(d)));
  };
  return { roomSize, rows: 1, cols: 2, maxSteps: 16 * roomSize ** 2, generate };
}
