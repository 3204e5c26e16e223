/** Tasks to mix paint of a secondary color (6-2), or of a tertiary color in two steps (6-3). */
import { shuffled } from "../../shared/rng/java-random.js";
import type { Kind, Thing, World } from "../engine/thing.js";
import * as containers from "../facts/matter/containers.js";
import { bluePaint, redPaint, yellowPaint } from "../facts/matter/paints.js";
import * as furniture from "../facts/things/furniture.js";
import { focusOn } from "../goals/focus.js";
import type { Goal } from "../goals/goal.js";
import { GoalSequence } from "../goals/goal-sequence.js";
import * as around from "../goals/surroundings.js";
import { put } from "./setting/placing.js";
import type { Task } from "./task.js";

/** Full names of the paints that belong to one variation. */
interface Colors {
  /** The two colors of which the secondary color is mixed. */
  readonly primaries: readonly string[];
  readonly secondary: string;
  /** Color that gives the tertiary color when it is mixed with the secondary color. */
  readonly primary: string;
  readonly tertiary: string;
}

function colors(secondary: string, primaries: readonly string[], primary: string, tertiary: string): Colors {
  const full = (color: string) => `${color} paint`;
  const both = { secondary: full(secondary), tertiary: full(tertiary) };
  return { primaries: primaries.map(full), primary: full(primary), ...both };
}

const choices: readonly Colors[] = [
  colors("green", ["blue", "yellow"], "blue", "green-blue"),
  colors("green", ["blue", "yellow"], "yellow", "yellow-green"),
  colors("orange", ["red", "yellow"], "red", "red-orange"),
  colors("orange", ["red", "yellow"], "yellow", "yellow-orange"),
  colors("violet", ["red", "blue"], "red", "violet-red"),
  colors("violet", ["red", "blue"], "blue", "blue-violet"),
];

interface Store {
  readonly kind: Kind;
  readonly name: string;
  readonly cup: Kind;
}

const desk: Store = { kind: furniture.desk, name: "desk", cup: containers.tinCup };
/**
 * Furniture with three cups. ScienceWorld puts the same three paints into the cups of each piece of furniture in turn,
 * so the paints end up on the desk.
 */
const stores: readonly Store[] = [
  { kind: furniture.cupboard, name: "paint cupboard", cup: containers.woodCup },
  { kind: furniture.closet, name: "paint closet", cup: containers.glassCup },
  desk,
];

/** Room with the vessels for mixing. */
const studio = "art studio";
const rooms = [studio, "workshop"];
/** Vessels, put in random order onto the furniture outside the studio, one on each. */
const vessels = [containers.glassCup, containers.bowl, containers.jug];

interface Mode {
  readonly name: string;
  describe(colors: Colors): string;
  goals(colors: Colors, room: string): GoalSequence;
}

const modes: readonly Mode[] = [
  {
    name: "chemistry-mix-paint-secondary-color",
    describe: ({ secondary }) =>
      `Your task is to use chemistry to create ${secondary}. When you are done, focus on the ${secondary}.`,
    goals: ({ primaries, secondary }) =>
      new GoalSequence(
        [focusOn(secondary, `focus on the mixing result (${secondary})`)],
        [
          around.elsewhere("move to a new location"),
          ...gathered(primaries, "all ingredients"),
          around.nearTo(secondary),
        ],
      ),
  },
  {
    name: "chemistry-mix-paint-tertiary-color",
    // The text ends with the secondary color by a mistake of ScienceWorld: the goal is the tertiary color.
    describe: ({ secondary, tertiary }) =>
      `Your task is to use chemistry to create ${tertiary}. When you are part-way done, focus on the intermediate (secondary color) paint you created.  When you are completely done, focus on the ${secondary}.`,
    goals({ primaries, primary, secondary, tertiary }, room) {
      const first = focusOn(secondary, `focus on the intermediate mixing result (${secondary})`, { defocuses: true });
      const last = focusOn(tertiary, `focus on the final mixing result (${tertiary})`);
      return new GoalSequence(
        [first, last],
        [
          around.elsewhere("move to a new location (unless starting in task location)", room),
          around.at(room, "move to the location of the paint"),
          ...gathered(primaries, "all ingredients (secondary)"),
          around.nearTo(secondary, { as: `(secondary) ${secondary}`, key: "secondary" }),
          ...gathered([secondary, primary], "all ingredients (tertiary)", (name) =>
            around.nearTo(name, { as: `(tertiary) ${name}`, after: ["secondary"] }),
          ),
          around.nearTo(tertiary),
        ],
      );
    },
  },
];

/**
 * Returns goals for gathering paints. @param told description of the goal for all paints @param found description of
 * the goal for each paint
 */
function gathered(
  names: readonly string[],
  told: string,
  found: (name: string) => Goal = (name) => around.nearTo(name),
): Goal[] {
  return [...names.map(found), around.together(names, `have ${told} alone in a single container`)];
}

export const paintMixtures: readonly Task[] = modes.map((mode) => ({
  name: mode.name,
  variations: choices.length * rooms.length * stores.length,
  draw: (random) => shuffled([...vessels.keys()], random),
  prepare(variation, drawn, world) {
    const store = variation % stores.length;
    const place = Math.floor(variation / stores.length);
    const room = rooms[place % rooms.length] as string;
    const choice = choices[Math.floor(place / rooms.length)] as Colors;
    const vessel = room === studio ? [] : [world.make(vessels[drawn[store] as number] as Kind)];
    const things = [stocked(stores[store] as Store, world), ...vessel];
    return ({ universe }) => {
      for (const thing of things) put({ thing, name: thing.name, room }, universe, world);
      return { description: mode.describe(choice), goals: mode.goals(choice, room) };
    };
  },
}));

function stocked(store: Store, world: World): Thing {
  const paints = store === desk ? [redPaint, bluePaint, yellowPaint].map((kind) => world.make(kind)) : [];
  const thing = world.make(store.kind, store.name);
  for (let at = 0; at < 3; at++) {
    const cup = world.make(store.cup);
    if (paints[at]) cup.add(paints[at] as Thing);
    thing.add(cup);
  }
  return thing;
}
