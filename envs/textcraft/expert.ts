/**
 * The expert: returns the first action of a shortest plan for the current inventory. Each action makes the shortest
 * plan one action shorter, so planning again before every step still gives a shortest episode.
 */
import { type CraftingGraph, craftingGraph } from "./crafting-graph.js";
import type { TextCraft } from "./env.js";
import type { Inventory } from "./inventory.js";
import { displayName, type Naming, recipeLine } from "./naming.js";
import { type Plan, Planner } from "./planner.js";
import type { CraftingBook, Goal } from "./recipes.js";

const graphs = new Map<string, CraftingGraph>();

/** Returns the next action, or null before the first reset and after the goal is crafted. */
export function nextAction(environment: TextCraft): string | null {
  const plan = shortestPlan(environment);
  if (!plan) return null;
  const { inventory, naming } = environment;
  const written = (name: string) => displayName(naming.shown(name));
  for (const name of plan.nextInputs) {
    const missing = (plan.baseNeeds.get(name) ?? 0) - inventory.count(name);
    if (missing > 0) return `get ${missing} ${written(name)}`;
  }
  return commandOf(plan, naming);
}

/** Returns the action that crafts the next recipe of a plan. */
export function commandOf({ next: { recipe }, nextInputs }: Plan, { shown }: Naming): string {
  const ingredients = recipe.ingredients.map(({ count }, at) => ({ name: nextInputs[at] as string, count }));
  return recipeLine({ ...recipe, ingredients }, shown);
}

export function shortestPlan({ book, goal, inventory, solved }: TextCraft): Plan | undefined {
  return goal && !solved ? planFor(book, goal, inventory) : undefined;
}

/** Returns a shortest plan to craft one more piece of a goal with the items in an inventory. */
export function planFor(book: CraftingBook, goal: Goal, inventory: Inventory): Plan | undefined {
  let graph = graphs.get(goal.item);
  if (!graph) {
    graph = craftingGraph(book, goal.item);
    graphs.set(goal.item, graph);
  }
  const stock = graph.map(({ name }) => inventory.count(name));
  return new Planner(graph, stock).plan();
}
