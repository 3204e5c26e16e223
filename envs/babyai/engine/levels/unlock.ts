/** Levels with a locked door: MiniGrid's `babyai/unlock.py`. */
import { type Color, Kind } from "../codes.js";
import { Descriptor } from "../descriptor.js";
import { colorsByName } from "../draws.js";
import { Open, Pickup } from "../instructions.js";
import type { LevelRules } from "../level.js";
import type { RoomGrid } from "../room-grid.js";

const nineRooms = { rows: 3, cols: 3 };

export function unlock(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const [i, j, door] = grid.addLockedRoomWithKey();
    const isOnlyOne = grid.draws.bool();
    grid.connectAll(isOnlyOne ? colorsByName.filter((color) => color !== grid.colorOf(door)) : colorsByName);
    grid.addDistractorsToEachRoom(3);
    grid.placeAgentOutside(grid.rooms.at(i, j));
    grid.requireAllReachable();
    return new Open(grid.describe(door));
  };
  return { ...nineRooms, roomSize: 8, generate };
}

export function unlockLocal({ distractors = false } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    const door = grid.addDoor(1, 1, { locked: true });
    grid.addObject(1, 1, Kind.key, grid.colorOf(door));
    if (distractors) grid.addDistractors({ i: 1, j: 1, count: 3 });
    grid.placeAgent(1, 1);
    return new Open(new Descriptor(Kind.door));
  };
  return { ...nineRooms, roomSize: 8, generate };
}

export function keyInBox(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const { objects } = grid.world;
    const door = grid.addDoor(1, 1, { locked: true });
    const key = objects.add(Kind.key, grid.colorOf(door));
    const box = objects.add(Kind.box, grid.draws.color());
    objects.contents[box] = key;
    grid.placeInRoom(1, 1, box);
    grid.placeAgent(1, 1);
    return new Open(new Descriptor(Kind.door));
  };
  return { ...nineRooms, roomSize: 8, generate };
}

/**
 * Level in which a locked door separates the agent from a box. By a bug of MiniGrid, its own limit on steps has no
 * effect: the limit is computed from the rooms.
 */
export function unlockPickup({ distractors = false } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    const box = grid.addObject(1, 0, Kind.box);
    const door = grid.addDoor(0, 0, { side: 0, locked: true });
    grid.addObject(0, 0, Kind.key, grid.colorOf(door));
    if (distractors) grid.addDistractors({ count: 4 });
    grid.placeAgent(0, 0);
    return new Pickup(grid.describe(box));
  };
  return { roomSize: 6, rows: 1, cols: 2, generate };
}

export function blockedUnlockPickup(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const { world } = grid;
    const box = grid.addObject(1, 0, Kind.box);
    const door = grid.addDoor(0, 0, { side: 0, locked: true });
    const ball = world.objects.add(Kind.ball, grid.draws.color());
    world.put(ball, (world.objects.cells[door] as number) - 1);
    grid.addObject(0, 0, Kind.key, grid.colorOf(door));
    grid.placeAgent(0, 0);
    return new Pickup(new Descriptor(grid.kindOf(box)));
  };
  return { roomSize: 6, rows: 1, cols: 2, maxSteps: 16 * 6 ** 2, generate };
}

export function unlockToUnlock(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const [first, second] = grid.draws.subset(colorsByName, 2) as [Color, Color];
    grid.addDoor(0, 0, { side: 0, color: first, locked: true });
    grid.addObject(2, 0, Kind.key, first);
    grid.addDoor(1, 0, { side: 0, color: second, locked: true });
    grid.addObject(1, 0, Kind.key, second);
    const ball = grid.addObject(0, 0, Kind.ball);
    grid.placeAgent(1, 0);
    return new Pickup(new Descriptor(grid.kindOf(ball)));
  };
  return { roomSize: 6, rows: 1, cols: 3, maxSteps: 30 * 6 ** 2, generate };
}
