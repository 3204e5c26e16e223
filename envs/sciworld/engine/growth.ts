/** The stages of plants: the needs of each stage, how long a plant survives unmet needs, and the next stage. */
import { flowerOf } from "../facts/flowers.js";
import type { Life } from "./life.js";
import { remove } from "./removal.js";
import type { LifeStage, Thing, World } from "./thing.js";

/** Temperatures from which plants suffer, in degrees Celsius. */
const tooCold = 0;
const tooWarm = 50;

/**
 * Number of ticks without soil or warmth after which a plant dies. A plant without soil looks unwell after half of the
 * ticks. A plant in the wrong temperature looks unwell at once.
 */
const withoutSoil = 5;
const inWrongTemperature = 5;

const half = (ticks: number) => Math.floor(ticks / 2);

/** Returns the thing with this name in the same container. */
function beside({ container }: Thing, name: string): Thing | undefined {
  return container?.contents.find((one) => one.name === name);
}

function suffers({ material }: Thing): boolean {
  return material !== undefined && (material.temperature >= tooWarm || material.temperature <= tooCold);
}

/** Returns the stage of a seed, which waits for water and soil without a time limit. */
export function sprouting(name: string, ticks: number, next: string): LifeStage {
  return {
    name,
    live(thing, life) {
      const water = beside(thing, "water");
      if (!water || !beside(thing, "soil") || !life.completes(ticks)) return;
      remove(water);
      life.enter(next);
    },
  };
}

interface Growth {
  /** Number of ticks of growth until the stage ends. */
  readonly ticks: number;
  /** Number of ticks without water that kill the plant. */
  readonly withoutWater: number;
  /**
   * True if the plant drinks in each tick and grows until it looks unwell. False if the plant grows only in water and
   * drinks at the end.
   */
  readonly storesWater: boolean;
  end(thing: Thing, life: Life, world: World): void;
}

export function growing(name: string, { ticks, withoutWater, storesWater, end }: Growth): LifeStage {
  return {
    name,
    live(thing, life, world) {
      const water = beside(thing, "water");
      if (water && storesWater) remove(water);
      const dry = life.missed("water", !water);
      const bare = life.missed("soil", !beside(thing, "soil"));
      const wrong = life.missed("warmth", suffers(thing));
      life.isSickly = dry >= half(withoutWater) || bare >= half(withoutSoil) || wrong > 0;
      const isThirsty = dry >= (storesWater ? half(withoutWater) : 1);
      const hasEnded = !isThirsty && bare === 0 && life.completes(ticks);
      if (dry >= withoutWater || bare >= withoutSoil || wrong >= inWrongTemperature) life.die();
      if (!hasEnded) return;
      if (water && !storesWater) remove(water);
      // A plant that dies in the same tick still enters the next stage.
      end(thing, life, world);
    },
  };
}

export function becoming(next: string): Growth["end"] {
  return (_, life) => life.enter(next);
}

/** Adds a flower if the plant has none. */
export function flowering(plant: Thing, _: Life, world: World): void {
  if (!plant.contents.some((one) => one.is("flower"))) plant.add(flowerOf(plant, world));
}
