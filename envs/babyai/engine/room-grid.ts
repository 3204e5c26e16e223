/**
 * Builder of levels: the rooms, and methods that place doors, objects and the agent at random. Each method makes the
 * draws of MiniGrid's `RoomGrid`, in the same order.
 */
import { type Color, DoorState, Kind } from "./codes.js";
import { type DescribedKind, Descriptor } from "./descriptor.js";
import { colorsByName, Draws } from "./draws.js";
import { firstObject, nothing, wall } from "./objects.js";
import { Reachability } from "./reachability.js";
import { rejected, timedOut } from "./rejection.js";
import { Rooms } from "./rooms.js";
import type { World } from "./world.js";

const portableKinds = [Kind.key, Kind.ball, Kind.box] as const;
export type PortableKind = (typeof portableKinds)[number];

/** Maximum numbers of tries. MiniGrid makes one try more than its own limits of 1000 and 5000. */
const placingTries = 1001;
const connectingTries = 5001;

interface Distractors {
  /** Column of the room. Default: a random column for each object. */
  i?: number;
  /** Row of the room. Default: a random row for each object. */
  j?: number;
  count: number;
  /** Whether each new object differs from every new or existing object in kind or color. */
  unique?: boolean;
}

export class RoomGrid {
  readonly rooms: Rooms;
  readonly world: World;
  readonly draws = new Draws();
  private readonly reachability: Reachability;
  /**
   * Number of the locked room; -1 if the level has none. In some levels, only a part of the missions has a locked room.
   */
  lockedRoom = -1;
  /** True if `lockedRoom` belongs to the current mission, false if it was locked in an earlier mission. */
  lockedRoomIsCurrent = false;

  constructor(
    roomSize: number,
    readonly rows: number,
    readonly cols: number,
    /** See `GameOptions`. */
    private readonly keepsLockedRoom: boolean,
  ) {
    this.rooms = new Rooms(roomSize, rows, cols);
    this.world = this.rooms.world;
    this.reachability = new Reachability(this.world);
  }

  /** Copies the world of the current mission, and the state that later missions depend on. */
  copyFrom({ world, draws, lockedRoom }: RoomGrid): void {
    this.world.copyFrom(world);
    this.draws.copyFrom(draws);
    this.lockedRoom = lockedRoom;
  }

  /** Empties all rooms and removes the doors. The agent is in the middle of the grid until `placeAgent` is called. */
  clear(): void {
    const { rooms, world, rows, cols } = this;
    rooms.clear();
    this.lockedRoomIsCurrent = false;
    if (!this.keepsLockedRoom) this.lockedRoom = -1;
    for (let room = 0; room < rooms.count; room++) {
      for (const side of [0, 1]) if (rooms.hasNeighbor(room, side)) this.drawDoorCell(room, side);
    }
    const middle = rooms.roomSize >> 1;
    world.agentX = (cols >> 1) * rooms.pitch + middle;
    world.agentY = (rows >> 1) * rooms.pitch + middle;
    world.agentDir = 0;
    world.carried = nothing;
  }

  /** Returns a descriptor of an object by its kind and color. */
  describe(object: number): Descriptor {
    return new Descriptor(this.kindOf(object), this.colorOf(object));
  }

  kindOf(object: number): DescribedKind {
    return this.world.objects.kinds[object] as DescribedKind;
  }

  colorOf(object: number): Color {
    return this.world.objects.colors[object] as Color;
  }

  addDoor(
    i: number,
    j: number,
    { side, color, locked }: { side?: number; color?: Color; locked?: boolean } = {},
  ): number {
    const { rooms, world, draws } = this;
    const room = rooms.at(i, j);
    const onSide = side ?? this.drawFreeSide(room);
    const ofColor = color ?? draws.color();
    const isLocked = locked ?? draws.bool();
    rooms.locked[room] = isLocked ? 1 : 0;
    const door = world.objects.add(Kind.door, ofColor, isLocked ? DoorState.locked : DoorState.closed);
    world.put(door, rooms.doorCellOf(room, onSide));
    rooms.setDoor(room, onSide, door);
    return door;
  }

  addObject(i: number, j: number, kind?: PortableKind, color?: Color): number {
    const ofKind = kind ?? this.draws.elem(portableKinds);
    return this.placeInRoom(i, j, this.world.objects.add(ofKind, color ?? this.draws.color()));
  }

  /** Puts an object into a random cell of a room, but not into the agent's cell or next to it. */
  placeInRoom(i: number, j: number, object: number): number {
    this.world.put(object, this.drawEmptyCell(this.rooms.at(i, j), 2));
    return object;
  }

  /** Adds objects of random kind and color, and returns the objects in that order. */
  addDistractors({ i, j, count, unique = true }: Distractors): number[] {
    const { draws, rows, cols } = this;
    let present = unique ? this.presentObjects() : 0;
    const added: number[] = [];
    while (added.length < count) {
      const color = draws.color();
      const kind = draws.elem(portableKinds);
      const bit = bitOf(kind, color);
      if (unique && present & bit) continue;
      added.push(this.addObject(i ?? draws.int(0, cols), j ?? draws.int(0, rows), kind, color));
      present |= bit;
    }
    return added;
  }

  /**
   * Puts the agent into a room, facing a wall or an empty cell.
   *
   * If no cell allows this, MiniGrid never stops drawing. Palestra rejects the mission instead, as it does if the room
   * has no empty cell.
   */
  placeAgent(i?: number, j?: number): void {
    const { rooms, world, draws } = this;
    const inColumn = i ?? draws.int(0, this.cols);
    const room = rooms.at(inColumn, j ?? draws.int(0, this.rows));
    for (let tries = 0; ; tries++) {
      const cell = this.drawEmptyCell(room, 0);
      world.agentX = world.xOf(cell);
      world.agentY = world.yOf(cell);
      world.agentDir = draws.int(0, 4);
      if (isFree(world, world.frontCell)) return;
      if (tries === 0 && !this.hasPlaceForAgent(room)) throw timedOut;
    }
  }

  /** Locks a random room and places the key. @returns the column and the row of the room, and the door */
  addLockedRoomWithKey(): [i: number, j: number, door: number] {
    const { draws } = this;
    const i = draws.int(0, this.cols);
    const j = draws.int(0, this.rows);
    const door = this.addDoor(i, j, { locked: true });
    // MiniGrid tries to keep the key out of the locked room, but compares numpy integers with `is`, which is always
    // false. MiniGrid therefore accepts the first room, and the key may be locked in.
    this.addObject(draws.int(0, this.cols), draws.int(0, this.rows), Kind.key, this.colorOf(door));
    return [i, j, door];
  }

  /**
   * Adds distractors to each room, column by column. The locked room also gets distractors, because of the MiniGrid bug
   * that `addLockedRoomWithKey` describes.
   */
  addDistractorsToEachRoom(count: number): void {
    for (let i = 0; i < this.cols; i++) {
      for (let j = 0; j < this.rows; j++) this.addDistractors({ i, j, count, unique: false });
    }
  }

  /** Puts the agent into a random room, but not into `room`. */
  placeAgentOutside(room: number): void {
    const { rooms, world } = this;
    do this.placeAgent();
    while (rooms.containing(world.agentX, world.agentY) === room);
  }

  /** Adds doors until all rooms are connected. No door is added to a locked room. */
  connectAll(doorColors: readonly Color[] = colorsByName): void {
    const { rooms, world, draws } = this;
    const start = rooms.containing(world.agentX, world.agentY);
    let connected = rooms.areConnected(start);
    for (let tries = 0; ; tries++) {
      if (tries === connectingTries) throw timedOut;
      if (connected) return;
      const i = draws.int(0, this.cols);
      const j = draws.int(0, this.rows);
      const side = draws.int(0, 4);
      const room = rooms.at(i, j);
      if (!rooms.hasNeighbor(room, side) || rooms.doorOf(room, side) !== nothing) continue;
      if (rooms.locked[room] === 1 || rooms.locked[rooms.neighbor(room, side)] === 1) continue;
      this.addDoor(i, j, { side, color: draws.elem(doorColors), locked: false });
      connected = rooms.areConnected(start);
    }
  }

  openAllDoors(): void {
    const { kinds, states, end } = this.world.objects;
    for (let object = firstObject; object < end; object++) {
      if (kinds[object] === Kind.door) states[object] = DoorState.open;
    }
  }

  /** Whether the agent can reach all objects without moving any object. */
  allReachable(): boolean {
    return this.reachability.ofAll();
  }

  /** @throws {Rejection} an object is out of reach */
  requireAllReachable(): void {
    if (!this.allReachable()) throw rejected;
  }

  private drawDoorCell(room: number, side: number): void {
    const { rooms, world, draws } = this;
    const [left, top] = [rooms.left(room), rooms.top(room)];
    const x = side === 0 ? left + rooms.pitch : draws.int(left + 1, left + rooms.pitch);
    const y = side === 1 ? top + rooms.pitch : draws.int(top + 1, top + rooms.pitch);
    rooms.setDoorCell(room, side, world.cellAt(x, y));
  }

  private drawFreeSide(room: number): number {
    const { rooms, draws } = this;
    for (;;) {
      const side = draws.int(0, 4);
      if (rooms.hasNeighbor(room, side) && rooms.doorOf(room, side) === nothing) return side;
    }
  }

  /**
   * Draws a random empty cell of a room. A draw that hits a wall is discarded.
   *
   * @param apart minimum distance from the agent, in steps
   */
  private drawEmptyCell(room: number, apart: number): number {
    const { rooms, world, draws } = this;
    const left = rooms.left(room);
    const top = rooms.top(room);
    for (let tries = 0; tries < placingTries; tries++) {
      const x = draws.int(left, left + rooms.roomSize);
      const y = draws.int(top, top + rooms.roomSize);
      if (world.objectAt(x, y) !== nothing) continue;
      if (Math.abs(x - world.agentX) + Math.abs(y - world.agentY) < apart) continue;
      return world.cellAt(x, y);
    }
    throw timedOut;
  }

  private hasPlaceForAgent(room: number): boolean {
    const { rooms, world } = this;
    for (let y = rooms.top(room); y <= rooms.top(room) + rooms.pitch; y++) {
      for (let x = rooms.left(room); x <= rooms.left(room) + rooms.pitch; x++) {
        const cell = world.cellAt(x, y);
        if (world.cells[cell] === nothing && world.steps.some((step) => isFree(world, cell + step))) return true;
      }
    }
    return false;
  }

  /** Returns a bit mask of the combinations of kind and color that exist in the level. */
  private presentObjects(): number {
    const { kinds, colors, end } = this.world.objects;
    let present = 0;
    for (let object = firstObject; object < end; object++) {
      if (kinds[object] !== Kind.door) present |= bitOf(kinds[object] as PortableKind, colors[object] as Color);
    }
    return present;
  }
}

function bitOf(kind: PortableKind, color: Color): number {
  return 1 << ((kind - Kind.key) * 6 + color);
}

/** Whether the agent may face this cell at the start of an episode. */
function isFree(world: World, cell: number): boolean {
  return world.cells[cell] === nothing || world.cells[cell] === wall;
}
