/** Tasks to find which animal lives longest (7-1), which lives shortest (7-2), or both (7-3). */
import { JavaRandom, shuffled } from "../../shared/rng/java-random.js";
import type { Kind } from "../engine/thing.js";
import * as animals from "../facts/living/animals.js";
import { focusOn } from "../goals/focus.js";
import type { Goal } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import * as around from "../goals/surroundings.js";
import { put } from "./setting/placing.js";
import { wilderness } from "./setting/wildlife.js";
import type { Task } from "./task.js";

const lifespanOf = ({ life }: Kind) => life?.lifespan ?? 0;

/** Animals, which are divided into three groups of equal size. */
const compared = [
  ...[animals.giantTortoise, animals.parrot, animals.elephant, animals.crocodile, animals.brownBear],
  ...[animals.beaver, animals.wolf, animals.chipmunk, animals.toad, animals.rabbit],
  ...[animals.hedgehog, animals.mouse, animals.chameleon, animals.dragonfly, animals.ant],
].sort((one, other) => lifespanOf(other) - lifespanOf(one));
const inGroup = compared.length / 3;
const longLived = compared.slice(0, inGroup);
const mediumLived = compared.slice(inGroup, -inGroup);
const shortLived = compared.slice(-inGroup);

/** One animal of each group, sorted by lifespan, the longest first. */
type Trio = readonly [Kind, Kind, Kind];

const trios = shuffled(
  longLived.flatMap((long) => mediumLived.flatMap((medium) => shortLived.map((short): Trio => [long, medium, short]))),
  new JavaRandom(0),
);

interface Mode {
  readonly name: string;
  readonly description: string;
  readonly ordered: (trio: Trio) => readonly Goal[];
}

const place = `The animals are in the '${wilderness}' location.`;
const longest = "the animal with the longest life span";
const shortest = "the animal with the shortest life span";

const focusOnLongest = ([{ name }]: Trio, options = {}) =>
  focusOn(name, "focus on animal with longest life span", options);
const focusOnShortest = ([, , { name }]: Trio) => focusOn(name, "focus on animal with shortest life span");

const modes: readonly Mode[] = [
  {
    name: "lifespan-longest-lived",
    description: `Your task is to find ${longest}.  ${place}  Focus on ${longest}.`,
    ordered: (trio) => [focusOnLongest(trio)],
  },
  {
    name: "lifespan-shortest-lived",
    description: `Your task is to find ${shortest}.  ${place}  Focus on ${shortest}.`,
    ordered: (trio) => [focusOnShortest(trio)],
  },
  {
    name: "lifespan-longest-lived-then-shortest-lived",
    description: `Your task is to find ${longest}, then the shortest life span. First, focus on ${longest}.  Then, focus on ${shortest}. ${place} `,
    ordered: (trio) => [focusOnLongest(trio, { defocuses: true }), focusOnShortest(trio)],
  },
];

export const lifespans: readonly Task[] = modes.map(({ name, description, ordered }) => ({
  name,
  variations: trios.length,
  draw: () => [],
  prepare(variation, _, world) {
    const trio = trios[variation] as Trio;
    const made = trio.map((kind) => world.make(kind));
    return ({ universe }) => {
      for (const thing of made) put({ thing, name: thing.name, room: wilderness }, universe, world);
      const others = [
        around.elsewhere("Move to a new location (unless starting in task location)", wilderness),
        around.at(wilderness, "Move to the location asked by the task"),
      ];
      return { description, goals: new GoalSequence(ordered(trio), others) };
    };
  },
}));
