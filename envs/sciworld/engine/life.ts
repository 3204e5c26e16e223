/** The life of one thing: stage, health and genes. The rules of the stages are in stages.ts. */
import type { Genome } from "./genetics.js";

export interface Stage {
  readonly name: string;
  /** Name of a thing in this stage, instead of the stage and the species. */
  readonly calledAs?: string | undefined;
}

/** A condition that a plant needs in order to grow. */
export type Need = "water" | "soil" | "warmth";

export class Life<S extends Stage = Stage> {
  stage: S;
  isDead = false;
  isSickly = false;
  genome?: Genome;
  /** Ticks of this stage that count towards the next. */
  private ticks = 0;
  /** Number of ticks in a row for which each need has been missing. */
  private readonly missing: Record<Need, number> = { water: 0, soil: 0, warmth: 0 };

  /** @param stages from birth to death */
  constructor(
    readonly species: string,
    readonly stages: readonly S[],
  ) {
    this.stage = stages[0] as S;
  }

  /** @throws {Error} this life has no such stage */
  enter(name: string): void {
    const stage = this.stages.find((one) => one.name === name);
    if (!stage) throw new Error(`expected a stage in the life of a ${this.species}, but received ${name}`);
    this.begin(stage);
  }

  die(): void {
    this.begin(this.stages.at(-1) as S);
  }

  /** Counts one more tick. @returns true once `ticks` are counted; the count restarts at 0 */
  completes(ticks: number): boolean {
    this.ticks += 1;
    if (this.ticks < ticks) return false;
    this.ticks = 0;
    return true;
  }

  /** @returns the number of ticks in a row for which the need has been missing, this one included */
  missed(need: Need, isMissing: boolean): number {
    this.missing[need] = isMissing ? this.missing[need] + 1 : 0;
    return this.missing[need];
  }

  private begin(stage: S): void {
    this.stage = stage;
    this.ticks = 0;
    for (const need of Object.keys(this.missing) as Need[]) this.missing[need] = 0;
  }
}
