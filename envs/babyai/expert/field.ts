/**
 * Distance from every pose to the nearest goal, and the shortest paths. A pose is a cell and a direction: `cell << 2 |
 * direction`. Entering a cell costs a toll: 1 for a free cell, 2 if a door must be opened, and more if an object must
 * be cleared away.
 */
import { Move } from "../engine/codes.js";
import type { World } from "../engine/world.js";

/** Toll of a cell that cannot be entered. */
export const closed = 0;

export const unreachable = 0x7fff;

export type Steps = World["steps"];

export class Field {
  readonly distances: Int16Array;
  /** For each goal pose, the remaining cost passed to `sow`, plus one. The value is 0 for a pose that is not a goal. */
  private readonly sown: Int16Array;
  private readonly rings: number[][] = [];
  private last = -1;

  constructor(
    private readonly tolls: Int16Array,
    private readonly steps: Steps,
  ) {
    this.distances = new Int16Array(tolls.length * 4).fill(unreachable);
    this.sown = new Int16Array(tolls.length * 4);
  }

  /** Makes a pose a goal. @param distance cost to continue from this pose to the final aim */
  sow(pose: number, distance = 0): void {
    if (this.tolls[pose >> 2] === closed || distance >= (this.distances[pose] as number)) return;
    this.sown[pose] = distance + 1;
    this.reach(pose, distance);
  }

  /** Makes goals of the four poses that face a cell. */
  sowFacing(cell: number, distance = 0): void {
    for (let dir = 0; dir < 4; dir++) this.sow(((cell - (this.steps[dir] as number)) << 2) | dir, distance);
  }

  /** Runs Dijkstra's search backwards from the goals. @param until pose at which to stop; default: search all poses */
  grow(until?: number): this {
    const { distances, rings, tolls, steps } = this;
    for (let distance = 0; distance <= this.last; distance++) {
      const ring = rings[distance];
      if (!ring) continue;
      for (const pose of ring) {
        if (distances[pose] !== distance) continue;
        const cell = pose >> 2;
        this.reach((cell << 2) | ((pose + 1) & 3), distance + 1);
        this.reach((cell << 2) | ((pose + 3) & 3), distance + 1);
        const behind = cell - (steps[pose & 3] as number);
        if (tolls[behind] !== closed) this.reach((behind << 2) | (pose & 3), distance + (tolls[cell] as number));
      }
      ring.length = 0;
      if (until !== undefined && (distances[until] as number) <= distance) break;
    }
    return this;
  }

  distance(pose: number): number {
    return this.distances[pose] as number;
  }

  /** Returns the next move of a shortest path, or undefined in a goal. */
  moveFrom(pose: number): Move | undefined {
    const { distances, tolls, steps } = this;
    const distance = distances[pose] as number;
    if (this.sown[pose] === distance + 1) return undefined;
    const ahead = (pose >> 2) + (steps[pose & 3] as number);
    const toll = tolls[ahead] as number;
    if (toll !== closed && (distances[(ahead << 2) | (pose & 3)] as number) + toll === distance) return Move.forward;
    return distances[(pose & ~3) | ((pose + 3) & 3)] === distance - 1 ? Move.left : Move.right;
  }

  poseAfter(pose: number, move: Move): number {
    if (move === Move.forward) return pose + ((this.steps[pose & 3] as number) << 2);
    return (pose & ~3) | ((pose + (move === Move.left ? 3 : 1)) & 3);
  }

  private reach(pose: number, distance: number): void {
    if (distance >= (this.distances[pose] as number)) return;
    this.distances[pose] = distance;
    this.rings[distance] ??= [];
    this.rings[distance].push(pose);
    if (distance > this.last) this.last = distance;
  }
}
