/** Facts about a kind of thing that need no code. The tables of all kinds are in facts/. */
import type { MaterialName } from "../facts/materials.js";

/** A property that rules read, in addition to the components of a thing. */
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
  /** The thing has an anode and a cathode. */
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

/** Length of a description: brief in a list, full when the thing is looked at. */
export type Detail = "brief" | "full";

/** `open`: cannot be closed. `closed`: can be opened. `none`: has no contents, and replies that it is not open. */
export type OpeningFacts = "open" | "closed" | "none";

/** Contacts for wires. Every kind that states nothing else has two hidden contacts. */
export type ContactFacts = "hidden" | "shown" | "poles" | "none";

export interface Device {
  canActivate: boolean;
  isActive: boolean;
  /** True for a tool that is used on other things. */
  isTool: boolean;
  isBroken: boolean;
}

export interface KindFacts {
  /** Name of a new thing of this kind. */
  readonly name: string;
  readonly families?: readonly Family[];
  readonly material?: MaterialName;
  /** Temperature of a new thing, in degrees Celsius. Default: the temperature of the material. */
  readonly temperature?: number;
  readonly opening?: OpeningFacts;
  readonly device?: Readonly<Partial<Device>>;
  /** Temperature to which the active device heats its contents, in degrees Celsius. */
  readonly heatsTo?: number;
  /** Temperature to which the active device cools its contents, in degrees Celsius. */
  readonly coolsTo?: number;
  readonly isMovable?: boolean;
  readonly isEdible?: boolean;
  readonly contacts?: ContactFacts;
}
