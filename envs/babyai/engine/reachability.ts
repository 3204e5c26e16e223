/** Whether the agent could get to every object and door without moving any: `check_objs_reachable` of MiniGrid. */
import { Kind } from "./codes.js";
import { firstObject, nothing, wall } from "./objects.js";
import type { World } from "./world.js";

/** Finds out by flooding the grid from the agent. Doors let it through, even locked ones; objects do not. */
export class Reachability {
  private readonly reached: Uint8Array;
  private readonly stack: Uint16Array;

  constructor(private readonly world: World) {
    this.reached = new Uint8Array(world.cells.length);
    this.stack = new Uint16Array(world.cells.length);
  }

  ofAll(): boolean {
    this.flood();
    const { cells, end } = this.world.objects;
    for (let object = firstObject; object < end; object++) {
      const cell = cells[object] as number;
      if (cell !== 0 && this.reached[cell] === 0) return false;
    }
    return true;
  }

  private flood(): void {
    const { reached, stack } = this;
    const { cells, steps, agentCell, objects } = this.world;
    reached.fill(0);
    reached[agentCell] = 1;
    stack[0] = agentCell;
    for (let height = 1; height > 0; ) {
      const cell = stack[--height] as number;
      for (const step of steps) {
        const next = cell + step;
        const object = cells[next] as number;
        if (object === wall || reached[next] === 1) continue;
        reached[next] = 1;
        if (object === nothing || objects.kinds[object] === Kind.door) stack[height++] = next;
      }
    }
  }
}
