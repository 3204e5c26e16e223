/**
 * The objects of a level, as a table in columns. A number identifies an object: two red balls have different numbers.
 *
 * All walls share the number 1, since walls never move and no level adds walls.
 */
import { Color, DoorState, Kind } from "./codes.js";

/** Number for an empty cell, or for an agent that carries no object. */
export const nothing = 0;
export const wall = 1;
/** Number of the first object of a level. Further objects are numbered in the order in which they are added. */
export const firstObject = 2;

/** Largest number of objects. No level makes more than 40. */
const capacity = 64;

export class Objects {
  readonly kinds = new Uint8Array(capacity);
  readonly colors = new Uint8Array(capacity);
  /**
   * State of a door: open, closed or locked. The state of other objects is 0. The agent can see past every object with
   * state 0 except walls.
   */
  readonly states = new Uint8Array(capacity);
  /** Object in a box. */
  readonly contents = new Uint8Array(capacity);
  /**
   * Cell of the object. The cell is 0 for a carried object, an object in a box, and a box that disappeared when it was
   * opened.
   */
  readonly cells = new Uint16Array(capacity);
  /** The highest object number in use, plus one. */
  end = firstObject;

  constructor() {
    this.kinds[nothing] = Kind.empty;
    this.kinds[wall] = Kind.wall;
    this.colors[wall] = Color.grey;
  }

  clear(): void {
    this.end = firstObject;
  }

  /** Adds an object to the table, but not yet to a cell. */
  add(kind: Kind, color: Color, state: number = DoorState.open): number {
    const object = this.end;
    if (object === capacity)
      throw new RangeError(
        `expected at most ${capacity - firstObject} objects in a level, but received a request for one more object`,
      );
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
