/**
 * What things are called: "red ball", and for a door its state, too: "red locked door". Things of the same name are
 * numbered from 1. BabyAI's levels have no goal and lava squares, so there are no names for these.
 */
import { Color, DoorState, Kind } from "../engine/codes.js";

const colorNames = inOrder(Color);
const stateNames = inOrder(DoorState);
const kindNames = inOrder(Kind);

/** A name as a small number, for tables. */
export type NameId = number;

const doorStates = stateNames.length;
/** A slot is a state of doors, or the kind of another thing; each has its colors. */
const slotNames = [...stateNames.map((state) => `${state} door`), "key", "ball", "box"];
const colors = colorNames.length;

const names = slotNames.flatMap((slot) => colorNames.map((color) => `${color} ${slot}`));
export const nameCount = names.length;

/** @param kind of a door, key, ball or box */
export function nameIdOf(kind: number, color: number, state: number): NameId {
  return (kind === Kind.door ? state : kind - Kind.key + doorStates) * colors + color;
}

export function nameOf(id: NameId): string {
  return names[id] as string;
}

export function colorOf(id: NameId): number {
  return id % colors;
}

/** A door's state; undefined for all other things. */
export function doorStateOf(id: NameId): number | undefined {
  return id < doorStates * colors ? Math.floor(id / colors) : undefined;
}

/** "red ball", of what an agent carries. */
export function carriedName(kind: number, color: number): string {
  return `${colorNames[color]} ${kindNames[kind]}`;
}

/** More than a view of 7 x 7 can have of one name. */
const numbers = 49;

/** Texts around a name and its number, each made at its first use and then kept: "go to red ball 1". */
export class NumberedText {
  private readonly made: string[] = new Array(nameCount * numbers).fill("");

  constructor(
    private readonly before: string,
    private readonly after = "",
  ) {}

  of(id: NameId, number: number): string {
    const at = id * numbers + number;
    const made = this.made[at] as string;
    if (made !== "") return made;
    const text = `${this.before}${names[id]} ${number}${this.after}`;
    this.made[at] = text;
    return text;
  }
}

function inOrder(codes: Record<string, number>): string[] {
  return Object.entries(codes)
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name);
}
