/** Goals for the steps of growing plants, in the tasks of growing and of genetics. */
import type { Goal } from "../../goals/goal.js";
import { nearInStage } from "../../goals/living.js";
import * as around from "../../goals/surroundings.js";

export const greenhouse = "greenhouse";
export const seedJar = "seed jar";
const hasSeeds = "haveSeedJar";
const keyOfBloom = (count: number) => `atLeast${count}Reproducing`;

/** Options of goals that can be met only after two plants are in bloom, so that one can pollinate the other. */
export const onceInBloom = { after: [keyOfBloom(2)] };

export function carrying(name: string, options = {}): Goal {
  return around.containing("inventory", [name], `have ${name} in inventory`, options);
}

export function takingSeeds(): Goal[] {
  return [around.nearTo(seedJar), carrying(seedJar, { key: hasSeeds })];
}

export function going(): Goal[] {
  const afterwards = { key: "move2", after: [hasSeeds] };
  return [
    around.elsewhere("move to a new location"),
    around.at(greenhouse, "move to the greenhouse", { key: "move1" }),
    around.at(greenhouse, "move to the greenhouse (after having seed jar)", afterwards),
  ];
}

export function potting(pots: readonly string[], species: string): Goal[] {
  const potted = (what: string, name: string) =>
    pots.map((pot, at) => around.containing(pot, [name], `have ${what} in flower pot (${at + 1})`));
  return [...potted("soil", "soil"), ...potted("water", "water"), ...potted("seed", `${species} seed`)];
}

/** Returns goals for the growth of one plant, of two plants, and so on. @param most maximum number of plants */
export function growth(species: string, most: number): Goal[] {
  return Array.from({ length: most }, (_, at) => {
    const of = { species, count: at + 1 };
    return [
      nearInStage({ ...of, stage: "seed", as: "seeds" }),
      nearInStage({ ...of, stage: "seedling", as: "seedlings" }),
      nearInStage({ ...of, stage: "adult", as: "adult plants" }),
      nearInStage({ ...of, stage: "reproducing", as: "reproducing plants" }, { key: keyOfBloom(of.count) }),
    ];
  }).flat();
}

export function openHive(options = {}): Goal {
  return around.opened("bee hive", "bee hive open (after reprod. life stage)", options);
}

export function nearBees(): Goal {
  return around.nearTo("adult bee", { as: "pollinator (after reprod. life stage)", ...onceInBloom });
}
