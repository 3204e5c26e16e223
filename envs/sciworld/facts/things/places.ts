/** Kinds of places: rooms, the outside, and the universe, which contains all places. */
import { inLines, passagesInLines } from "../../engine/description.js";
import { nameOf } from "../../engine/naming.js";
import type { Kind, Thing, World } from "../../engine/thing.js";
import { ground } from "../matter/ground.js";
import { air, roomTemperature } from "../matter/substances.js";
import { called, passageWords } from "../matter/words.js";

function place(name: string, word: string, seen: (thing: Thing) => string, more: Partial<Kind> = {}): Kind {
  return {
    name,
    families: ["location"],
    opening: "open",
    isMovable: false,
    words: called(word),
    describe(thing) {
      const contents = inLines(thing.visibleContents(), { place: thing });
      return `${seen(thing)}${contents}You also see:\n${passagesInLines(thing)}`;
    },
    ...more,
  };
}

function addAir(thing: Thing, world: World): void {
  const made = world.make(air);
  if (made.material) made.material.temperature = roomTemperature;
  thing.add(made);
}

export function room(name: string): Kind {
  const seen = (thing: Thing) => `This room is called the ${nameOf(thing)}. In it, you see: \n`;
  return place(name, "room", seen, { furnish: addAir });
}

const seenOutside = (thing: Thing) => `This outside location is called the ${nameOf(thing)}. Here you see: \n`;

export const outside = place("outside", "outside", seenOutside, {
  families: ["location", "outside"],
  furnish(thing, world) {
    addAir(thing, world);
    thing.add(world.make(ground));
  },
});

export const universe: Kind = {
  name: "universe",
  families: ["location"],
  opening: "open",
  isMovable: false,
  words: (thing) => ["universe", nameOf(thing)],
  describe(thing) {
    const contents = inLines([...thing.visibleContents(), ...thing.passages], { place: thing });
    return `A ${nameOf(thing)}. In this Universe, you see: ${contents}.`;
  },
};

const door: Kind = { name: "door", families: ["door"], isMovable: false, words: passageWords, describe: () => "" };

/** Adds a closed door between two places. */
export function addDoor(from: Thing, to: Thing, world: World): Thing {
  const made = world.make(door);
  made.passage = { isOpen: false, from, to };
  from.addPassage(made);
  to.addPassage(made);
  return made;
}
