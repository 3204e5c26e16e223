/** Builds the lists of valid actions and of possible objects, as texts. */
import type { JavaRandom } from "../../shared/rng/java-random.js";
import { type Action, exampleOf, type Objects, place, type Scene, usualWords } from "../actions/action.js";
import { byCodeUnits } from "../engine/description.js";
import { directionOf } from "../engine/naming.js";
import { everythingFrom, visibleAt } from "../engine/reach.js";
import { byAge, type Thing } from "../engine/thing.js";
import { typeNumber } from "../facts/matter/types.js";
import type { Command } from "./parser.js";
import { uniqueReferents } from "./unique-referents.js";

export interface ValidAction {
  readonly action: string;
  /** Number of the action. */
  readonly templateId: number;
  /**
   * Ages of the things, in the order of the text. They equal ScienceWorld's ids, except for things that belong to the
   * task.
   */
  readonly objectIds: readonly number[];
  readonly typeIds: readonly number[];
}

export interface Template {
  readonly example: string;
  readonly templateId: number;
}

/** The state of an episode from which the lists are built. */
export interface View extends Scene {
  readonly universe: Thing;
}

/**
 * Returns the valid actions, in ScienceWorld's order.
 *
 * @param random stream that chooses between equal names. With the world's own stream, the draws affect the rest of the
 *   episode as in ScienceWorld; with a copy they do not
 */
export function validActions(actions: readonly Action[], view: View, random: JavaRandom): ValidAction[] {
  const near = namedNear(view, random);
  // ScienceWorld names every thing even if no action needs the name. In that case only the draws matter.
  const isNeeded = random === view.world.random || actions.some(({ isOracle }) => isOracle);
  const all = isNeeded ? namedAnywhere(view, random) : near;
  const inOrder = [...actions].sort((one, other) => rank(one) - rank(other));
  return inOrder.flatMap((action) => offered(action, action.isOracle ? all : near, view));
}

/** Makes the random draws of `validActions`, which affect the rest of the episode, without building the list. */
export function drawAsForValidActions(view: View): void {
  namedNear(view, view.world.random);
  namedAnywhere(view, view.world.random);
}

export function possibleActions(actions: readonly Action[]): Template[] {
  return actions.map((action) => ({ example: exampleOf(action), templateId: action.id }));
}

/** Returns the things that the agent can name, with one referent each, sorted by referent, then by age. */
export function possibleObjects(view: View, random: JavaRandom): (readonly [string, Thing])[] {
  const things = visibleAt(place(view));
  const referents = uniqueReferents(things, place(view), random);
  return things
    .map((thing, at) => [referents[at] as string, thing] as const)
    .sort(([one, thing], [other, another]) => byCodeUnits(one, other) || byAge(thing, another));
}

/** Template number of the first answer to a question. Actions have smaller numbers. */
const firstAnswerId = 100;

/** Returns the possible answers to a question of the parser, the only valid actions until it is answered. */
export function answersTo(choices: readonly Command[]): ValidAction[] {
  return choices.map(({ objects }, at) => ({
    action: String(at),
    templateId: firstAnswerId + at,
    objectIds: objects.map(({ age }) => age),
    typeIds: [],
  }));
}

/**
 * Returns the templates of the possible answers. As in ScienceWorld, a template number is `100` followed by the
 * answer's number: 1002 is the third answer.
 */
export function possibleAnswersTo(choices: readonly Command[]): Template[] {
  return choices.map((_, at) => ({ example: String(at), templateId: Number(`${firstAnswerId}${at}`) }));
}

type Names = ReadonlyMap<Thing, string>;

const namedNear = (view: View, random: JavaRandom) => named([...everythingFrom(place(view))], view, random);

const namedAnywhere = (view: View, random: JavaRandom) =>
  named([...everythingFrom(view.universe, { hidden: true })], view, random);

/** Returns a name for each thing. Passages are named by their destination. */
function named(things: readonly Thing[], view: View, random: JavaRandom): Names {
  const here = place(view);
  const referents = uniqueReferents(things, here, random);
  return new Map(things.map((thing, at) => [thing, directionOf(thing, here) ?? (referents[at] as string)]));
}

/** Returns the sort key of an action: its number, except that dunk follows pour (10) and oracle actions come last. */
function rank({ name, id, isOracle }: Action): number {
  if (isOracle) return Infinity;
  return name === "dunk object" ? 10.5 : id;
}

function offered(action: Action, names: Names, scene: Scene): ValidAction[] {
  const words = usualWords(action);
  const slots = action.pattern.filter((element) => "slot" in element).length;
  return combinations([...names.keys()], slots)
    .filter((objects) => action.offers?.(objects, scene) ?? action.refuse?.(objects, scene) === undefined)
    .map((objects) => ({
      action: inWords(words, objects, names),
      templateId: action.id,
      objectIds: objects.map(({ age }) => age),
      typeIds: objects.map(typeNumber),
    }));
}

/** Joins the words of an action and the names of its things, alternately. */
function inWords(words: readonly string[], objects: Objects, names: Names): string {
  const all = objects.map((thing) => names.get(thing) as string);
  return words.flatMap((word, at) => [word, ...all.slice(at, at + 1)]).join(" ");
}

/** Returns all combinations of `slots` (0, 1 or 2) things, including pairs of a thing with itself. */
function combinations(things: readonly Thing[], slots: number): Objects[] {
  if (slots === 0) return [[]];
  const rest = combinations(things, slots - 1);
  return things.flatMap((thing) => rest.map((others) => [thing, ...others]));
}
