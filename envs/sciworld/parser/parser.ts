/** From what was typed to an action: one, none, or a question which of several is meant. */
import type { Action, Objects } from "../actions/action.js";
import { byCodeUnits } from "../engine/description.js";
import { nameOf } from "../engine/naming.js";
import { visitNamable } from "../engine/reach.js";
import type { Thing } from "../engine/thing.js";
import { Matching } from "./matching.js";
import { normalised } from "./referents.js";

/** An action on these things. */
export interface Command {
  readonly action: Action;
  readonly objects: Objects;
}

/** What an input is about. */
export interface Surroundings {
  readonly universe: Thing;
  readonly agent: Thing;
}

export type Parsed = { readonly command: Command } | { readonly told: string };

export class Parser {
  /** Of what was asked and not answered yet. */
  private asked: readonly Command[] | undefined;

  /** @param actions by their numbers and names */
  constructor(private readonly actions: readonly Action[]) {}

  /** Of which the next input names one by its number; undefined: nothing was asked. */
  get choices(): readonly Command[] | undefined {
    return this.asked;
  }

  parse(input: string, scene: Surroundings): Parsed {
    const found = this.meanings(input, scene);
    const [first] = found;
    if (!first) return { told: "No known action matches that input." };
    if (found.length === 1) return { command: first };
    return { told: this.ask(found, scene.agent.container ?? scene.agent) };
  }

  /** All that it can mean. Nothing comes of it. */
  meanings(input: string, { universe, agent }: Surroundings): readonly Command[] {
    const place = agent.container ?? agent;
    const text = normalised(input);
    const near = new Matching(text, {
      place,
      visit(visit) {
        visitNamable(place, visit);
        visitNamable(agent, visit);
      },
    });
    const anywhere = new Matching(text, { place, visit: (visit) => visitNamable(universe, visit) });
    const found: Command[] = [];
    for (const action of this.actions) {
      for (const objects of (action.isOracle ? anywhere : near).with(action.pattern)) found.push({ action, objects });
    }
    return found;
  }

  /** @returns undefined of what is no answer: the action is given up */
  answer(input: string): Command | undefined {
    const { choices } = this;
    this.asked = undefined;
    return /^[+-]?\d+$/.test(input) ? choices?.[Number(input)] : undefined;
  }

  private ask(found: readonly Command[], place: Thing): string {
    const sorted = [...found].sort((one, other) => byCodeUnits(one.action.name, other.action.name));
    this.asked = sorted;
    const names = [...new Set(sorted.map(({ action }) => action.name))];
    const warning =
      names.length > 1
        ? `Ambiguous request: Multiple different possible actions were matched to this input (${names.join(", ")}). It's possible the action space needs to be refined to remove possible duplicate/ambiguous patterns.`
        : "";
    const question = "Ambiguous request: Please enter the number for the action you intended (or blank to cancel):\n";
    return warning + question + sorted.map((choice, at) => `${at}:\t${inWords(choice, place)}\n`).join("");
  }
}

/** As it would be typed, with where everything is, up to the agent's place. */
function inWords({ action, objects }: Command, place: Thing): string {
  const left = [...objects];
  return action.pattern
    .map((element) => ("slot" in element ? withPlace(left.shift() as Thing, place) : element[0]))
    .join(" ");
}

function withPlace(thing: Thing, place: Thing): string {
  const containers: string[] = [];
  for (let inside = thing.container; inside; inside = inside.container) {
    containers.push(`in ${inside.name}`);
    if (inside === place) break;
  }
  return containers.length > 0 ? `${nameOf(thing)} (${containers.join(", ")})` : nameOf(thing);
}
