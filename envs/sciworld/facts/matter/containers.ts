/** Containers in which things are kept and carried. */
import { inOneLine } from "../../engine/description.js";
import type { OpeningFacts } from "../../engine/kind-facts.js";
import { nameOf } from "../../engine/naming.js";
import type { Kind, Thing, World } from "../../engine/thing.js";
import type { MaterialName } from "./materials.js";
import { water } from "./substances.js";
import { called, madeOf } from "./words.js";

/** Describes a container by its name and contents, for kinds without a specific description. */
export function withContents(thing: Thing): string {
  return `a ${nameOf(thing)} (containing ${inOneLine(contentsAndPassages(thing), { place: thing })})`;
}

export function contentsAndPassages(thing: Thing): Thing[] {
  return [...thing.visibleContents(), ...thing.passages];
}

/**
 * Returns the words of a kind, each alone and with the contents, such as "jug" and "jug containing red paint and
 * water".
 */
function byContents(words: Kind["words"]): Pick<Kind, "words" | "stems"> {
  return {
    stems: words,
    words(thing) {
      const names = [...new Set(thing.visibleContents().map((one) => nameOf(one)))];
      const contents = names.length > 0 ? names.sort().join(" and ") : "nothing";
      return words(thing).flatMap((word) => [word, `${word} containing ${contents}`]);
    },
  };
}

export function container(name: string, material: MaterialName, more: Partial<Kind> = {}): Kind {
  return { name, material, opening: "open", words: called("container"), describe: withContents, ...more };
}

function vessel(name: string, material: MaterialName, word: string, opening: OpeningFacts = "open"): Kind {
  return container(name, material, { opening, ...byContents(called(word, name)) });
}

export const metalPot = vessel("metal pot", "steel", "pot");
export const glassCup = vessel("glass cup", "glass", "cup");
export const plasticCup = vessel("plastic cup", "plastic", "cup");
export const woodCup = vessel("wood cup", "wood", "cup");
export const tinCup = vessel("tin cup", "tin", "cup");
export const paperCup = vessel("paper cup", "paper", "cup");
export const ceramicCup = vessel("ceramic cup", "ceramic", "cup");
export const jug = vessel("jug", "plastic", "jug");
export const glassJar = vessel("glass jar", "glass", "jar", "closed");
export const bowl: Kind = container("bowl", "wood", {
  ...byContents((thing) => ["bowl", madeOf(thing, "bowl"), thing.name, nameOf(thing)]),
});
export const bookShelf = vessel("book shelf", "wood", "shelf");

export function fillIfDry(thing: Thing, world: World): void {
  if (!thing.visibleContents().some((one) => one.is("water"))) thing.add(world.make(water));
}

const potWords = byContents(called("pot", "flower pot"));
export const selfWateringFlowerPot: Kind = container("self watering flower pot", "ceramic", {
  ...potWords,
  live: fillIfDry,
});
export const flowerPot: Kind = container("flower pot", "ceramic", {
  ...potWords,
  live(thing, world) {
    if (world.simplifications.has("selfWateringFlowerPots")) fillIfDry(thing, world);
  },
});

/** The container that all drains lead to. */
export const sewer = container("sewer", "steel", { words: called() });

/** Returns a box in which the agent puts a thing to answer the question of a task. */
export function answerBox(color: string): Kind {
  return container(`${color} box`, "ceramic", { families: ["answer box"], words: called() });
}
