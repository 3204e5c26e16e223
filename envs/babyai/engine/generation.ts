/** Generates missions until one is valid, as `RoomGridLevel._gen_grid` and `validate_instrs` of MiniGrid do. */
import { DoorState, Kind } from "./codes.js";
import type { Descriptor } from "./descriptor.js";
import type { Level } from "./level.js";
import { firstObject } from "./objects.js";
import { Rejection, rejected, timedOut } from "./rejection.js";
import type { RoomGrid } from "./room-grid.js";
import type { Instruction } from "./sequences.js";

export interface Mission {
  instruction: Instruction;
  /** Number of rejected missions that broke a rule of the level. */
  rejections: number;
  /** Number of rejected missions in which an object had no place or a description had no match. */
  timeouts: number;
}

/** Generates a mission, whose instruction has begun, and writes its rooms and objects into `grid`. */
export function generateMission(level: Level, grid: RoomGrid): Mission {
  let rejections = 0;
  let timeouts = 0;
  for (;;) {
    try {
      grid.clear();
      const instruction = level.generate(grid);
      instruction.begin(grid.world);
      validate(instruction, grid, level.unblocking ? lockedColors(grid) : 0);
      return { instruction, rejections, timeouts };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      if (error === timedOut) timeouts += 1;
      else rejections += 1;
    }
  }
}

/** @param instruction has begun @param locked bit mask of the colors of locked doors. No instruction may name a key of these colors */
function validate(instruction: Instruction, grid: RoomGrid, locked: number): void {
  switch (instruction.type) {
    case "putnext":
      if (instruction.move.objects.some((object) => instruction.fixed.objects.includes(object))) throw rejected;
      if (instruction.isDone(grid.world) || opens(instruction.move, locked) || opens(instruction.fixed, locked)) {
        throw rejected;
      }
      break;
    case "goto":
    case "pickup":
    case "open":
      if (opens(instruction.desc, locked)) throw rejected;
      break;
    default:
      validate(instruction.a, grid, locked);
      validate(instruction.b, grid, locked);
  }
}

function opens({ kind, color }: Descriptor, locked: number): boolean {
  return kind === Kind.key && color !== null && ((locked >> color) & 1) === 1;
}

function lockedColors({ world }: RoomGrid): number {
  const { kinds, colors, states, end } = world.objects;
  let mask = 0;
  for (let object = firstObject; object < end; object++) {
    if (kinds[object] === Kind.door && states[object] === DoorState.locked) mask |= 1 << (colors[object] as number);
  }
  return mask;
}
