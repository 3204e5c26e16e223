/** What became of the groups of a batch: nothing is left out of a loss without being counted. */
import { episodesOf, type Group } from "../rollout/trajectory.js";
import { isConstant } from "./group-baseline.js";
import { survivingEpisodes } from "./survivors.js";

export interface GroupStatistics {
  readonly groups: number;
  readonly episodes: number;
  /** Episodes that machinery failed. */
  readonly failed: number;
  /** Episodes that ended before a token was sampled. */
  readonly unplayed: number;
  /** Groups with fewer than 2 survivors: nobody is compared. */
  readonly tooSmall: number;
  /** Groups of 2 survivors or more that all have one score: a baseline of the group leaves no gradient. */
  readonly zeroVariance: number;
}

export function groupStatistics(groups: readonly Group[]): GroupStatistics {
  const members = groups.flatMap(({ trajectories, failed }) => episodesOf([...trajectories, ...failed]));
  const kept = groups.map(survivingEpisodes);
  const isFailed = new Set(groups.flatMap(({ failed }) => failed));
  const failed = members.filter(([row]) => row && (row.status === "failed" || isFailed.has(row))).length;
  const scores = kept.map((episodes) => episodes.flatMap((rows) => rows.map(({ score }) => score)));
  return {
    groups: groups.length,
    episodes: members.length,
    failed,
    unplayed: members.length - failed - kept.flat().length,
    tooSmall: kept.filter(({ length }) => length < 2).length,
    zeroVariance: kept.filter(({ length }, at) => length >= 2 && isConstant(scores[at] ?? [])).length,
  };
}
