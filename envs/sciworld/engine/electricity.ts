/**
 * Electricity. A generator has voltage at its anode and ground at its cathode. In each tick, voltage advances by one
 * thing. It passes only through a conducting thing whose other contact is connected to ground.
 */
import type { Contact, Thing } from "./thing.js";

export const voltageOfGenerators = 9;
export const ground = 0;

/** Maximum number of things in a circuit that are searched for ground. */
const longestCircuit = 10;

const contactOf = (thing: Thing) => thing.contact as Contact;

/** Passes voltage through an unpolarized thing, if it conducts. */
export function conduct(thing: Thing, { activates }: { activates: boolean }): void {
  const { contacts } = thing;
  if (!contacts || thing.is("polarized")) return;
  const [one, other] = contacts;
  if (!thing.is("unpolarized") && !thing.material?.conductsElectricity) {
    contactOf(one).voltage = undefined;
    contactOf(other).voltage = undefined;
    return;
  }
  if (activates && thing.device) thing.device.isActive = false;
  const grounded =
    connectsToGround(one) && connectsToVoltage(other)
      ? one
      : connectsToGround(other) && connectsToVoltage(one)
        ? other
        : undefined;
  if (!grounded) return;
  contactOf(grounded).voltage = voltageOfGenerators;
  if (activates && thing.device) thing.device.isActive = true;
}

/** Updates a polarized device: it is on if its anode is connected to ground and its cathode to voltage. */
export function drawPower(thing: Thing): void {
  const [anode, cathode] = thing.contacts as readonly [Thing, Thing];
  const { device } = thing;
  if (!device) return;
  device.isActive = connectsToGround(anode) && connectsToVoltage(cathode);
  if (device.isActive) contactOf(anode).voltage = voltageOfGenerators;
}

export function generate(thing: Thing): void {
  const [anode, cathode] = thing.contacts as readonly [Thing, Thing];
  const isOn = thing.device?.isActive ?? false;
  contactOf(anode).voltage = isOn ? voltageOfGenerators : undefined;
  contactOf(cathode).voltage = isOn ? ground : undefined;
}

function connectsToVoltage(contact: Thing): boolean {
  return contactOf(contact).connected?.contact?.voltage === voltageOfGenerators;
}

function connectsToGround(contact: Thing, steps = longestCircuit): boolean {
  const next = contactOf(contact).connected;
  if (!next) return false;
  const { owner, voltage } = contactOf(next);
  if (owner.is("generator")) return voltage === ground;
  const conducts = owner.is("polarized") || owner.is("unpolarized") || owner.material?.conductsElectricity;
  const further = conducts ? otherContact(owner, next) : undefined;
  return further !== undefined && steps > 0 && connectsToGround(further, steps - 1);
}

/** Returns the other contact of a thing, or undefined for a switch that is off. */
export function otherContact(thing: Thing, contact: Thing): Thing | undefined {
  const { contacts, device } = thing;
  if (thing.is("switch") && !device?.isActive) return undefined;
  if (contact === contacts?.[0]) return contacts[1];
  return contact === contacts?.[1] ? contacts[0] : undefined;
}

/** Returns the things that are connected to the contacts of a thing. */
export function neighbours({ contacts }: Thing): Thing[] {
  return contacts?.flatMap((contact) => neighbourAt(contact) ?? []) ?? [];
}

export function neighbourAt(contact: Thing): Thing | undefined {
  return contactOf(contact).connected?.contact?.owner;
}

/**
 * Whether a chain of connected things, which need not conduct, leads from the second contact to a thing with this name.
 */
export function leadsTo(thing: Thing, name: string): boolean {
  let contact = thing.contacts?.[1];
  for (let steps = 0; contact && steps < longestCircuit; steps++) {
    const next = contactOf(contact).connected;
    if (!next) return false;
    const { owner } = contactOf(next);
    if (owner.name === name) return true;
    contact = otherContact(owner, next);
  }
  return false;
}

export function isConnected(thing: Thing): boolean {
  if (!thing.hasBeenWired) return false;
  return thing.contacts?.some((contact) => contactOf(contact).connected !== undefined) ?? false;
}

/** Returns the first unconnected contact of an unpolarized thing. */
export function freeContact({ contacts }: Thing): Thing | undefined {
  return contacts?.find((contact) => contactOf(contact).connected === undefined);
}

export function connect(one: Thing, other: Thing): void {
  contactOf(one).connected = other;
  contactOf(other).connected = one;
  contactOf(one).owner.hasBeenWired = true;
  contactOf(other).owner.hasBeenWired = true;
}

/** Disconnects all contacts of a thing. */
export function disconnect(thing: Thing): void {
  if (!thing.hasBeenWired) return;
  for (const contact of thing.contacts ?? []) {
    const { connected } = contactOf(contact);
    contactOf(contact).connected = undefined;
    if (connected) contactOf(connected).connected = undefined;
  }
}
