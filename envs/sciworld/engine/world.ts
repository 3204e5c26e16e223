/** The world of one episode: its things by age, its randomness, and the passing of time. */
import type { JavaRandom } from "../../rng/java-random.js";
import { materials } from "../facts/materials.js";
import type { ContactFacts, Kind, OpeningFacts } from "./kind.js";
import { Life } from "./life.js";
import { Material } from "./material.js";
import type { Simplification } from "./simplifications.js";
import { type Device, type Opening, Thing } from "./thing.js";
import { tick } from "./tick.js";

const inactive: Device = { canActivate: false, isActive: false, isTool: false, isBroken: false };

const openings: Readonly<Record<OpeningFacts, Opening>> = {
  open: { isContainer: true, isOpen: true, canClose: false },
  closed: { isContainer: true, isOpen: false, canClose: true },
  none: { isContainer: false, isOpen: false, canClose: false },
};

/** Their names; those of the poles are older than they are told by. */
const contactNames: Readonly<Record<Exclude<ContactFacts, "none">, readonly [string, string]>> = {
  hidden: ["terminal 1", "terminal 2"],
  shown: ["terminal 1", "terminal 2"],
  poles: ["anode", "cathode"],
};

export class World {
  /** Ticks that have passed. */
  time = 0;
  private made = 0;

  /** @param contactKind of anodes, cathodes and terminals */
  constructor(
    readonly random: JavaRandom,
    readonly simplifications: ReadonlySet<Simplification>,
    private readonly contactKind: Kind,
  ) {}

  /** @param name in place of the kind's */
  make(kind: Kind, name = kind.name): Thing {
    const contacts = kind.contacts ?? "hidden";
    // Ordinary contacts are older than what they belong to, poles are younger: all orders follow from it.
    const age = contacts === "hidden" || contacts === "shown" ? this.made + 2 : this.made;
    const thing = new Thing(age, kind);
    thing.name = name;
    if (contacts !== "none") this.addContacts(thing, contacts, contacts === "poles" ? age + 1 : age - 2);
    this.made = contacts === "none" ? age + 1 : age + (contacts === "poles" ? 3 : 1);
    this.equip(thing);
    kind.furnish?.(thing, this);
    return thing;
  }

  /** What is made from now on is at least of that age. */
  skipTo(age: number): void {
    this.made = Math.max(this.made, age);
  }

  /** Time passes for all that is in the universe. */
  tick(universe: Thing): void {
    this.time += 1;
    tick(universe, this);
  }

  private addContacts(owner: Thing, facts: Exclude<ContactFacts, "none">, age: number): void {
    const [one, other] = contactNames[facts].map((name, at) => {
      const contact = new Thing(age + at, this.contactKind);
      contact.name = name;
      contact.isHidden = facts === "hidden";
      contact.contact = { owner, connected: undefined, voltage: undefined };
      owner.add(contact);
      return contact;
    }) as [Thing, Thing];
    owner.contacts = [one, other];
  }

  private equip(thing: Thing): void {
    const { material, temperature, opening, device, isEdible, life } = thing.kind;
    if (material) thing.material = new Material(materials[material]);
    if (thing.material && temperature !== undefined) thing.material.temperature = temperature;
    if (opening) thing.opening = { ...openings[opening] };
    if (device) thing.device = { ...inactive, ...device };
    if (life) thing.life = new Life(life);
    thing.isEdible = isEdible ?? false;
  }
}
