/** The life of a living thing: its stage, health and genes. stages.ts contains the rules of the stages. */
import type { Genome } from "./genetics.js";

export interface Stage {
  readonly name: string;
  /** Name of a thing in this stage. Default: the names of the stage and the species. */
  readonly calledAs?: string | undefined;
}

/** A condition that a plant needs in order to grow. */
export type Need = "water" | "soil" | "warmth";

export class Life<S extends Stage = Stage> {
  stage: S;
  isDead = false;
  isSickly = false;
  genome?: Genome;
  /** Number of counted ticks in the current stage. */
  private ticks = 0;
  /** Number of ticks in a row for which each need has been missing. */
  private readonly missing: Record<Need, number> = { water: 0, soil: 0, warmth: 0 };

  /** @param stages stages in order, from birth to death */
  constructor(
    readonly species: string,
    readonly stages: readonly S[],
  ) {
    this.stage = stages[0] as S;
  }

  /** Starts a stage. @throws {Error} the species does not have the stage */
  enter(name: string): void {
    const stage = this.stages.find((one) => one.name === name);
    if (!stage) throw new Error(`expected a stage of the species ${this.species}, but received ${name}`);
    this.begin(stage);
  }

  die(): void {
    this.begin(this.stages.at(-1) as S);
  }

  /** Counts a tick. @returns true, and restarts the count, if `ticks` ticks have been counted */
  completes(ticks: number): boolean {
    this.ticks += 1;
    if (this.ticks < ticks) return false;
    this.ticks = 0;
    return true;
  }

  /**
   * Records whether a need is missing in this tick. @returns for how many ticks in a row it has been missing, including
   * this tick
   */
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
