/** Turning on what is electrical: a circuit of it and a source of power, straight from pole to pole. */
import type { Contact, Thing } from "../engine/thing.js";
import { solarPanel, windGenerator } from "../facts/electrical.js";
import { canBeTurnedOn, goTo, reach, turnedOn } from "./going.js";
import { carry } from "./handling.js";
import { closedAround, type Situation } from "./situation.js";
import { cheapest, hopeless, type Step } from "./step.js";

const outdoor = new Set([solarPanel, windGenerator]);
const isOutdoor = ({ kind }: Thing) => outdoor.has(kind);

/** @param name of the source; left out: any */
export function power(consumer: Thing, name: string | undefined, situation: Situation): Step {
  if (consumer.device?.isActive) return undefined;
  const isSource = (thing: Thing) => thing.is("generator") && (name === undefined || thing.name === name);
  const ways = situation.things.filter(isSource).map((source) => ({
    cost: situation.distanceTo(source) + (isOutdoor(source) ? distanceToOutside(source, situation) : 0),
    step: () => powerFrom(source, consumer, situation),
  }));
  return cheapest(ways);
}

function powerFrom(source: Thing, consumer: Thing, situation: Situation): Step {
  return (
    (isOutdoor(source) ? setUpOutside(source, consumer, situation) : undefined) ??
    bringTogether(source, consumer, situation) ??
    wire(source, consumer, situation) ??
    (isOutdoor(source) ? undefined : turnedOnSource(source, situation)) ??
    situation.do("wait1")
  );
}

/** What is moved loses its wires: so first things first. */
function setUpOutside(source: Thing, consumer: Thing, situation: Situation): Step {
  const outside = outsideOf(situation);
  if (!outside) return hopeless;
  const isSetUp =
    situation.placeOf(source) === outside && !situation.isCarried(source) && closedAround(source).length === 0;
  if (isSetUp) return undefined;
  return (
    carry(source, situation) ??
    (situation.placeOf(consumer) === outside ? undefined : carry(consumer, situation)) ??
    goTo(outside, situation) ??
    situation.do("put down", source)
  );
}

function bringTogether(source: Thing, consumer: Thing, situation: Situation): Step {
  const areTogether = situation.placeOf(source) === situation.placeOf(consumer);
  return (
    (areTogether ? undefined : carry(consumer, situation)) ?? reach(source, situation) ?? reach(consumer, situation)
  );
}

/** Voltage comes from the anode, and goes in at the cathode. */
function wire(source: Thing, consumer: Thing, situation: Situation): Step {
  const [anode, cathode] = contactsOf(source);
  const [itsAnode, itsCathode] = contactsOf(consumer);
  return join(anode, itsCathode, situation) ?? join(cathode, itsAnode, situation);
}

function join(one: Thing, other: Thing, situation: Situation): Step {
  const [{ owner, connected }, contact] = [one.contact as Contact, other.contact as Contact];
  if (connected === other) return undefined;
  if (connected) return situation.do("disconnect electrically", owner);
  if (contact.connected) return situation.do("disconnect electrically", contact.owner);
  return situation.do("connect electrically", one, other);
}

const contactsOf = ({ contacts }: Thing) => contacts as readonly [Thing, Thing];

function turnedOnSource(source: Thing, situation: Situation): Step {
  return source.device?.isActive || canBeTurnedOn(source) ? turnedOn(source, situation) : hopeless;
}

function outsideOf({ game }: Situation): Thing | undefined {
  return game.universe.contents.find((place) => place.is("outside"));
}

function distanceToOutside(thing: Thing, situation: Situation): number {
  const outside = outsideOf(situation);
  return outside ? situation.distanceBetween(thing, outside) : Number.POSITIVE_INFINITY;
}
