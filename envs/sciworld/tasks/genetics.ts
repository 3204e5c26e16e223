/**
 * Mendelian genetics of peas and of unknown plants (10-1, 10-2): not played yet. What the original draws as it makes
 * them comes before what later tasks draw.
 */
import type { JavaRandom } from "../../rng/java-random.js";
import { drawPotNumbers } from "./pot-numbers.js";
import type { Turn } from "./task.js";

/** Of each plant: its height, the colour of its flowers, and so on. */
const traits = 4;
/** A task is about a trait as the dominant or as the recessive one. */
const questions = traits * 2;
const unknownSpecies = 4;
const arrangementsOfPots = 5;

const peas: Turn = {
  draw(random) {
    const example = drawTraits(traits, random);
    // Of each jar, a seed with the dominant trait and one with the recessive one.
    const seeds = times(2 * questions, () => drawOtherTraits(random));
    return [...example, ...seeds, ...drawPots(random)];
  },
};

const unknownPlants: Turn = {
  draw(random) {
    return [...times(unknownSpecies, () => drawSpecies(random)), ...drawPots(random)];
  },
};

export const genetics: readonly Turn[] = [peas, unknownPlants];

function drawSpecies(random: JavaRandom): number[] {
  const example = drawTraits(traits, random);
  // Every unknown plant is first drawn as if it were of some species, then, where its traits are not given, as of its own.
  const named = times(2, () => [...drawPlant(random), ...drawPlant(random)]);
  const seeds = times(2 * questions, () => [...drawOtherTraits(random), ...drawPlant(random)]);
  return [...example, ...named, ...seeds];
}

/** What it has of each of its parents. */
function drawPlant(random: JavaRandom): number[] {
  return drawTraits(2 * traits, random);
}

/** Of a plant of which both parents give the trait that is asked about. */
function drawOtherTraits(random: JavaRandom): number[] {
  return drawTraits(2 * (traits - 1), random);
}

/** For each, whether it is dominant or recessive. */
function drawTraits(count: number, random: JavaRandom): number[] {
  return times(count, () => [random.nextInt(2)]);
}

function drawPots(random: JavaRandom): number[] {
  return times(arrangementsOfPots, () => drawPotNumbers(random));
}

function times(count: number, draw: () => readonly number[]): number[] {
  return Array.from({ length: count }, draw).flat();
}
