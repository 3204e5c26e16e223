/** Steps that power a device: a wire connects each of its two poles to a pole of a source. */
import type { Contact, Thing } from "../engine/thing.js";
import { solarPanel, windGenerator } from "../facts/things/electrical.js";
import { goTo, turnedOn } from "./going.js";
import { bringTo, carry } from "./handling.js";
import { closedAround, type Situation } from "./situation.js";
import { cheapest, hopeless, type Step } from "./step.js";

const outdoor = new Set([solarPanel, windGenerator]);
const isOutdoor = ({ kind }: Thing) => outdoor.has(kind);

/** Returns the next step to power a device. @param name name of the source. Default: any source */
export function power(consumer: Thing, name: string | undefined, situation: Situation): Step {
  if (consumer.device?.isActive) return undefined;
  const isSource = (thing: Thing) => thing.is("generator") && (name === undefined || thing.name === name);
  const ways = situation.things.filter(isSource).map((source) => ({
    cost: situation.distanceTo(source) + effortWith(source, situation),
    step: () => powerFrom(source, consumer, situation),
  }));
  return cheapest(ways);
}

function effortWith(source: Thing, situation: Situation): number {
  const outside = outsideOf(situation);
  if (!isOutdoor(source)) return source.device?.isActive ? 0 : 1;
  return outside ? situation.distanceBetween(source, outside) : Number.POSITIVE_INFINITY;
}

/** Moves both things before they are wired, since a thing loses its wires when it is moved. */
function powerFrom(source: Thing, consumer: Thing, situation: Situation): Step {
  return (
    (isOutdoor(source) ? setUpOutside(source, consumer, situation) : undefined) ??
    bringTo(consumer, source, situation) ??
    wire(source, consumer, situation) ??
    (isOutdoor(source) ? undefined : turnedOn(source, situation)) ??
    situation.do("wait1")
  );
}

/** Puts a source down outside, since sun and wind do not reach the inventory. */
function setUpOutside(source: Thing, consumer: Thing, situation: Situation): Step {
  const outside = outsideOf(situation);
  if (!outside) return hopeless;
  const isThere = (thing: Thing) => situation.placeOf(thing) === outside;
  if (isThere(source) && !situation.isCarried(source) && closedAround(source).length === 0) return undefined;
  return (
    carry(source, situation) ??
    (isThere(consumer) ? undefined : carry(consumer, situation)) ??
    goTo(outside, situation) ??
    situation.do("put down", source)
  );
}

/**
 * Connects the anode of the source to the cathode of the consumer, and the cathode of the source to the anode of the
 * consumer.
 */
function wire(source: Thing, consumer: Thing, situation: Situation): Step {
  const [anode, cathode] = contactsOf(source);
  const [itsAnode, itsCathode] = contactsOf(consumer);
  return join(anode, itsCathode, situation) ?? join(cathode, itsAnode, situation);
}

function join(one: Thing, other: Thing, situation: Situation): Step {
  const ends = [one.contact, other.contact] as [Contact, Contact];
  if (ends[0].connected === other) return undefined;
  const taken = ends.find(({ connected }) => connected);
  return taken
    ? situation.do("disconnect electrically", taken.owner)
    : situation.do("connect electrically", one, other);
}

const contactsOf = ({ contacts }: Thing) => contacts as readonly [Thing, Thing];

const outsideOf = ({ game }: Situation) => game.universe.contents.find((place) => place.is("outside"));
