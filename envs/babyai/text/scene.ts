/** The content of one view: the objects sorted by distance, the barrier ahead, and the board for walks. */
import { Kind } from "../engine/codes.js";
import { Board } from "./board.js";
import { doorStateOf, type NameId, nameCount, nameIdOf } from "./names.js";
import type { Seen } from "./seen.js";
import { nearestFirst, straightAhead, type ViewCell } from "./view-cells.js";

/** A visible door, key, ball or box. */
export interface Thing {
  name: NameId;
  /** Number of this object among the objects of the same name, from 1 for the nearest. */
  number: number;
  cell: ViewCell;
}

export class Scene {
  /** Buffer whose first `count` entries are the visible objects, the nearest first. */
  private readonly room: Thing[] = nearestFirst.map((cell) => ({ name: 0, number: 0, cell }));
  private readonly numbered = new Uint8Array(nameCount);
  count = 0;
  /** Whether the view shows any object or wall. */
  isAnythingSeen = false;
  /** Kind of the nearest wall or box straight ahead (0 if the view has none), and its distance in steps. */
  barrierKind = 0;
  barrierDistance = 0;
  readonly board = new Board();

  /** Replaces the content of the scene with a new view. */
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
