/**
 * Traits and genes. Each parent contributes one allele per trait; a recessive trait is visible only if both alleles are
 * recessive.
 */
import type { JavaRandom } from "../../shared/rng/java-random.js";

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

/**
 * Draws random alleles: for each trait one from the first parent, then for each trait one from the second parent.
 * `genomeFrom` expects this order.
 */
export function drawAlleles(traits: readonly Trait[], random: JavaRandom): number[] {
  return [...traits, ...traits].map(() => random.nextInt(drawable.length));
}

export function genomeFrom(traits: readonly Trait[], drawn: readonly number[]): Genome {
  const allele = (at: number) => drawable[drawn[at] as number] as Allele;
  return traits.map((trait, at) => ({ trait, alleles: [allele(at), allele(traits.length + at)] }));
}

/**
 * Returns a genome that is purebred in the named trait: both alleles are `allele`. The alleles of the other traits are
 * taken from `drawn`.
 */
export function purebred(name: string, allele: Allele, traits: readonly Trait[], drawn: readonly number[]): Genome {
  const others = genomeFrom(othersThan(name, traits), drawn);
  return traits.map((trait) => others.find((gene) => gene.trait === trait) ?? { trait, alleles: [allele, allele] });
}

export function othersThan(name: string, traits: readonly Trait[]): Trait[] {
  return traits.filter((trait) => trait.name !== name);
}

/** Returns the visible value of a trait, or undefined if the genome does not have the trait. */
export function phenotype(genome: Genome | undefined, name: string): string | undefined {
  const gene = genome?.find(({ trait }) => trait.name === name);
  return gene?.trait[gene.alleles.includes("dominant") ? "dominant" : "recessive"];
}
