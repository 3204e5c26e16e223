/** Advantages of outcomes: what a trajectory, or each of its turns, returned, compared with others of its group. */
import type { Group, Trajectory } from "../rollout/trajectory.js";
import { spread } from "./credit.js";
import type { ResolvedSettings } from "./defaults.js";
import { comparable } from "./survivors.js";
import { type Stretch, stretchesOf } from "./turn-discount.js";
import type { Advantages } from "./whitening.js";

/** Advantages of the stretches of one group, in their order. */
export type GroupBaseline = (values: readonly number[], stretches: readonly Stretch[]) => readonly number[];

/**
 * Groups with fewer than 2 survivors are left out. With `turn_discount` the turns of all survivors are the sample that a
 * baseline is made of.
 *
 * @param bonus is added to a trajectory's reward
 */
export function outcomeAdvantages(
  { turn_discount }: ResolvedSettings,
  groups: readonly Group[],
  baseline: GroupBaseline,
  bonus: (trajectory: Trajectory) => number = () => 0,
): Advantages {
  const advantages = new Map<Trajectory, Float64Array>();
  for (const members of comparable(groups)) {
    const stretches = members.flatMap((trajectory) => stretchesOf(trajectory, turn_discount, bonus(trajectory)));
    const values = stretches.map(({ value }) => value);
    for (const [key, tokens] of spread(stretches, baseline(values, stretches))) advantages.set(key, tokens);
  }
  return advantages;
}
