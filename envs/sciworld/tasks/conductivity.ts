/** Tasks to find out whether a thing, or an unknown substance, conducts electricity (3-3 and 3-4). */
import { once } from "../../shared/kept/data-file.js";
import type { Kind, Thing, World } from "../engine/thing.js";
import { glassJar, metalPot } from "../facts/matter/containers.js";
import { apricot } from "../facts/matter/foods.js";
import { sodiumChloride, water, woodBlock } from "../facts/matter/substances.js";
import { unknownLetters, unknownSubstance } from "../facts/matter/unknown-substances.js";
import { shovel } from "../facts/things/devices.js";
import { originOfSpecies } from "../facts/things/documents.js";
import { battery } from "../facts/things/electrical.js";
import { aluminumFoil, metalFork, paperClip, plasticFork } from "../facts/things/small-things.js";
import { towardsTestCircuit } from "../goals/electrical.js";
import * as focus from "../goals/focus.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { consumers } from "./electric-circuit.js";
import { type BoxPair, boxPairs } from "./setting/answer-boxes.js";
import { put } from "./setting/placing.js";
import type { Assignment, Task } from "./task.js";

/** A thing to test. */
interface Subject {
  readonly kind: Kind;
  readonly room: string;
}

const workshop = "workshop";

/** Things to test, sorted by name as in ScienceWorld, then by room. */
const known = once(() =>
  [
    ...[aluminumFoil, apricot, originOfSpecies(), glassJar, metalFork, metalPot],
    ...[paperClip, plasticFork, shovel, sodiumChloride, water, woodBlock],
  ].flatMap((kind) => [workshop, "kitchen", "living room"].map((room): Subject => ({ kind, room }))),
);
/** Number of things to test, so that the splits are known without reading the books. */
const knownCount = 36;

const unknown = once(() =>
  unknownLetters.map((letter): Subject => ({ kind: unknownSubstance(letter), room: workshop })),
);

function choiceOf(variation: number) {
  const rest = Math.floor(variation / boxPairs.length);
  return {
    at: Math.floor(rest / consumers.length),
    consumer: consumers[rest % consumers.length] as Kind,
    boxes: boxPairs[variation % boxPairs.length] as BoxPair,
  };
}

/**
 * Returns a task. @param count number of subjects @param draw draws a number from 0 to 1 for each subject, which conducts if the number is in the upper
 * half. If no number is drawn, the material determines whether the subject conducts
 */
function conductivity(name: string, count: number, subjects: () => readonly Subject[], draw: Task["draw"]): Task {
  return {
    name,
    variations: count * consumers.length * boxPairs.length,
    draw,
    prepare(variation, drawn, world) {
      const { at, consumer, boxes } = choiceOf(variation);
      const { kind, room } = subjects()[at] as Subject;
      const [source, shower] = [world.make(battery), world.make(consumer)];
      const subject = make(kind, drawn[at], world);
      const answers = [world.make(boxes[0]), world.make(boxes[1])] as const;
      return ({ universe }) => {
        for (const thing of [source, shower, ...answers])
          put({ thing, name: thing.name, room: workshop }, universe, world);
        // The house has water already.
        if (kind !== water) put({ thing: subject, name: subject.name, room, always: true }, universe, world);
        return assign(subject, room, answers);
      };
    },
  };
}

function make(kind: Kind, drawn: number | undefined, world: World): Thing {
  const thing = world.make(kind);
  if (drawn !== undefined && thing.material) thing.material.conductsElectricity = drawn >= 0.5;
  return thing;
}

/** Returns the description and the goals. @param answers boxes for a conductor and for an insulator */
function assign({ name, material }: Thing, room: string, [conducting, other]: readonly [Thing, Thing]): Assignment {
  const [right, wrong] = material?.conductsElectricity ? [conducting, other] : [other, conducting];
  const answer = focus.keptIn(right.name, "put object in correct container", [wrong.name]);
  return {
    description: `Your task is to determine if ${name} is electrically conductive. The ${name} is located around the ${room}. First, focus on the ${name}. If it is electrically conductive, place it in the ${conducting.name}. If it is electrically nonconductive, place it in the ${other.name}. `,
    goals: new GoalSequence([focus.focusOn(name, "focus on task object"), answer], towardsTestCircuit(name)),
  };
}

export const conductivities: readonly Task[] = [
  conductivity("test-conductivity", knownCount, known, () => []),
  conductivity("test-conductivity-of-unknown-substances", unknownLetters.length, unknown, (random) =>
    unknownLetters.map(() => random.nextFloat()),
  ),
];
