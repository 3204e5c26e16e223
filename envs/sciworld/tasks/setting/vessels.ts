/** Vessels for liquids. */
import type { JavaRandom } from "../../../shared/rng/java-random.js";
import type { Kind, Thing, World } from "../../engine/thing.js";
import { ceramicCup, glassCup, jug, metalPot, paperCup, plasticCup, tinCup } from "../../facts/matter/containers.js";

const vessels = [metalPot, glassCup, plasticCup, tinCup, paperCup, ceramicCup, jug];

export function drawVessel(random: JavaRandom): number {
  return random.nextInt(vessels.length);
}

/**
 * Makes a vessel with contents. The vessel gets the temperature of the contents, so that they do not change their
 * state.
 */
export function filled(drawn: number, contents: Thing, world: World): Thing {
  const vessel = world.make(vessels[drawn] as Kind);
  if (vessel.opening) vessel.opening.isOpen = true;
  if (vessel.material && contents.material) vessel.material.temperature = contents.material.temperature;
  vessel.add(contents);
  return vessel;
}
