/**
 * The rooms of a grid: where their walls and doors are. Rooms are numbered by rows; sides and neighbours are numbered
 * as directions are: 0 right, 1 down, 2 left, 3 up. Source: `Room` and `RoomGrid` of MiniGrid.
 */
import { nothing, wall } from "./objects.js";
import { World } from "./world.js";

/** Stands for a door where a wall has been removed. */
export const opening = wall;

export class Rooms {
  readonly world: World;
  /** Width of a room together with one of its walls: from one room's corner to the next's. */
  readonly pitch: number;
  /** By room and side: the door, `opening`, or nothing. */
  readonly doors: Uint8Array;
  /** By room and side: the cell where a door can be; 0 in the outer wall. */
  readonly doorCells: Uint16Array;
  /** By room: 1 after the newest door made from it was a locked one. */
  readonly locked: Uint8Array;
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
    this.bareCells = this.wallsOnly();
  }

  /** How many there are. */
  get count(): number {
    return this.rows * this.cols;
  }

  /** Back to closed rooms with nothing in them. Door cells stay until they are drawn anew. */
  clear(): void {
    this.world.cells.set(this.bareCells);
    this.world.objects.clear();
    this.doors.fill(nothing);
    this.locked.fill(0);
  }

  at(i: number, j: number): number {
    return j * this.cols + i;
  }

  /** The room of a place within the grid. A wall between two rooms belongs to the right or the lower one. */
  containing(x: number, y: number): number {
    return this.at(Math.floor(x / this.pitch), Math.floor(y / this.pitch));
  }

  left(room: number): number {
    return (room % this.cols) * this.pitch;
  }

  top(room: number): number {
    return Math.floor(room / this.cols) * this.pitch;
  }

  /** Whether a cell lies in a room, walls included. */
  covers(room: number, cell: number): boolean {
    const dx = this.world.xOf(cell) - this.left(room);
    const dy = this.world.yOf(cell) - this.top(room);
    return dx >= 0 && dy >= 0 && dx < this.roomSize && dy < this.roomSize;
  }

  hasNeighbor(room: number, side: number): boolean {
    const i = room % this.cols;
    const j = Math.floor(room / this.cols);
    return [i < this.cols - 1, j < this.rows - 1, i > 0, j > 0][side] as boolean;
  }

  neighbor(room: number, side: number): number {
    return room + ([1, this.cols, -1, -this.cols][side] as number);
  }

  doorOf(room: number, side: number): number {
    return this.doors[4 * room + side] as number;
  }

  /** Puts a door, or an opening, into both rooms' lists. */
  setDoor(room: number, side: number, door: number): void {
    this.doors[4 * room + side] = door;
    this.doors[4 * this.neighbor(room, side) + ((side + 2) & 3)] = door;
  }

  doorCellOf(room: number, side: number): number {
    return this.doorCells[4 * room + side] as number;
  }

  setDoorCell(room: number, side: number, cell: number): void {
    this.doorCells[4 * room + side] = cell;
    this.doorCells[4 * this.neighbor(room, side) + ((side + 2) & 3)] = cell;
  }

  /** Removes the wall between two rooms but for its ends. */
  removeWall(room: number, side: number): void {
    const { world, pitch } = this;
    const x = this.left(room) + (side === 0 ? pitch : 0);
    const y = this.top(room) + (side === 1 ? pitch : 0);
    const along = world.steps[side & 1 ? 0 : 1];
    for (let k = 1; k < pitch; k++) world.put(nothing, world.cellAt(x, y) + k * along);
    this.setDoor(room, side, opening);
  }

  /** Whether doors and openings lead from a room to all others. A locked door counts as well. */
  areConnected(from: number): boolean {
    let reached = 1 << from;
    for (let before = 0; before !== reached; ) {
      before = reached;
      for (let room = 0; room < this.count; room++) {
        if ((reached >> room) & 1) reached |= this.next(room);
      }
    }
    return reached === (1 << this.count) - 1;
  }

  /** The mask of rooms behind a room's doors. */
  private next(room: number): number {
    let mask = 0;
    for (let side = 0; side < 4; side++) {
      if (this.doorOf(room, side) !== nothing) mask |= 1 << this.neighbor(room, side);
    }
    return mask;
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
