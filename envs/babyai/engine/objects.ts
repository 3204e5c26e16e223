/**
 * All that can be in a cell, in columns. An object is a number, and its identity: two red balls are two numbers.
 *
 * All walls are one object, since nothing tells them apart: they do not move, and a level makes none.
 */
import { Color, DoorState, Kind } from "./codes.js";

/** The object of an empty cell and of an empty hand. */
export const nothing = 0;
export const wall = 1;
/** Objects of a level are numbered from here, in the order in which they are made. */
export const firstObject = 2;

/** The most crowded level makes 40. */
const capacity = 64;

export class Objects {
  readonly kinds = new Uint8Array(capacity);
  readonly colors = new Uint8Array(capacity);
  /** Of a door: open, closed or locked. 0 for all else, so that 0 also means: can be seen through (but for walls). */
  readonly states = new Uint8Array(capacity);
  /** Of a box: what is in it. */
  readonly contents = new Uint8Array(capacity);
  /** The cell of the grid that it is in; 0 for what is carried, in a box, or gone with an opened box. */
  readonly cells = new Uint16Array(capacity);
  /** One more than the highest number. */
  end = firstObject;

  constructor() {
    this.kinds[nothing] = Kind.empty;
    this.kinds[wall] = Kind.wall;
    this.colors[wall] = Color.grey;
  }

  clear(): void {
    this.end = firstObject;
  }

  /** A new object that is nowhere yet. */
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
