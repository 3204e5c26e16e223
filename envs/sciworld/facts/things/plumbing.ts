/** Sinks, tubs and toilets, and the drains that empty them into the sewer. */
import { inOneLine } from "../../engine/description.js";
import { nameOf } from "../../engine/naming.js";
import type { Kind, Thing, World } from "../../engine/thing.js";
import { contentsAndPassages, fillIfDry } from "../matter/containers.js";
import { called, passageWords } from "../matter/words.js";
import { off } from "./devices.js";

const drain: Kind = {
  name: "drain",
  families: ["drain"],
  isMovable: false,
  words: passageWords,
  describe: () => "",
  /** Moves liquids through the open drain. */
  live({ passage }) {
    if (!passage?.isOpen) return;
    for (const thing of [...passage.from.visibleContents()])
      if (thing.material?.state === "liquid") passage.to.add(thing);
  },
};

/** Adds an open drain. @param sewer container that receives the drained liquids */
export function addDrain(thing: Thing, sewer: Thing, world: World): Thing {
  const made = world.make(drain);
  made.passage = { isOpen: true, from: thing, to: sewer };
  thing.addPassage(made);
  return made;
}

/** Adds water to a basin and to the open containers in it. */
function run(thing: Thing, world: World): void {
  for (const one of [...thing.visibleContents()]) if (one.opening?.isContainer && one.isOpen) fillIfDry(one, world);
  fillIfDry(thing, world);
}

function basin(name: string, material: "steel" | "ceramic"): Kind {
  return {
    name,
    material,
    opening: "open",
    isMovable: false,
    device: off,
    words: called(name),
    live(thing, world) {
      if (thing.device?.isActive) run(thing, world);
    },
    describe(thing, detail) {
      const power = thing.device?.isActive ? "on" : "off";
      const contents = inOneLine(thing.visibleContents(), { place: thing });
      const looks = `a ${nameOf(thing)}, which is turned ${power}. In the ${nameOf(thing)} is: ${contents}.`;
      const drains = detail === "full" ? thing.passages : [];
      const state = ({ passage }: Thing) => (passage?.isOpen ? "open" : "closed");
      return looks + drains.map((one) => ` The ${one.name} is ${state(one)}.`).join("");
    },
  };
}

export const sink = basin("sink", "steel");
export const bathtub = basin("bathtub", "ceramic");

/** Duration of a flush in ticks. */
const flush = 5;

export const toilet: Kind = {
  name: "toilet",
  material: "steel",
  opening: "open",
  isMovable: false,
  device: off,
  families: ["toilet"],
  words: called("toilet"),
  live(thing, world) {
    const { device, passages } = thing;
    const drainage = passages[0]?.passage;
    if (!device || !drainage) return;
    const flushed = thing.counters.get("flush") ?? 0;
    const now = device.isActive && flushed === 0 ? 1 : flushed;
    if (now === 0) {
      drainage.isOpen = false;
      return;
    }
    if (flushed === 0) drainage.isOpen = true;
    run(thing, world);
    const isOver = now + 1 > flush;
    if (isOver) {
      device.isActive = false;
      drainage.isOpen = false;
    }
    thing.counters.set("flush", isOver ? 0 : now + 1);
  },
  describe(thing) {
    const flushing = (thing.counters.get("flush") ?? 0) > 0 ? ", which is flushing" : "";
    const contents = inOneLine(contentsAndPassages(thing), { place: thing });
    return `a ${nameOf(thing)}${flushing}. In the ${nameOf(thing)} is: ${contents}.`;
  },
};
