/** What became of the groups of a batch: nothing is left out of a loss without being counted. */
import type { Group } from "../rollout/trajectory.js";
import { isConstant } from "./group-baseline.js";
import { survivors } from "./survivors.js";

export interface GroupStatistics {
  readonly groups: number;
  readonly trajectories: number;
  /** Trajectories that machinery failed. */
  readonly failed: number;
  /** Trajectories that ended before a token was sampled. */
  readonly unplayed: number;
  /** Groups with fewer than 2 survivors: nobody is compared. */
  readonly tooSmall: number;
  /** Groups of 2 survivors or more that all have one score: a baseline of the group leaves no gradient. */
  readonly zeroVariance: number;
}

export function groupStatistics(groups: readonly Group[]): GroupStatistics {
  const members = groups.flatMap(({ trajectories, failed }) => [...trajectories, ...failed]);
  const kept = groups.map(survivors);
  const failed = new Set([
    ...groups.flatMap((group) => group.failed),
    ...members.filter(({ status }) => status === "failed"),
  ]).size;
  return {
    groups: groups.length,
    trajectories: members.length,
    failed,
    unplayed: members.length - failed - kept.flat().length,
    tooSmall: kept.filter(({ length }) => length < 2).length,
    zeroVariance: kept.filter((group) => group.length >= 2 && isConstant(group.map(({ score }) => score))).length,
  };
}
