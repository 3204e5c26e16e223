/**
 * The engine of TextCraft. Its replies equal those of AgentGym's TextCraft, except for the differences listed in
 * README.md.
 */
import type { Environment, ResetRequest, ResetResult, StepResult } from "../env.js";
import { MersenneTwister } from "../shared/rng/mersenne-twister.js";
import { type ItemCount, itemName, parseAction } from "./actions.js";
import { type Amount, Inventory } from "./inventory.js";
import { displayName, type Naming, ownNames } from "./naming.js";
import { repr } from "./python-text.js";
import type { CraftingBook, Goal, Recipe } from "./recipes.js";
import { goalOf, namingOf } from "./tasks.js";

/** Maximum number of recipes per needed ingredient from which distractors are chosen. */
const maxUses = 10;
const maxDistractors = 10;

export class TextCraft implements Environment {
  /** The goal of the episode. Undefined before the first reset. */
  goal: Goal | undefined;
  /** Names that the agent uses. The goal, the inventory and the recipes have the names of the book. */
  naming: Naming = ownNames;
  inventory = new Inventory();
  solved = false;

  constructor(readonly book: CraftingBook) {}

  reset({ task, seed }: ResetRequest): ResetResult {
    const goal = goalOf(task);
    this.goal = goal;
    this.naming = namingOf(task);
    this.inventory = new Inventory();
    this.solved = false;
    const info = { goal: `minecraft:${this.naming.shown(goal.item)}`, depth: goal.depth, dataIdx: goal.dataIdx };
    return { observation: startText(this.book, goal, this.naming, seed), info };
  }

  step(action: string): StepResult {
    const parsed = parseAction(action);
    switch (parsed.verb) {
      case "craft":
        return this.craft(parsed.output, parsed.inputs);
      case "get":
        return reply(this.get(parsed.written, parsed.count));
      case "inventory":
        return reply(`Inventory: ${this.inventory.describe(this.naming.shown)}`);
      default:
        return reply(parsed.observation);
    }
  }

  close(): void {
    this.inventory = new Inventory();
  }

  clone(): TextCraft {
    const copy = new TextCraft(this.book);
    copy.goal = this.goal;
    copy.naming = this.naming;
    copy.inventory = new Inventory(this.inventory);
    copy.solved = this.solved;
    return copy;
  }

  private get(written: string, count: Amount): string {
    const item = this.naming.meant(itemName(written));
    if (!this.book.gettable.has(item)) return `Could not find ${written}`;
    this.inventory.add(item, count);
    return `Got ${count} ${written}`;
  }

  /** Applies a recipe once. The amount that the action states for the output is ignored. */
  private craft(output: ItemCount, named: readonly ItemCount[]): StepResult {
    const isTag = this.book.tags.has(output.name);
    const inputs = named.map(({ name, count }) => ({ name: this.naming.meant(name), count }));
    if (!inputs.every(({ name, count }) => this.inventory.has(name, count))) {
      return reply(`Could not find enough items to craft ${isTag ? "None" : `minecraft:${output.name}`}`);
    }
    const recipe = this.book.itemRecipes
      .get(this.naming.meant(output.name))
      ?.find((candidate) => this.fits(candidate, inputs));
    if (!recipe) return reply(`Could not find a valid recipe for ${outputRepr(output, isTag)}`);
    for (const { name, count } of inputs) this.inventory.remove(name, count);
    this.inventory.add(recipe.output, recipe.count);
    const solved = recipe.output === this.goal?.item;
    if (solved) this.solved = true;
    return reply(`Crafted ${recipe.count} minecraft:${this.naming.shown(recipe.output)}`, solved);
  }

  /**
   * Whether the inputs are exactly the ingredients of the recipe, in any order, each listed once with its full amount.
   */
  private fits(recipe: Recipe, inputs: readonly ItemCount[]): boolean {
    if (recipe.ingredients.length !== inputs.length) return false;
    return recipe.ingredients.every(({ name, isTag, count }) => {
      // No item can meet two ingredients of one recipe, so the first match is the only match.
      const input = inputs.find((i) => (isTag ? this.book.tagOf.get(i.name) : i.name) === name);
      return input?.count === count;
    });
  }
}

/**
 * Returns the first observation: the recipes that the goal needs, and distractors that use the same ingredients, in
 * random order. The random draws equal those of AgentGym's TextCraft. Its sets iterate in hash order; here sets iterate
 * in insertion order, so that a seed always gives the same text.
 */
function startText(book: CraftingBook, goal: Goal, naming: Naming, seed: number): string {
  const { needed, uses } = book.listing(goal);
  const random = new MersenneTwister(seed);
  const distractors = new Set<string>();
  for (const lines of uses) {
    for (const line of random.sample(lines, Math.min(lines.length, maxUses))) {
      if (!needed.has(line)) distractors.add(line);
    }
  }
  const shown = random.sample([...distractors], Math.min(distractors.size, maxDistractors));
  const lines = [...needed, ...shown];
  random.shuffle(lines);
  const shownLines = lines.map((line) => naming.line(book.recipeOf.get(line) as Recipe));
  return `Crafting commands:\n${shownLines.join("\n")}\n\nGoal: craft ${displayName(naming.shown(goal.item))}.`;
}

function reply(observation: string, solved = false): StepResult {
  return { observation, reward: solved ? 1 : 0, terminated: solved, truncated: false, info: {} };
}

/** Formats an output as Python prints the corresponding dataclass of AgentGym's TextCraft. */
function outputRepr({ name, count }: ItemCount, isTag: boolean): string {
  const id = repr(`minecraft:${name}`);
  const itemTag = isTag ? `ItemTag(tag=${id}, item_id=None)` : `ItemTag(tag=None, item_id=${id})`;
  return `ItemTagWithCount(item_tag=${itemTag}, count=${count})`;
}
