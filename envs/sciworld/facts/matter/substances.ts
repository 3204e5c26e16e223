/** Substances: things without a purpose, named after their material. */
import type { Kind } from "../../engine/thing.js";
import type { MaterialName } from "./materials.js";
import { called, looksLike } from "./words.js";

function substance(name: string, material: MaterialName, more: Partial<Kind> = {}): Kind {
  return { name, material, words: called("substance"), describe: looksLike("a substance called "), ...more };
}

function block(name: string, material: MaterialName): Kind {
  return { name, material, words: called("block"), describe: looksLike("a ") };
}

export const air = substance("air", "air");
/** Temperature of the air in rooms and outside, in degrees Celsius. */
export const roomTemperature = 25;

export const water = substance("water", "water", { families: ["water"] });
/** Ice. Its name is "water" until the first tick, as in ScienceWorld. */
export const ice = substance("water", "water", { temperature: -10 });
export const lead = substance("lead", "lead");
export const tin = substance("tin", "tin");
export const mercury = substance("mercury", "mercury");
export const gallium = substance("gallium", "gallium");
export const caesium = substance("caesium", "caesium");
export const soap = substance("soap", "soap");
export const rubber = substance("rubber", "rubber");
export const wood = substance("wood", "wood");
export const brick = substance("brick", "brick", { describe: looksLike("a ") });
export const ash = substance("ash", "ash");
export const rust = substance("rust", "rust");
export const woodBlock = block("wood block", "wood");
export const steelBlock = block("steel block", "steel");
export const ironBlock = block("iron block", "iron");

export const sodium = substance("sodium", "sodium");
export const sodiumChloride = substance("sodium chloride", "sodiumChloride");
export const sodiumBicarbonate = substance("sodium bicarbonate", "sodiumBicarbonate");
export const sodiumAcetate = substance("sodium acetate", "sodiumAcetate");
export const aceticAcid = substance("acetic acid", "aceticAcid");
export const saltWater = substance("salt water", "saltWater");
export const soapyWater = substance("soapy water", "soapyWater");
export const sugar = substance("sugar", "sugar");
/** Sugar water. Its material is sugar, as in ScienceWorld. */
export const sugarWater = substance("sugar water", "sugar");

export const soil: Kind = { name: "soil", material: "soil", words: called("soil"), describe: looksLike("") };
