/** Aims: conditions of ordered goals as data, which the expert reads. */
import type { StateOfMatter } from "../engine/material.js";
import type { Thing } from "../engine/thing.js";

export type Aim =
  /** A thing with this name is in focus. */
  | { readonly type: "focus on"; readonly name: string }
  /** A thing that satisfies `fits` is in focus. */
  | { readonly type: "focus on any"; fits(thing: Thing): boolean }
  /** A thing of this species in this stage of life is in focus. */
  | { readonly type: "focus on stage"; readonly species: string; readonly stage: string }
  /** This aim and all following aims are about the thing that met the previous goal, which must be in focus. */
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
  /** The source with this name powers the thing. A different source fails the task. */
  | { readonly type: "powered by"; readonly source: string };

/** The thing is in one of the listed states of matter, in a different state than now ("another"), or in any state. */
export interface StateAim {
  readonly type: "state";
  readonly states: readonly StateOfMatter[] | "another" | "any";
  /** True if a burning thing is accepted too. */
  readonly orBurning: boolean;
}
