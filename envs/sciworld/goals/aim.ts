/** The condition of an ordered goal as data, for the expert. */
import type { StateOfMatter } from "../engine/material.js";
import type { Thing } from "../engine/thing.js";

export type Aim =
  /** A thing with this name is in focus. */
  | { readonly type: "focus on"; readonly name: string }
  /** A thing that fits is in focus. */
  | { readonly type: "focus on any"; fits(thing: Thing): boolean }
  /** A thing of this species in this stage of life is in focus. */
  | { readonly type: "focus on stage"; readonly species: string; readonly stage: string }
  /** All other aims are about the thing with which the previous goal was met. This thing must be in focus. */
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
  /** The source of power of the thing. Another source fails the task. */
  | { readonly type: "powered by"; readonly source: string };

/** The thing is in one of these states, in a state other than the present one, or in any state. */
export interface StateAim {
  readonly type: "state";
  readonly states: readonly StateOfMatter[] | "another" | "any";
  /** True if burning is accepted too. */
  readonly orBurning: boolean;
}
