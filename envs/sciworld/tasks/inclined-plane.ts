/**
 * Tasks with inclined planes: measure with a block and a stopwatch which of two planes is steeper, or which has more
 * friction, with known or unknown surfaces (9-1 to 9-3).
 */
import { once } from "../../shared/kept/data-file.js";
import { JavaRandom, shuffled } from "../../shared/rng/java-random.js";
import { nameOf } from "../engine/naming.js";
import type { Kind, Thing } from "../engine/thing.js";
import { brick, steelBlock, woodBlock } from "../facts/matter/substances.js";
import { inclinedPlane, knownSurfaces, type Surface, unknownSurfaces } from "../facts/things/inclined-planes.js";
import { stopwatch } from "../facts/things/stopwatch.js";
import { focusOnThis } from "../goals/focus.js";
import { type Goal, untold } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { hasExamined } from "../goals/past-actions.js";
import * as around from "../goals/surroundings.js";
import { put } from "./setting/placing.js";
import type { Task } from "./task.js";

const room = "workshop";
const blocks = [woodBlock, steelBlock, brick];

interface Plane {
  readonly kind: Kind;
  /** Name of the plane in the description of the task. */
  readonly label: string;
  /** Value of the quantity that is compared, such as the friction. */
  readonly value: number;
}

type Pair = readonly [Plane, Plane];

/** The end of the comparison that a question asks for: the plane with the larger or with the smaller value. */
interface End {
  readonly word: string;
  readonly isMore: boolean;
}

/** Returns the index of the plane that a question asks for. */
const atEnd = ([one, other]: Pair, { isMore }: End) => (one.value > other.value === isMore ? 0 : 1);

interface Mode {
  readonly name: string;
  /** Number of comparisons, so that the splits are known without reading the materials. */
  readonly variations: number;
  readonly planes: () => readonly Plane[];
  readonly quantity: string;
  /** Planes are compared only if their values differ by more than this. */
  readonly threshold: number;
  /** The two kinds of questions. Variations use them alternately. */
  readonly ends: readonly [End, End];
  /** True if the descriptions of the goals about the stopwatch name the plane. */
  readonly tellsPlanes?: boolean;
  /** Description of the goal to focus on the right plane. */
  readonly lastGoal?: string;
}

/** A comparison of two planes by a block that slides down. */
interface Comparison {
  readonly planes: Pair;
  readonly block: Kind;
}

function comparisonsOf({ planes: all, threshold }: Mode): Comparison[] {
  const planes = all();
  const differ = (one: Plane, other: Plane) => Math.abs(one.value - other.value) > threshold;
  return planes.flatMap((one) =>
    planes
      .filter((other) => differ(one, other))
      .flatMap((other) => blocks.map((block): Comparison => ({ planes: [one, other], block }))),
  );
}

function comparing(mode: Mode): Task {
  const comparisons = once(() => comparisonsOf(mode));
  return {
    name: mode.name,
    variations: mode.variations,
    draw: () => [],
    prepare(variation, _, world) {
      const { planes, block } = comparisons()[variation] as Comparison;
      const made = planes.map(({ kind }) => world.make(kind));
      const tools = [block, stopwatch].map((kind) => world.make(kind));
      return ({ universe }) => {
        for (const thing of [...made, ...tools]) put({ thing, name: thing.name, room, always: true }, universe, world);
        const asked = mode.ends[variation % mode.ends.length] as End;
        const right = made[atEnd(planes, asked)] as Thing;
        const last = focusOnThis(right, mode.lastGoal ?? untold, { defocuses: true });
        const others = [...going(), ...measuring(made, block.name, mode)];
        const labels = shuffled(labelsOf(planes, mode), world.random);
        return { description: describe(labels, asked, mode), goals: new GoalSequence([last], others) };
      };
    },
  };
}

/** Returns the labels of the planes in the order in which ScienceWorld shuffles them. */
function labelsOf(planes: Pair, { ends: [first, second] }: Mode): string[] {
  return [second, first].map((end) => (planes[atEnd(planes, end)] as Plane).label);
}

function describe(labels: readonly string[], { word }: End, { quantity }: Mode): string {
  const asked = `the ${word} ${quantity}`;
  return `Your task is to determine which of the two inclined planes (${labels.join(", ")}) has ${asked}. After completing your experiment, focus on the inclined plane with ${asked}.`;
}

function going(): Goal[] {
  return [
    around.elsewhere("move to a new location (unless starting in task location)", room),
    around.at(room, "move to the location asked by the task"),
  ];
}

/** Returns goals for measuring how long the block takes on each plane. */
function measuring(planes: readonly Thing[], block: string, { tellsPlanes }: Mode): Goal[] {
  const timer = stopwatch.name;
  return planes.flatMap((plane, at) => {
    const number = at + 1;
    const device = `time keeping device${tellsPlanes ? ` (plane ${number})` : ""}`;
    const [lies, runs, stands] = [`b${number}`, `aTime${number}`, `dTime${number}`];
    return [
      around.containing(nameOf(plane), [block], `move block to plane ${number}`, { key: lies }),
      around.activated(timer, `activate ${device}`, { key: runs, after: [lies] }),
      around.deactivated(timer, `deactivate ${device}`, { key: stands, after: [runs] }),
      hasExamined(timer, `read ${device}`, { key: `readTime${number}`, after: [stands] }),
    ];
  });
}

const angleOfRough = 45;

function rough(surface: Surface): Plane {
  const { name, friction } = surface;
  return { kind: inclinedPlane({ angle: angleOfRough, surface }), label: name, value: friction };
}

const friction = {
  quantity: "friction",
  threshold: 0.05,
  ends: [
    { word: "most", isMore: true },
    { word: "least", isMore: false },
  ],
} as const satisfies Partial<Mode>;

/** Angles in degrees. */
const angles = { B: 70, C: 80, D: 20, E: 10, F: 60, G: 40, H: 30, J: 50 };

/**
 * The tasks. ScienceWorld shuffles some planes with separate random generators, which have the same seed in every
 * episode.
 */
export const inclinedPlanes: readonly Task[] = [
  comparing({
    ...friction,
    name: "inclined-plane-friction-named-surfaces",
    variations: 1_386,
    planes: () => shuffled(knownSurfaces(), new JavaRandom(3)).map(rough),
    tellsPlanes: true,
    lastGoal: "focus on correct inclined plane",
  }),
  comparing({
    ...friction,
    name: "inclined-plane-friction-unnamed-surfaces",
    variations: 162,
    planes: () => shuffled(unknownSurfaces, new JavaRandom(4)).map(rough),
  }),
  comparing({
    name: "inclined-plane-determine-angle",
    quantity: "angle",
    threshold: 5,
    variations: 168,
    planes: () =>
      Object.entries(angles).map(([letter, angle]) => {
        return { kind: inclinedPlane({ angle, letter }), label: letter, value: angle };
      }),
    ends: [
      { word: "shallowest", isMore: false },
      { word: "steepest", isMore: true },
    ],
  }),
];
