/** Choice of a referent for each of many things, unique if possible. */
import type { JavaRandom } from "../../rng/java-random.js";
import { byCodeUnits } from "../engine/description.js";
import type { Thing } from "../engine/thing.js";
import { fullReferents } from "./referents.js";

const rounds = 20;
/** Number of the round from which a thing with a shared referent draws a new referent at random. */
const roundsInOrder = 10;

/**
 * Chooses the referents in rounds: a thing that shares a referent with another thing takes its next referent.
 *
 * @param place place of the speaker @param random stream for draws after `roundsInOrder`
 * @returns referents in the order of the things
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

/** Removes shared referents, unless a thing would have none left. The result is sorted. */
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
