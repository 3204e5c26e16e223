/**
 * The slow, obvious proof beside the expert: the fewest crafts that reach a goal, and then the fewest gets, found by
 * trying every sequence of crafts, shortest first. It plans nothing and knows nothing of what is sensible.
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

/** Amounts by name. A base item may go below 0: so much of it has to be got, in one get for each such item. */
type Amounts = ReadonlyMap<string, number>;

/** @returns undefined where there are more than `maxStates` inventories to look at */
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

/** Every recipe for the goal, for whatever those recipes use, and so on, with each member in place of a tag. */
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
