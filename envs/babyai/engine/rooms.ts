/**
 * The rooms of a grid, with walls and doors. Rooms are numbered row by row. The sides of a room are numbered as
 * directions: 0 right, 1 down, 2 left, 3 up. Source: `Room` and `RoomGrid` of MiniGrid.
 */
import { dirX, dirY } from "./codes.js";
import { nothing, wall } from "./objects.js";
import { World } from "./world.js";

/** Entry in `doors` for a side whose wall was removed. */
export const opening = wall;

export class Rooms {
  readonly world: World;
  /** Distance between the corners of adjacent rooms: the inner width plus one wall. */
  readonly pitch: number;
  /** Object number of the door, `opening` or `nothing`, at index 4 x room + side. */
  readonly doors: Uint8Array;
  /** Cell in which a door can be, at index 4 x room + side. The value is 0 for an outer wall. */
  readonly doorCells: Uint16Array;
  /** One flag per room: 1 if the door added last to the room was locked. */
  readonly locked: Uint8Array;
  /** For each room, a bit mask of the rooms that its doors and openings lead to. */
  private readonly linked: Uint16Array;
  /** Number of doors and openings. */
  private links = 0;
  /** Number of the adjacent room, at index 4 x room + side. The value is -1 outside the grid. */
  private readonly neighbors: Int8Array;
  private readonly bareCells: Uint8Array;

  constructor(
    readonly roomSize: number,
    readonly rows: number,
    readonly cols: number,
  ) {
    this.pitch = roomSize - 1;
    this.world = new World(cols * this.pitch + 1, rows * this.pitch + 1, roomSize);
    this.doors = new Uint8Array(4 * rows * cols);
    this.doorCells = new Uint16Array(4 * rows * cols);
    this.locked = new Uint8Array(rows * cols);
    this.linked = new Uint16Array(rows * cols);
    this.neighbors = Int8Array.from({ length: 4 * rows * cols }, (_, at) => neighborOf(at >> 2, at & 3, rows, cols));
    this.bareCells = this.wallsOnly();
  }

  /** Number of rooms. */
  get count(): number {
    return this.rows * this.cols;
  }

  /** Removes all doors, openings and objects. `doorCells` keeps its values until new door cells are drawn. */
  clear(): void {
    this.world.cells.set(this.bareCells);
    this.world.objects.clear();
    this.doors.fill(nothing);
    this.locked.fill(0);
    this.linked.fill(0);
    this.links = 0;
  }

  at(i: number, j: number): number {
    return j * this.cols + i;
  }

  /**
   * Returns the room that contains a position. A wall between two rooms belongs to the room on its right or below it.
   */
  containing(x: number, y: number): number {
    return this.at(Math.floor(x / this.pitch), Math.floor(y / this.pitch));
  }

  left(room: number): number {
    return (room % this.cols) * this.pitch;
  }

  top(room: number): number {
    return Math.floor(room / this.cols) * this.pitch;
  }

  /** Whether a cell is in a room, walls included. */
  covers(room: number, cell: number): boolean {
    const dx = this.world.xOf(cell) - this.left(room);
    const dy = this.world.yOf(cell) - this.top(room);
    return dx >= 0 && dy >= 0 && dx < this.roomSize && dy < this.roomSize;
  }

  hasNeighbor(room: number, side: number): boolean {
    return this.neighbor(room, side) >= 0;
  }

  /** Returns the adjacent room on a side, or -1 if the wall is an outer wall. */
  neighbor(room: number, side: number): number {
    return this.neighbors[4 * room + side] as number;
  }

  doorOf(room: number, side: number): number {
    return this.doors[4 * room + side] as number;
  }

  /** Adds a door or an opening to the two rooms that it connects. */
  setDoor(room: number, side: number, door: number): void {
    const neighbor = this.neighbor(room, side);
    this.doors[4 * room + side] = door;
    this.doors[4 * neighbor + ((side + 2) & 3)] = door;
    this.linked[room] = (this.linked[room] as number) | (1 << neighbor);
    this.linked[neighbor] = (this.linked[neighbor] as number) | (1 << room);
    this.links += 1;
  }

  doorCellOf(room: number, side: number): number {
    return this.doorCells[4 * room + side] as number;
  }

  setDoorCell(room: number, side: number, cell: number): void {
    this.doorCells[4 * room + side] = cell;
    this.doorCells[4 * this.neighbor(room, side) + ((side + 2) & 3)] = cell;
  }

  /** Removes the wall between two rooms, except for its two end cells. */
  removeWall(room: number, side: number): void {
    const { world, pitch } = this;
    const x = this.left(room) + (side === 0 ? pitch : 0);
    const y = this.top(room) + (side === 1 ? pitch : 0);
    const along = world.steps[side & 1 ? 0 : 1];
    for (let k = 1; k < pitch; k++) world.put(nothing, world.cellAt(x, y) + k * along);
    this.setDoor(room, side, opening);
  }

  /** Whether all rooms can be reached from a room through doors and openings. Locked doors count too. */
  areConnected(from: number): boolean {
    // Fewer links cannot connect all rooms.
    if (this.links < this.count - 1) return false;
    let reached = 1 << from;
    for (let before = 0; before !== reached; ) {
      before = reached;
      for (let room = 0; room < this.count; room++) {
        if ((reached >> room) & 1) reached |= this.linked[room] as number;
      }
    }
    return reached === (1 << this.count) - 1;
  }

  private wallsOnly(): Uint8Array {
    const { world, pitch } = this;
    const cells = world.cells.slice();
    for (let y = 0; y < world.height; y++) {
      for (let x = 0; x < world.width; x++) {
        cells[world.cellAt(x, y)] = x % pitch === 0 || y % pitch === 0 ? wall : nothing;
      }
    }
    return cells;
  }
}

function neighborOf(room: number, side: number, rows: number, cols: number): number {
  const i = (room % cols) + (dirX[side] as number);
  const j = Math.floor(room / cols) + (dirY[side] as number);
  return i >= 0 && j >= 0 && i < cols && j < rows ? j * cols + i : -1;
}
