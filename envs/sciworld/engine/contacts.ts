/** Makes the electrical contacts of things. */
import type { ContactFacts } from "./kind-facts.js";
import { type ContactMaker, type ContactPair, type Kind, Thing } from "./thing.js";

export type ContactMakers = Readonly<Record<Exclude<ContactFacts, "none">, ContactMaker>>;

/** @param kind kind of all contacts: anodes, cathodes and terminals */
export function contactMakers(kind: Kind): ContactMakers {
  const make = (owner: Thing, names: readonly [string, string], age: number, isHidden: boolean): ContactPair => {
    const contactOf = (name: string, at: number): Thing => {
      const contact = new Thing(age + at, kind);
      contact.name = name;
      contact.isHidden = isHidden;
      contact.contact = { owner, connected: undefined, voltage: undefined };
      owner.add(contact);
      return contact;
    };
    return [contactOf(names[0], 0), contactOf(names[1], 1)];
  };
  // Ordinary contacts are older than their owner, poles are younger. The order of every list follows from the ages.
  return {
    hidden: (owner) => make(owner, ["terminal 1", "terminal 2"], owner.age - 2, true),
    shown: (owner) => make(owner, ["terminal 1", "terminal 2"], owner.age - 2, false),
    poles: (owner) => make(owner, ["anode", "cathode"], owner.age + 1, false),
  };
}
