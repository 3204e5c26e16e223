/** What can be done now, as it would be typed, and what can be named. */
import type { JavaRandom } from "../../rng/java-random.js";
import { type Action, exampleOf, type Objects, place, type Scene, usualWords } from "../actions/action.js";
import { byCodeUnits } from "../engine/description.js";
import { directionOf } from "../engine/naming.js";
import { everythingFrom, visibleAt } from "../engine/reach.js";
import { byAge, type Thing } from "../engine/thing.js";
import { typeNumber } from "../facts/types.js";
import type { Command } from "./parser.js";
import { uniqueReferents } from "./unique-referents.js";

export interface ValidAction {
  readonly action: string;
  /** The action's number. */
  readonly templateId: number;
  /** Ages of its things, in the order of the text: the original's ids, but of what a task adds only their order. */
  readonly objectIds: readonly number[];
  readonly typeIds: readonly number[];
}

export interface Template {
  readonly example: string;
  readonly templateId: number;
}

/** Of an episode, what its lists are made from. */
export interface View extends Scene {
  readonly universe: Thing;
}

/**
 * In the original's order.
 *
 * @param random drawn from where names are not easily told apart: the world's own, and the episode goes on as the
 * original does after it has been asked; a copy, and nothing happens
 */
export function validActions(actions: readonly Action[], view: View, random: JavaRandom): ValidAction[] {
  const near = namedNear(view, random);
  // Where no action sees it, the original names everything all the same: only its draws are missed then.
  const isNeeded = random === view.world.random || actions.some(({ isOracle }) => isOracle);
  const all = isNeeded ? namedAnywhere(view, random) : near;
  const inOrder = [...actions].sort((one, other) => rank(one) - rank(other));
  return inOrder.flatMap((action) => offered(action, action.isOracle ? all : near, view));
}

/** All that making such a list changes. */
export function drawAsForValidActions(view: View): void {
  namedNear(view, view.world.random);
  namedAnywhere(view, view.world.random);
}

export function possibleActions(actions: readonly Action[]): Template[] {
  return actions.map((action) => ({ example: exampleOf(action), templateId: action.id }));
}

/** What can be named by whoever is there, each thing by one referent: by these, then by age. */
export function possibleObjects(view: View, random: JavaRandom): (readonly [string, Thing])[] {
  const things = visibleAt(place(view));
  const referents = uniqueReferents(things, place(view), random);
  return things
    .map((thing, at) => [referents[at] as string, thing] as const)
    .sort(([one, thing], [other, another]) => byCodeUnits(one, other) || byAge(thing, another));
}

/** Of the answers to a question; actions have smaller ones. */
const firstAnswerId = 100;

/** While a question is open, they are all that is valid. */
export function answersTo(choices: readonly Command[]): ValidAction[] {
  return choices.map(({ objects }, at) => ({
    action: String(at),
    templateId: firstAnswerId + at,
    objectIds: objects.map(({ age }) => age),
    typeIds: [],
  }));
}

/** Here the original writes the two numbers one after the other: 1002 is the third answer. */
export function possibleAnswersTo(choices: readonly Command[]): Template[] {
  return choices.map((_, at) => ({ example: String(at), templateId: Number(`${firstAnswerId}${at}`) }));
}

type Names = ReadonlyMap<Thing, string>;

const namedNear = (view: View, random: JavaRandom) => named([...everythingFrom(place(view))], view, random);

const namedAnywhere = (view: View, random: JavaRandom) =>
  named([...everythingFrom(view.universe, { hidden: true })], view, random);

/** Passages are named by where they lead. */
function named(things: readonly Thing[], view: View, random: JavaRandom): Names {
  const here = place(view);
  const referents = uniqueReferents(things, here, random);
  return new Map(things.map((thing, at) => [thing, directionOf(thing, here) ?? (referents[at] as string)]));
}

/** As they are numbered, but dunking after pouring, which is 10, and what sees the whole universe at the end. */
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

/** Words and names in turns. */
function inWords(words: readonly string[], objects: Objects, names: Names): string {
  const all = objects.map((thing) => names.get(thing) as string);
  return words.flatMap((word, at) => [word, ...all.slice(at, at + 1)]).join(" ");
}

/** Of none, one or two things, each with each and with itself. */
function combinations(things: readonly Thing[], slots: number): Objects[] {
  if (slots === 0) return [[]];
  const rest = combinations(things, slots - 1);
  return things.flatMap((thing) => rest.map((others) => [thing, ...others]));
}
