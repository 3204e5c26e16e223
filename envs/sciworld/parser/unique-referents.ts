/** For each of many things one referent, by which it is told from the others if that can be had. */
import type { JavaRandom } from "../../rng/java-random.js";
import { byCodeUnits } from "../engine/description.js";
import type { Thing } from "../engine/thing.js";
import { fullReferents } from "./referents.js";

const rounds = 20;
/** From then on, what still shares its referent with another thing takes any of its own. */
const roundsInOrder = 10;

/**
 * In each round whatever shares its referent with another thing takes the next one.
 *
 * @param place from where they are named @param random drawn from after some rounds
 * @returns in the order of the things
 */
export function uniqueReferents(things: readonly Thing[], place: Thing, random: JavaRandom): string[] {
  const referents = withoutShared(things.map((thing) => [...fullReferents(thing, place)]));
  const chosen = referents.map(() => 0);
  const choice = (at: number) => referents[at]?.[chosen[at] as number] as string;
  for (let round = 0; round < rounds; round++) {
    const counts = count(referents.map((_, at) => choice(at)));
    if (counts.size === referents.length) break;
    for (const [at, { length }] of referents.entries()) {
      if (counts.get(choice(at)) === 1) continue;
      chosen[at] = round < roundsInOrder ? ((chosen[at] as number) + 1) % length : random.nextInt(length);
    }
  }
  return referents.map((_, at) => choice(at));
}

/** Only what no other thing is called, but all of a thing that has nothing to itself. Sorted. */
function withoutShared(referents: readonly (readonly string[])[]): string[][] {
  const counts = count(referents.flat());
  return referents.map((all) => {
    const own = all.filter((referent) => counts.get(referent) === 1);
    return [...(own.length > 0 ? own : all)].sort(byCodeUnits);
  });
}

function count(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
