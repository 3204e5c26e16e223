/**
 * Objects in the cells, as a table in columns. An object is a number that identifies it: two red balls have two numbers.
 *
 * All walls are one object, since walls do not differ: walls do not move, and no level makes any.
 */
import { Color, DoorState, Kind } from "./codes.js";

/** The object of an empty cell and of an empty hand. */
export const nothing = 0;
export const wall = 1;
/** Number of the first object of a level. Other objects follow in the order in which they are made. */
export const firstObject = 2;

/** Largest number of objects. No level makes more than 40. */
const capacity = 64;

export class Objects {
  readonly kinds = new Uint8Array(capacity);
  readonly colors = new Uint8Array(capacity);
  /**
   * State of a door: open, closed or locked. The state of other objects is 0. State 0 therefore means transparent,
   * except for walls.
   */
  readonly states = new Uint8Array(capacity);
  /** Object in a box. */
  readonly contents = new Uint8Array(capacity);
  /**
   * Cell of the object. The cell is 0 for a carried object, an object in a box, or a box that is gone since it was
   * opened.
   */
  readonly cells = new Uint16Array(capacity);
  /** One more than the highest number in use. */
  end = firstObject;

  constructor() {
    this.kinds[nothing] = Kind.empty;
    this.kinds[wall] = Kind.wall;
    this.colors[wall] = Color.grey;
  }

  clear(): void {
    this.end = firstObject;
  }

  /** Adds an object that is in no cell. */
  add(kind: Kind, color: Color, state: number = DoorState.open): number {
    const object = this.end;
    if (object === capacity) throw new RangeError(`expected fewer than ${capacity} objects, but received one more`);
    this.kinds[object] = kind;
    this.colors[object] = color;
    this.states[object] = state;
    this.contents[object] = nothing;
    this.cells[object] = 0;
    this.end += 1;
    return object;
  }

  copyFrom({ kinds, colors, states, contents, cells, end }: Objects): void {
    this.kinds.set(kinds);
    this.colors.set(colors);
    this.states.set(states);
    this.contents.set(contents);
    this.cells.set(cells);
    this.end = end;
  }
}
