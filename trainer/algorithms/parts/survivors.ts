/** Survivors: the trajectories that an algorithm learns from or compares. */
import { episodesOf, type Group, type Trajectory } from "../../rollout/trajectory.js";

/** Returns the number of sampled tokens of a row: |o_i|. */
export function sampledTokens({ mask }: Trajectory): number {
  let count = 0;
  for (let token = 0; token < mask.length; token++) count += mask[token] as number;
  return count;
}

/** Returns the number of sampled tokens in all rows of an episode. */
export function sampledTokensOf(episode: readonly Trajectory[]): number {
  return episode.reduce((sum, row) => sum + sampledTokens(row), 0);
}

/** Returns the trajectories of a group that give evidence about the policy: not failed, and with a sampled token. */
export function survivors({ trajectories }: Group): Trajectory[] {
  return trajectories.filter((trajectory) => trajectory.status !== "failed" && sampledTokens(trajectory) > 0);
}

/** Returns the rows of each surviving episode. */
export function survivingEpisodes(group: Group): Trajectory[][] {
  return episodesOf(survivors(group));
}

/** Returns the surviving episodes of each group that has at least two, so that a baseline can be computed. */
export function comparable(groups: readonly Group[]): Trajectory[][][] {
  return groups.map(survivingEpisodes).filter(({ length }) => length >= 2);
}
