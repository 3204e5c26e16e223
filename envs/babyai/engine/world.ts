/** The full state of a level: the grid, its objects and the agent. */
import { type Color, DoorState, dirX, dirY, Kind, Move } from "./codes.js";
import { firstObject, nothing, Objects, wall } from "./objects.js";

/** Distance in cells that the agent can see. */
export const viewReach = 6;

export class World {
  readonly objects = new Objects();
  /**
   * Object number of each cell, row by row from the top. A margin of walls, as wide as the agent can see, surrounds the
   * grid, so the view needs no bounds checks. MiniGrid also shows cells outside the grid as walls. Cell 0 is in the
   * margin.
   */
  readonly cells: Uint8Array;
  /** Difference between the indices of a cell and the cell below it. */
  readonly stride: number;
  /** Difference between the indices of a cell and its neighbor, by direction. */
  readonly steps: readonly [number, number, number, number];
  agentX = 0;
  agentY = 0;
  agentDir = 0;
  /** The carried object. */
  carried: number = nothing;

  /** @param roomSize length of a room's side in cells, walls included; adjacent rooms share a wall */
  constructor(
    readonly width: number,
    readonly height: number,
    readonly roomSize: number,
  ) {
    this.stride = width + 2 * viewReach;
    this.cells = new Uint8Array(this.stride * (height + 2 * viewReach)).fill(wall);
    this.steps = [1, this.stride, -1, -this.stride];
  }

  cellAt(x: number, y: number): number {
    return (y + viewReach) * this.stride + x + viewReach;
  }

  xOf(cell: number): number {
    return (cell % this.stride) - viewReach;
  }

  yOf(cell: number): number {
    return Math.floor(cell / this.stride) - viewReach;
  }

  get agentCell(): number {
    return this.cellAt(this.agentX, this.agentY);
  }

  /** The cell in front of the agent. */
  get frontCell(): number {
    return this.agentCell + (this.steps[this.agentDir] as number);
  }

  objectAt(x: number, y: number): number {
    return this.cells[this.cellAt(x, y)] as number;
  }

  /** Puts an object into a cell, in place of the object that was in the cell. */
  put(object: number, cell: number): void {
    this.cells[cell] = object;
    if (object >= firstObject) this.objects.cells[object] = cell;
  }

  /** Removes an object from the grid. */
  take(object: number): void {
    this.cells[this.objects.cells[object] as number] = nothing;
    this.objects.cells[object] = 0;
  }

  /**
   * Performs a move, as `MiniGridEnv.step` does. Goals, lava and colored floors are not implemented, since BabyAI has
   * none.
   */
  apply(move: Move): void {
    switch (move) {
      case Move.left:
        this.agentDir = (this.agentDir + 3) & 3;
        break;
      case Move.right:
        this.agentDir = (this.agentDir + 1) & 3;
        break;
      case Move.forward:
        this.forward();
        break;
      case Move.pickup:
        this.pickUp();
        break;
      case Move.drop:
        this.drop();
        break;
      case Move.toggle:
        this.toggle();
        break;
    }
  }

  private forward(): void {
    const ahead = this.cells[this.frontCell] as number;
    const { kinds, states } = this.objects;
    if (ahead !== nothing && !(kinds[ahead] === Kind.door && states[ahead] === DoorState.open)) return;
    this.agentX += dirX[this.agentDir] as number;
    this.agentY += dirY[this.agentDir] as number;
  }

  private pickUp(): void {
    const ahead = this.cells[this.frontCell] as number;
    if (ahead < firstObject || this.objects.kinds[ahead] === Kind.door || this.carried !== nothing) return;
    this.take(ahead);
    this.carried = ahead;
  }

  private drop(): void {
    const { frontCell } = this;
    if (this.carried === nothing || this.cells[frontCell] !== nothing) return;
    this.put(this.carried, frontCell);
    this.carried = nothing;
  }

  private toggle(): void {
    const { frontCell } = this;
    const ahead = this.cells[frontCell] as number;
    const kind = this.objects.kinds[ahead];
    if (kind === Kind.door) this.toggleDoor(ahead);
    if (kind === Kind.box) {
      this.take(ahead);
      this.put(this.objects.contents[ahead] as number, frontCell);
    }
  }

  private toggleDoor(door: number): void {
    const { kinds, colors, states } = this.objects;
    if (states[door] === DoorState.locked) {
      const fits = kinds[this.carried] === Kind.key && colors[this.carried] === colors[door];
      if (fits) states[door] = DoorState.open;
    } else {
      states[door] = states[door] === DoorState.open ? DoorState.closed : DoorState.open;
    }
  }

  /**
   * Returns MiniGrid's `grid.encode()`: width x height x 3 bytes, x first, with kind, color and state of each cell.
   */
  encode(): Uint8Array {
    const { width, height, stride, cells } = this;
    const { kinds, colors, states } = this.objects;
    const bytes = new Uint8Array(width * height * 3);
    let at = 0;
    for (let x = 0; x < width; x++) {
      for (let y = 0, cell = this.cellAt(x, 0); y < height; y++, cell += stride) {
        const object = cells[cell] as number;
        bytes[at++] = kinds[object] as Kind;
        bytes[at++] = colors[object] as Color;
        bytes[at++] = states[object] as number;
      }
    }
    return bytes;
  }

  copyFrom(world: World): void {
    this.cells.set(world.cells);
    this.objects.copyFrom(world.objects);
    this.agentX = world.agentX;
    this.agentY = world.agentY;
    this.agentDir = world.agentDir;
    this.carried = world.carried;
  }
}
