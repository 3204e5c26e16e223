/** Foods, except plants. */

import { nameOf } from "../../engine/naming.js";
import type { Kind } from "../../engine/thing.js";
import type { MaterialName } from "./materials.js";
import { called, looksLike } from "./words.js";

/** Returns a food. Most foods have no material, and therefore no temperature. */
function food(name: string, article: "" | "a " | "an ", material?: MaterialName): Kind {
  return { name, isEdible: true, ...(material && { material }), words: called(name), describe: looksLike(article) };
}

/** Returns a food that is shown with its color and that the agent may name with or without the color. */
function coloured(name: string, color: string, material?: MaterialName): Kind {
  const full = `${color} ${name}`;
  return {
    ...food(name, "a ", material),
    words: (thing) => [name, full, thing.name, nameOf(thing), nameOf(thing, full)],
    describe: (thing) => `a ${nameOf(thing, full)}`,
  };
}

/**
 * Returns a food for which the accepted words and the description do not agree: only one of them contains the color.
 */
function alsoCalled(name: string, also: string, seenAs: string, material: MaterialName): Kind {
  return {
    ...food(name, "", material),
    words: (thing) => [name, thing.name, nameOf(thing), nameOf(thing, also)],
    describe: (thing) => nameOf(thing, seenAs),
  };
}

export const apple = coloured("apple", "red");
export const apricot = coloured("apricot", "orange", "plantMatter");
export const avocado = food("avocado", "an ");
export const banana = food("banana", "a ");
export const cherry = food("cherry", "a ");
export const lemon = food("lemon", "a ");
export const orange = food("orange", "an ");
export const grapefruit = food("grapefruit", "an ");
export const peach = food("peach", "a ");
export const pear = food("pear", "a ");
export const onion = coloured("onion", "red");
export const garlic = food("garlic", "");
export const potato = food("potato", "a ");

export const orangeJuice = food("orange juice", "", "orangeJuice");
export const appleJuice = food("apple juice", "", "appleJuice");
export const chocolate = food("chocolate", "", "chocolate");
export const marshmallow = food("marshmallow", "", "marshmallow");
export const smores = food("smores", "", "marshmallow");
export const iceCream = food("ice cream", "", "iceCream");
export const flour = alsoCalled("flour", "white flour", "flour", "flour");
export const dough = alsoCalled("dough", "white dough", "dough", "flour");
export const bread = alsoCalled("bread", "white bread", "bread", "flour");
export const jam = alsoCalled("jam", "red jam", "red jam", "jam");
export const peanut = food("peanut", "", "nut");
export const cashew = food("cashew", "", "nut");
export const almond = food("almond", "", "nut");
export const mixedNuts = food("mixed nuts", "", "nut");
export const fruitSalad = food("fruit salad", "", "plantMatter");

/** Returns a sandwich. @param filling such as "jam" or "peanut butter with banana" */
export function sandwich(filling: string): Kind {
  const name = `${filling} sandwich`;
  const kind = alsoCalled(name, name, name, "flour");
  return { ...kind, words: (thing) => ["sandwich", thing.name, nameOf(thing)] };
}
