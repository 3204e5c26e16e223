/**
 * The part of the crafting book that a goal may need, as a graph in topological order: every name precedes its
 * ingredients. When a planner that walks from first to last reaches a name, it knows the total amount needed.
 */
import type { CraftingBook, Recipe } from "./recipes.js";

export interface Node {
  readonly name: string;
  /**
   * `base`: an item that only `get` provides. `item`: a craftable item. `tag`: a group of items, of which any member
   * can be used.
   */
  readonly kind: "base" | "item" | "tag";
  /** Recipes of an item, sorted by the size of their output, the largest first. */
  readonly ways: readonly Way[];
  /** Indices in the graph of the members of a tag. */
  readonly members: readonly number[];
  /**
   * Key of a tag member that has no other use, and whose ingredients have no other use. Members with equal keys have
   * recipes with the same counts, so they are interchangeable until one of them is in stock or needed.
   */
  readonly twin: string | undefined;
}

/** A recipe with the indices of its ingredients. */
export interface Way {
  readonly recipe: Recipe;
  /** Indices of the ingredients in the graph, in the order of the recipe. */
  readonly inputs: readonly number[];
}

export type CraftingGraph = readonly Node[];

export function craftingGraph(book: CraftingBook, goal: string): CraftingGraph {
  const names = sortedNames(book, goal);
  const placeOf = new Map(names.map((name, place) => [name, place]));
  const place = (name: string) => placeOf.get(name) as number;
  const consumers = countConsumers(book, names);
  return names.map((name) => {
    const recipes = [...(book.itemRecipes.get(name) ?? [])].sort((a, b) => b.count - a.count);
    return {
      name,
      kind: book.tags.has(name) ? "tag" : recipes.length > 0 ? "item" : "base",
      ways: recipes.map((recipe) => ({ recipe, inputs: recipe.ingredients.map((i) => place(i.name)) })),
      members: book.tags.has(name) ? book.membersOf(name).map(place) : [],
      twin: twinKey(recipes, (input) => consumers.get(input) === 1 && !placeOf.has(book.tagOf.get(input) ?? "")),
    };
  });

  function twinKey(recipes: readonly Recipe[], isPrivate: (input: string) => boolean): string | undefined {
    const [recipe] = recipes;
    if (!recipe || recipes.length > 1 || consumers.get(recipe.output) !== 1) return undefined;
    const areBases = recipe.ingredients.every((i) => !i.isTag && !book.itemRecipes.has(i.name) && isPrivate(i.name));
    return areBases ? [recipe.count, ...recipe.ingredients.map((i) => i.count)].join() : undefined;
  }
}

/** Returns the goal and all names that it may need, each before its ingredients. */
function sortedNames(book: CraftingBook, goal: string): string[] {
  const done = new Set<string>();
  const visit = (name: string) => {
    if (done.has(name)) return;
    for (const below of namesBelow(book, name)) visit(below);
    done.add(name);
  };
  visit(goal);
  return [...done].reverse();
}

/**
 * Counts for each name how many names use it: the items that have it as an ingredient, and the tag that contains it.
 */
function countConsumers(book: CraftingBook, names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const below of names.flatMap((name) => [...namesBelow(book, name)])) {
    counts.set(below, (counts.get(below) ?? 0) + 1);
  }
  return counts;
}

function namesBelow(book: CraftingBook, name: string): Set<string> {
  if (book.tags.has(name)) return new Set(book.membersOf(name));
  const recipes = book.itemRecipes.get(name) ?? [];
  return new Set(recipes.flatMap(({ ingredients }) => ingredients.map((ingredient) => ingredient.name)));
}
