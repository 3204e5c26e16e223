/**
 * A slow and simple proof for the expert: finds the fewest crafts that reach a goal, and then the fewest gets. It
 * searches all sequences of crafts, shortest first.
 */
import type { CraftingBook, Recipe } from "#palestra/envs/textcraft/recipes.js";

export interface Cost {
  crafts: number;
  gets: number;
}

export interface Craft {
  output: string;
  count: number;
  inputs: [name: string, count: number][];
}

/** Amounts by name. A negative amount of a base item has to be got, in one get per item. */
type Amounts = ReadonlyMap<string, number>;

/** @returns the cost, or undefined if the search needs more than `maxStates` inventories */
export function shortest(book: CraftingBook, goal: string, start: Amounts, maxStates: number): Cost | undefined {
  const crafts = possibleCrafts(book, goal);
  let layer = new Map([[keyOf(start), start]]);
  let looked = 0;
  for (let depth = 1; ; depth++) {
    const next = new Map<string, Amounts>();
    let fewestGets = Number.POSITIVE_INFINITY;
    for (const amounts of layer.values()) {
      for (const craft of crafts) {
        const after = perform(book, craft, amounts);
        if (!after) continue;
        looked += 1;
        if (looked > maxStates) return undefined;
        if (craft.output === goal) fewestGets = Math.min(fewestGets, getsOf(after));
        else next.set(keyOf(after), after);
      }
    }
    if (fewestGets < Number.POSITIVE_INFINITY) return { crafts: depth, gets: fewestGets };
    layer = next;
  }
}

/** Returns the recipes of the goal, of their ingredients, and so on, with each member in place of a tag. */
export function possibleCrafts(book: CraftingBook, goal: string): Craft[] {
  const crafts: Craft[] = [];
  const names = [goal];
  for (const name of names) {
    for (const recipe of book.itemRecipes.get(name) ?? []) {
      for (const craft of variants(book, recipe)) {
        crafts.push(craft);
        for (const [input] of craft.inputs) if (!names.includes(input)) names.push(input);
      }
    }
  }
  return crafts;
}

function variants(book: CraftingBook, { output, count, ingredients }: Recipe): Craft[] {
  let inputs: [string, number][][] = [[]];
  for (const ingredient of ingredients) {
    const names = ingredient.isTag ? book.membersOf(ingredient.name) : [ingredient.name];
    inputs = inputs.flatMap((list) => names.map((name) => [...list, [name, ingredient.count] as [string, number]]));
  }
  return inputs.map((list) => ({ output, count, inputs: list }));
}

function perform(book: CraftingBook, { output, count, inputs }: Craft, amounts: Amounts): Amounts | undefined {
  const after = new Map(amounts);
  for (const [name, needed] of inputs) {
    const left = (after.get(name) ?? 0) - needed;
    if (left < 0 && book.itemRecipes.has(name)) return undefined;
    after.set(name, left);
  }
  return after.set(output, (after.get(output) ?? 0) + count);
}

function getsOf(amounts: Amounts): number {
  return [...amounts.values()].filter((amount) => amount < 0).length;
}

function keyOf(amounts: Amounts): string {
  return [...amounts]
    .map(([name, amount]) => `${name} ${amount}`)
    .sort()
    .join();
}
