/** Furniture: seats, tables, cabinets and drawers. */
import { inLines, inOneLine } from "../../engine/description.js";
import type { Detail } from "../../engine/kind-facts.js";
import { nameOf } from "../../engine/naming.js";
import type { Kind, Thing } from "../../engine/thing.js";
import { contentsAndPassages } from "../matter/containers.js";
import type { MaterialName } from "../matter/materials.js";
import { called, madeOf } from "../matter/words.js";

type Part = () => Kind;

function furnished(...parts: readonly Part[]): Pick<Kind, "furnish"> {
  return {
    furnish(thing, world) {
      for (const part of parts) thing.add(world.make(part()));
    },
  };
}

function seat(name: string, material: MaterialName, ...parts: readonly Part[]): Kind {
  return {
    name,
    material,
    opening: "open",
    ...(parts.length > 0 && furnished(...parts)),
    words: (thing) => ["sittable", madeOf(thing, "sittable"), thing.name, nameOf(thing)],
    describe(thing) {
      const contents = inOneLine(contentsAndPassages(thing), { place: thing });
      return `a ${nameOf(thing)}. On the ${nameOf(thing)} is: ${contents}.`;
    },
  };
}

/** Describes the contents of a piece of furniture: briefly in the same line, or fully in separate lines. */
function contentsOf(thing: Thing, where: "On" | "In", detail: Detail): string {
  const begin = `${where} the ${nameOf(thing)} is: `;
  if (detail === "full") return `${begin}\n${inLines(thing.visibleContents(), { place: thing })}`;
  return `${begin}${inOneLine(thing.visibleContents(), { place: thing })}.`;
}

function table(name: string, material: MaterialName, ...parts: readonly Part[]): Kind {
  return {
    name,
    material,
    opening: "open",
    ...(parts.length > 0 && furnished(...parts)),
    words: (thing) => [name, madeOf(thing, name), thing.name, nameOf(thing)],
    describe: (thing, detail) => `a ${nameOf(thing)}. ${contentsOf(thing, "On", detail)}`,
  };
}

/** Returns a cabinet, which has a door. */
function cabinet(name: string, words: Kind["words"], ...parts: readonly Part[]): Kind {
  return {
    name,
    material: "wood",
    opening: "closed",
    words,
    ...(parts.length > 0 && furnished(...parts)),
    describe(thing, detail) {
      const door = `a ${nameOf(thing)}. The ${nameOf(thing)} door is ${thing.isOpen ? "open" : "closed"}. `;
      return thing.isOpen ? door + contentsOf(thing, "In", detail) : door;
    },
  };
}

const pillow: Kind = {
  name: "pillow",
  material: "cottonCloth",
  words: called("object"),
  describe: (thing) => `a ${thing.material?.facts.color} ${nameOf(thing)}`,
};
const mattress = seat("mattress", "cottonCloth", () => pillow);

export const chair = seat("chair", "wood");
export const couch = seat("couch", "cottonCloth", () => pillow);
export const bed = seat("bed", "wood", () => mattress);

const drawer: Kind = {
  name: "drawer",
  material: "wood",
  opening: "closed",
  words: (thing) => ["drawer", madeOf(thing, "table"), thing.name, nameOf(thing)],
  describe(thing, detail) {
    if (detail === "brief") return `a ${nameOf(thing)}`;
    const inside = thing.isOpen ? contentsOf(thing, "In", detail) : " The drawer is closed.";
    return `a ${nameOf(thing)}. ${inside}`;
  },
};

export const woodTable = table("table", "wood");
export const steelTable = table("table", "steel");
export const desk = table("desk", "wood", () => drawer);
export const counter = table("counter", "wood", () => drawer);

const withMaterial =
  (name: string): Kind["words"] =>
  (thing) => [name, madeOf(thing, name), thing.name, nameOf(thing)];

export const cupboard = cabinet("cupboard", withMaterial("cupboard"), () => drawer);
export const closet = cabinet("closet", withMaterial("closet"));
export const beeHive = cabinet("bee hive", called("bee hive", "hive", "beehive"));
