/** The stages of plants: what each needs where it stands, how long it can do without, and what comes of having it. */
import { flowerOf } from "../facts/flowers.js";
import type { Life } from "./life.js";
import { remove } from "./removal.js";
import type { LifeStage, Thing, World } from "./thing.js";

/** Degrees at which plants suffer: so cold or colder, so warm or warmer. */
const tooCold = 0;
const tooWarm = 50;

/** Ticks that kill. After half of those without water or soil a plant looks unwell; in the wrong temperature at once. */
const withoutSoil = 5;
const inWrongTemperature = 5;

const half = (ticks: number) => Math.floor(ticks / 2);

/** With it in what it is in. */
function beside({ container }: Thing, name: string): Thing | undefined {
  return container?.contents.find((one) => one.name === name);
}

function suffers({ material }: Thing): boolean {
  return material !== undefined && (material.temperature >= tooWarm || material.temperature <= tooCold);
}

/** Waits for water and soil as long as it takes. */
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
  /** Ticks until it comes to its end, of those in which it grows. */
  readonly ticks: number;
  /** Ticks that kill it. */
  readonly withoutWater: number;
  /** It drinks in each tick, and grows until it looks unwell; else only in water, of which it drinks as it ends. */
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
      // Also of what dies in the same tick: it lives on in its next stage.
      end(thing, life, world);
    },
  };
}

export function becoming(next: string): Growth["end"] {
  return (_, life) => life.enter(next);
}

/** One flower at a time. */
export function flowering(plant: Thing, _: Life, world: World): void {
  if (!plant.contents.some((one) => one.is("flower"))) plant.add(flowerOf(plant, world));
}
