/** What lives: the stage of its life, and what it takes to come to the next. */
import type { Genome } from "./genetics.js";
import type { Kind } from "./kind.js";
import { remove } from "./removal.js";
import type { Thing } from "./thing.js";
import type { World } from "./world.js";

export interface LifeStage {
  readonly name: string;
  /** What one in this stage is called, in place of stage and species. */
  readonly calledAs?: string | undefined;
  /** A tick of it. */
  live(thing: Thing, life: Life, world: World): void;
}

/** What is true of all of a species. */
export interface LifeFacts {
  readonly species: string;
  /** From the first to death. */
  readonly stages: readonly LifeStage[];
  /** In years, as tasks ask for it: in the world, ages go by ticks. */
  readonly lifespan?: number;
  /** What the flowers of a plant become. Left out: its own seeds. */
  readonly fruit?: Kind;
}

/** What a plant needs where it stands. */
export type Need = "water" | "soil" | "warmth";

/** The life of one thing. */
export class Life {
  stage: LifeStage;
  isDead = false;
  isSickly = false;
  genome?: Genome;
  /** Ticks of this stage that count towards the next. */
  private ticks = 0;
  /** For so many ticks in a row each has been missing. */
  private readonly missing: Record<Need, number> = { water: 0, soil: 0, warmth: 0 };

  constructor(readonly facts: LifeFacts) {
    this.stage = facts.stages[0] as LifeStage;
  }

  get species(): string {
    return this.facts.species;
  }

  /** @throws {Error} its life has no such stage */
  enter(name: string): void {
    const stage = this.facts.stages.find((one) => one.name === name);
    if (!stage) throw new Error(`expected a stage in the life of a ${this.species}, but received ${name}`);
    this.begin(stage);
  }

  die(): void {
    this.begin(this.facts.stages.at(-1) as LifeStage);
  }

  /** One more tick counts. @returns whether there have been enough; they are counted anew from then on */
  completes(ticks: number): boolean {
    this.ticks += 1;
    if (this.ticks < ticks) return false;
    this.ticks = 0;
    return true;
  }

  /** @returns for how many ticks in a row it has been missing, this one included */
  missed(need: Need, isMissing: boolean): number {
    this.missing[need] = isMissing ? this.missing[need] + 1 : 0;
    return this.missing[need];
  }

  private begin(stage: LifeStage): void {
    this.stage = stage;
    this.ticks = 0;
    for (const need of Object.keys(this.missing) as Need[]) this.missing[need] = 0;
  }
}

/** Of all that lives. */
export function live(thing: Thing, world: World): void {
  thing.life?.stage.live(thing, thing.life, world);
}

/** A stage that is over after so many ticks. */
export function passing(name: string, ticks: number, next: string, calledAs?: string): LifeStage {
  return {
    ...{ name, calledAs },
    live(_, life) {
      if (life.completes(ticks)) life.enter(next);
    },
  };
}

export function lasting(name: string): LifeStage {
  return { name, live: () => {} };
}

/** What was in it or on it falls; flowers are gone, and what was in them falls, too. */
export function death(name: string, calledAs?: string): LifeStage {
  return {
    ...{ name, calledAs },
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
