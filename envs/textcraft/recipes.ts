/**
 * The crafting book: the recipe table and the tables derived from it. All instances share one immutable book.
 *
 * Items and tags have the names of the recipe table, without the prefix "minecraft:". A tag is a group of items: its
 * members are the outputs of all recipes of that group.
 */
import { readFileSync } from "node:fs";
import { type ExchangeableNames, recipeLine } from "./naming.js";

export interface Ingredient {
  readonly name: string;
  /** True if `name` is a tag. The whole amount must be of one item of the tag. */
  readonly isTag: boolean;
  readonly count: number;
}

export interface Recipe {
  readonly output: string;
  readonly count: number;
  readonly group: string | undefined;
  readonly ingredients: readonly Ingredient[];
  /** Text for the agent, such as "craft 4 stick using 2 planks". */
  readonly line: string;
}

export interface Goal {
  readonly item: string;
  /** Minimum height of a tree of crafts that makes the item. */
  readonly depth: number;
  /**
   * AgentGym's `data_idx`: the index of the goal in the list of all goals, sorted by depth, then in the order of the
   * recipes.
   */
  readonly dataIdx: number;
}

/** Recipe lines for the first observation of a goal. */
export interface Listing {
  /** Lines of all recipes in the recipe tree of the goal, in the order in which the tree is walked. */
  readonly needed: ReadonlySet<string>;
  /** For each ingredient of each recipe in the tree, repetitions included, the lines of all recipes that use it. */
  readonly uses: readonly (readonly string[])[];
}

interface Table {
  /** Recipes of the table. An ingredient whose name starts with "#" is a tag. */
  recipes: { output: string; count: number; group?: string; ingredients: Record<string, number> }[];
  /** Items that occur only in recipe files that TextCraft does not load. */
  otherItems: string[];
}

export class CraftingBook {
  readonly recipes: readonly Recipe[];
  readonly itemRecipes: ReadonlyMap<string, readonly Recipe[]>;
  /** Recipes by group. Some groups have a single item and are named after it. */
  readonly tagRecipes: ReadonlyMap<string, readonly Recipe[]>;
  /** Names of tags. No tag has the name of an item. */
  readonly tags: ReadonlySet<string>;
  readonly tagOf: ReadonlyMap<string, string>;
  /** Items that no recipe makes. The command `get` provides only these items. */
  readonly gettable: ReadonlySet<string>;
  readonly goals: readonly Goal[];
  /** Recipes by their lines. Recipes with the same line have the same names. */
  readonly recipeOf: ReadonlyMap<string, Recipe>;
  private readonly usesOf: ReadonlyMap<string, readonly string[]>;
  private readonly listings = new Map<string, Listing>();
  private exchangeable: ExchangeableNames | undefined;

  constructor(table: Table) {
    this.recipes = table.recipes.map(toRecipe);
    const grouped = this.recipes.filter(({ group }) => group !== undefined);
    const tagged = grouped.filter(({ group, output }) => group !== output);
    this.itemRecipes = groupBy(this.recipes, ({ output }) => output);
    this.tagRecipes = groupBy(grouped, ({ group }) => group as string);
    this.tags = new Set(tagged.map(({ group }) => group as string));
    this.tagOf = new Map(tagged.map(({ output, group }) => [output, group as string]));
    const named = this.recipes.flatMap(({ ingredients }) => ingredients.filter(({ isTag }) => !isTag));
    const items = [...named.map(({ name }) => name), ...table.otherItems];
    this.gettable = new Set(items.filter((item) => !this.itemRecipes.has(item)));
    this.goals = sortedGoals(this);
    this.recipeOf = new Map(this.recipes.map((recipe) => [recipe.line, recipe]));
    this.usesOf = collectUses([...this.itemRecipes.values(), ...this.tagRecipes.values()].flat());
  }

  /** Returns the recipes of an item, or of all members of a tag. The list is empty for base items. */
  recipesFor(name: string): readonly Recipe[] {
    return this.itemRecipes.get(name) ?? this.tagRecipes.get(name) ?? [];
  }

  /**
   * Names that can be exchanged without a change of the rules, and their places in the list. A member of a tag that a recipe
   * needs keeps its name, from which the agent knows its tag.
   */
  get names(): ExchangeableNames {
    if (!this.exchangeable) {
      const needed = new Set(
        this.recipes.flatMap(({ ingredients }) => ingredients.filter((i) => i.isTag).map((i) => i.name)),
      );
      const items = [...new Set([...this.itemRecipes.keys(), ...this.gettable])];
      const renamable = items.filter((item) => !needed.has(this.tagOf.get(item) ?? "")).sort();
      this.exchangeable = { renamable, placeOf: new Map(renamable.map((name, place) => [name, place])) };
    }
    return this.exchangeable;
  }

  /** Returns the members of a tag, in the order of the recipes. */
  membersOf(tag: string): string[] {
    return [...new Set((this.tagRecipes.get(tag) ?? []).map(({ output }) => output))];
  }

  listing(goal: Goal): Listing {
    let listing = this.listings.get(goal.item);
    if (!listing) {
      const tree = this.recipeTree(goal.item);
      const ingredients = tree.flatMap((recipe) => recipe.ingredients);
      listing = {
        needed: new Set(tree.map(({ line }) => line)),
        uses: ingredients.map(({ name }) => this.usesOf.get(name) ?? []),
      };
      this.listings.set(goal.item, listing);
    }
    return listing;
  }

  /**
   * Returns all recipes of `name`, followed by the recipe trees of their ingredients in order. The recursion ends,
   * since the table has no cycles.
   */
  private recipeTree(name: string): Recipe[] {
    const recipes = this.recipesFor(name);
    const ingredients = recipes.flatMap((recipe) => recipe.ingredients);
    return [...recipes, ...ingredients.flatMap((ingredient) => this.recipeTree(ingredient.name))];
  }
}

let shared: CraftingBook | undefined;

/**
 * Returns the book of Minecraft 1.16.5 as TextCraft reads it: 613 recipes, 544 goals. The first call loads the table.
 */
export function craftingBook(): CraftingBook {
  shared ??= new CraftingBook(JSON.parse(readFileSync(new URL("./data/recipes.json", import.meta.url), "utf8")));
  return shared;
}

function toRecipe({ output, count, group, ingredients }: Table["recipes"][number]): Recipe {
  const inputs = Object.entries(ingredients).map(([key, amount]) => {
    const isTag = key.startsWith("#");
    return { name: isTag ? key.slice(1) : key, isTag, count: amount };
  });
  return { output, count, group, ingredients: inputs, line: recipeLine({ output, count, ingredients: inputs }) };
}

function sortedGoals(book: CraftingBook): Goal[] {
  const depths = new Map<string, number>();
  const depthOf = (name: string): number => {
    let depth = depths.get(name);
    if (depth === undefined) {
      const recipes = book.recipesFor(name);
      const perRecipe = recipes.map(({ ingredients }) => 1 + Math.max(...ingredients.map((i) => depthOf(i.name))));
      depth = recipes.length === 0 ? 0 : Math.min(...perRecipe);
      depths.set(name, depth);
    }
    return depth;
  };
  return [...book.itemRecipes.keys()]
    .map((item) => ({ item, depth: depthOf(item) }))
    .sort((a, b) => a.depth - b.depth)
    .map((goal, dataIdx) => ({ ...goal, dataIdx }));
}

function collectUses(recipes: readonly Recipe[]): Map<string, string[]> {
  const uses = recipes.flatMap(({ ingredients, line }) => ingredients.map(({ name }) => ({ name, line })));
  return new Map([...groupBy(uses, ({ name }) => name)].map(([name, list]) => [name, list.map(({ line }) => line)]));
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
