/** Measures token generation between two readings. */
import type { Generation } from "../backends/generation.js";

export interface Generated {
  /** Number of sampled tokens. */
  readonly decodedTokens: number;
  /** Milliseconds in which no sequence was being sampled; undefined if unknown. */
  readonly generatorIdleMs: number | undefined;
  /** Milliseconds between the two readings. */
  readonly generatorMs: number;
}

type Totals = Pick<Generation, "decodedTokens" | "idleSeconds">;

export class GenerationMeter {
  private before: Totals;
  private beganAt: number;

  constructor(private readonly generation: Totals) {
    this.beganAt = performance.now();
    this.before = this.totals();
  }

  /** Reads the generation since the previous reading, or since the meter was created. */
  read(): Generated {
    const { before, beganAt } = this;
    // Both readings are within the interval, so the idle time cannot exceed it.
    this.beganAt = performance.now();
    const now = this.totals();
    const generatorMs = performance.now() - beganAt;
    this.before = now;
    const isKnown = now.idleSeconds !== undefined && before.idleSeconds !== undefined;
    return {
      decodedTokens: now.decodedTokens - before.decodedTokens,
      generatorIdleMs: isKnown ? (now.idleSeconds - before.idleSeconds) * 1_000 : undefined,
      generatorMs,
    };
  }

  private totals(): Totals {
    const { decodedTokens, idleSeconds } = this.generation;
    return { decodedTokens, idleSeconds };
  }
}
