/** Outcome advantages: the return of an episode, or of each turn, compared with the other returns of its group. */
import type { Group, Trajectory } from "../../rollout/trajectory.js";
import { spread } from "./credit.js";
import type { ResolvedSettings } from "./defaults.js";
import { comparable } from "./survivors.js";
import { type Stretch, sampleOf, stretchesOf } from "./turn-discount.js";
import type { Advantages } from "./whitening.js";

/** Computes the advantages of a group's returns, in the same order. */
export type GroupBaseline = (values: readonly number[], stretches: readonly Stretch[]) => readonly number[];

/**
 * Computes outcome advantages; groups with fewer than 2 survivors get none. An episode has one return in its group's
 * sample, and all of its rows share its advantage. With `turn_discount`, the sample consists of the returns of all
 * turns.
 *
 * @param bonus reward that is added to an episode
 */
export function outcomeAdvantages(
  { turn_discount }: ResolvedSettings,
  groups: readonly Group[],
  baseline: GroupBaseline,
  bonus: (episode: readonly Trajectory[]) => number = () => 0,
): Advantages {
  const advantages = new Map<Trajectory, Float64Array>();
  for (const episodes of comparable(groups)) {
    const stretches = episodes.flatMap((episode) => stretchesOf(episode, turn_discount, bonus(episode)));
    const compared = comparedBy(baseline, stretches, turn_discount);
    for (const [key, tokens] of spread(stretches, compared)) advantages.set(key, tokens);
  }
  return advantages;
}

/** Returns the advantages of the stretches, in order. */
function comparedBy(baseline: GroupBaseline, stretches: readonly Stretch[], discount: number | undefined): number[] {
  const sample = sampleOf(stretches, discount);
  const compared = baseline(
    sample.map(({ value }) => value),
    sample,
  );
  if (discount !== undefined) return [...compared];
  const byEpisode = new Map(sample.map(({ episode }, at) => [episode, compared[at] as number]));
  return stretches.map(({ episode }) => byEpisode.get(episode) as number);
}
