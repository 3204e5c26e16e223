/** Matches an input with the patterns of actions and finds all possible meanings. */
import type { Pattern } from "../actions/action.js";
import type { Visit } from "../engine/reach.js";
import { byAge, type Thing } from "../engine/thing.js";
import { contactStems } from "../facts/things/electrical.js";
import { begins, referentsBeginning } from "./referents.js";

/** The things that an input may refer to, and the place of the agent. */
export interface Reach {
  readonly place: Thing;
  visit(visit: Visit): void;
}

/** A thing with a referent at the start of the remaining input, and the text after this referent. */
interface Hit {
  readonly thing: Thing;
  readonly rest: string;
}

/** One input, which is matched with the patterns of many actions. */
export class Matching {
  private readonly hits = new Map<string, readonly Hit[]>();

  constructor(
    private readonly input: string,
    private readonly reach: Reach,
  ) {}

  /**
   * Matches the input with a pattern. @returns for each meaning the things in the slots, in order; without duplicates
   */
  with(pattern: Pattern): Thing[][] {
    const found: Thing[][] = [];
    this.match(this.input, pattern, 0, [], found);
    if (found.length < 2) return found;
    return found.filter((one, at) => !found.slice(0, at).some((other) => isSame(one, other)));
  }

  private match(rest: string, pattern: Pattern, at: number, soFar: readonly Thing[], found: Thing[][]): void {
    const element = pattern[at];
    if (!element) {
      if (rest.length === 0) found.push([...soFar]);
    } else if ("slot" in element) {
      for (const hit of this.hitsOf(rest)) this.match(hit.rest, pattern, at + 1, [...soFar, hit.thing], found);
    } else {
      for (const words of element)
        if (rest.startsWith(words)) this.match(rest.slice(words.length).trim(), pattern, at + 1, soFar, found);
    }
  }

  /** Returns the hits at the start of the remaining input, sorted by the age of the thing, then by referent. */
  private hitsOf(rest: string): readonly Hit[] {
    const known = this.hits.get(rest);
    if (known) return known;
    const { place } = this.reach;
    const named = new Map<Thing, readonly string[]>();
    const consider = (thing: Thing) => {
      const referents = referentsBeginning(rest, thing, place);
      if (referents.length > 0) named.set(thing, referents);
    };
    const isOfContact = contactStems.some((stem) => rest.startsWith(stem));
    this.reach.visit((thing, hasContacts) => {
      consider(thing);
      if (hasContacts && (isOfContact || begins(rest, thing.name))) thing.contacts?.forEach(consider);
    });
    const inOrder = named.size > 1 ? [...named].sort(([one], [other]) => byAge(one, other)) : named;
    const hits: Hit[] = [];
    for (const [thing, referents] of inOrder)
      for (const referent of referents) hits.push({ thing, rest: rest.slice(referent.length).trim() });
    this.hits.set(rest, hits);
    return hits;
  }
}

function isSame(one: readonly Thing[], other: readonly Thing[]): boolean {
  return one.every((thing, at) => thing === other[at]);
}
