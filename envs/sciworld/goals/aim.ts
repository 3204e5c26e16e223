/** What an ordered goal asks for, as data: what the expert works towards. */
import type { StateOfMatter } from "../engine/material.js";
import type { Thing } from "../engine/thing.js";

export type Aim =
  /** To have something of that name in focus. */
  | { readonly type: "focus on"; readonly name: string }
  /** To have in focus any thing that fits. */
  | { readonly type: "focus on any"; fits(thing: Thing): boolean }
  /** To have in focus one of that species, as it is in that stage of its life. */
  | { readonly type: "focus on stage"; readonly species: string; readonly stage: string }
  /** All others are about the thing that the goal before was met with, which has to be in focus. */
  | StateAim
  | { readonly type: "kept in"; readonly container: string; readonly failing: readonly string[] }
  | {
      readonly type: "boxed by temperature";
      readonly threshold: number;
      readonly above: string;
      readonly below: string;
    }
  | { readonly type: "grown"; readonly species: string; readonly stage: string }
  | { readonly type: "turned on" }
  /** Without which what is turned on fails the task. */
  | { readonly type: "powered by"; readonly source: string };

/** To be in one of these states, or in another one than now, or in any. */
export interface StateAim {
  readonly type: "state";
  readonly states: readonly StateOfMatter[] | "another" | "any";
  /** Fire is as good. */
  readonly orBurning: boolean;
}
