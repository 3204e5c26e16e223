/**
 * The materials of ScienceWorld (Wang et al. 2022), with the values of version 1.3.0. As in ScienceWorld, most things
 * start at 10 degrees Celsius, even in a warmer room.
 */
import { jsonFile, once } from "../../../shared/kept/data-file.js";
import type { MaterialFacts } from "../../engine/material.js";

/** Name of a material in the data file. */
export type MaterialName = keyof typeof import("../../data/materials.json");

const usual = {
  temperature: 10,
  state: "solid",
  /** A temperature that no source of heat reaches. */
  combustionPoint: 100_000,
  conductsElectricity: false,
  burnsFor: 100,
  hasBurned: false,
} as const satisfies Partial<MaterialFacts>;

/** Facts of a material, without those that are usual. `names` are the names as a solid, as a liquid and as a gas. */
export type MaterialEntry = Omit<MaterialFacts, "names" | keyof typeof usual> &
  Partial<Pick<MaterialFacts, keyof typeof usual>> & { names?: readonly [solid: string, liquid: string, gas: string] };

/** Returns the entry of each material. A material that does not melt has a melting point of 10,000 degrees or more. */
export const materialEntries = jsonFile<Readonly<Record<MaterialName, MaterialEntry>>>(
  new URL("../../data/materials.json", import.meta.url),
);

/** Returns the facts of each material. */
export const materials = once(
  () =>
    Object.fromEntries(Object.entries(materialEntries()).map(([name, entry]) => [name, factsOf(entry)])) as Record<
      MaterialName,
      MaterialFacts
    >,
);

/** Returns an object with all fields in the same order, since every tick reads the facts of all materials. */
function factsOf({ names, ...rest }: MaterialEntry): MaterialFacts {
  const [solid = "", liquid = "", gas = ""] = names ?? [];
  return { ...usual, names: names && { solid, liquid, gas }, ...rest };
}
