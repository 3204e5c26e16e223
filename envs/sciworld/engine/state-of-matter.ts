/** Melting, freezing, boiling and condensing. */
import type { Material, StateOfMatter } from "./material.js";
import type { Thing } from "./thing.js";

type Heated = Pick<Material, "temperature" | "meltingPoint" | "facts">;

export function stateAt({ temperature, meltingPoint, facts }: Heated): StateOfMatter {
  if (temperature < meltingPoint) return "solid";
  return temperature > facts.boilingPoint ? "gas" : "liquid";
}

/** Updates the state and the name of a thing to match the temperature of the thing. */
export function settleState(thing: Thing, material: Material): void {
  if (stateAt(material) !== material.state) renameByState(thing, material);
}

export function renameByState(thing: Thing, material: Material): void {
  material.state = stateAt(material);
  if (material.names) thing.name = material.names[material.state];
}
