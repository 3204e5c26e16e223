/** Which trajectories count. */
import { episodesOf, type Group, type Trajectory } from "../rollout/trajectory.js";

/** Sampled tokens: |o_i|. */
export function sampledTokens({ mask }: Trajectory): number {
  let count = 0;
  for (let token = 0; token < mask.length; token++) count += mask[token] as number;
  return count;
}

/** Of all rows of an episode. */
export function sampledTokensOf(episode: readonly Trajectory[]): number {
  return episode.reduce((sum, row) => sum + sampledTokens(row), 0);
}

/** Those of a group from which anything may be concluded about the policy: none that failed, none without a token. */
export function survivors({ trajectories }: Group): Trajectory[] {
  return trajectories.filter((trajectory) => trajectory.status !== "failed" && sampledTokens(trajectory) > 0);
}

/** The rows of each surviving episode. */
export function survivingEpisodes(group: Group): Trajectory[][] {
  return episodesOf(survivors(group));
}

/** The surviving episodes of each group that has at least two: what baselines of groups are made of. */
export function comparable(groups: readonly Group[]): Trajectory[][][] {
  return groups.map(survivingEpisodes).filter(({ length }) => length >= 2);
}
