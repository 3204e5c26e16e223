/** Properties of a kind of thing that are data, not code. The folder facts/ defines all kinds. */
import type { MaterialName } from "../facts/matter/materials.js";

/** A property of a thing that rules check, in addition to the thing's components. */
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

/** Length of a description: brief in lists, full when the agent looks at the thing. */
export type Detail = "brief" | "full";

/**
 * Initial state of a container. `open`: always open. `closed`: can be opened. `none`: not a container, and described as
 * not open.
 */
export type OpeningFacts = "open" | "closed" | "none";

/** Electrical contacts of a kind, for wires. Default: two hidden contacts. */
export type ContactFacts = "hidden" | "shown" | "poles" | "none";

export interface Device {
  canActivate: boolean;
  isActive: boolean;
  /** True for a tool, which is used on other things. */
  isTool: boolean;
  isBroken: boolean;
}

export interface KindFacts {
  /** Name of a new thing of this kind. */
  readonly name: string;
  readonly families?: readonly Family[];
  readonly material?: MaterialName;
  /** Initial temperature in degrees Celsius. Default: the initial temperature of the material. */
  readonly temperature?: number;
  readonly opening?: OpeningFacts;
  readonly device?: Readonly<Partial<Device>>;
  /** Temperature to which the device heats its contents while it is on, in degrees Celsius. */
  readonly heatsTo?: number;
  /** Temperature to which the device cools its contents while it is on, in degrees Celsius. */
  readonly coolsTo?: number;
  readonly isMovable?: boolean;
  readonly isEdible?: boolean;
  readonly contacts?: ContactFacts;
}
