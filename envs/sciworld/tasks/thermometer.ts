/** Tasks to measure a temperature (2-1), or the melting point of a known (2-2) or unknown (2-3) substance. */
import { JavaRandom, shuffled } from "../../shared/rng/java-random.js";
import { byCodeUnits } from "../engine/description.js";
import * as focus from "../goals/focus.js";
import type { Goal } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { hasUsed } from "../goals/past-actions.js";
import * as around from "../goals/surroundings.js";
import { type BoxPair, boxPairs } from "./setting/answer-boxes.js";
import { heating } from "./setting/heating.js";
import { put } from "./setting/placing.js";
import { knownSamples, type MeltingSample, type Sample, temperedSamples, unknownSamples } from "./setting/samples.js";
import type { Assignment, Task } from "./task.js";

/**
 * A question whether a measured value is above or below a point, in degrees Celsius. Each of the two answers has a box.
 */
interface Question<S extends Sample> {
  readonly sample: S;
  readonly point: number;
  readonly boxRoom: string;
  readonly boxes: BoxPair;
}

interface Measurement<S extends Sample> {
  readonly name: string;
  readonly samples: readonly S[];
  readonly points: readonly number[];
  readonly boxRooms: readonly string[];
  /** Fraction of all questions that is used, from 0 to 1. */
  readonly share: number;
  assign(question: Question<S>): Assignment;
}

function measurement<S extends Sample>({ name, samples, points, boxRooms, share, assign }: Measurement<S>): Task {
  // Sorted by name, so that no substance is in two splits.
  const sorted = [...samples.entries()].sort(([, one], [, other]) => byCodeUnits(one.name, other.name));
  const answers = boxRooms.flatMap((boxRoom) => boxPairs.map((boxes) => ({ boxRoom, boxes })));
  const count = sorted.length * points.length * answers.length;
  // The sample is computed on demand, since the computation shuffles a hundred thousand questions.
  let asked: number[] | undefined;
  const questionOf = (number: number) => {
    const rest = Math.floor(number / answers.length);
    const [at, sample] = sorted[Math.floor(rest / points.length)] as [number, S];
    const point = points[rest % points.length] as number;
    return { at, sample, point, ...(answers[number % answers.length] as (typeof answers)[number]) };
  };
  return {
    name,
    variations: subsampleSize(count, share),
    draw: (random) => samples.map((sample) => sample.draw(random)),
    prepare(variation, drawn, world) {
      asked ??= subsample(count, share);
      const { at, ...question } = questionOf(asked[variation] as number);
      const placing = question.sample.make(drawn[at] as number, world);
      const boxes = question.boxes.map((kind) => world.make(kind));
      return ({ universe }) => {
        if (placing) put(placing, universe, world);
        for (const thing of boxes) put({ thing, name: thing.name, room: question.boxRoom }, universe, world);
        return assign(question);
      };
    },
  };
}

/** Seed with which ScienceWorld chooses the questions. It is the same in every episode. */
const subsampleSeed = 5;

/**
 * Returns a random sample of the numbers below `count`. The numbers of train, dev and test are sampled separately, so
 * that the splits stay disjoint.
 * @param share fraction of the numbers to return, from 0 to 1
 */
function subsample(count: number, share: number): number[] {
  const random = new JavaRandom(subsampleSeed);
  return splitsOf(count).flatMap(([from, to]) => {
    const split = Array.from({ length: to - from }, (_, at) => from + at);
    return shuffled(split, random).slice(0, Math.floor(split.length * share));
  });
}

/** Returns the number of numbers that `subsample` returns. */
function subsampleSize(count: number, share: number): number {
  return splitsOf(count).reduce((sum, [from, to]) => sum + Math.floor((to - from) * share), 0);
}

/** Returns the ranges of numbers of train, dev and test: start and exclusive end. */
function splitsOf(count: number): [number, number][] {
  const [half, threeQuarters] = [Math.floor(count * 0.5), Math.floor(count * 0.75)];
  return [
    [0, half],
    [half, threeQuarters],
    [threeQuarters, count],
  ];
}

const thermometer = "thermometer";

const withThermometer = (): Goal[] => [
  around.nearTo(thermometer),
  around.containing("inventory", [thermometer], "have thermometer in inventory"),
  around.elsewhere("move to a new location"),
];

const goingTo = "move to the location asked by the task";
const carrying = (name: string) => around.containing("inventory", [name], "have task object in inventory");

/**
 * Returns the description of a task. @param quantity the measured quantity @param answer instruction that names the
 * right box
 */
function describe(
  { sample: { name, room }, point, boxRoom, boxes }: Question<Sample>,
  { quantity, ofSample, answer }: Readonly<Record<"quantity" | "ofSample" | "answer", string>>,
): string {
  const measured = `Your task is to measure the ${quantity} of ${name}, which is located around the ${room}. `;
  const choices = ["above", "below"].map(
    (side, at) =>
      `If the ${ofSample} is ${side} ${point.toFixed(1)} degrees celsius, ${answer} the ${boxes[at]?.name}. `,
  );
  const first = `First, focus on the thermometer. Next, focus on the ${name}. `;
  return `${measured}${first}${choices.join("")}The boxes are located around the ${boxRoom}. `;
}

function assignTemperature(question: Question<Sample>): Assignment {
  const { sample, point, boxRoom, boxes } = question;
  const { name, room } = sample;
  const [above, below] = boxes;
  const wording = { quantity: "temperature", ofSample: `${name} temperature`, answer: "place it in" };
  return {
    description: describe(question, wording),
    goals: new GoalSequence(
      [
        focus.focusOn(thermometer, "focus on instrument", { defocuses: true }),
        focus.focusOn(name, "focus on object"),
        focus.boxedByTemperature(point, above.name, below.name, "move object to correct answer box"),
      ],
      [
        ...withThermometer(),
        around.at(room, `${goingTo} (object location)`, { key: "move1" }),
        around.at(boxRoom, `${goingTo} (answer box location)`, { key: "move2", after: ["move1"] }),
        carrying(name),
        hasUsed(thermometer, name, "use instrument on object"),
        hasUsed(thermometer, name, "use instrument on object (in answer box location)", { after: ["move2"] }),
      ],
    ),
  };
}

function assignMelting(question: Question<MeltingSample>): Assignment {
  const { sample, point, boxRoom, boxes } = question;
  const { name, room, meltingPoint } = sample;
  const [above, below] = boxes;
  const right = meltingPoint >= point ? above : below;
  const wording = { quantity: "melting point", ofSample: `melting point of ${name}`, answer: "focus on" };
  return {
    description: describe(question, wording),
    goals: new GoalSequence(
      [
        focus.focusOn(thermometer, "focus on thermometer", { defocuses: true }),
        focus.focusOn(name, "focus on substance", { key: "focusObject" }),
        focus.focusOn(right.name, "focus on correct answer box", { among: "answer box" }),
      ],
      [...withThermometer(), ...whereToMelt(room, boxRoom), carrying(name), ...melting(name)],
    ),
  };
}

/** Places of heaters. Their keys are only for display, since no goal depends on them. */
const heaterPlaces = [
  ["kitchen", "move2a"],
  ["outside", "move2b"],
  ["foundry", "move2c"],
] as const;

function whereToMelt(room: string, boxRoom: string): Goal[] {
  const withHeater = ([place, key]: readonly [string, string]) =>
    around.at(place, `move to a location with a heating device (${place})`, { key, after: ["move1"] });
  return [
    around.at(room, `${goingTo} (substance location)`, { key: "move1" }),
    around.at(boxRoom, `${goingTo} (answer box location)`, { key: "move1" }),
    ...heaterPlaces.map(withHeater),
  ];
}

function melting(name: string): Goal[] {
  const use = "use thermometer on substance";
  return [
    hasUsed(thermometer, name, use),
    hasUsed(thermometer, name, `${use} (after it has been heated)`, { after: ["heatObject"] }),
    around.together([name], "have substance alone in a single container"),
    ...heating("substance", ["focusObject"]),
    focus.warmer(20, "heat substance by at least 20C", { key: "heatObject", after: ["focusObject"] }),
  ];
}

const temperatures = [-50, 0, 50, 100, 200];
const meltingPoints = [-10, 10, 50, 150, 200];

export const measurements: readonly Task[] = [
  measurement({
    name: "use-thermometer",
    samples: temperedSamples(temperatures),
    points: temperatures,
    share: 0.02,
    boxRooms: ["living room", "bedroom", "bathroom"],
    assign: assignTemperature,
  }),
  measurement({
    name: "measure-melting-point-known-substance",
    samples: knownSamples,
    points: meltingPoints,
    share: 0.5,
    boxRooms: ["kitchen"],
    assign: assignMelting,
  }),
  measurement({
    name: "measure-melting-point-unknown-substance",
    samples: unknownSamples,
    points: meltingPoints,
    share: 0.02,
    boxRooms: ["kitchen"],
    assign: assignMelting,
  }),
];
