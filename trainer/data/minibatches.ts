/** Minibatches: the episodes of a batch, divided among optimizer steps. */
import { normaliserOf, type ResolvedSettings } from "../algorithms/index.js";
import { keyedRandom } from "../keyed-random.js";
import type { Trajectory } from "../rollout/trajectory.js";

export interface MinibatchSettings extends Pick<ResolvedSettings, "loss_agg_mode" | "ppo_n_minibatches"> {
  readonly seed: number;
}

export interface Dealt {
  /** All rows of the episode, which are in the same minibatch. */
  readonly rows: Trajectory[];
  /** Whether any of the rows has a gradient. */
  readonly teaches: boolean;
}

export interface Minibatch<E extends Dealt> {
  readonly episodes: readonly E[];
  /** Share of the batch's episodes, or tokens with `token-mean`, that are in the minibatch: 0 to 1. */
  readonly share: number;
}

/**
 * Divides episodes with and without a gradient evenly among minibatches: Adam's moments move the weights even in a step
 * without a gradient. The number of minibatches is `ppo_n_minibatches`, or the number of episodes with a gradient if
 * that is smaller. The order depends on seed, train step and epoch.
 */
export function minibatchesOf<E extends Dealt>(
  episodes: readonly E[],
  { loss_agg_mode: mode, ppo_n_minibatches: most, seed }: MinibatchSettings,
  trainStep: number,
  epoch: number,
): Minibatch<E>[] {
  const dealt = shuffled(keyedRandom(seed, trainStep, epoch), episodes);
  const [teaching, silent] = [dealt.filter(({ teaches }) => teaches), dealt.filter(({ teaches }) => !teaches)];
  const count = Math.min(most, teaching.length);
  const whole = normaliser(episodes, mode);
  return Array.from({ length: count }, (_, at) => {
    const chosen = [...partOf(teaching, at, count), ...partOf(silent, at, count)];
    return { episodes: chosen, share: normaliser(chosen, mode) / whole };
  });
}

function normaliser(episodes: readonly Dealt[], mode: ResolvedSettings["loss_agg_mode"]): number {
  const rows = episodes.map((episode) => episode.rows);
  return normaliserOf(rows, mode);
}

/** Shuffles the items with Fisher and Yates' algorithm. */
function shuffled<T>(random: () => number, items: readonly T[]): T[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    [order[last], order[at]] = [order[at] as T, order[last] as T];
  }
  return order;
}

/** Returns part `at` of `count` parts with almost equal lengths. */
function partOf<T>(items: readonly T[], at: number, count: number): T[] {
  return items.slice(Math.floor((at * items.length) / count), Math.floor(((at + 1) * items.length) / count));
}
