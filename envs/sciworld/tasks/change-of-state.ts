/** Tasks to boil, melt or freeze a substance, or to change its state in any way (1-1 to 1-4). */
import type { Kind, Thing, World } from "../engine/thing.js";
import * as foods from "../facts/matter/foods.js";
import * as substances from "../facts/matter/substances.js";
import * as focus from "../goals/focus.js";
import { type Goal, untold } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import * as around from "../goals/surroundings.js";
import { heating } from "./setting/heating.js";
import { disable, put } from "./setting/placing.js";
import { drawVessel, filled } from "./setting/vessels.js";
import type { Task } from "./task.js";

interface Substance {
  readonly name: string;
  /** Kind of the substance. Absent if the house already has it. */
  readonly kind?: Kind;
  readonly isInVessel?: boolean;
  readonly room?: string;
  readonly containers?: readonly string[];
  readonly always?: boolean;
  /** Name and place of the device that is broken. */
  readonly broken?: readonly [string, string];
}

const fridge = { room: "kitchen", containers: ["fridge"] };
const freezer = { room: "kitchen", containers: ["freezer"] };
const kitchen = { room: "kitchen", containers: ["cupboard", "table", "desk"] };
const workshop = { room: "workshop", containers: ["table", "desk"] };

const poured = (name: string, kind: Kind, where: typeof fridge) => ({ name, kind, ...where, isInVessel: true });
const metal = (name: string, kind: Kind) => ({ ...poured(name, kind, workshop), always: true });

/** Variations: each substance occurs with a working stove and with a broken stove. */
const choices: readonly Substance[] = [
  { name: "water" },
  { name: "water", broken: ["sink", "kitchen"] },
  { name: "ice", kind: substances.ice, ...freezer },
  poured("orange juice", foods.orangeJuice, fridge),
  poured("apple juice", foods.appleJuice, fridge),
  { name: "chocolate", kind: foods.chocolate, ...fridge },
  { name: "marshmallow", kind: foods.marshmallow, ...kitchen },
  poured("ice cream", foods.iceCream, freezer),
  { name: "soap", kind: substances.soap, ...kitchen },
  { name: "rubber", kind: substances.rubber, ...workshop },
  metal("lead", substances.lead),
  metal("tin", substances.tin),
  metal("mercury", substances.mercury),
  metal("gallium", substances.gallium),
  metal("caesium", substances.caesium),
];
const inVessels = choices.filter(({ isInVessel }) => isInVessel);

interface Mode {
  readonly name: string;
  /** Verb after "Your task is to" in the description. */
  readonly verb: string;
  readonly note?: string;
  readonly ordered: () => readonly Goal[];
  readonly others: () => readonly Goal[];
}

const coolers = ["fridge", "freezer"];

const cooling = (): Goal[] => coolers.map((name) => focus.keptIn(name, `have object in cooler (${name})`));

const solid = () => focus.inState("solid", "substance is in a solid state");
const liquid = () => focus.inState("liquid", "substance is in a liquid state");
const gas = () => focus.inState("gas", "substance is in a gaseous state (or combusting)", { orBurning: true });

const modes: readonly Mode[] = [
  {
    name: "change-the-state-of-matter-of",
    verb: "change the state of matter of",
    ordered: () => [focus.inAnyState(untold), focus.inOtherState(untold)],
    others: () => [
      ...heating("object"),
      ...cooling(),
      focus.warmer(10, "heat object by at least 10C"),
      focus.colder(10, "cool object by at least 10C"),
    ],
  },
  {
    name: "melt",
    verb: "melt",
    ordered: () => [solid(), liquid()],
    others: () => [...heating("object"), focus.warmer(20, "heat object by at least 20C")],
  },
  {
    name: "boil",
    verb: "boil",
    note: "For compounds without a boiling point, combusting the substance is also acceptable. ",
    ordered: () => [liquid(), gas()],
    others: () => [...heating("object"), focus.warmer(20, "heat object by at least 20C")],
  },
  {
    name: "freeze",
    verb: "freeze",
    ordered: () => [liquid(), solid()],
    others: () => [...cooling(), focus.colder(5, "cool object by at least 5C")],
  },
];

export const changesOfState: readonly Task[] = modes.map((mode) => ({
  name: mode.name,
  variations: choices.length * 2,
  draw: (random) => inVessels.map(() => drawVessel(random)),
  prepare(variation, drawn, world) {
    const substance = choices[Math.floor(variation / 2)] as Substance;
    const thing = make(substance, drawn, world);
    return ({ universe }) => {
      const { name, room, containers = [], always = false, broken } = substance;
      if (thing && room) put({ thing, name, room, containers, always }, universe, world);
      if (broken) disable(...broken, universe);
      if (variation % 2 === 1) disable("stove", "kitchen", universe);
      return { description: describe(mode, name), goals: goalsOf(mode, name) };
    };
  },
}));

function make(substance: Substance, drawn: readonly number[], world: World): Thing | undefined {
  const { kind, isInVessel } = substance;
  if (!kind) return undefined;
  const thing = world.make(kind);
  return isInVessel ? filled(drawn[inVessels.indexOf(substance)] as number, thing, world) : thing;
}

function describe({ verb, note = "" }: Mode, substance: string): string {
  return `Your task is to ${verb} ${substance}. ${note}First, focus on the substance. Then, take actions that will cause it to change its state of matter. `;
}

function goalsOf({ ordered, others }: Mode, substance: string): GoalSequence {
  const first = focus.focusOn(substance, "focus on substance");
  const alone = around.together([substance], "have substance alone in a single container");
  return new GoalSequence([first, ...ordered()], [around.nearTo(substance), alone, ...others()]);
}
