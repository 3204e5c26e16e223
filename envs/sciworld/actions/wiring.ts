/** Actions that connect and disconnect contacts. */
import { connect, disconnect, freeContact } from "../engine/electricity.js";
import type { Contact, Thing } from "../engine/thing.js";
import { type Action, slot } from "./action.js";

const wiring: Action = {
  name: "connect electrically",
  id: 16,
  pattern: [["connect"], slot("terminalA"), ["to", "in", "into"], slot("terminalB")],
  refuse: ([one, other]) => refuse(one as Thing, other as Thing),
  perform(things) {
    const [one, other] = things.map((thing) => contactOf(thing) as Thing) as [Thing, Thing];
    connect(one, other);
    return `${told(one)} is now connected to ${told(other)}`;
  },
};

const unwiring: Action = {
  name: "disconnect electrically",
  id: 17,
  pattern: [["disconnect"], slot("obj")],
  refuse([thing]) {
    if (!thing?.contact) return undefined;
    const { owner } = thing.contact;
    return `You must disconnect entire objects (such as ${owner.name}) instead of just single terminals`;
  },
  perform([thing]) {
    if (thing) disconnect(thing);
    return `${thing?.name} has been disconnected`;
  },
};

export const wiringActions = [wiring, unwiring];

const told = (thing: Thing) => `${thing.name} on ${(thing.contact as Contact).owner.name}`;

/** Returns the thing itself if it is a contact, else its first unconnected contact. */
function contactOf(thing: Thing): Thing | undefined {
  return thing.contact ? thing : freeContact(thing);
}

function refuse(one: Thing, other: Thing): string | undefined {
  const unclear = refuseContact(one) ?? refuseContact(other);
  if (unclear) return unclear;
  const contacts = [contactOf(one), contactOf(other)] as [Thing, Thing];
  if (contacts[0] === contacts[1]) return "Something can't be connected to itself.";
  const taken = contacts.find((contact) => contact.contact?.connected);
  if (!taken) return undefined;
  return `${told(taken)} is already connected, and must be disconnected before it can be connected to something else`;
}

function refuseContact(thing: Thing): string | undefined {
  if (thing.contact) return undefined;
  const points = "Connections must specify specific points of contact on";
  if (thing.is("polarized")) return `${points} polarized electrical components (e.g. anode, cathode)`;
  if (thing.is("unpolarized")) return `${points} unpolarized electrical components (e.g. terminal 1, terminal 2)`;
  if (!thing.contacts) return `It's not clear how to connect something to ${thing.name}`;
  if (freeContact(thing)) return undefined;
  return `${thing.name} is already connected, and must be disconnected before it can be connected to something else`;
}
