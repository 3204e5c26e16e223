/** Descriptions of things, alone and in lists. */
import type { Detail } from "./kind-facts.js";
import { destinationOf } from "./naming.js";
import { byAge, type Thing } from "./thing.js";

/** Describes a thing as seen from a place. @returns undefined if the thing is hidden */
export function look(thing: Thing, detail: Detail, place: Thing): string | undefined {
  if (thing.isHidden) return undefined;
  return thing.passage ? describePassage(thing, place) : thing.kind.describe(thing, detail);
}

function describePassage(thing: Thing, place: Thing): string {
  const { isOpen, from, to } = thing.passage as NonNullable<Thing["passage"]>;
  const state = isOpen ? "open" : "closed";
  if (thing.is("drain")) return `A ${thing.name}, which is ${state}`;
  const destination = destinationOf(thing, place);
  if (destination) return `A ${thing.name} to the ${destination.name} (that is ${state})`;
  return `A ${thing.name} that connects the ${from.name} to the ${to.name} (that is ${state})`;
}

interface ListOptions {
  /** Place of the observer. */
  place: Thing;
  detail?: Detail;
}

/** Describes things in one line, separated by commas and sorted by name, then by age. */
export function inOneLine(things: readonly Thing[], options: ListOptions): string {
  const looks = looksOf(things, options);
  return looks.length > 0 ? looks.join(", ") : "nothing";
}

/** Describes things in indented lines, one line for each thing. */
export function inLines(things: readonly Thing[], options: ListOptions): string {
  return asLines(looksOf(things, options));
}

/** Describes the passages of a place, one line for each, sorted and without duplicates. */
export function passagesInLines(place: Thing): string {
  const looks = place.passages.flatMap((passage) => look(passage, "brief", place) ?? []);
  return asLines([...new Set(looks)].sort(byCodeUnits));
}

function looksOf(things: readonly Thing[], { place, detail = "brief" }: ListOptions): string[] {
  const sorted = [...things].sort((one, other) => byCodeUnits(one.name, other.name) || byAge(one, other));
  return sorted.flatMap((thing) => look(thing, detail, place) ?? []);
}

function asLines(looks: readonly string[]): string {
  return looks.length > 0 ? looks.map((text) => `\t${text}\n`).join("") : "\tnothing";
}

export function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
