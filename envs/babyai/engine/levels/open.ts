/** Levels in which the agent opens doors: MiniGrid's `babyai/open.py`. */
import { Color, Kind } from "../codes.js";
import { Descriptor, type Location } from "../descriptor.js";
import { colorsByName } from "../draws.js";
import { Open } from "../instructions.js";
import type { LevelRules } from "../level.js";
import { nothing } from "../objects.js";
import type { RoomGrid } from "../room-grid.js";
import { After, Before } from "../sequences.js";

const nineRooms = { rows: 3, cols: 3 };
const locations: readonly Location[] = ["left", "right", "front", "behind"];

export function open(): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.placeAgent();
    grid.connectAll();
    grid.addDistractors({ count: 18, unique: false });
    grid.requireAllReachable();
    return new Open(grid.describe(grid.draws.elem(doorsByRoom(grid))));
  };
  return { ...nineRooms, roomSize: 8, generate };
}

/**
 * Returns the doors by room: column by column, then by row, then by side. Each door is listed twice, once for each of
 * its rooms.
 */
function doorsByRoom({ rooms, cols, rows }: RoomGrid): number[] {
  const doors: number[] = [];
  for (let i = 0; i < cols; i++) {
    for (let j = 0; j < rows; j++) {
      for (let side = 0; side < 4; side++) {
        const door = rooms.doorOf(rooms.at(i, j), side);
        if (door !== nothing) doors.push(door);
      }
    }
  }
  return doors;
}

export function openRedDoor(): LevelRules {
  const generate = (grid: RoomGrid) => {
    grid.addDoor(0, 0, { side: 0, color: Color.red, locked: false });
    grid.placeAgent(0, 0);
    return new Open(new Descriptor(Kind.door, Color.red));
  };
  return { roomSize: 5, rows: 1, cols: 2, generate };
}

export function openDoor({
  debug = false,
  selectBy,
}: {
  debug?: boolean;
  selectBy?: "color" | "loc";
} = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    const { draws } = grid;
    const colors = draws.subset(colorsByName, 4);
    colors.forEach((color, side) => {
      grid.addDoor(1, 1, { side, color, locked: false });
    });
    const by = selectBy ?? draws.elem(["color", "loc"]);
    const desc =
      by === "color" ? new Descriptor(Kind.door, colors[0]) : new Descriptor(Kind.door, null, draws.elem(locations));
    grid.placeAgent(1, 1);
    return new Open(desc, debug);
  };
  return { ...nineRooms, roomSize: 8, generate };
}

interface TwoDoors {
  firstColor?: Color;
  secondColor?: Color;
  /** Whether the instruction to open the first door is strict. */
  strict?: boolean;
}

export function openTwoDoors({ firstColor, secondColor, strict = false }: TwoDoors = {}): LevelRules {
  const generate = (grid: RoomGrid) => {
    const [first, second] = grid.draws.subset(colorsByName, 2) as [Color, Color];
    const door1 = grid.addDoor(1, 1, { side: 2, color: firstColor ?? first, locked: false });
    const door2 = grid.addDoor(1, 1, { side: 0, color: secondColor ?? second, locked: false });
    grid.placeAgent(1, 1);
    return new Before(new Open(grid.describe(door1), strict), new Open(grid.describe(door2)));
  };
  return { ...nineRooms, roomSize: 6, maxSteps: 20 * 6 ** 2, generate };
}

export function openDoorsOrder({ numDoors, debug = false }: { numDoors: number; debug?: boolean }): LevelRules {
  const generate = (grid: RoomGrid) => {
    const { draws } = grid;
    const colors = draws.subset(colorsByName, numDoors);
    const doors = colors.map((color) => grid.addDoor(1, 1, { color, locked: false }));
    grid.placeAgent(1, 1);
    const [first, second] = draws.subset(doors, 2).map((door) => new Open(grid.describe(door), debug)) as [Open, Open];
    switch (draws.int(0, 3)) {
      case 0:
        return first;
      case 1:
        return new Before(first, second);
      default:
        return new After(first, second);
    }
  };
  return { ...nineRooms, roomSize: 6, maxSteps: 20 * 6 ** 2, generate };
}
