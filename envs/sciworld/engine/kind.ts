/** Kinds of things: the facts of each, its words, its looks, and its rule. The tables are in facts/. */
import type { MaterialName } from "../facts/materials.js";
import type { LifeFacts } from "./life.js";
import type { Device, Thing } from "./thing.js";
import type { World } from "./world.js";

/** What rules ask of a thing beyond its components. */
export type Family =
  | "agent"
  | "location"
  | "outside"
  | "door"
  | "drain"
  | "water"
  | "toilet"
  | "contact"
  | "generator"
  | "light bulb"
  | "switch"
  /** Has an anode and a cathode. */
  | "polarized"
  | "unpolarized"
  | "document"
  | "answer box"
  | "living thing"
  | "animal"
  | "plant"
  | "tree"
  | "flower"
  | "pollen";

/** In a list of what is somewhere, or looked at by itself. */
export type Detail = "brief" | "full";

/** `open` cannot be closed; `closed` can be opened; `none` is asked, but holds nothing. */
export type OpeningFacts = "open" | "closed" | "none";

/** Where wires are fastened: anything else has two contacts that nobody sees. */
export type ContactFacts = "hidden" | "shown" | "poles" | "none";

export interface Kind {
  /** What its things are called at first. */
  readonly name: string;
  readonly families?: readonly Family[];
  readonly material?: MaterialName;
  /** At first; else the material's. */
  readonly temperature?: number;
  readonly opening?: OpeningFacts;
  readonly device?: Readonly<Partial<Device>>;
  /** While it is on, it heats what is in it up to there, in degrees Celsius, or cools it. */
  readonly heatsTo?: number;
  readonly coolsTo?: number;
  readonly isMovable?: boolean;
  readonly isEdible?: boolean;
  readonly contacts?: ContactFacts;
  readonly life?: LifeFacts;

  /** What it comes with. */
  furnish?(thing: Thing, world: World): void;
  /** Its name as it is now, before fire is told of. Left out: the thing's name. */
  presentName?(thing: Thing): string;
  /** All that it may be called by; the order means nothing. */
  words(thing: Thing): readonly string[];
  /** What each of its words begins with, where those are long to make. Left out: the words. */
  stems?(thing: Thing): readonly string[];
  describe(thing: Thing, detail: Detail): string;
  /** What it does by itself in each tick, before physics. */
  live?(thing: Thing, world: World): void;
  /** What using it on a thing says; undefined: that is no use of it. */
  use?(thing: Thing, patient: Thing, world: World): string | undefined;
}
