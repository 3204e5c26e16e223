/**
 * TextCraft for two players who share an inventory. The commands of an ordinary opening are dealt to the seats, and so
 * is the right to get the goal's ingredients and a few other things.
 */
import type { Environment, ResetRequest, ResetResult, StepResult } from "../../env.js";
import { itemName, parseAction } from "../actions.js";
import { TextCraft } from "../env.js";
import { commandOf, shortestPlan } from "../expert.js";
import { displayName } from "../naming.js";
import { craftingBook } from "../recipes.js";
import { otherThan, type PairState, type Parts, type Seat, seats, shortestPlay } from "./plan.js";
import { Deal, sourceOf } from "./tasks.js";
import { openingOf } from "./words.js";

/** What the goal needs, with the names that the players use. */
export interface Need {
  /** The goal's command, such as `craft 4 oak planks using 1 oak log`. */
  readonly command: string;
  readonly ingredients: readonly { readonly item: string; readonly count: number }[];
}

/** Lowest reward of a crafted goal, in episodes with more steps than the environment's own limit. */
export const leastReward = 0.08;

/** Things other than the goal's ingredients that a seat alone can get. */
const otherThings = 2;

export class Pair implements Environment {
  game = new TextCraft(craftingBook());
  turn: Seat = "left";
  steps = 0;
  /** Number of steps of the best joint play. */
  best = 0;
  parts: Parts = { reader: "left", getters: [] };
  need: Need = { command: "", ingredients: [] };
  isTold = false;
  /** Items that one seat alone can get, by the names of the recipe table. */
  private owners: ReadonlyMap<string, Seat> = new Map();
  private openings: Readonly<Record<Seat, string>> = { left: "", right: "" };
  private hasSeen: readonly Seat[] = [];
  /** What a seat learns at its next turn: the reply to its own action. */
  private replies: Readonly<Partial<Record<Seat, string>>> = {};

  reset({ task, seed }: ResetRequest): ResetResult {
    const opening = this.game.reset({ task: sourceOf(task), seed, options: {} });
    const [commands = "", goal = ""] = opening.observation.split("\n\nGoal: craft ");
    const deal = new Deal(task);
    this.need = this.needOf();
    this.parts = deal.parts(this.need.ingredients.length);
    this.deal(deal, commands.split("\n").slice(1), goal.replace(/\.$/, ""));
    this.turn = "left";
    this.steps = 0;
    this.isTold = false;
    this.hasSeen = [];
    this.replies = {};
    this.best = shortestPlay(this.parts, this.state).length;
    const talk = this.parts.getters.every((seat) => seat === this.parts.reader) ? "free" : "needed";
    return { observation: this.seen(""), turn: this.turn, info: { ...opening.info, best: this.best, talk } };
  }

  step(action: string): StepResult {
    this.steps += 1;
    const actor = this.turn;
    const text = action.trim();
    const said = /^say\s+(\S[\s\S]*)$/.exec(text)?.[1];
    const result = said === undefined ? this.act(text) : this.hear(said);
    const { observation, terminated } = result;
    if (terminated)
      return { ...result, observation, reward: Math.max(leastReward, Math.min(1, this.best / this.steps)) };
    this.turn = otherThan(actor);
    this.replies = { ...this.replies, [actor]: said === undefined ? observation : "" };
    const news = said === undefined ? `The other player: ${text}. ${observation}.` : `The other player says: ${said}`;
    return { ...result, observation: this.seen(news), turn: this.turn };
  }

  close(): void {
    this.game.close();
  }

  clone(): Pair {
    return Object.assign(new Pair(), this, { game: this.game.clone() });
  }

  get solved(): boolean {
    return this.game.solved;
  }

  /** State of the search for the best play. */
  get state(): PairState {
    const { turn, isTold, need, game } = this;
    const has = ({ item, count }: Need["ingredients"][number]) => game.inventory.has(this.meant(item), count);
    return { turn, isTold, got: need.ingredients.flatMap((ingredient, at) => (has(ingredient) ? [at] : [])) };
  }

  /** Returns the name in the recipe table of what a player writes, with spaces or underscores. */
  private meant(written: string): string {
    return this.game.naming.meant(itemName(written));
  }

  private act(text: string): StepResult {
    if (text === "wait") return ordinary("Waited");
    const parsed = parseAction(text);
    const owner = parsed.verb === "get" ? this.owners.get(this.meant(parsed.written)) : undefined;
    if (owner === undefined || owner === this.turn) return this.game.step(text);
    return ordinary(`Only the other player can get ${parsed.verb === "get" ? parsed.written : ""}`);
  }

  private hear(said: string): StepResult {
    if (said.includes(this.need.command)) this.isTold = true;
    return ordinary(said);
  }

  /** Returns the goal's command and ingredients, of a shortest plan of TextCraft. */
  private needOf(): Need {
    const { naming } = this.game;
    const plan = shortestPlan(this.game);
    if (!plan) throw new Error("expected a plan for the goal, but there is none");
    const ingredients = plan.next.recipe.ingredients.map(({ count }, at) => ({
      item: displayName(naming.shown(plan.nextInputs[at] as string)),
      count,
    }));
    return { command: commandOf(plan, naming), ingredients };
  }

  private deal(deal: Deal, lines: readonly string[], goal: string): void {
    const { reader, getters } = this.parts;
    const isGoals = (line: string) => line.includes(` ${goal} using `);
    const readers = new Map(lines.map((line) => [line, isGoals(line) ? reader : deal.seat()]));
    const needed = this.need.ingredients.map(({ item }, at): [string, Seat] => [item, getters[at] as Seat]);
    // Who reads a goal with several commands must not get by another one what the play needs the other seat for.
    const hard = getters.find((seat) => seat !== reader) ?? reader;
    const otherWays = namesIn(lines.filter(isGoals)).map((name): [string, Seat] => [name, hard]);
    const known = new Set([...needed, ...otherWays].map(([name]) => name));
    const others = namesIn(lines).filter((name) => !known.has(name));
    const extra = deal.some(others, 2 * otherThings).map((name): [string, Seat] => [name, deal.seat()]);
    const owners = new Map([...extra, ...otherWays, ...needed]);
    this.owners = new Map([...owners].map(([name, seat]) => [this.meant(name), seat]));
    const own = (seat: Seat) => [...owners].flatMap(([item, owner]) => (owner === seat ? [item] : [])).sort();
    const linesOf = (seat: Seat) => lines.filter((line) => readers.get(line) === seat);
    const texts = seats.map((seat) => [seat, openingOf({ lines: linesOf(seat), own: own(seat), goal })]);
    this.openings = Object.fromEntries(texts);
  }

  /** Returns the observation of the seat that acts next. */
  private seen(news: string): string {
    const { turn, replies } = this;
    const opening = this.hasSeen.includes(turn) ? "" : this.openings[turn];
    if (opening !== "") this.hasSeen = [...this.hasSeen, turn];
    return [opening, replies[turn] ?? "", news].filter((text) => text !== "").join("\n");
  }
}

function ordinary(observation: string): StepResult {
  return { observation, reward: 0, terminated: false, truncated: false, info: {} };
}

/** Returns the names of the ingredients in commands, each once. */
function namesIn(commands: readonly string[]): string[] {
  const counted = commands.flatMap((command) => (command.split(" using ")[1] ?? "").split(", "));
  return [...new Set(counted.map((text) => text.replace(/^\d+ /, "")))];
}
