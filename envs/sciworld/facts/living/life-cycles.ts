/** The stages of animals, with the length of each stage in ticks. */
import { becoming, flowering, growing, sprouting } from "../../engine/growth.js";
import { death, lasting, passing } from "../../engine/stages.js";
import type { LifeStage } from "../../engine/thing.js";

const youth = 20;
const adulthood = 50;

export const mammals: readonly LifeStage[] = [
  passing("baby", youth, "juvenile"),
  passing("juvenile", youth, "adult"),
  passing("adult", adulthood, "dead"),
  death("dead"),
];

/** Stages of birds and reptiles. */
export const hatchlings: readonly LifeStage[] = [
  passing("egg", youth, "hatchling"),
  passing("hatchling", youth, "juvenile"),
  passing("juvenile", youth, "adult"),
  passing("adult", adulthood, "dead"),
  death("dead"),
];

/** Stages of frogs and toads. The names of the stages contain "frog" for both. */
export const frogs: readonly LifeStage[] = [
  passing("egg", youth, "tadpole", "frog egg"),
  passing("tadpole", youth, "adult", "tadpole"),
  passing("adult", adulthood, "death", "adult frog"),
  death("death", "dead frog"),
];

/** Stages of butterflies and moths. The names of the stages contain "butterfly" for both. */
export const butterflies: readonly LifeStage[] = [
  passing("egg", youth, "caterpillar", "butterfly egg"),
  passing("caterpillar", youth, "pupa", "caterpillar"),
  passing("pupa", youth, "adult", "butterfly pupa"),
  passing("adult", adulthood, "death", "adult butterfly"),
  death("death", "dead butterfly"),
];

export const ageless: readonly LifeStage[] = [lasting("adult"), death("dead")];

export const plants: readonly LifeStage[] = [
  sprouting("seed", 10, "seedling"),
  growing("seedling", { ticks: 10, withoutWater: 20, storesWater: false, end: becoming("adult") }),
  growing("adult", { ticks: 5, withoutWater: 50, storesWater: true, end: becoming("reproducing") }),
  growing("reproducing", { ticks: 5, withoutWater: 50, storesWater: true, end: flowering }),
  death("dead"),
];
