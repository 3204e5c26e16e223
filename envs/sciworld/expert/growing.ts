/**
 * Steps that grow plants and fruit: in soil, under a running tap, with pollen that the agent carries from flower to
 * flower.
 */
import type { Bloom, Thing } from "../engine/thing.js";
import { flowerPot, selfWateringFlowerPot } from "../facts/matter/containers.js";
import { ground } from "../facts/matter/ground.js";
import { soil } from "../facts/matter/substances.js";
import { shovel } from "../facts/things/devices.js";
import { wait } from "./changing-state.js";
import { reach } from "./going.js";
import { carry, putInto, use } from "./handling.js";
import type { Situation } from "./situation.js";
import { cheapest, each, hopeless, type Step, type Way } from "./step.js";
import { underTap } from "./water.js";

const pots = new Set([flowerPot, selfWateringFlowerPot]);
const isPot = ({ kind }: Thing) => pots.has(kind);
const isSoil = ({ kind }: Thing) => kind === soil;
const hasSoil = ({ contents }: Thing) => contents.some(isSoil);

/**
 * Returns the next step to grow each plant in a separate pot. All pots stand in a sink, where the tap gives them enough
 * water.
 *
 * @param ticks number of ticks to wait if no other step is needed
 */
export function grow(plants: readonly Thing[], ticks: number, situation: Situation): Step {
  const pots = potsFor(plants, situation);
  if (pots.includes(undefined) || plants.some(({ life }) => life?.isDead)) return hopeless;
  const potOf = (plant: Thing) => pots[plants.indexOf(plant)] as Thing;
  return (
    each(plants, (plant) => takeAlong(plant, potOf(plant), situation)) ??
    each(plants, (plant) => growIn(potOf(plant), plant, situation)) ??
    each(plants, (plant) => reach(plant, situation)) ??
    wait(ticks, situation)
  );
}

/** Takes a plant to its pot, or to the pot's destination if the agent carries the pot. */
function takeAlong(plant: Thing, pot: Thing, situation: Situation): Step {
  const isThere = situation.distanceBetween(plant, pot) === 0 && !situation.isCarried(pot);
  return isThere || pot.contains(plant) ? undefined : carry(plant, situation);
}

function growIn(pot: Thing, plant: Thing, situation: Situation): Step {
  return (
    (hasSoil(pot) ? undefined : fillWithSoil(pot, situation)) ??
    (watersItself(pot, situation) ? undefined : underTap(pot, situation)) ??
    putInto(plant, pot, situation)
  );
}

function watersItself({ kind }: Thing, { game }: Situation): boolean {
  return kind === selfWateringFlowerPot || game.world.simplifications.has("selfWateringFlowerPots");
}

/** Returns a pot for each plant: its current pot, or else the nearest unused pot, preferably with soil. */
function potsFor(plants: readonly Thing[], situation: Situation): (Thing | undefined)[] {
  const free = situation.byDistance((thing) => isPot(thing) && !thing.contents.some((one) => one.is("plant")));
  const inOrder = [...free.filter(hasSoil), ...free.filter((pot) => !hasSoil(pot))];
  return plants.map(({ container }) => (container && isPot(container) ? container : inOrder.shift()));
}

/** Cost of digging for soil. It is higher than the cost of fetching soil from any place. */
const costOfDigging = 20;
const costOfFruit = 200;

function fillWithSoil(pot: Thing, situation: Situation): Step {
  const [digging, earth] = [shovel, ground].map((kind) => situation.nearest((thing) => thing.kind === kind));
  const loose = situation.things.filter((thing) => isSoil(thing) && !(thing.container && isPot(thing.container)));
  const found = loose.map((thing) => ({
    cost: situation.distanceTo(thing) + situation.distanceBetween(thing, pot),
    step: () => putInto(thing, pot, situation),
  }));
  const dug = digging && earth && { cost: costOfDigging, step: () => use(digging, earth, situation) };
  return cheapest(dug ? [...found, dug] : found);
}

/** Number of ticks to wait for flowers and fruit, where the exact time does not matter. */
const manyTicks = 10;

/** Returns the ways to grow a fruit with two plants, of which one pollinates the other. */
export function waysToBear(fruit: string, situation: Situation): Way[] {
  const plants = situation.byDistance(({ kind, life }) => kind.life?.fruit?.name === fruit && !life?.isDead);
  if (plants.length < 2) return [];
  return [{ cost: costOfFruit, step: () => bear(plants, situation) }];
}

function bear(plants: readonly Thing[], situation: Situation): Step {
  const flowers = situation.things.filter(({ bloom }) => bloom && plants.includes(bloom.plant));
  const ripening = flowers.find(({ bloom }) => bloom?.pollinator);
  if (ripening) return reach(ripening, situation) ?? wait(manyTicks, situation);
  for (const flower of flowers.filter((one) => one.is("flower"))) {
    const pollen = flowers.find((one) => one.is("pollen") && plantOf(one) !== plantOf(flower));
    if (pollen) return putInto(pollen, flower, situation);
  }
  return grow([...plants].sort((one, other) => growthOf(other) - growthOf(one)).slice(0, 2), manyTicks, situation);
}

const plantOf = ({ bloom }: Thing) => (bloom as Bloom).plant;

/** Returns how far a plant has grown: its stage, and a little more if it is in soil. */
function growthOf({ life, container }: Thing): number {
  const stages = life?.stages.map(({ name }) => name) ?? [];
  return stages.indexOf(life?.stage.name ?? "") + (container && hasSoil(container) ? 0.5 : 0);
}
