/** The content of one view: objects by distance, the barrier ahead, and the board for walks. */
import { Kind } from "../engine/codes.js";
import { Board } from "./board.js";
import { doorStateOf, type NameId, nameCount, nameIdOf } from "./names.js";
import type { Seen } from "./seen.js";
import { nearestFirst, straightAhead, type ViewCell } from "./view-cells.js";

/** A visible door, key, ball or box. */
export interface Thing {
  name: NameId;
  /** Number among the objects of this name. The nearest object has the number 1. */
  number: number;
  cell: ViewCell;
}

export class Scene {
  /** Pool of objects. The first `count` objects are visible, the nearest object first. */
  private readonly room: Thing[] = nearestFirst.map((cell) => ({ name: 0, number: 0, cell }));
  private readonly numbered = new Uint8Array(nameCount);
  count = 0;
  /** Whether anything is visible, even only a wall. */
  isAnythingSeen = false;
  /** Kind of the nearest wall or box straight ahead, and the distance in steps. The kind is 0 without such a barrier. */
  barrierKind = 0;
  barrierDistance = 0;
  readonly board = new Board();

  /** Replaces the content by the content of a view. */
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
