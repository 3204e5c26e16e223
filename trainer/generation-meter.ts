/** What a generator does from one reading to the next. */
import type { Generator } from "../native/index.js";

export interface Generated {
  /** Tokens sampled. */
  readonly decodedTokens: number;
  /** Milliseconds in which there was no sequence to extend. */
  readonly generatorIdleMs: number;
}

export class GenerationMeter {
  private before: Generated;

  constructor(private readonly generator: Pick<Generator, "stats">) {
    this.before = this.total();
  }

  /** Since the reading before, or since the meter was made. */
  read(): Generated {
    const now = this.total();
    const { decodedTokens, generatorIdleMs } = this.before;
    this.before = now;
    return {
      decodedTokens: now.decodedTokens - decodedTokens,
      generatorIdleMs: now.generatorIdleMs - generatorIdleMs,
    };
  }

  private total(): Generated {
    const { decodedTokens, idleSeconds } = this.generator.stats();
    return { decodedTokens, generatorIdleMs: idleSeconds * 1_000 };
  }
}
