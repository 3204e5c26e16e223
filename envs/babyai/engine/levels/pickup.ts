/**
 * Levels in which the agent picks up an object: MiniGrid's `babyai/pickup.py`. The level PickupLoc is in level-gen.ts.
 */
import { Descriptor } from "../descriptor.js";
import { Pickup } from "../instructions.js";
import type { LevelRules } from "../level.js";
import { rejected } from "../rejection.js";
import type { RoomGrid } from "../room-grid.js";

const nineRooms = { rows: 3, cols: 3 };

export function pickup(): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    grid.connectAll();
    const objects = grid.addDistractors({ count: 18, unique: false });
    grid.requireAllReachable();
    return new Pickup(grid.describe(grid.draws.elem(objects)));
  };
  return { ...nineRooms, roomSize: 8, generate };
}

/** Level in which at least one object is out of reach, though not always the object of the mission. */
export function unblockPickup(): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    grid.connectAll();
    const objects = grid.addDistractors({ count: 20, unique: false });
    if (grid.allReachable()) throw rejected;
    return new Pickup(grid.describe(grid.draws.elem(objects)));
  };
  return { ...nineRooms, roomSize: 8, generate };
}

export function pickupDist({ debug = false } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    const objects = grid.addDistractors({ count: 5 });
    grid.placeAgent(0, 0);
    const object = grid.draws.elem(objects);
    const selectBy = grid.draws.elem(["type", "color", "both"]);
    const kind = selectBy === "color" ? null : grid.kindOf(object);
    const color = selectBy === "type" ? null : grid.colorOf(object);
    return new Pickup(new Descriptor(kind, color), debug);
  };
  return { roomSize: 7, rows: 1, cols: 1, generate };
}

export function pickupAbove(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const object = grid.addObject(1, 0);
    grid.addDoor(1, 1, { side: 3, locked: false });
    grid.placeAgent(1, 1);
    grid.connectAll();
    return new Pickup(grid.describe(object));
  };
  return { ...nineRooms, roomSize: 6, maxSteps: 8 * 6 ** 2, generate };
}
