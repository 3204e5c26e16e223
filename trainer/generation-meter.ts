/** What is generated from one reading to the next. */
import type { Generation } from "./generation.js";

export interface Generated {
  /** Tokens sampled. */
  readonly decodedTokens: number;
  /** Milliseconds in which there was no sequence to extend, where that is known. */
  readonly generatorIdleMs: number | undefined;
}

type Totals = Pick<Generation, "decodedTokens" | "idleSeconds">;

export class GenerationMeter {
  private before: Totals;

  constructor(private readonly generation: Totals) {
    this.before = this.totals();
  }

  /** Since the reading before, or since the meter was made. */
  read(): Generated {
    const { before } = this;
    const now = this.totals();
    this.before = now;
    const isKnown = now.idleSeconds !== undefined && before.idleSeconds !== undefined;
    return {
      decodedTokens: now.decodedTokens - before.decodedTokens,
      generatorIdleMs: isKnown ? (now.idleSeconds - before.idleSeconds) * 1_000 : undefined,
    };
  }

  private totals(): Totals {
    const { decodedTokens, idleSeconds } = this.generation;
    return { decodedTokens, idleSeconds };
  }
}
