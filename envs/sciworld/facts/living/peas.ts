/** Mendel's peas, which differ in their genes. */
import { phenotype, type Trait } from "../../engine/genetics.js";
import type { Life } from "../../engine/life.js";
import { plant } from "./plants.js";

export const peaTraits: readonly Trait[] = [
  { name: "plant height", dominant: "tall", recessive: "short" },
  { name: "seed shape", dominant: "round", recessive: "wrinkly" },
  { name: "seed color", dominant: "green", recessive: "orange" },
  { name: "flower color", dominant: "purple", recessive: "white" },
];

function traits({ stage, genome }: Life): string {
  if (stage.name === "seed") return `${phenotype(genome, "seed shape")} ${phenotype(genome, "seed color")} `;
  const isGrown = stage.name === "adult" || stage.name === "reproducing";
  return isGrown ? ` with a ${phenotype(genome, "plant height")} height` : "";
}

export const pea = plant({ species: "pea", noun: "plant", name: "pea", traits });
