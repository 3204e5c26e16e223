/** Tasks to power a device, with any source (3-1), or with a renewable or a non-renewable source (3-2). */
import type { Kind } from "../engine/thing.js";
import * as electrical from "../facts/things/electrical.js";
import * as wiring from "../goals/electrical.js";
import * as focus from "../goals/focus.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { put } from "./setting/placing.js";
import type { Assignment, Task } from "./task.js";

/** Devices to power. They show whether a current flows. */
export const consumers: readonly Kind[] = [
  ...["red", "green", "blue"].map(electrical.lightBulb),
  electrical.electricMotor,
  electrical.electricBuzzer,
];
const renewable = [electrical.solarPanel, electrical.windGenerator];
const nonrenewable = [electrical.gasGenerator, electrical.nuclearGenerator];

/** A variation: the device to power and the available sources. */
interface Choice {
  readonly part: string;
  readonly renewable: Kind;
  readonly nonrenewable: Kind;
}

const choices: readonly Choice[] = consumers.flatMap(({ name: part }) =>
  renewable.flatMap((one) => nonrenewable.map((other) => ({ part, renewable: one, nonrenewable: other }))),
);

function circuit(name: string, assign: (choice: Choice, variation: number) => Assignment): Task {
  return {
    name,
    variations: choices.length,
    draw: () => [],
    prepare(variation, _, world) {
      const choice = choices[variation] as Choice;
      const kinds = [electrical.battery, ...consumers, choice.renewable, choice.nonrenewable];
      const things = kinds.map((kind) => world.make(kind));
      return ({ universe }) => {
        for (const thing of things) put({ thing, name: thing.name, room: "workshop" }, universe, world);
        return assign(choice, variation);
      };
    },
  };
}

const begin = (part: string) => [
  focus.focusOn(part, "focus on task object"),
  focus.activated(part, "power task object"),
];

const describe = (part: string, how: string) =>
  `Your task is to turn on the ${part}${how}. First, focus on the ${part}. Then, create an electrical circuit that powers it on. `;

const powered = circuit("power-component", ({ part }) => ({
  description: describe(part, ""),
  goals: new GoalSequence(begin(part), wiring.towardsCircuit(part, { beginsWithCapital: true })),
}));

const poweredFrom = circuit("power-component-renewable-vs-nonrenewable-energy", (choice, variation) => {
  const { part } = choice;
  const sort = variation % 2 === 0 ? "renewable" : "nonrenewable";
  const source = choice[sort].name;
  const ordered = [...begin(part), wiring.poweredBy(source, "use correct power source")];
  return {
    description: describe(part, ` by powering it using a ${sort} power source`),
    goals: new GoalSequence(ordered, wiring.towardsCircuit(part, { source })),
  };
});

export const circuits: readonly Task[] = [powered, poweredFrom];
