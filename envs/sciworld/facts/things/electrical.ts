/** Electrical things: sources of power, consumers, switches and wires. */
import { conduct, drawPower, generate } from "../../engine/electricity.js";
import type { Device } from "../../engine/kind-facts.js";
import { nameOf } from "../../engine/naming.js";
import type { Contact, Kind, Thing } from "../../engine/thing.js";
import { called } from "../matter/words.js";
import { off, power } from "./devices.js";

const alwaysOn: Partial<Device> = { isActive: true };

function connectedTo(contact: Thing): string {
  const { connected } = contact.contact as Contact;
  return connected ? connected.kind.describe(connected, "brief") : "nothing";
}

/** Describes what is connected to the contacts of a thing. */
function connections({ contacts }: Thing): string {
  return (contacts ?? []).map((contact) => `its ${contact.name} is connected to: ${connectedTo(contact)}. `).join("");
}

/** Prefixes of the words for contacts. All further words start with the name of the owner. */
export const contactStems: readonly string[] = ["terminal", "anode", "cathode"];

/** The kind of anodes, cathodes and terminals. */
export const contact: Kind = {
  name: "terminal",
  families: ["contact"],
  contacts: "none",
  isMovable: false,
  words(thing) {
    const { owner } = thing.contact as Contact;
    const { name } = thing;
    const full = nameOf(thing);
    return ["terminal", name, `${name} on ${owner.name}`, `${owner.name} ${name}`, full, `${full} on ${owner.name}`];
  },
  describe(thing, detail) {
    const { owner } = thing.contact as Contact;
    if (detail === "brief") return `a ${nameOf(thing)} on ${owner.name}`;
    return `a ${nameOf(thing)}.  it is connected to: ${connectedTo(thing)}. `;
  },
};

/** Returns a kind of thing with an anode and a cathode. */
function polarized(name: string, words: Kind["words"], more: Partial<Kind>): Kind {
  return {
    name,
    families: ["polarized"],
    contacts: "poles",
    device: {},
    words,
    describe(thing, detail) {
      const looks = `a ${nameOf(thing)}, which is ${power(thing)}`;
      return detail === "full" ? `${looks}. ${connections(thing)}` : looks;
    },
    ...more,
  };
}

const consumer = (name: string, words: Kind["words"], more: Partial<Kind> = {}) =>
  polarized(name, words, { live: drawPower, ...more });

export const lightBulb = (color: string) =>
  consumer(`${color} light bulb`, called("light", "light bulb"), { families: ["polarized", "light bulb"] });
export const electricBuzzer = consumer("electric buzzer", called("buzzer", "electric buzzer"));
export const electricMotor = consumer("electric motor", called("motor", "electric motor"));

/** Switch. It passes ground while it is on, and never passes voltage. */
export const electricSwitch = polarized("switch", called("component"), {
  families: ["polarized", "switch"],
  device: off,
});

function generator(name: string, device: Partial<Device>, more: Partial<Kind> = {}): Kind {
  const families = ["polarized", "generator"] as const;
  return polarized(name, called("generator"), { families, device, live: generate, ...more });
}

/** Battery. It is always on, but its description does not mention this. */
export const battery = generator("battery", alwaysOn, {
  describe: (thing, detail) => (detail === "full" ? `a ${nameOf(thing)}. ${connections(thing)}` : `a ${nameOf(thing)}`),
});
export const gasGenerator = generator("gas generator", off);
export const nuclearGenerator = generator("nuclear generator", off);

/** Maximum number of nested containers through which sun and wind reach a generator. */
const reach = 10;

function isOutdoors(thing: Thing): boolean {
  let place = thing.container;
  for (let depth = 0; depth < reach && place; depth++) {
    if (place.is("outside")) return true;
    if (!place.isOpen) return false;
    place = place.container;
  }
  return false;
}

const live: Kind["live"] = (thing) => {
  if (thing.device) thing.device.isActive = isOutdoors(thing);
  generate(thing);
};
export const solarPanel = generator("solar panel", {}, { live });
export const windGenerator = generator("wind generator", {}, { live });

export const wire: Kind = {
  name: "wire",
  families: ["unpolarized"],
  material: "metal",
  contacts: "shown",
  device: {},
  words: called("component"),
  live: (thing) => conduct(thing, { activates: true }),
  describe: (thing, detail) => `a ${nameOf(thing)}${detail === "full" ? connections(thing) : ""}`,
};
