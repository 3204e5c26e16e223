/**
 * Check that the agent can reach every object and door without moving any object, as `check_objs_reachable` of MiniGrid
 * does.
 */
import { Kind } from "./codes.js";
import { firstObject, nothing, wall } from "./objects.js";
import type { World } from "./world.js";

/**
 * Flood fill that starts at the agent. The fill passes through doors, even locked doors, but not through other objects.
 */
export class Reachability {
  /** The cells of the world, with a wall in every visited cell. */
  private readonly dry: Uint8Array;
  private readonly stack: Uint16Array;

  constructor(private readonly world: World) {
    this.dry = new Uint8Array(world.cells.length);
    this.stack = new Uint16Array(world.cells.length);
  }

  ofAll(): boolean {
    this.flood();
    const { cells, end } = this.world.objects;
    for (let object = firstObject; object < end; object++) {
      const cell = cells[object] as number;
      if (cell !== 0 && this.dry[cell] !== wall) return false;
    }
    return true;
  }

  private flood(): void {
    const { dry, stack } = this;
    const { cells, stride, agentCell } = this.world;
    dry.set(cells);
    dry[agentCell] = wall;
    stack[0] = agentCell;
    let height = 1;
    while (height > 0) {
      const cell = stack[--height] as number;
      height = this.wet(cell + 1, height);
      height = this.wet(cell - 1, height);
      height = this.wet(cell + stride, height);
      height = this.wet(cell - stride, height);
    }
  }

  /** Visits a cell. @returns the new height of the stack, which grows by one if the fill continues from this cell */
  private wet(cell: number, height: number): number {
    const object = this.dry[cell] as number;
    if (object === wall) return height;
    this.dry[cell] = wall;
    if (object !== nothing && this.world.objects.kinds[object] !== Kind.door) return height;
    this.stack[height] = cell;
    return height + 1;
  }
}
