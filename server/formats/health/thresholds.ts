/** Bounds from which a figure of a training run is amber or red. `trainer/report/README.md` has them with their sources. */

export interface Bounds {
  readonly amber: number;
  readonly red: number;
}

/** Newest train steps that are looked at. */
export const latestSteps = 50;
/** Train steps that a run needs before it is judged. */
export const leastSteps = 3;
/** Train steps at the start and at the end whose mean entropies are compared. */
export const entropySteps = 5;

export const thresholds = {
  /** Share of the train steps without a gradient. */
  gradient: { amber: 0.2, red: 0.5 },
  /** Share of the groups whose rewards are all equal. */
  variance: { amber: 0.5, red: 0.8 },
  /** Entropy as a multiple of that of the first train steps, if it falls. */
  entropyFall: { amber: 0.25, red: 0.05 },
  /** The same, if it rises. */
  entropyRise: { amber: 2, red: 4 },
  /** KL within an update, in nats per token. */
  updateKl: { amber: 0.05, red: 0.2 },
  /** KL to the reference policy, in nats per token. */
  referenceKl: { amber: 0.2, red: 1 },
  /** Share of the tokens that the clip cut off. */
  clipping: { amber: 0.2, red: 0.4 },
  /** Policy versions between sampling and training of the oldest token. */
  staleness: { amber: 2, red: 4 },
  /** The same with the decoupled loss. */
  decoupledStaleness: { amber: 8, red: 16 },
  /** Share of the time in which training waited for episodes, or generation had nothing to do. */
  idle: { amber: 0.5, red: 0.9 },
  /** Fall of the held-out success, as a multiple of its standard error: from the best evaluation, and from the first. */
  heldOutFall: { amber: 2.6, red: 2 },
} as const satisfies Record<string, Bounds>;

/** Evaluations from which a success that has not changed is amber. */
export const evaluationsToGain = 4;
