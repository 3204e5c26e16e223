/**
 * The description of an object in an instruction, such as "the red ball on your left". A descriptor stores the objects
 * that match it at the start of the episode, with their cells. Source: `ObjDesc` of MiniGrid's verifier.
 */
import { Color, Kind } from "./codes.js";
import { firstObject, nothing } from "./objects.js";
import type { World } from "./world.js";

/** Location relative to the agent's first position and direction. "left" is the whole part of the room to the left. */
export type Location = "left" | "right" | "front" | "behind";

const kindNames = { [Kind.door]: "door", [Kind.key]: "key", [Kind.ball]: "ball", [Kind.box]: "box" };
export type DescribedKind = keyof typeof kindNames;

const colorNames = Object.fromEntries(Object.entries(Color).map(([name, code]) => [code, name]));

const locationNames: Record<Location, string> = {
  left: " on your left",
  right: " on your right",
  front: " in front of you",
  behind: " behind you",
};

export class Descriptor {
  /** Objects that match at the start, sorted by column, then by row. A descriptor without a kind also matches walls. */
  readonly objects: number[] = [];
  /**
   * Cells of `objects` at the start or after the last drop, sorted by column, then by row. Carried objects have no
   * cell.
   */
  readonly cells: number[] = [];

  /** @param kind null matches every kind; null in another parameter matches every value too */
  constructor(
    readonly kind: DescribedKind | null,
    readonly color: Color | null = null,
    readonly location: Location | null = null,
  ) {}

  /** Finds the objects that match, with locations relative to the agent's current position and direction. */
  find(world: World): void {
    const count = this.kind === null ? this.findInGrid(world) : this.findInTable(world);
    cut(this.objects, count);
    cut(this.cells, count);
  }

  /** Whether an object matches, walls apart, whose cell satisfies a condition. Quicker than `find`. */
  hasMatch(world: World, isAllowed: (cell: number) => boolean): boolean {
    const { cells, end } = world.objects;
    for (let object = firstObject; object < end; object++) {
      const cell = cells[object] as number;
      if (this.fits(world, object, cell) && cell !== 0 && isAllowed(cell)) return true;
    }
    return false;
  }

  /** Updates the cells of the found objects. MiniGrid updates cells only after a drop. */
  track(world: World): void {
    cut(this.cells, this.kind === null ? this.trackInGrid(world) : this.trackInTable(world));
  }

  /** Returns the text, such as "the red ball on your left". The text starts with "a" if several objects match. */
  surface(): string {
    const article = this.objects.length > 1 ? "a" : "the";
    const color = this.color === null ? "" : ` ${colorNames[this.color]}`;
    const kind = this.kind === null ? "object" : kindNames[this.kind];
    return `${article}${color} ${kind}${this.location === null ? "" : locationNames[this.location]}`;
  }

  clone(): Descriptor {
    const copy = new Descriptor(this.kind, this.color, this.location);
    copy.objects.push(...this.objects);
    copy.cells.push(...this.cells);
    return copy;
  }

  /** Finds the objects for a descriptor with a kind in the table of objects, which is shorter than the grid. */
  private findInTable(world: World): number {
    const { cells, end } = world.objects;
    let count = 0;
    for (let object = firstObject; object < end; object++) {
      const cell = cells[object] as number;
      if (this.fits(world, object, cell) && cell !== 0) this.insert(world, object, cell, count++);
    }
    return count;
  }

  private findInGrid(world: World): number {
    let count = 0;
    eachCell(world, (object, cell) => {
      if (this.fits(world, object, cell)) this.insert(world, object, cell, count++);
    });
    return count;
  }

  private trackInTable(world: World): number {
    let count = 0;
    for (const object of this.objects) {
      const cell = world.objects.cells[object] as number;
      if (cell !== 0) insertAt(this.cells, this.placeOf(world, cell, count), cell, count++);
    }
    return count;
  }

  private trackInGrid(world: World): number {
    let count = 0;
    eachCell(world, (object, cell) => {
      if (this.objects.includes(object)) this.cells[count++] = cell;
    });
    return count;
  }

  private fits(world: World, object: number, cell: number): boolean {
    const { kinds, colors } = world.objects;
    if (this.kind !== null && kinds[object] !== this.kind) return false;
    if (this.color !== null && colors[object] !== this.color) return false;
    return this.location === null || isAt(world, this.location, cell);
  }

  /** Inserts an object into the list of `count` objects found so far. */
  private insert(world: World, object: number, cell: number, count: number): void {
    const place = this.placeOf(world, cell, count);
    insertAt(this.objects, place, object, count);
    insertAt(this.cells, place, cell, count);
  }

  /**
   * Returns the index at which a cell must be inserted into the first `count` entries of `cells` to keep them sorted.
   */
  private placeOf(world: World, cell: number, count: number): number {
    let place = count;
    while (place > 0 && isBefore(world, cell, this.cells[place - 1] as number)) place -= 1;
    return place;
  }
}

/** Inserts a value into the first `count` entries of a list, without the allocation of `splice`. */
function insertAt(list: number[], place: number, value: number, count: number): void {
  for (let i = count; i > place; i--) list[i] = list[i - 1] as number;
  list[place] = value;
}

/** Shortens a list. Setting a length is slow, even to the length that the list has. */
function cut(list: number[], length: number): void {
  if (list.length > length) list.length = length;
}

/** Compares cells by column, then by row, which is the order of MiniGrid's loops. */
function isBefore(world: World, a: number, b: number): boolean {
  return world.xOf(a) < world.xOf(b) || (world.xOf(a) === world.xOf(b) && a < b);
}

function eachCell(world: World, visit: (object: number, cell: number) => void): void {
  for (let x = 0; x < world.width; x++) {
    for (let y = 0; y < world.height; y++) {
      const cell = world.cellAt(x, y);
      const object = world.cells[cell] as number;
      if (object !== nothing) visit(object, cell);
    }
  }
}

/** Whether a cell of the agent's room, walls and doors included, is at a location relative to the agent. */
function isAt(world: World, location: Location, cell: number): boolean {
  const { agentX, agentY, agentDir, roomSize } = world;
  const x = world.xOf(cell);
  const y = world.yOf(cell);
  const inset = roomSize - 1;
  const left = agentX - (agentX % inset);
  const top = agentY - (agentY % inset);
  if (x < left || x > left + inset || y < top || y > top + inset) return false;
  const ahead = along(x - agentX, y - agentY, agentDir);
  const aside = along(x - agentX, y - agentY, (agentDir + 1) & 3);
  switch (location) {
    case "left":
      return aside < 0;
    case "right":
      return aside > 0;
    case "front":
      return ahead > 0;
    case "behind":
      return ahead < 0;
  }
}

/** Returns the component of the vector (dx, dy) along a direction. */
function along(dx: number, dy: number, dir: number): number {
  return (dir & 1 ? dy : dx) * (dir < 2 ? 1 : -1);
}
