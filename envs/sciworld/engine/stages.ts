/** Rules for the stages of animals and plants. growth.ts contains the rules that apply only to plants. */
import { remove } from "./removal.js";
import type { LifeStage, Thing, World } from "./thing.js";

/** Performs one tick of the current stage of a living thing. */
export function live(thing: Thing, world: World): void {
  thing.life?.stage.live(thing, thing.life, world);
}

/** Returns a stage that lasts `ticks` ticks and is followed by the stage `next`. */
export function passing(name: string, ticks: number, next: string, calledAs?: string): LifeStage {
  return {
    name,
    calledAs,
    live(_, life) {
      if (life.completes(ticks)) life.enter(next);
    },
  };
}

export function lasting(name: string): LifeStage {
  return { name, live: () => {} };
}

/**
 * Returns the last stage. The contents of the dead thing move into its container. Its flowers vanish, and their
 * contents move too.
 */
export function death(name: string, calledAs?: string): LifeStage {
  return {
    name,
    calledAs,
    live(thing, life) {
      const { container } = thing;
      life.isDead = true;
      if (!container) return;
      for (const one of [...thing.contents]) {
        if (!one.is("flower")) container.add(one);
        else {
          for (const inside of [...one.contents]) container.add(inside);
          remove(one);
        }
      }
    },
  };
}
