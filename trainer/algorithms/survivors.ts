/** Which trajectories count. */
import type { Group, Trajectory } from "../rollout/trajectory.js";

/** Sampled tokens: |o_i|. */
export function sampledTokens({ mask }: Trajectory): number {
  let count = 0;
  for (let token = 0; token < mask.length; token++) count += mask[token] as number;
  return count;
}

/** Those of a group from which anything may be concluded about the policy: none that failed, none without a token. */
export function survivors({ trajectories }: Group): Trajectory[] {
  return trajectories.filter((trajectory) => trajectory.status !== "failed" && sampledTokens(trajectory) > 0);
}

/** The survivors of each group that has at least two: what baselines of groups are made of. */
export function comparable(groups: readonly Group[]): Trajectory[][] {
  return groups.map(survivors).filter(({ length }) => length >= 2);
}
