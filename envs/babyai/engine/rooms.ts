/**
 * The rooms of a grid: where their walls and doors are. Rooms are numbered by rows; sides and neighbours are numbered
 * as directions are: 0 right, 1 down, 2 left, 3 up. Source: `Room` and `RoomGrid` of MiniGrid.
 */
import { dirX, dirY } from "./codes.js";
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
  /** By room: the mask of the rooms that its doors and openings lead to. */
  private readonly linked: Uint16Array;
  /** By room and side: the room there; -1 for the outside. */
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
    this.linked.fill(0);
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
    return this.neighbor(room, side) >= 0;
  }

  /** The room on the other side of a wall; -1 for the outside. */
  neighbor(room: number, side: number): number {
    return this.neighbors[4 * room + side] as number;
  }

  doorOf(room: number, side: number): number {
    return this.doors[4 * room + side] as number;
  }

  /** Puts a door, or an opening, into both rooms' lists. */
  setDoor(room: number, side: number, door: number): void {
    const neighbor = this.neighbor(room, side);
    this.doors[4 * room + side] = door;
    this.doors[4 * neighbor + ((side + 2) & 3)] = door;
    this.linked[room] = (this.linked[room] as number) | (1 << neighbor);
    this.linked[neighbor] = (this.linked[neighbor] as number) | (1 << room);
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
