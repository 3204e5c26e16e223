/** Statistics of the groups of a batch, with the number of groups and episodes that the loss leaves out. */
import { episodesOf, type Group } from "../../rollout/trajectory.js";
import { isConstant } from "./group-baseline.js";
import { survivingEpisodes } from "./survivors.js";

export interface GroupStatistics {
  readonly groups: number;
  readonly episodes: number;
  /** Number of episodes that failed in the gym or the policy. */
  readonly failed: number;
  /** Number of episodes that ended before a token was sampled. */
  readonly unplayed: number;
  /** Number of groups with fewer than 2 survivors, which do not allow a comparison. */
  readonly tooSmall: number;
  /** Number of groups of 2 or more survivors with equal returns, which have no gradient. */
  readonly zeroVariance: number;
}

export function groupStatistics(groups: readonly Group[]): GroupStatistics {
  const members = groups.flatMap(({ trajectories, failed }) => episodesOf([...trajectories, ...failed]));
  const kept = groups.map(survivingEpisodes);
  const isFailed = new Set(groups.flatMap(({ failed }) => failed));
  const failed = members.filter(([row]) => row && (row.status === "failed" || isFailed.has(row))).length;
  const returns = kept.map((episodes) => episodes.flatMap((rows) => rows.map(({ return: total }) => total)));
  return {
    groups: groups.length,
    episodes: members.length,
    failed,
    unplayed: members.length - failed - kept.flat().length,
    tooSmall: kept.filter(({ length }) => length < 2).length,
    zeroVariance: kept.filter(({ length }, at) => length >= 2 && isConstant(returns[at] ?? [])).length,
  };
}
