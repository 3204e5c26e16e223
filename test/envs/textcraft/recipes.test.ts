/** Compares the recipe table and the tables derived from it with the tables of the reference. */
import { describe, expect, test } from "vitest";
import { craftingBook, type Goal } from "#palestra/envs/textcraft/recipes.js";
import { type RecordedGoal, sharedDocument, sharedTest } from "./recordings.js";

interface ReferenceTables {
  recipes: {
    output: string;
    count: number;
    group: string | null;
    ingredients: { name: string; isTag: boolean; count: number }[];
    str: string;
  }[];
  tagRecipes: Record<string, string[]>;
  tagSet: string[];
  itemIds: string[];
  itemToTag: Record<string, string>;
  goals: RecordedGoal[];
}

const book = craftingBook();
const prefixed = (name: string) => `minecraft:${name}`;

test("the book has 613 recipes, 544 goals, 39 groups and 23 tags", () => {
  expect(book.recipes).toHaveLength(613);
  expect(book.goals).toHaveLength(544);
  expect(book.tagRecipes.size).toBe(39);
  expect(book.tags.size).toBe(23);
  expect(new Set([...book.gettable, ...book.itemRecipes.keys()]).size).toBe(676);
});

test("depths 1 to 4 have 125, 291, 117 and 11 goals", () => {
  expect([1, 2, 3, 4].map((depth) => book.goals.filter((goal) => goal.depth === depth).length)).toEqual([
    125, 291, 117, 11,
  ]);
});

test("no recipe has two ingredients that one item satisfies", () => {
  for (const { ingredients } of book.recipes) {
    const met = ingredients.flatMap(({ name, isTag }) => (isTag ? book.membersOf(name) : [name]));
    expect(new Set(met).size).toBe(met.length);
  }
});

describe("the reference's tables", () => {
  const tables = () => sharedDocument<ReferenceTables>("textcraft_data.json.gz");

  sharedTest("recipes are equal, in order", () => {
    const recipes = book.recipes.map(({ output, count, group, ingredients, line }) => ({
      output: prefixed(output),
      count,
      group: group === undefined ? null : prefixed(group),
      ingredients: ingredients.map(({ name, isTag, count: amount }) => ({
        name: prefixed(name),
        isTag,
        count: amount,
      })),
      str: line,
    }));
    expect(recipes).toEqual(tables().recipes);
  });

  sharedTest("groups, tags and items are equal", () => {
    const { tagRecipes, tagSet, itemIds, itemToTag } = tables();
    const groups = [...book.tagRecipes].map(([tag, list]) => [
      prefixed(tag),
      list.map(({ output }) => prefixed(output)),
    ]);
    expect(groups).toEqual(Object.entries(tagRecipes));
    expect([...book.tags].map(prefixed).sort()).toEqual(tagSet);
    expect(new Set([...book.gettable, ...book.itemRecipes.keys()].map(prefixed))).toEqual(new Set(itemIds));
    expect(Object.fromEntries([...book.tagOf].map(([item, tag]) => [prefixed(item), prefixed(tag)]))).toEqual(
      itemToTag,
    );
  });

  sharedTest("goals are equal, in order, with their depths and needed recipes", () => {
    const goals = book.goals.map((goal: Goal) => ({
      index: goal.dataIdx,
      goal: prefixed(goal.item),
      depth: goal.depth,
      needed: [...book.listing(goal).needed],
    }));
    expect(goals).toEqual(
      tables().goals.map(({ index, goal, depth, neededRecipes }) => ({ index, goal, depth, needed: neededRecipes })),
    );
  });
});
