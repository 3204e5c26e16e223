/**
 * Names of items as the agent reads and writes them. In the split `renamed`, all items that belong to no group have
 * exchanged their names at random, so a player cannot know recipes by heart and has to read them.
 */
import { MersenneTwister } from "../shared/rng/mersenne-twister.js";

/** A recipe as far as its line shows it. */
interface Craft {
  readonly output: string;
  readonly count: number;
  readonly ingredients: readonly { readonly name: string; readonly count: number }[];
}

/** Names that can be exchanged, and the place of each in the list. */
export interface ExchangeableNames {
  readonly renamable: readonly string[];
  readonly placeOf: ReadonlyMap<string, number>;
}

/** A bijection between the names of the recipe table and the names that the agent uses. */
export interface Naming {
  /** Returns the agent's name of an item or a group. */
  shown(name: string): string;
  /** Returns the table's name of what the agent calls `name`. A text that names no item is returned unchanged. */
  meant(name: string): string;
  /** Returns the line of a recipe in the agent's names. */
  line(recipe: Craft & { readonly line: string }): string;
}

/** The names of the recipe table themselves. */
export const ownNames: Naming = {
  shown: (name) => name,
  meant: (name) => name,
  line: ({ line }) => line,
};

/** @param seed determines which names are exchanged */
export function exchangedNames({ renamable, placeOf }: ExchangeableNames, seed: number): Naming {
  const order = Uint16Array.from(shuffledPlaces(renamable.length, seed));
  const back = new Uint16Array(order.length);
  for (const [at, place] of order.entries()) back[place] = at;
  const through = (places: Uint16Array) => (name: string) => {
    const at = placeOf.get(name);
    return at === undefined ? name : (renamable[places[at] as number] as string);
  };
  const shown = through(order);
  return { shown, meant: through(back), line: (recipe) => recipeLine(recipe, shown) };
}

function shuffledPlaces(count: number, seed: number): number[] {
  const places = Array.from({ length: count }, (_, place) => place);
  new MersenneTwister(seed).shuffle(places);
  return places;
}

/** Converts a name to the form shown to the agent: "oak planks" for "oak_planks". */
export function displayName(name: string): string {
  return name.replaceAll("_", " ");
}

/** Returns the text of a recipe, such as "craft 4 stick using 2 planks". */
export function recipeLine({ output, count, ingredients }: Craft, shown = ownNames.shown): string {
  const using = ingredients.map((input) => `${input.count} ${displayName(shown(input.name))}`).join(", ");
  return `craft ${count} ${displayName(shown(output))} using ${using}`;
}
