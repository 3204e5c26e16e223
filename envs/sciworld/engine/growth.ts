/** The stages of plants: what a plant needs in each stage, how long it survives without that, and the next stage. */
import { flowerOf } from "../facts/living/flowers.js";
import type { Life } from "./life.js";
import { remove } from "./removal.js";
import type { LifeStage, Thing, World } from "./thing.js";

/** Plants suffer at or below `tooCold` and at or above `tooWarm`, in degrees Celsius. */
const tooCold = 0;
const tooWarm = 50;

/**
 * Number of ticks without soil, or in the wrong temperature, after which a plant dies. It looks unwell after half of
 * the ticks without soil, and at once in the wrong temperature.
 */
const withoutSoil = 5;
const inWrongTemperature = 5;

const half = (ticks: number) => Math.floor(ticks / 2);

/** Returns the thing with this name in the container of a thing. */
function beside({ container }: Thing, name: string): Thing | undefined {
  return container?.visibleContents().find((one) => one.name === name);
}

function suffers({ material }: Thing): boolean {
  return material !== undefined && (material.temperature >= tooWarm || material.temperature <= tooCold);
}

/** Returns the stage of a seed. A seed can wait for water and soil without limit. */
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
  /** Number of ticks of growth after which the stage ends. */
  readonly ticks: number;
  /** Number of ticks without water after which the plant dies. */
  readonly withoutWater: number;
  /**
   * True if the plant uses up water when it finds any, and grows without water until it looks unwell. False if the
   * plant grows only beside water, and uses the water up at the end of the stage.
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

/** Adds a flower to a plant that has no flower. */
export function flowering(plant: Thing, _: Life, world: World): void {
  if (!plant.visibleContents().some((one) => one.is("flower"))) plant.add(flowerOf(plant, world));
}
