/**
 * One episode of ScienceWorld (Wang et al. 2022, "ScienceWorld: Is your Agent Smarter than a 5th Grader?") with the
 * behavior of version 1.3.0.
 */
import { JavaRandom } from "../shared/rng/java-random.js";
import type { Action } from "./actions/action.js";
import { actionsWith } from "./actions/all.js";
import { lookAround, viewInventory } from "./actions/looking.js";
import { byCodeUnits } from "./engine/description.js";
import { allWithin } from "./engine/reach.js";
import type { Simplification } from "./engine/simplifications.js";
import type { Thing } from "./engine/thing.js";
import { SimulatedWorld } from "./engine/world.js";
import { typeNumber } from "./facts/matter/types.js";
import { contact } from "./facts/things/electrical.js";
import type { GoalSequence } from "./goals/goal-sequence.js";
import { buildHouse } from "./house.js";
import { type Command, Parser } from "./parser/parser.js";
import {
  answersTo,
  drawAsForValidActions,
  possibleActions,
  possibleAnswersTo,
  possibleObjects,
  type Template,
  type ValidAction,
  type View,
  validActions,
} from "./parser/valid-actions.js";
import { drawAtTurn, taskNamed } from "./tasks/all.js";

const nothingSaid =
  "Unknown action.  Type 'help' for a list of actions, and 'objects' for a list of possible object referents. ";

interface Asking {
  /**
   * True to choose between equal names with the random stream of the episode, as ScienceWorld does. The draws affect
   * the rest of the episode.
   */
  readonly isDrawing?: boolean;
}

/**
 * Age of the first thing of the house. ScienceWorld first creates the things of all tasks, Palestra only those of one
 * task, so the ages are skipped.
 */
const ageOfHouse = 17_197;

export class Game implements View {
  readonly world: SimulatedWorld;
  readonly agent: Thing;
  readonly inventory: Thing;
  readonly taskDescription: string;
  /** All commands of the agent so far, except "look around". */
  readonly history: Command[] = [];
  focus: Thing | undefined;
  waits = 0;
  /** Number of ticks so far, which ScienceWorld calls moves. */
  moves = 0;
  readonly universe: Thing;
  readonly goals: GoalSequence;
  /** All actions that the simplifications of this episode allow. */
  readonly actions: readonly Action[];
  readonly parser: Parser;

  /** @param variation index from 0 @throws {Error} the task does not exist */
  constructor(taskName: string, variation: number, simplifications: ReadonlySet<Simplification> = new Set()) {
    const task = taskNamed(taskName);
    const random = new JavaRandom(variation);
    this.world = new SimulatedWorld(random, simplifications, contact);
    const furnish = task.prepare(variation, drawAtTurn(task, random), this.world);
    random.setSeed(variation);
    this.world.skipTo(ageOfHouse);
    const house = buildHouse(this.world);
    random.setSeed(variation);
    const { description, goals } = furnish(house);
    this.universe = house.universe;
    this.agent = house.agent;
    this.inventory = house.agent.visibleContents().find((one) => one.opening) as Thing;
    this.taskDescription = description.trim();
    this.goals = goals;
    this.simplify(simplifications);
    this.actions = actionsWith(simplifications);
    this.parser = new Parser(this.actions);
  }

  get score(): number {
    return this.goals.score;
  }

  get isCompleted(): boolean {
    return this.goals.isCompleted;
  }

  resetGoals(): void {
    this.goals.reset();
  }

  look(): string {
    return lookAround.perform([], this);
  }

  viewInventory(): string {
    return viewInventory.perform([], this);
  }

  /** Returns the valid actions, or the possible answers if the parser has asked a question. */
  validActions({ isDrawing = false }: Asking = {}): ValidAction[] {
    const { choices } = this.parser;
    return choices ? answersTo(choices) : validActions(this.actions, this, this.randomToAsk(isDrawing));
  }

  /**
   * Whether an input would be understood and not refused. An input with several meanings, about which the parser would ask,
   * is accepted if one of them is not refused. The number of an answer to an open question is always accepted.
   */
  accepts(input: string): boolean {
    if (this.parser.choices) return true;
    const meanings = this.parser.meanings(input, this);
    return meanings.some(({ action, objects }) => action.refuse?.(objects, this) === undefined);
  }

  /** Makes the random draws of `validActions` without computing its list. */
  drawAsForValidActions(): void {
    if (!this.parser.choices) drawAsForValidActions(this);
  }

  /** Returns the templates of the actions, or of the possible answers if the parser has asked a question. */
  possibleActions(): Template[] {
    const { choices } = this.parser;
    return choices ? possibleAnswersTo(choices) : possibleActions(this.actions);
  }

  /** Returns an example of each action, even if the parser has asked a question. */
  wordings(): string[] {
    return possibleActions(this.actions)
      .map(({ example }) => example)
      .sort(byCodeUnits);
  }

  /** Returns a table of all goals as text. */
  goalProgress(): string {
    return this.goals.progress;
  }

  possibleObjects(asking: Asking = {}): string[] {
    return this.referents(asking).map(({ referent }) => referent);
  }

  /** Returns the things that the agent can name, sorted by referent. `id` is the id that valid actions use. */
  referents({ isDrawing = false }: Asking = {}): { id: number; typeId: number; referent: string }[] {
    const objects = possibleObjects(this, this.randomToAsk(isDrawing));
    return objects.map(([referent, thing]) => ({ id: thing.age, typeId: typeNumber(thing), referent }));
  }

  /** Performs one input. @returns the observation */
  step(input: string): string {
    const told = this.tellOf(input.trim().toLowerCase());
    if (told) return told;
    const command = this.commandOf(input);
    if (typeof command === "string") return command;
    return this.run(command) || nothingSaid;
  }

  /** Replies to the inputs "task", "objects" and "help", even if the parser has asked a question. */
  private tellOf(topic: string): string | undefined {
    if (topic === "task") return `Task description:\n${this.taskDescription}`;
    if (topic === "objects")
      return `Possible object references: \n\t${this.possibleObjects({ isDrawing: true }).join("\n\t")}`;
    return topic === "help" ? `Possible actions: \n\t${this.wordings().join("\n\t")}` : undefined;
  }

  private randomToAsk(isDrawing: boolean): JavaRandom {
    return isDrawing ? this.world.random : this.world.random.clone();
  }

  /**
   * Parses an input. @returns the command, a reply, or undefined if the parser's question was not answered; time passes
   * in this case too
   */
  private commandOf(input: string): Command | undefined | string {
    if (this.parser.choices) return this.parser.answer(input);
    const parsed = this.parser.parse(input, this);
    return "command" in parsed ? parsed.command : parsed.told;
  }

  private run(command: Command | undefined): string {
    const said = command ? this.perform(command) : "";
    this.goals.tick(this);
    if (!command?.action.isFree) this.passTime();
    this.goals.tick(this);
    while (this.waits > 0) {
      this.waits -= 1;
      this.goals.tick(this);
      this.passTime();
      this.goals.tick(this);
    }
    return said.trim().replace(/ {2,}/g, " ");
  }

  private perform(command: Command): string {
    const { action, objects } = command;
    const said = action.refuse?.(objects, this) ?? action.perform(objects, this);
    this.history.push(command);
    return said;
  }

  private passTime(): void {
    this.world.tick(this.universe);
    this.moves += 1;
  }

  private simplify(simplifications: ReadonlySet<Simplification>): void {
    const everything = allWithin(this.universe);
    for (const { passage, opening } of everything) {
      if (passage && simplifications.has("openDoors")) passage.isOpen = true;
      if (opening?.canClose && simplifications.has("openContainers")) opening.isOpen = true;
    }
  }
}
