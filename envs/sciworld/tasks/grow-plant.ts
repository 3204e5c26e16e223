/** Tasks to grow a plant from a seed (5-1), or a fruit, which needs bees and two plants in bloom (5-2). */
import type { Kind, Thing, World } from "../engine/thing.js";
import * as trees from "../facts/living/plants.js";
import { ceramicCup, flowerPot } from "../facts/matter/containers.js";
import { soil } from "../facts/matter/substances.js";
import { focusOn } from "../goals/focus.js";
import type { Goal } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { inStage } from "../goals/living.js";
import * as around from "../goals/surroundings.js";
import * as gardening from "./setting/gardening.js";
import { put } from "./setting/placing.js";
import type { Task } from "./task.js";

/** Seeds, sorted by name as in ScienceWorld, then by room. */
const seeds = [
  ...[trees.appleTree, trees.avocadoTree, trees.bananaTree, trees.cherryTree],
  ...[trees.lemonTree, trees.orangeTree, trees.peachTree],
];
const rooms = ["kitchen", "bathroom", "living room", "bedroom", "workshop", "greenhouse"];
/** Where the greenhouse has soil. If "nowhere", the agent has to dig for soil outside. */
const placesOfSoil = ["in pots", "beside pots", "nowhere"] as const;
type PlaceOfSoil = (typeof placesOfSoil)[number];

const seedsInJar = 5;
/** Number of plants needed for a fruit: one needs the pollen of the other. */
const plantsThatBloom = 2;
const potNames = ["flower pot 1", "flower pot 2", "flower pot 3"];

interface Mode {
  readonly name: string;
  describe(species: string, room: string): string;
  readonly ordered: (species: string) => readonly Goal[];
  readonly others: (species: string) => readonly Goal[];
}

const modes: readonly Mode[] = [
  {
    name: "grow-plant",
    describe: (species, room) =>
      `Your task is to grow a ${species} plant from seed. Seeds can be found in the ${room}. First, focus on a seed. Then, make changes to the environment that grow the plant until it reaches the reproduction life stage.`,
    ordered: (species) =>
      ["seed", "seedling", "adult", "reproducing"].map((stage) =>
        inStage(species, stage, `focus plant is in ${stage} stage`),
      ),
    others: planting,
  },
  {
    name: "grow-fruit",
    describe: (species, room) =>
      `Your task is to grow a ${species}. This will require growing several plants, and them being crosspollinated to produce fruit.  Seeds can be found in the ${room}. To complete the task, focus on the grown ${species}.`,
    ordered: (species) => [focusOn(species, "focus on the grown fruit")],
    others: (species) => [...planting(species), ...fruiting(species)],
  },
];

export const growings: readonly Task[] = modes.map(({ name, describe, ordered, others }) => ({
  name,
  variations: seeds.length * rooms.length * placesOfSoil.length,
  draw: () => [],
  prepare(variation, _, world) {
    const [place, rest] = [variation % placesOfSoil.length, Math.floor(variation / placesOfSoil.length)];
    const room = rooms[rest % rooms.length] as string;
    const kind = seeds[Math.floor(rest / rooms.length)] as Kind;
    const jar = jarOf(kind, world);
    const made = potsAndSoil(placesOfSoil[place] as PlaceOfSoil, world);
    return ({ universe }) => {
      put({ thing: jar, name: jar.name, room }, universe, world);
      for (const thing of made) put({ thing, name: thing.name, room: gardening.greenhouse }, universe, world);
      const species = kind.life?.species ?? "";
      return { description: describe(species, room), goals: new GoalSequence(ordered(species), others(species)) };
    };
  },
}));

function jarOf(kind: Kind, world: World): Thing {
  const jar = world.make(ceramicCup, gardening.seedJar);
  for (let count = 0; count < seedsInJar; count++) jar.add(world.make(kind));
  return jar;
}

function potsAndSoil(place: PlaceOfSoil, world: World): Thing[] {
  return potNames.flatMap((name) => {
    const pot = world.make(flowerPot, name);
    if (place === "nowhere") return [pot];
    const made = world.make(soil);
    if (place === "beside pots") return [pot, made];
    pot.add(made);
    return [pot];
  });
}

function planting(species: string): Goal[] {
  return [
    ...gardening.takingSeeds(),
    gardening.carrying("shovel"),
    gardening.carrying("soil"),
    around.nearTo("soil"),
    ...gardening.going(),
    ...gardening.potting(potNames, species),
  ];
}

function fruiting(species: string): Goal[] {
  return [
    ...gardening.growth(species, plantsThatBloom),
    gardening.openHive(),
    gardening.nearBees(),
    around.nearTo(species, { as: "fruit" }),
  ];
}
