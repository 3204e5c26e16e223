/** Invariants of every state of the world. */
import { expect } from "vitest";
import type { Thing } from "#palestra/envs/sciworld/engine/thing.js";
import type { Game } from "#palestra/envs/sciworld/game.js";

/** Limit on nested containers, which no episode reaches. */
const deepest = 100;

export class WorldInvariants {
  /** All objects that were ever in the world. */
  private readonly seen = new Set<Thing>();
  private moves = 0;

  constructor(private readonly game: Game) {}

  /** @throws {Error} an invariant does not hold */
  check(): void {
    const { game } = this;
    const all = this.collect();
    for (const thing of all) this.checkThing(thing, all);
    for (const thing of this.seen)
      if (!all.has(thing) && !isGone(thing)) throw new Error(`expected ${thing.name} somewhere, but it is nowhere`);
    expect(all).toContain(game.agent);
    expect(game.agent.container?.is("location"), "the agent is in a place").toBe(true);
    expect(all).toContain(game.inventory);
    const { score, moves } = game;
    expect(score === -1 || (score >= 0 && score <= 1), `a score of ${score}`).toBe(true);
    expect(moves).toBeGreaterThanOrEqual(this.moves);
    this.moves = moves;
  }

  /** Returns all objects in the universe, and checks that it is a tree: no object is in two places or in itself. */
  private collect(): Set<Thing> {
    const { universe } = this.game;
    const all = new Set<Thing>([universe]);
    for (const thing of all) {
      let age = -1;
      for (const one of thing.contents) {
        if (all.has(one)) throw new Error(`expected ${one.name} in one place, but it is in ${thing.name}, too`);
        if (one.container !== thing) throw new Error(`expected ${one.name} to be in ${thing.name} by its own word`);
        if (one.age <= age) throw new Error(`expected the contents of ${thing.name} by age`);
        age = one.age;
        all.add(one);
        this.seen.add(one);
      }
    }
    return all;
  }

  private checkThing(thing: Thing, all: ReadonlySet<Thing>): void {
    const { name, material, passage, contact, device, life } = thing;
    const wrong = (what: string) => new Error(`expected ${what} of ${name}`);
    if (thing.isDeleted) throw wrong("no deletion");
    if (name === "" || name.includes("undefined")) throw wrong("a name");
    if (material && !Number.isFinite(material.temperature)) throw wrong("a finite temperature");
    if (material && !(material.burnsFor >= 0)) throw wrong("a rest of burning that is not negative");
    if (material?.isBurning && !(material.hasBurned && material.burnsFor > 0)) throw wrong("something left to burn");
    if (passage && !(all.has(passage.from) && all.has(passage.to))) throw wrong("two ends in the world");
    if (contact && !isFastened(thing)) throw wrong("a contact fastened on both sides");
    if (device?.isActive && device.isBroken) throw wrong("a device that is broken or on");
    if (life && !life.stages.includes(life.stage)) throw wrong("a stage of its own life");
  }
}

/**
 * Returns the outermost container of an object, which decides whether the object is removed, or undefined for an object
 * in itself.
 */
function outermost(thing: Thing): Thing | undefined {
  let outer = thing;
  for (let depth = 0; outer.container; depth++) {
    if (depth > deepest) return undefined;
    outer = outer.container;
  }
  return outer;
}

/** Returns whether an object is removed or in itself: the original allows two objects to be put into each other. */
function isGone(thing: Thing): boolean {
  const outer = outermost(thing);
  return outer === undefined || outer.isDeleted || outer.isEdible;
}

function isFastened(thing: Thing): boolean {
  const other = thing.contact?.connected;
  return other === undefined || other.contact?.connected === thing;
}
