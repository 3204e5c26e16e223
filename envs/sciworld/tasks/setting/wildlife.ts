/** Animals that tasks about living things put outside. */
import { JavaRandom, shuffled } from "../../../shared/rng/java-random.js";
import type { Kind, Thing, World } from "../../engine/thing.js";
import * as animals from "../../facts/living/animals.js";

/** Place of the animals. */
export const wilderness = "outside";

export const wildlife: readonly Kind[] = [
  ...[animals.butterfly, animals.moth, animals.frog, animals.toad, animals.giantTortoise, animals.turtle],
  ...[animals.crocodile, animals.parrot, animals.dove, animals.blueJay, animals.elephant, animals.brownBear],
  ...[animals.beaver, animals.wolf],
];

/** Makes newborn animals of random kinds. @param seed seed of the choice, which is the same in every episode */
export function someAnimals(count: number, seed: number, world: World): Thing[] {
  const made = wildlife.map((kind) => world.make(kind));
  return shuffled(made, new JavaRandom(seed)).slice(0, count);
}

/** Makes one animal in each stage of life. */
export function inAllStages(kind: Kind, world: World): Thing[] {
  return (kind.life?.stages ?? []).map(({ name }) => {
    const made = world.make(kind);
    made.life?.enter(name);
    return made;
  });
}
