/** Animals, with typical lifespans in years. */

import type { Life } from "../../engine/life.js";
import { nameOf } from "../../engine/naming.js";
import { live } from "../../engine/stages.js";
import type { Kind, LifeStage, Thing } from "../../engine/thing.js";
import { looksLike } from "../matter/words.js";
import { butterflies, frogs, hatchlings, mammals } from "./life-cycles.js";

/** Returns the name of an animal in its stage of life: "adult elephant", "parrot egg", "caterpillar". */
function presentName({ life }: Thing): string {
  const { species, stage } = life as Life;
  return stage.calledAs ?? (stage.name === "egg" ? `${species} egg` : `${stage.name} ${species}`);
}

export function animal(
  species: string,
  stages: readonly LifeStage[],
  lifespan: number,
  more: Partial<Kind> = {},
): Kind {
  return {
    name: species,
    families: ["living thing", "animal"],
    life: { species, stages, lifespan },
    presentName,
    live,
    describe: looksLike("a "),
    words(thing) {
      const names = [thing.name, nameOf(thing)];
      return ["living thing", "organism", ...names, ...names.map((name) => `${thing.life?.stage.name} ${name}`)];
    },
    ...more,
  };
}

export const giantTortoise = animal("giant tortoise", hatchlings, 150);
export const parrot = animal("parrot", hatchlings, 80);
export const elephant = animal("elephant", mammals, 70);
export const crocodile = animal("crocodile", hatchlings, 45);
export const brownBear = animal("brown bear", mammals, 30);
export const turtle = animal("turtle", hatchlings, 30);
export const beaver = animal("beaver", mammals, 16);
export const wolf = animal("wolf", mammals, 14);
export const chipmunk = animal("chipmunk", mammals, 12);
export const toad = animal("common toad", frogs, 10);
export const rabbit = animal("rabbit", mammals, 9);
export const blueJay = animal("blue jay", hatchlings, 7);
export const frog = animal("frog", frogs, 6);
export const hedgehog = animal("hedgehog", mammals, 5);
export const mouse = animal("mouse", mammals, 4);
export const chameleon = animal("chameleon", hatchlings, 3);
export const dove = animal("dove", hatchlings, 2);
/** Dragonfly. As in ScienceWorld, insects without their own stages have the stages of mammals. */
export const dragonfly = animal("dragonfly", mammals, 0.4);
export const moth = animal("moth", butterflies, 0.2);
export const butterfly = animal("butterfly", butterflies, 0.1);
export const ant = animal("ant", mammals, 0.1);
