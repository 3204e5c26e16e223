/** Behavior of a server in points that the Tinker API leaves open. `probe.ts` measures it. */

/**
 * How a server reduces the losses of tokens. The API's definition is `sum`. The trainer scales the advantages so that the
 * gradient is the same under each of them.
 */
export const reductions = {
  sum: () => 1,
  "mean of rows": ({ rows }: Reduced) => rows,
  "mean of rows' token means": ({ rows, positions }: Reduced) => rows * positions,
  "mean of tokens": ({ allPositions }: Reduced) => allPositions,
} as const satisfies Record<string, (reduced: Reduced) => number>;

export type Reduction = keyof typeof reductions;

/** Sizes by which a server divides. */
interface Reduced {
  /** Rows since the last optimizer step. */
  readonly rows: number;
  /** Positions of the row, and of all rows. */
  readonly positions: number;
  readonly allPositions: number;
}

export interface ServerFacts {
  readonly reduction: Reduction;
  /** Losses that the server computes as the engine does, with the thresholds of this run. */
  readonly losses: ReadonlySet<"ppo" | "cispo">;
  /**
   * Whether sampling reads weights of its own. If not, it shares the trained weights, and no reply may be sampled while they
   * are trained.
   */
  readonly samplesApart: boolean;
  /** Whether `grad_clip_norm` limits the norm of the gradients. */
  readonly clipsGradients: boolean;
}
