/** Levels in which the agent puts an object next to another object: MiniGrid's `babyai/putnext.py`. */
import { PutNext } from "../instructions.js";
import type { LevelRules } from "../level.js";
import type { RoomGrid } from "../room-grid.js";

export function putNextLocal({ roomSize = 8, numObjs = 8 } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    const objects = grid.addDistractors({ count: numObjs });
    grid.requireAllReachable();
    const [move, fixed] = grid.draws.subset(objects, 2) as [number, number];
    return new PutNext(grid.describe(move), grid.describe(fixed));
  };
  return { roomSize, rows: 1, cols: 1, generate };
}

interface PutNextSettings {
  roomSize: number;
  objsPerRoom: number;
  startCarrying?: boolean;
}

/** Level of two rooms without a wall between them. Each room contains one of the two objects of the mission. */
export function putNext({ roomSize, objsPerRoom: count, startCarrying = false }: PutNextSettings): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent(0, 0);
    const left = grid.addDistractors({ i: 0, j: 0, count });
    const right = grid.addDistractors({ i: 1, j: 0, count });
    grid.rooms.removeWall(grid.rooms.at(0, 0), 0);
    const a = grid.describe(grid.draws.elem(left));
    const b = grid.describe(grid.draws.elem(right));
    return grid.draws.bool() ? new PutNext(b, a) : new PutNext(a, b);
  };
  return { roomSize, rows: 1, cols: 2, maxSteps: 8 * roomSize ** 2, startCarrying, generate };
}
