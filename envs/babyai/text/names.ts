/**
 * Names of objects, such as "red ball", or "red locked door" for a door with its state. Objects with the same name are
 * numbered from 1. Goals and lava have no names, since they do not occur in BabyAI.
 */
import { Color, DoorState, Kind } from "../engine/codes.js";

const colorNames = inOrder(Color);
const stateNames = inOrder(DoorState);
const kindNames = inOrder(Kind);

/** Integer id of a name, used as an index of tables. */
export type NameId = number;

const doorStates = stateNames.length;
/** Names without colors: one for each state of a door, and one for each other kind. */
const slotNames = [...stateNames.map((state) => `${state} door`), "key", "ball", "box"];
const colors = colorNames.length;

const names = slotNames.flatMap((slot) => colorNames.map((color) => `${color} ${slot}`));
export const nameCount = names.length;

/** @param kind code of a door, key, ball or box */
export function nameIdOf(kind: number, color: number, state: number): NameId {
  return (kind === Kind.door ? state : kind - Kind.key + doorStates) * colors + color;
}

export function nameOf(id: NameId): string {
  return names[id] as string;
}

export function colorOf(id: NameId): number {
  return id % colors;
}

/** Returns the state of a door, or undefined for other objects. */
export function doorStateOf(id: NameId): number | undefined {
  return id < doorStates * colors ? Math.floor(id / colors) : undefined;
}

/** Returns the name of a carried object, such as "red ball". */
export function carriedName(kind: number, color: number): string {
  return `${colorNames[color]} ${kindNames[kind]}`;
}

/** Numbers of equally named objects are below 49, the number of cells in the view. */
const numbers = 49;

/** Texts with a name and a number, such as "go to red ball 1". Each text is made at the first use and cached. */
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
