/** The world of one episode: creates things, owns the random stream, and advances time. */
import type { JavaRandom } from "../../shared/rng/java-random.js";
import { materials } from "../facts/matter/materials.js";
import { type ContactMakers, contactMakers } from "./contacts.js";
import type { Device, OpeningFacts } from "./kind-facts.js";
import { Life } from "./life.js";
import { Material } from "./material.js";
import type { Simplification } from "./simplifications.js";
import { type Kind, type Opening, Thing, type World } from "./thing.js";
import { tick } from "./tick.js";

const inactive: Device = { canActivate: false, isActive: false, isTool: false, isBroken: false };

const openings: Readonly<Record<OpeningFacts, Opening>> = {
  open: { isContainer: true, isOpen: true, canClose: false },
  closed: { isContainer: true, isOpen: false, canClose: true },
  none: { isContainer: false, isOpen: false, canClose: false },
};

export class SimulatedWorld implements World {
  /** Number of ticks that have passed. */
  time = 0;
  private made = 0;
  private readonly makers: ContactMakers;

  /** @param contactKind kind of all contacts: anodes, cathodes and terminals */
  constructor(
    readonly random: JavaRandom,
    readonly simplifications: ReadonlySet<Simplification>,
    contactKind: Kind,
  ) {
    this.makers = contactMakers(contactKind);
  }

  /** Makes a thing. @param name default: the name of the kind */
  make(kind: Kind, name = kind.name): Thing {
    const contacts = kind.contacts ?? "hidden";
    // The two contacts have ages of their own, even if they are never made.
    const age = contacts === "hidden" || contacts === "shown" ? this.made + 2 : this.made;
    const thing = new Thing(age, kind);
    thing.name = name;
    if (contacts !== "none") thing.addContacts(this.makers[contacts], { isLazy: contacts === "hidden" });
    this.made = contacts === "none" ? age + 1 : age + (contacts === "poles" ? 3 : 1);
    this.equip(thing);
    kind.furnish?.(thing, this);
    return thing;
  }

  /** Sets the age of the next thing, unless it is already larger. */
  skipTo(age: number): void {
    this.made = Math.max(this.made, age);
  }

  /** Advances time by one tick for everything in the universe. */
  tick(universe: Thing): void {
    this.time += 1;
    tick(universe, this);
  }

  private equip(thing: Thing): void {
    const { material, temperature, opening, device, isEdible, life } = thing.kind;
    if (material) thing.material = new Material(materials()[material]);
    if (thing.material && temperature !== undefined) thing.material.temperature = temperature;
    if (opening) thing.opening = { ...openings[opening] };
    if (device) thing.device = { ...inactive, ...device };
    if (life) thing.life = new Life(life.species, life.stages);
    thing.isEdible = isEdible ?? false;
  }
}
