/**
 * Returns of turns (AReaL's `turn_discount`): walking the steps of a trajectory backwards, R_i = r_i + d R_(i+1). Without
 * a discount a trajectory has one return, its score, for all of its tokens.
 */
import type { Trajectory } from "../rollout/trajectory.js";

/** Tokens with one return: `first` to `end - 1`, whole trajectory or turn. Only sampled ones among them count. */
export interface Stretch {
  readonly trajectory: Trajectory;
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
 * Tokens by turn, in order and without gaps. What was sampled after the last step, and so never became an action, is a
 * turn of its own whose return is 0.
 *
 * @param bonus is added to the last reward
 */
export function stretchesOf(trajectory: Trajectory, discount: number | undefined, bonus = 0): Stretch[] {
  const { steps, tokens, score } = trajectory;
  const value = score + bonus;
  if (discount === undefined || steps.length === 0) return [{ trajectory, first: 0, end: tokens.length, value }];
  const returns = turnReturns(trajectory, discount);
  const stretches = steps.map(({ end }, turn) => ({
    trajectory,
    first: steps[turn - 1]?.end ?? 0,
    end,
    value: (returns[turn] as number) + bonus * discount ** (steps.length - 1 - turn),
  }));
  const last = stretches.at(-1)?.end ?? 0;
  if (!trajectory.mask.includes(1, last)) return stretches;
  return [...stretches, { trajectory, first: last, end: tokens.length, value: 0 }];
}
