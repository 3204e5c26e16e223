/** The expert's view of the game: the whole current world, including things behind closed doors. */
import type { Objects } from "../actions/action.js";
import { destinationOf } from "../engine/naming.js";
import { byAge, type Thing } from "../engine/thing.js";
import type { Game } from "../game.js";
import { hopeless, type Step } from "./step.js";

export class Situation {
  readonly place: Thing;
  readonly inventory: Thing;
  /** All accessible things except the agent and hidden things, sorted by age. */
  readonly things: readonly Thing[];
  /** Place of each thing. */
  private readonly places = new Map<Thing, Thing>();
  /** Distances by destination. */
  private readonly distances = new Map<Thing, ReadonlyMap<Thing, number>>();

  constructor(readonly game: Game) {
    this.place = game.agent.container as Thing;
    this.inventory = game.inventory;
    for (const place of game.universe.contents) if (place.is("location")) this.collect(place, place);
    this.things = [...this.places.keys()].sort(byAge);
  }

  private collect(thing: Thing, place: Thing): void {
    for (const one of thing.visibleContents()) {
      if (one === this.game.agent) continue;
      this.places.set(one, place);
      if (one.isOpen || one.opening?.canClose) this.collect(one, place);
    }
    if (thing === this.place) this.collect(this.game.agent, place);
  }

  /** Returns the place of a thing, or undefined if the thing is inaccessible. For a place, returns the place itself. */
  placeOf(thing: Thing): Thing | undefined {
    return thing.is("location") ? thing : this.places.get(thing);
  }

  isCarried(thing: Thing): boolean {
    return thing === this.inventory || (thing.container !== undefined && this.isCarried(thing.container));
  }

  can(action: string): boolean {
    return this.game.actions.some(({ name }) => name === action);
  }

  /** Returns a command, or `hopeless` if the action is not available in this episode. */
  do(name: string, ...objects: Objects): Step {
    const action = this.game.actions.find((one) => one.name === name);
    return action ? { action, objects } : hopeless;
  }

  /** Returns the number of steps until the agent has reached a thing. */
  distanceTo(thing: Thing): number {
    const place = this.placeOf(thing);
    return place ? this.distance(this.place, place) + closedAround(thing).length : Number.POSITIVE_INFINITY;
  }

  distanceBetween(thing: Thing, other: Thing): number {
    const [from, to] = [this.placeOf(thing), this.placeOf(other)];
    return from && to ? this.distance(from, to) : Number.POSITIVE_INFINITY;
  }

  /** Returns the nearest thing with this name. */
  named(name: string): Thing | undefined {
    return this.nearest((thing) => thing.name.toLowerCase() === name.toLowerCase());
  }

  nearest(fits: (thing: Thing) => boolean): Thing | undefined {
    return this.byDistance(fits)[0];
  }

  /**
   * Returns the things that satisfy `fits`, the nearest first. Of two things at the same distance, the older comes
   * first.
   */
  byDistance(fits: (thing: Thing) => boolean): Thing[] {
    return this.things.filter(fits).sort((one, other) => this.distanceTo(one) - this.distanceTo(other));
  }

  /** Returns the number of steps between two places. */
  private distance(from: Thing, to: Thing): number {
    if (from === to) return 0;
    if (this.can("teleport to location")) return 1;
    return this.distancesTo(to).get(from) ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the distance in steps from every place to a place. A closed door takes one more step. */
  distancesTo(goal: Thing): ReadonlyMap<Thing, number> {
    const known = this.distances.get(goal);
    if (known) return known;
    const found = new Map([[goal, 0]]);
    this.distances.set(goal, found);
    // A place with a shorter distance is visited again, since the place may shorten other distances.
    for (const [place, distance] of found) {
      for (const door of place.passages) {
        const before = destinationOf(door, place);
        const total = distance + stepsThrough(door);
        if (!before || total >= (found.get(before) ?? Number.POSITIVE_INFINITY)) continue;
        found.delete(before);
        found.set(before, total);
      }
    }
    return found;
  }
}

export function stepsThrough(door: Thing): number {
  return door.passage?.isOpen ? 1 : 2;
}

/** Returns the closed containers around a thing, the outermost first. */
export function closedAround(thing: Thing): Thing[] {
  const found: Thing[] = [];
  for (let one = thing.container; one && !one.is("location"); one = one.container)
    if (one.opening && !one.isOpen) found.unshift(one);
  return found;
}
