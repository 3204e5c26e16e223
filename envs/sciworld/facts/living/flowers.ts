/** Flowers and pollen. A pollinated flower becomes a fruit. */

import { inherited, makeWith } from "../../engine/breeding.js";
import { inOneLine } from "../../engine/description.js";
import { phenotype } from "../../engine/genetics.js";
import { nameOf } from "../../engine/naming.js";
import { remove } from "../../engine/removal.js";
import type { Bloom, Kind, Thing, World } from "../../engine/thing.js";

/** Number of ticks from pollination to fruit, including the tick of the pollination. */
const ripening = 5;

const plantOf = ({ bloom }: Thing) => (bloom as Bloom).plant;
const speciesOf = (thing: Thing) => plantOf(thing).life?.species;

const pollen: Kind = {
  name: "pollen",
  families: ["pollen"],
  material: "pollenMatter",
  opening: "none",
  words: (thing) => ["pollen", thing.name, `${speciesOf(thing)} pollen`, nameOf(thing)],
  describe: (thing, detail) => (detail === "full" ? `${speciesOf(thing)}${nameOf(thing)}` : nameOf(thing)),
};

const flower: Kind = {
  name: "flower",
  families: ["flower"],
  material: "flowerMatter",
  opening: "open",
  words(thing) {
    const words = ["flower", thing.name];
    const all = [...words, nameOf(thing)];
    return thing.bloom?.pollinator ? [...all, ...all.map((word) => `wilting ${word}`)] : all;
  },
  describe(thing, detail) {
    const traits = ["flower size", "flower color"].map((name) => phenotype(plantOf(thing).life?.genome, name));
    const looks = ["a", thing.bloom?.pollinator && "wilting", ...traits, nameOf(thing)].filter(Boolean).join(" ");
    if (detail === "brief") return looks;
    return `${looks}. Inside the flower is: ${inOneLine(thing.visibleContents(), { place: thing })}`;
  },
  live(thing, world) {
    const bloom = thing.bloom as Bloom;
    if (bloom.pollinator) ripen(thing, bloom, world);
    else pollinate(thing, bloom, world);
  },
};

export function flowerOf(plant: Thing, world: World): Thing {
  return bloomOf(plant, flower, world);
}

function bloomOf(plant: Thing, kind: Kind, world: World): Thing {
  const made = world.make(kind);
  made.bloom = { plant, pollinator: undefined, ticks: 0 };
  return made;
}

/** Pollinates a flower, if the flower or a visitor in it contains pollen of another plant of the same species. */
function pollinate(thing: Thing, bloom: Bloom, world: World): void {
  const { plant } = bloom;
  const isPollen = (one: Thing) => one.is("pollen");
  const hasOwn = thing.visibleContents().some((one) => isPollen(one) && plantOf(one) === plant);
  if (!hasOwn) thing.add(bloomOf(plant, pollen, world));
  const near = thing.visibleContents().flatMap((one) => (isPollen(one) ? one : one.visibleContents().filter(isPollen)));
  const taken = near.find((one) => plantOf(one) !== plant && speciesOf(one) === plant.life?.species);
  if (!taken) return;
  remove(taken);
  bloom.pollinator = plantOf(taken);
  bloom.ticks = 1;
}

function ripen(thing: Thing, bloom: Bloom, world: World): void {
  bloom.ticks += 1;
  if (bloom.ticks <= ripening || !thing.container) return;
  thing.container.add(fruitOf(bloom, world));
  remove(thing, { leavesContents: true });
}

function fruitOf({ plant, pollinator }: Bloom, world: World): Thing {
  const [mother, father] = [plant.life?.genome, pollinator?.life?.genome];
  const genome = mother && father && inherited(mother, father, world.random);
  return makeWith(genome, plant.kind.life?.fruit ?? plant.kind, world);
}
