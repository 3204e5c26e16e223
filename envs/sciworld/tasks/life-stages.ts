/** Tasks to focus on the stages of life in order: of a growing animal (8-1), or of plants of all ages (8-2). */
import { JavaRandom, shuffled } from "../../shared/rng/java-random.js";
import type { Kind, Thing, World } from "../engine/thing.js";
import * as trees from "../facts/living/plants.js";
import { selfWateringFlowerPot } from "../facts/matter/containers.js";
import { soil } from "../facts/matter/substances.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { focusOnStage } from "../goals/living.js";
import * as around from "../goals/surroundings.js";
import { put } from "./setting/placing.js";
import { drawPotNumbers, potNumbers } from "./setting/pot-numbers.js";
import { inAllStages, someAnimals, wilderness, wildlife } from "./setting/wildlife.js";
import type { Task } from "./task.js";

/** Returns the names of all stages except death. */
function stagesOf({ life }: Kind): string[] {
  return (life?.stages ?? []).slice(0, -1).map(({ name }) => name);
}

/** Returns the goals. @param unless place in which the goal to move is met without moving */
function goalsOf(kind: Kind, being: string, unless: string): GoalSequence {
  const species = kind.life?.species ?? "";
  const ordered = stagesOf(kind).map((stage, at) =>
    focusOnStage(species, stage, `focus on ${being} in life stage ${at + 1}`, { defocuses: true }),
  );
  const stays = [10, 20, 30].map((steps) =>
    around.staying(wilderness, steps, `Stay in goal location for ${steps} steps`),
  );
  return new GoalSequence(ordered, [
    around.elsewhere("Move to a new location (unless starting in task location)", unless),
    around.at(wilderness, "Move to the location asked by the task"),
    ...stays,
  ]);
}

const otherAnimals = 5;
/** Animals in the order of the variations, which the official splits divide. */
const animalsInOrder = shuffled(wildlife, new JavaRandom(1));

const stagesOfAnimals: Task = {
  name: "identify-life-stages-1",
  variations: animalsInOrder.length,
  draw: () => [],
  prepare(variation, _, world) {
    const kind = animalsInOrder[variation] as Kind;
    const made = [world.make(kind), ...someAnimals(otherAnimals, wildlife.indexOf(kind), world)];
    return ({ universe }) => {
      for (const thing of made) put({ thing, name: thing.name, room: wilderness }, universe, world);
      const description = `Your task is to focus on the ${stagesOf(kind).length} life stages of the ${kind.name}, starting from earliest to latest.`;
      return { description, goals: goalsOf(kind, "animal", wilderness) };
    };
  },
};

/** Trees, each with the seed with which ScienceWorld chooses additional animals. */
const treesAndSeeds: readonly (readonly [Kind, number])[] = [
  [trees.appleTree, 0],
  [trees.apricotTree, 6],
  [trees.avocadoTree, 1],
  [trees.bananaTree, 2],
  [trees.cherryTree, 3],
  [trees.grapefruitTree, 6],
  [trees.lemonTree, 4],
  [trees.orangeTree, 5],
  [trees.peachTree, 6],
  [trees.pearTree, 6],
];

const stagesOfPlants: Task = {
  name: "identify-life-stages-2",
  variations: treesAndSeeds.length,
  draw: (random) => treesAndSeeds.flatMap(() => drawPotNumbers(random)),
  prepare(variation, drawn, world) {
    const [kind, seed] = treesAndSeeds[variation] as (typeof treesAndSeeds)[number];
    const numbers = drawn.slice(variation * potNumbers);
    const pots = inPots(inAllStages(kind, world), numbers, world);
    const [animal] = shuffled(wildlife, new JavaRandom(seed));
    const made = [...pots, ...inAllStages(animal as Kind, world)];
    const species = kind.life?.species ?? "";
    return ({ universe }) => {
      for (const thing of made) put({ thing, name: thing.name, room: wilderness, always: true }, universe, world);
      const description = `Your task is to focus on the life stages of the ${species} plant, starting from earliest to latest. The plants are located ${wilderness}.`;
      // ScienceWorld uses the name of the plant as the name of a location.
      return { description, goals: goalsOf(kind, "plant", species) };
    };
  },
};

/** Puts plants into pots with soil and water. */
function inPots(plants: readonly Thing[], numbers: readonly number[], world: World): Thing[] {
  return plants.map((plant, at) => {
    const pot = world.make(selfWateringFlowerPot, `self watering flower pot ${numbers[at]}`);
    pot.add(world.make(soil));
    pot.add(plant);
    return pot;
  });
}

export const lifeStages: readonly Task[] = [stagesOfAnimals, stagesOfPlants];
