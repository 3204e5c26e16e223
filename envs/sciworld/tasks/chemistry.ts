/** Task to mix a substance by a recipe (6-1). */
import type { Kind } from "../engine/thing.js";
import * as foods from "../facts/matter/foods.js";
import { bluePaint, redPaint } from "../facts/matter/paints.js";
import * as substances from "../facts/matter/substances.js";
import { paper, recipe } from "../facts/things/documents.js";
import { focusOn } from "../goals/focus.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import { hasRead } from "../goals/past-actions.js";
import * as around from "../goals/surroundings.js";
import { put } from "./setting/placing.js";
import type { Task } from "./task.js";

interface Mixture {
  readonly result: string;
  readonly ingredients: readonly Kind[];
}

const from = (result: string, ...ingredients: readonly Kind[]): Mixture => ({ result, ingredients });

const { water } = substances;

/** The mixtures of the train, dev and test splits, in this order. */
const sets: readonly (readonly Mixture[])[] = [
  [
    from("salt water", substances.sodiumChloride, water),
    from("soapy water", substances.soap, water),
    from("mixed nuts", foods.peanut, foods.almond, foods.cashew),
    from("sodium acetate", substances.aceticAcid, substances.sodiumBicarbonate),
    from("banana sandwich", foods.banana, foods.bread),
    from("blue paper", paper, bluePaint),
    from("peanut butter sandwich", foods.peanut, foods.bread),
    from("peanut butter with jam sandwich", foods.peanut, foods.jam, foods.bread),
  ],
  [
    from("smores", foods.chocolate, foods.marshmallow),
    from("dough", foods.flour, water),
    from("fruit salad", foods.apple, foods.orange, foods.banana),
    from("jam sandwich", foods.jam, foods.bread),
  ],
  [
    from("sugar water", substances.sugar, water),
    from("peanut butter with banana sandwich", foods.peanut, foods.banana, foods.bread),
    from("rust", substances.ironBlock, water),
    from("red paper", paper, redPaint),
  ],
];

/** Whether the house already has an ingredient. */
const isInHouse = (kind: Kind) => [water, bluePaint, redPaint].includes(kind);

const rooms = ["kitchen", "workshop"];
/** Variations: for each set, all mixtures in the first room, then all mixtures in the second room. */
const choices = sets.flatMap((set) => rooms.flatMap((room) => set.map((mixture) => ({ room, ...mixture }))));

type Choice = (typeof choices)[number];

export const mixtures: readonly Task[] = [
  {
    name: "chemistry-mix",
    variations: choices.length,
    draw: () => [],
    prepare(variation, _, world) {
      const choice = choices[variation] as Choice;
      const { result, ingredients, room } = choice;
      const made = ingredients.filter((kind) => !isInHouse(kind)).map((kind) => world.make(kind));
      const names = ingredients.map(({ name }) => name);
      const things = [...made, recipe(result, names, world)];
      return ({ universe }) => {
        for (const thing of things) put({ thing, name: thing.name, room }, universe, world);
        return { description: describe(choice), goals: goalsOf(result, names) };
      };
    },
  },
];

function describe({ result, room }: Choice): string {
  return `Your task is to use chemistry to create the substance '${result}'. A recipe and some of the ingredients might be found near the ${room}. When you are done, focus on the ${result}.`;
}

function goalsOf(result: string, ingredients: readonly string[]): GoalSequence {
  const last = focusOn(result, `focus on result chemical (${result})`);
  return new GoalSequence(
    [last],
    [
      around.elsewhere("move to a new location"),
      ...ingredients.map((name) => around.nearTo(name)),
      around.together(ingredients, "have all ingredients alone in a single container"),
      around.nearTo(result),
      hasRead("recipe", "read recipe"),
    ],
  );
}
