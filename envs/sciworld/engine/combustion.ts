/** Fire: what catches it, how long it burns, what puts it out. */
import { ash } from "../facts/substances.js";
import type { Material } from "./material.js";
import { remove } from "./removal.js";
import { byAge, type Thing, type World } from "./thing.js";

/** Degrees above its combustion point that a burning thing has at least. */
const heatOfFire = 200;
/** Degrees below its combustion point that a thing has when its fire is put out: it would catch fire again at once. */
const quenchedBy = 10;

/** @returns what whoever sets it on fire is told */
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

/** Water that is with it or in it puts the fire out, and takes its heat. */
function quench(thing: Thing, material: Material): void {
  const near = [...new Set([...thing.contents, ...(thing.container?.contents ?? [])])].sort(byAge);
  const water = near.find(({ material: its }) => its?.substance === "water" && its.state === "liquid");
  if (!water?.material) return;
  water.material.temperature = material.temperature;
  material.isBurning = false;
  material.temperature = material.facts.combustionPoint - quenchedBy;
}
