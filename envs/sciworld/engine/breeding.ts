/** Breeding: how genes pass to offspring. */
import { type JavaRandom, shuffled } from "../../rng/java-random.js";
import type { Gene, Genome } from "./genetics.js";
import type { Kind, Thing, World } from "./thing.js";

/** Returns the genes of offspring, by Punnett's square: one allele of each parent, each with the same chance. */
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

/** Makes a living thing of a kind with the given genes. */
export function makeWith(genome: Genome | undefined, kind: Kind, world: World): Thing {
  const made = world.make(kind);
  if (genome && made.life) made.life.genome = genome;
  return made;
}
