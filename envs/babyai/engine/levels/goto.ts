/** Levels in which the agent goes to an object or a door: MiniGrid's `babyai/goto.py`. */
import { Color, Kind } from "../codes.js";
import { Descriptor } from "../descriptor.js";
import { GoTo } from "../instructions.js";
import type { LevelRules } from "../level.js";
import { rejected } from "../rejection.js";
import type { RoomGrid } from "../room-grid.js";

const oneRoom = { rows: 1, cols: 1 };
const nineRooms = { rows: 3, cols: 3 };

export function goToRedBall({ numDists = 7, grey = false } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    const ball = grid.addObject(0, 0, Kind.ball, Color.red);
    const distractors = grid.addDistractors({ count: numDists, unique: false });
    if (grey) for (const object of distractors) grid.world.objects.colors[object] = Color.grey;
    grid.requireAllReachable();
    return new GoTo(grid.describe(ball));
  };
  return { ...oneRoom, roomSize: 8, generate };
}

export function goToObj({ roomSize = 8 } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    const [object] = grid.addDistractors({ count: 1 }) as [number];
    return new GoTo(grid.describe(object));
  };
  return { ...oneRoom, roomSize, generate };
}

export function goToLocal({ roomSize = 8, numDists = 8 } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    const objects = grid.addDistractors({ count: numDists, unique: false });
    grid.requireAllReachable();
    return new GoTo(grid.describe(grid.draws.elem(objects)));
  };
  return { ...oneRoom, roomSize, generate };
}

export function goTo({ roomSize = 8, rows = 3, cols = 3, numDists = 18, doorsOpen = false } = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    grid.connectAll();
    const objects = grid.addDistractors({ count: numDists, unique: false });
    grid.requireAllReachable();
    const instruction = new GoTo(grid.describe(grid.draws.elem(objects)));
    if (doorsOpen) grid.openAllDoors();
    return instruction;
  };
  return { roomSize, rows, cols, generate };
}

export function goToImpUnlock(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const [i, j] = grid.addLockedRoomWithKey();
    grid.connectAll();
    grid.addDistractorsToEachRoom(2);
    grid.placeAgentOutside(grid.rooms.at(i, j));
    grid.requireAllReachable();
    const [object] = grid.addDistractors({ i, j, count: 1, unique: false }) as [number];
    return new GoTo(grid.describe(object));
  };
  return { ...nineRooms, roomSize: 8, generate };
}

export function goToRedBlueBall(): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    for (const object of grid.addDistractors({ count: 7, unique: false })) {
      const isRedOrBlue = [Color.red, Color.blue].some((color) => color === grid.colorOf(object));
      if (grid.kindOf(object) === Kind.ball && isRedOrBlue) throw rejected;
    }
    const ball = grid.addObject(0, 0, Kind.ball, grid.draws.elem([Color.red, Color.blue]));
    grid.requireAllReachable();
    return new GoTo(grid.describe(ball));
  };
  return { ...oneRoom, roomSize: 8, generate };
}

export function goToDoor(): LevelRules {
  const generate = (grid: RoomGrid) => {
    const doors = Array.from({ length: 4 }, () => grid.addDoor(1, 1));
    grid.placeAgent(1, 1);
    return new GoTo(new Descriptor(Kind.door, grid.colorOf(grid.draws.elem(doors))));
  };
  return { ...nineRooms, roomSize: 7, generate };
}

export function goToObjDoor(): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent(1, 1);
    const objects = grid.addDistractors({ i: 1, j: 1, count: 8, unique: false });
    for (let k = 0; k < 4; k++) objects.push(grid.addDoor(1, 1));
    grid.requireAllReachable();
    return new GoTo(grid.describe(grid.draws.elem(objects)));
  };
  return { ...nineRooms, roomSize: 8, generate };
}
