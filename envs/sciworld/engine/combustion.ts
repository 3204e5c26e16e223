/** Fire: how things ignite, burn to ash, and are put out. */
import { ash } from "../facts/matter/substances.js";
import type { Material } from "./material.js";
import { remove } from "./removal.js";
import { byAge, type Thing, type World } from "./thing.js";

/** A burning thing is at least this many degrees hotter than its combustion point. */
const heatOfFire = 200;
/**
 * When a fire is put out, the thing cools to this many degrees below its combustion point, so it does not ignite again.
 */
const quenchedBy = 10;

/** Sets a thing on fire if it is flammable. @returns the observation */
export function setOnFire({ name, material }: Thing): string {
  if (!material) return "That is not flammable.";
  if (material.isBurning) return `The ${name} is already on fire.`;
  if (material.burnsFor === 0) return `The ${name} is not flammable.`;
  material.isBurning = true;
  material.hasBurned = true;
  return `The ${name} catches fire.`;
}

export function burn(thing: Thing, material: Material, world: World): void {
  const { combustionPoint } = material.facts;
  if (material.temperature >= combustionPoint && !material.isBurning) setOnFire(thing);
  if (!material.isBurning || material.burnsFor === 0) return;
  material.burnsFor -= 1;
  material.temperature = Math.max(material.temperature, combustionPoint + heatOfFire);
  if (material.burnsFor === 0) turnToAsh(thing, material, world);
  quench(thing, material);
}

function turnToAsh(thing: Thing, material: Material, world: World): void {
  material.isBurning = false;
  const remains = world.make(ash);
  if (remains.material) remains.material.temperature = material.temperature;
  thing.container?.add(remains);
  remove(thing, { leavesContents: true });
}

/**
 * Puts out the fire of a thing if liquid water is in it or in the same container. The water gets the temperature of the
 * thing.
 */
function quench(thing: Thing, material: Material): void {
  const near = [...new Set([...thing.visibleContents(), ...(thing.container?.visibleContents() ?? [])])].sort(byAge);
  const water = near.find(({ material: its }) => its?.substance === "water" && its.state === "liquid");
  if (!water?.material) return;
  water.material.temperature = material.temperature;
  material.isBurning = false;
  material.temperature = material.facts.combustionPoint - quenchedBy;
}
