/** Tasks to find a living thing, a non-living thing, a plant or an animal and put it into a box (4-1 to 4-4). */
import { JavaRandom, shuffled } from "../../shared/rng/java-random.js";
import { makeWith } from "../engine/breeding.js";
import { drawAlleles, genomeFrom } from "../engine/genetics.js";
import type { Thing, World } from "../engine/thing.js";
import { pea, peaTraits } from "../facts/living/peas.js";
import * as trees from "../facts/living/plants.js";
import { flowerPot } from "../facts/matter/containers.js";
import { soil } from "../facts/matter/substances.js";
import { keptIn } from "../goals/focus.js";
import type { Goal } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { focusOnAny, focusOnNonliving } from "../goals/living.js";
import * as around from "../goals/surroundings.js";
import { answerBoxes } from "./setting/answer-boxes.js";
import { repeated } from "./setting/many-draws.js";
import { put } from "./setting/placing.js";
import { drawPotNumbers, potNumbers } from "./setting/pot-numbers.js";
import { someAnimals, wilderness } from "./setting/wildlife.js";
import type { Task } from "./task.js";

const rooms = ["kitchen", "bathroom", "living room", "bedroom", "workshop"];
const boxes = rooms.flatMap((room) => answerBoxes.map((kind) => ({ room, kind })));

/** Number of selections of animals and plants. Each selection occurs with every box. */
const selections = 10;
const animalsInEach = 3;
const plantsInEach = 3;
const emptyPots = 2;

const treeKinds = [
  ...[trees.appleTree, trees.avocadoTree, trees.bananaTree, trees.cherryTree],
  ...[trees.lemonTree, trees.orangeTree, trees.peachTree],
];

/**
 * Number of allele draws of a selection. A selection draws the alleles of the pea plant, then the numbers of the pots.
 */
const alleles = 2 * peaTraits.length;
const drawnForEach = alleles + potNumbers;

interface Mode {
  readonly name: string;
  readonly sought: string;
  readonly first: () => Goal;
}

const modes: readonly Mode[] = [
  {
    name: "find-living-thing",
    sought: "living thing",
    first: () => focusOnAny("living thing", "focus on a living thing"),
  },
  {
    name: "find-non-living-thing",
    sought: "non-living thing",
    first: () => focusOnNonliving("focus on a non-living thing"),
  },
  { name: "find-plant", sought: "plant", first: () => focusOnAny("plant", "focus on a plant") },
  { name: "find-animal", sought: "animal", first: () => focusOnAny("animal", "focus on an animal") },
];

export const findings: readonly Task[] = modes.map(({ name, sought, first }) => ({
  name,
  variations: selections * boxes.length,
  draw: (random) => repeated(selections, () => drawSelection(random)),
  prepare(variation, drawn, world) {
    const selection = Math.floor(variation / boxes.length);
    const { room, kind } = boxes[variation % boxes.length] as (typeof boxes)[number];
    const animals = someAnimals(animalsInEach, selection, world);
    const pots = somePots(selection, drawn.slice(selection * drawnForEach), world);
    const box = world.make(kind);
    return ({ universe }) => {
      for (const thing of animals) put({ thing, name: thing.name, room: wilderness }, universe, world);
      for (const thing of pots) put({ thing, name: thing.name, room: "greenhouse", always: true }, universe, world);
      put({ thing: box, name: box.name, room }, universe, world);
      const description = `Your task is to find a(n) ${sought}. First, focus on the thing. Then, move it to the ${box.name} in the ${room}.`;
      return { description, goals: goalsOf(first(), box.name, room) };
    };
  },
}));

function drawSelection(random: JavaRandom): number[] {
  return [...drawAlleles(peaTraits, random), ...drawPotNumbers(random)];
}

/** Makes pots with plants and empty pots. @param drawn random draws, starting with those of this selection */
function somePots(selection: number, drawn: readonly number[], world: World): Thing[] {
  const genome = genomeFrom(peaTraits, drawn);
  const plants = [...treeKinds.map((kind) => world.make(kind)), makeWith(genome, pea, world)];
  const planted = plants.map((plant) => {
    const pot = world.make(flowerPot);
    plant.life?.enter("adult");
    pot.add(plant);
    pot.add(world.make(soil));
    return pot;
  });
  const chosen = shuffled(planted, new JavaRandom(selection)).slice(0, plantsInEach);
  const empty = Array.from({ length: emptyPots }, () => world.make(flowerPot));
  return [...chosen, ...empty].map((pot, at) => {
    pot.name = `flower pot ${drawn[alleles + at]}`;
    return pot;
  });
}

function goalsOf(first: Goal, box: string, room: string): GoalSequence {
  return new GoalSequence(
    [first, keptIn(box, "move living thing to answer box")],
    [
      keptIn("inventory", "Pick up object"),
      around.besideOpenDoor("Be in a room with an open door"),
      around.elsewhere("Move to a new location"),
      around.at(room, "Move to the location of the answer box"),
    ],
  );
}
