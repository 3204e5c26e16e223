/** Breeding: how offspring inherit genes. */
import { type JavaRandom, shuffled } from "../../shared/rng/java-random.js";
import type { Gene, Genome } from "./genetics.js";
import type { Kind, Thing, World } from "./thing.js";

/** Draws the genes of offspring by Punnett's square: for each trait, a random allele of each parent. */
export function inherited(one: Genome, other: Genome, random: JavaRandom): Genome {
  return one.map(({ trait, alleles: [first, second] }, at) => {
    const [third, fourth] = (other[at] as Gene).alleles;
    const square: Gene["alleles"][] = [
      [first, third],
      [first, fourth],
      [second, third],
      [second, fourth],
    ];
    return { trait, alleles: shuffled(square, random)[0] as Gene["alleles"] };
  });
}

/** Makes a living thing of the given kind and genes. */
export function makeWith(genome: Genome | undefined, kind: Kind, world: World): Thing {
  const made = world.make(kind);
  if (genome && made.life) made.life.genome = genome;
  return made;
}
