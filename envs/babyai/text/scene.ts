/** All that one view says of the world: things by distance, what bars the way, and where one can walk. */
import { Kind } from "../engine/codes.js";
import { Board } from "./board.js";
import { doorStateOf, type NameId, nameCount, nameIdOf } from "./names.js";
import type { Seen } from "./seen.js";
import { nearestFirst, straightAhead, type ViewCell } from "./view-cells.js";

/** A door, key, ball or box in sight. */
export interface Thing {
  name: NameId;
  /** Among the things of this name, from 1 for the nearest. */
  number: number;
  cell: ViewCell;
}

export class Scene {
  /** Room for what a view can hold; the first `count` are in sight, the nearest first. */
  private readonly room: Thing[] = nearestFirst.map((cell) => ({ name: 0, number: 0, cell }));
  private readonly numbered = new Uint8Array(nameCount);
  count = 0;
  /** Whether anything is in sight, if only a wall. */
  isAnythingSeen = false;
  /** The nearest wall or box straight ahead, as its kind and the steps to it; kind 0 where there is none. */
  barrierKind = 0;
  barrierDistance = 0;
  readonly board = new Board();

  /** Looks anew; what was there before is gone. */
  look(seen: Seen): void {
    const { view } = seen;
    this.count = 0;
    this.isAnythingSeen = false;
    this.numbered.fill(0);
    this.board.clear(seen.agentDir);
    for (const cell of nearestFirst) {
      const kind = view[cell.offset] as number;
      if (kind === Kind.wall) {
        this.isAnythingSeen = true;
        this.board.block(cell.square);
      } else if (kind >= Kind.door && kind <= Kind.box) {
        this.add(cell, nameIdOf(kind, view[cell.offset + 1] as number, view[cell.offset + 2] as number));
      }
    }
    if (this.count > 0) this.isAnythingSeen = true;
    this.findBarrier(view);
    this.board.explore();
  }

  thing(at: number): Thing {
    return this.room[at] as Thing;
  }

  private add(cell: ViewCell, name: NameId): void {
    const thing = this.thing(this.count++);
    const number = (this.numbered[name] as number) + 1;
    this.numbered[name] = number;
    thing.name = name;
    thing.number = number;
    thing.cell = cell;
    if (doorStateOf(name) === undefined) this.board.block(cell.square);
  }

  private findBarrier(view: Uint8Array): void {
    this.barrierKind = 0;
    for (const { offset, ahead } of straightAhead) {
      const kind = view[offset] as number;
      if (kind !== Kind.wall && kind !== Kind.box) continue;
      this.barrierKind = kind;
      this.barrierDistance = ahead;
      return;
    }
  }
}
