/** Traits, of which each parent gives an allele: a recessive one shows only beside its like. */
import { type JavaRandom, shuffled } from "../../rng/java-random.js";
import type { Kind } from "./kind.js";
import type { Thing } from "./thing.js";
import type { World } from "./world.js";

export interface Trait {
  readonly name: string;
  readonly dominant: string;
  readonly recessive: string;
}

export type Allele = "dominant" | "recessive";

export interface Gene {
  readonly trait: Trait;
  readonly alleles: readonly [Allele, Allele];
}

export type Genome = readonly Gene[];

const drawable: readonly Allele[] = ["dominant", "recessive"];

/** Of the one parent for all traits, then of the other: what `genomeFrom` reads. */
export function drawAlleles(traits: readonly Trait[], random: JavaRandom): number[] {
  return [...traits, ...traits].map(() => random.nextInt(drawable.length));
}

export function genomeFrom(traits: readonly Trait[], drawn: readonly number[]): Genome {
  const allele = (at: number) => drawable[drawn[at] as number] as Allele;
  return traits.map((trait, at) => ({ trait, alleles: [allele(at), allele(traits.length + at)] }));
}

/** Both parents give the same allele of the trait of that name, and of the others those that were drawn of these alone. */
export function purebred(name: string, allele: Allele, traits: readonly Trait[], drawn: readonly number[]): Genome {
  const others = genomeFrom(othersThan(name, traits), drawn);
  return traits.map((trait) => others.find((gene) => gene.trait === trait) ?? { trait, alleles: [allele, allele] });
}

export function othersThan(name: string, traits: readonly Trait[]): Trait[] {
  return traits.filter((trait) => trait.name !== name);
}

/** One of a kind that lives, with those genes. */
export function makeWith(genome: Genome | undefined, kind: Kind, world: World): Thing {
  const made = world.make(kind);
  if (genome && made.life) made.life.genome = genome;
  return made;
}

/** How a trait shows; undefined: it has none of that name. */
export function phenotype(genome: Genome | undefined, name: string): string | undefined {
  const gene = genome?.find(({ trait }) => trait.name === name);
  return gene?.trait[gene.alleles.includes("dominant") ? "dominant" : "recessive"];
}

/** Punnett's square: of each parent's two alleles one, each with the same chance. */
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
