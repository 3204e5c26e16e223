/**
 * The part of the crafting book that a goal can need, as a graph: every name stands before all that it is made of, so
 * that a planner which walks from first to last knows the whole need of a name when it gets there.
 */
import type { CraftingBook, Recipe } from "./recipes.js";

export interface Node {
  readonly name: string;
  /** `base`: only got. `item`: crafted. `tag`: any one of its members. */
  readonly kind: "base" | "item" | "tag";
  /** Of an item: recipes with the biggest batch first. */
  readonly ways: readonly Way[];
  /** Of a tag: places of its members in the graph. */
  readonly members: readonly number[];
  /**
   * Of a member of a tag that plays no other part, nor do its ingredients: equal for members whose recipe has the same
   * counts. While nothing of such members is there or needed, one is as good as another.
   */
  readonly twin: string | undefined;
}

/** One application of a recipe. */
export interface Way {
  readonly recipe: Recipe;
  /** Places of the recipe's ingredients, in their order. */
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

/** All names under the goal, each before those that it is made of. */
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

/** How many names ask for each name: recipes of different items, and the tag for its members. */
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
