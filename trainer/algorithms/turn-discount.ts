/**
 * Returns of turns (AReaL's `turn_discount`): walking the steps of a trajectory backwards, R_i = r_i + d R_(i+1). Without
 * a discount an episode has one return, its score, for all tokens of all of its rows.
 */
import type { Trajectory } from "../rollout/trajectory.js";

/** Tokens with one return: `first` to `end - 1`, whole trajectory or turn. Only sampled ones among them count. */
export interface Stretch {
  readonly trajectory: Trajectory;
  /** All rows of the trajectory's episode. */
  readonly episode: readonly Trajectory[];
  readonly first: number;
  readonly end: number;
  readonly value: number;
}

/** R_i of every step. */
export function turnReturns({ steps }: Trajectory, discount: number): number[] {
  const returns = steps.map(({ reward }) => reward);
  for (let step = returns.length - 2; step >= 0; step--) {
    returns[step] = (returns[step] as number) + discount * (returns[step + 1] as number);
  }
  return returns;
}

/**
 * Tokens by turn, row by row, in order and without gaps. What was sampled after the last step, and so never became an action, is a
 * turn of its own whose return is 0.
 *
 * @param bonus is added to the last reward
 */
export function stretchesOf(episode: readonly Trajectory[], discount: number | undefined, bonus = 0): Stretch[] {
  return episode.flatMap((trajectory) => stretchesOfRow(trajectory, episode, discount, bonus));
}

/**
 * What returns are compared in: the turns where each has its own, else the episodes, each once however many rows it has.
 *
 * @param stretches of whole episodes
 */
export function sampleOf(stretches: readonly Stretch[], discount: number | undefined): readonly Stretch[] {
  if (discount !== undefined) return stretches;
  return stretches.filter(({ trajectory, episode }) => trajectory === episode[0]);
}

function stretchesOfRow(
  trajectory: Trajectory,
  episode: readonly Trajectory[],
  discount: number | undefined,
  bonus: number,
): Stretch[] {
  const { steps, tokens, score } = trajectory;
  const value = score + bonus;
  if (discount === undefined || steps.length === 0)
    return [{ trajectory, episode, first: 0, end: tokens.length, value }];
  const returns = turnReturns(trajectory, discount);
  const stretches = steps.map(({ end }, turn) => ({
    trajectory,
    episode,
    first: steps[turn - 1]?.end ?? 0,
    end,
    value: (returns[turn] as number) + bonus * discount ** (steps.length - 1 - turn),
  }));
  const last = stretches.at(-1)?.end ?? 0;
  if (!trajectory.mask.includes(1, last)) return stretches;
  return [...stretches, { trajectory, episode, first: last, end: tokens.length, value: 0 }];
}
