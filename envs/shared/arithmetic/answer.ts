/** What an answer says, whatever its notation. */
import type { Tree } from "./tree.js";
import type { Unit } from "./units.js";

export type Answer =
  | { kind: "formula"; tree: Tree; unit: Unit | null }
  | { kind: "equation"; left: Tree; right: Tree }
  /** An inequality of two formulas, with the smaller side on the left. An inequality such as `x > 3` is a region. */
  | { kind: "relation"; sign: "<" | "<="; left: Tree; right: Tree }
  /** A named value: `x = ...` */
  | { kind: "named"; name: string; value: Answer }
  /** Ordered items in brackets: a point, an interval, or a row of a matrix. */
  | { kind: "tuple"; brackets: string; items: Answer[] }
  /** Unordered items. In braces, an item that occurs twice counts once. */
  | { kind: "set"; items: Answer[]; isBraced: boolean }
  /** Real numbers: an inequality such as `x > 3`, or a union of intervals. */
  | { kind: "region"; variable: string | null; parts: Part[] }
  /** A ratio such as `3:4`. */
  | { kind: "ratio"; items: Tree[]; text: string }
  /** A number with a base, such as `2516_8`. The digits are in upper case, without leading zeros. */
  | { kind: "based"; digits: string; base: number }
  /** Text with letters in lower case, and without white space around signs. */
  | { kind: "text"; text: string };

export type Formula = Extract<Answer, { kind: "formula" }>;
export type Region = Extract<Answer, { kind: "region" }>;
export type Ratio = Extract<Answer, { kind: "ratio" }>;
export type Based = Extract<Answer, { kind: "based" }>;

/** An interval. In a region of several parts, the parts are in ascending order and do not touch. */
export interface Part {
  low: Bound;
  high: Bound;
}

/** An end of an interval. The value is null for infinity. */
export interface Bound {
  at: Answer | null;
  isClosed: boolean;
}
