/** The parser: converts an input to a command, a refusal, or a question to the agent about the meaning of the input. */
import type { Action, Objects } from "../actions/action.js";
import { byCodeUnits } from "../engine/description.js";
import { nameOf } from "../engine/naming.js";
import { visitNamable } from "../engine/reach.js";
import type { Thing } from "../engine/thing.js";
import { Matching } from "./matching.js";
import { normalised } from "./referents.js";

/** An action and the things that it is applied to. */
export interface Command {
  readonly action: Action;
  readonly objects: Objects;
}

/** The world around the agent, in which an input is parsed. */
export interface Surroundings {
  readonly universe: Thing;
  readonly agent: Thing;
}

export type Parsed = { readonly command: Command } | { readonly told: string };

export class Parser {
  /** Commands of an open question, from which the agent has to choose. */
  private asked: readonly Command[] | undefined;

  /** @param actions actions, sorted by number, then by name */
  constructor(private readonly actions: readonly Action[]) {}

  /** Commands from which the next input chooses by number. Undefined if the parser has not asked a question. */
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

  /** Returns all meanings of an input, without changing the state of the parser. */
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

  /**
   * Processes the reply to the open question. @returns the chosen command, or undefined if the input is not a valid
   * number
   */
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

/** Returns a command as text. Each thing is followed by its containers, up to the place of the agent. */
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
