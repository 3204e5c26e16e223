/** Chooses a referent for each of many things, which is unique if possible. */
import type { JavaRandom } from "../../shared/rng/java-random.js";
import { byCodeUnits } from "../engine/description.js";
import type { Thing } from "../engine/thing.js";
import { fullReferents } from "./referents.js";

const rounds = 20;
/** Number of rounds in which a thing takes its next referent. In later rounds it draws a referent at random. */
const roundsInOrder = 10;

/**
 * Chooses referents in rounds. In each round, all things that share a referent change to a different referent of their
 * own.
 *
 * @param place place of the agent @param random stream for the rounds after `roundsInOrder`
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

/**
 * Returns the referents of each thing without shared referents, or all of them if no other is left. Each list is
 * sorted.
 */
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
