/** Unknown plants, which differ in their genes. */
import { drawAlleles, phenotype, type Trait } from "../../engine/genetics.js";
import type { Life } from "../../engine/life.js";
import type { Kind } from "../../engine/thing.js";
import { plant } from "./plants.js";

export interface UnknownPlant {
  readonly kind: Kind;
  /** Traits, in the order in which alleles are drawn. */
  readonly traits: readonly Trait[];
}

/** Describes the traits that are visible in the current stage of life. */
function traits({ stage, genome }: Life): string {
  const shown = (...names: readonly string[]) => names.flatMap((name) => phenotype(genome, name) ?? []).join(" ");
  if (stage.name === "seed") return shown("seed shape", "seed color");
  if (stage.name !== "adult" && stage.name !== "reproducing") return "";
  const [height, leaves] = [shown("plant height"), shown("leaf size", "leaf shape")];
  const parts = [...(height ? [`a ${height} height`] : []), ...(leaves ? [`${leaves} leaves`] : [])];
  return parts.length > 0 ? ` with ${parts.join(" and ")}` : "";
}

function unknownPlant(letter: string, ...all: readonly Trait[]): UnknownPlant {
  const name = `unknown ${letter}`;
  const kind: Kind = {
    ...plant({ species: name, noun: "plant", name, traits }),
    // ScienceWorld draws genes for every new plant and then replaces them.
    furnish: (_, { random }) => void drawAlleles(all, random),
  };
  return { kind, traits: all };
}

const trait = (name: string, dominant: string, recessive: string): Trait => ({ name, dominant, recessive });

const short = trait("plant height", "short", "tall");
const largeFlower = trait("flower size", "large", "small");
const orangeFlower = trait("flower color", "orange", "yellow");

/** The unknown plants, in the order of the tasks. */
export const unknownPlants: readonly UnknownPlant[] = [
  unknownPlant(
    "E",
    trait("seed color", "blue", "brown"),
    trait("leaf shape", "elliptical", "linear"),
    trait("flower size", "small", "large"),
    trait("seed shape", "round", "square"),
  ),
  unknownPlant("B", short, trait("seed color", "green", "yellow"), largeFlower, orangeFlower),
  unknownPlant("C", short, trait("leaf shape", "pointed", "round"), largeFlower, orangeFlower),
  unknownPlant(
    "D",
    trait("seed shape", "spherical", "ovate"),
    trait("leaf size", "medium", "large"),
    trait("flower size", "small", "medium"),
    trait("flower color", "blue", "red"),
  ),
];
