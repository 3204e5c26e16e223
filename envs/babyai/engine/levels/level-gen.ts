/**
 * Levels whose missions are random sentences of BabyAI's language. Source: `LevelGen` of MiniGrid, whose settings have
 * the same names.
 */
import { Kind } from "../codes.js";
import { type DescribedKind, Descriptor, type Location } from "../descriptor.js";
import { colorsByName } from "../draws.js";
import { type Action, GoTo, Open, Pickup, PutNext } from "../instructions.js";
import type { LevelRules } from "../level.js";
import { timedOut } from "../rejection.js";
import type { RoomGrid } from "../room-grid.js";
import { After, And, Before, type Instruction } from "../sequences.js";

type ActionKind = Action["type"];
type InstrKind = "action" | "and" | "seq";

export interface LevelGenSettings {
  roomSize?: number;
  rows?: number;
  cols?: number;
  numDists?: number;
  lockedRoomProb?: number;
  /** Whether the description of an object may contain its location, such as "on your left". */
  locations?: boolean;
  /** Whether the agent may have to move objects out of the way. */
  unblocking?: boolean;
  /** Whether the agent may have to unlock a door that the mission does not name. */
  implicitUnlock?: boolean;
  actionKinds?: readonly ActionKind[];
  instrKinds?: readonly InstrKind[];
}

const defaults: Required<LevelGenSettings> = {
  roomSize: 8,
  rows: 3,
  cols: 3,
  numDists: 18,
  lockedRoomProb: 0.5,
  locations: true,
  unblocking: true,
  implicitUnlock: true,
  actionKinds: ["goto", "pickup", "open", "putnext"],
  instrKinds: ["action", "and", "seq"],
};

const kinds: readonly DescribedKind[] = [Kind.box, Kind.ball, Kind.key, Kind.door];
const portableKinds = kinds.filter((kind) => kind !== Kind.door);
const doorOnly: readonly DescribedKind[] = [Kind.door];
const colors = [null, ...colorsByName];
const locations: readonly Location[] = ["left", "right", "front", "behind"];
/** Maximum number of tries to draw a description, as in MiniGrid. */
const describingTries = 101;

export function levelGen(changed: LevelGenSettings = {}): LevelRules {
  const settings = { ...defaults, ...changed };
  const { roomSize, rows, cols, unblocking } = settings;
  return { roomSize, rows, cols, unblocking, generate: (grid) => generate(grid, settings) };
}

function generate(grid: RoomGrid, settings: Required<LevelGenSettings>): Instruction {
  if (grid.draws.float(0, 1) < settings.lockedRoomProb) addLockedRoom(grid);
  grid.connectAll();
  grid.addDistractors({ count: settings.numDists, unique: false });
  if (grid.lockedRoomIsCurrent) grid.placeAgentOutside(grid.lockedRoom);
  else grid.placeAgent();
  if (!settings.unblocking) grid.requireAllReachable();
  return new SentenceGen(grid, settings).instr(settings.instrKinds);
}

/** Adds a locked room, and the key to its door in another room. */
function addLockedRoom(grid: RoomGrid): void {
  const { rooms, draws } = grid;
  let i: number;
  let j: number;
  let side: number;
  do {
    i = draws.int(0, grid.cols);
    j = draws.int(0, grid.rows);
    side = draws.int(0, 4);
    grid.lockedRoom = rooms.at(i, j);
    grid.lockedRoomIsCurrent = true;
  } while (!rooms.hasNeighbor(grid.lockedRoom, side));
  const door = grid.addDoor(i, j, { side, locked: true });
  do {
    i = draws.int(0, grid.cols);
    j = draws.int(0, grid.rows);
  } while (rooms.at(i, j) === grid.lockedRoom);
  grid.addObject(i, j, Kind.key, grid.colorOf(door));
}

/** Draws a random mission about the objects in the rooms. */
class SentenceGen {
  constructor(
    private readonly grid: RoomGrid,
    private readonly settings: Required<LevelGenSettings>,
  ) {}

  instr(among: readonly InstrKind[]): Instruction {
    const kind = this.grid.draws.elem(among);
    return kind === "seq" ? this.sequence() : this.part(kind);
  }

  private sequence(): Before | After {
    const a = this.part(this.grid.draws.elem(["action", "and"]));
    const b = this.part(this.grid.draws.elem(["action", "and"]));
    return this.grid.draws.elem(["before", "after"]) === "before" ? new Before(a, b) : new After(a, b);
  }

  private part(kind: "action" | "and"): Action | And {
    return kind === "action" ? this.action() : new And(this.action(), this.action());
  }

  private action(): Action {
    switch (this.grid.draws.elem(this.settings.actionKinds)) {
      case "goto":
        return new GoTo(this.desc(kinds));
      case "pickup":
        return new Pickup(this.desc(portableKinds));
      case "open":
        return new Open(this.desc(doorOnly));
      case "putnext":
        return new PutNext(this.desc(portableKinds), this.desc(kinds));
    }
  }

  /**
   * Draws a description that matches at least one object. Without `implicitUnlock` the object must be outside the
   * locked room.
   */
  private desc(among: readonly DescribedKind[]): Descriptor {
    const { grid, settings } = this;
    const isAllowed = (cell: number) => settings.implicitUnlock || !this.isLockedIn(cell);
    for (let tries = 0; tries < describingTries; tries++) {
      const color = grid.draws.elem(colors);
      const kind = grid.draws.elem(among);
      const location = settings.locations && grid.draws.bool() ? grid.draws.elem(locations) : null;
      const desc = new Descriptor(kind, color, location);
      if (desc.hasMatch(grid.world, isAllowed)) return desc;
    }
    throw timedOut;
  }

  private isLockedIn(cell: number): boolean {
    return this.grid.lockedRoom >= 0 && this.grid.rooms.covers(this.grid.lockedRoom, cell);
  }
}
