/** Plants, from seed to death, and trees that bear fruit. */
import { inOneLine } from "../../engine/description.js";
import type { Life } from "../../engine/life.js";
import { nameOf } from "../../engine/naming.js";
import { live } from "../../engine/stages.js";
import type { Kind, Thing } from "../../engine/thing.js";
import * as foods from "../matter/foods.js";
import { plants } from "./life-cycles.js";

interface PlantFacts {
  readonly species: string;
  /** Word for the plant in all stages after the seed. */
  readonly noun: "tree" | "plant";
  /** Name of the plant before the first tick. */
  readonly name: string;
  readonly fruit?: Kind;
  /** Returns the visible traits as text, which stands before the name of a seed and after the stage of a plant. */
  readonly traits?: (life: Life) => string;
}

const lifeOf = ({ life }: Thing) => life as Life;
const isSeed = (thing: Thing) => lifeOf(thing).stage.name === "seed";

export function plant({ species, noun, name, fruit, traits }: PlantFacts): Kind {
  const called = (thing: Thing) => nameOf(thing, `${species} ${isSeed(thing) ? "seed" : noun}`);
  return {
    name,
    families: ["living thing", "plant", "tree"],
    material: "plantMatter",
    opening: "open",
    isEdible: true,
    life: { species, stages: plants, ...(fruit && { fruit }) },
    words(thing) {
      const words = wordsOf(thing, called(thing));
      const all = traits ? [...words, species, ...withTraits(words, called(thing), traits(lifeOf(thing)))] : words;
      return lifeOf(thing).isSickly ? [...all, ...all.map((word) => `sick ${word}`)] : all;
    },
    describe: (thing) => describe(thing, called(thing), traits),
    live(thing, world) {
      thing.name = called(thing);
      thing.isEdible = isSeed(thing);
      live(thing, world);
    },
  };
}

function wordsOf(thing: Thing, called: string): string[] {
  const stage = lifeOf(thing).stage.name;
  const names = [thing.name, called, nameOf(thing)];
  const inStage = names.map((name) => `${name} in the ${stage} stage`);
  return ["living thing", "organism", ...names, ...inStage, `${stage} plant`, `${stage} ${called}`];
}

/** Returns the words with the traits inserted before the name: "tall height pea plant". */
function withTraits(words: readonly string[], called: string, traits: string): string[] {
  const before = traits.replace(/^ with a /, "").trim();
  // ScienceWorld uses the name as a pattern, so the brackets of "(on fire)" match nothing.
  return before ? words.map((word) => word.replace(new RegExp(called, "g"), `${before} ${called}`)) : [];
}

function describe(thing: Thing, called: string, traits: PlantFacts["traits"]): string {
  const life = lifeOf(thing);
  if (life.isDead) return `a dead ${called}`;
  if (isSeed(thing)) return traits ? `a ${traits(life)} ${called}` : `a ${called}`;
  const looks = `a ${called} in the ${life.stage.name} stage${traits?.(life) ?? ""}`;
  const health = life.isSickly ? " (that looks unwell)" : "";
  const contents = thing.visibleContents();
  const bears = contents.length > 0 ? `. On the ${called} you see: ${inOneLine(contents, { place: thing })}. ` : "";
  return looks + health + bears;
}

const tree = (species: string, fruit: Kind): Kind => plant({ species, noun: "tree", name: "plant", fruit });

export const appleTree = tree("apple", foods.apple);
export const apricotTree = tree("apricot", foods.apricot);
export const avocadoTree = tree("avocado", foods.avocado);
export const bananaTree = tree("banana", foods.banana);
export const cherryTree = tree("cherry", foods.cherry);
export const grapefruitTree = tree("grapefruit", foods.grapefruit);
export const lemonTree = tree("lemon", foods.lemon);
export const orangeTree = tree("orange", foods.orange);
export const peachTree = tree("peach", foods.peach);
export const pearTree = tree("pear", foods.pear);
