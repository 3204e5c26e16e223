/** Metrics of a batch and its losses. */
import type { LossStatistics } from "../../native/api/index.js";
import type { Algorithm, Credit } from "../algorithms/parts/algorithm.js";
import { mean } from "../algorithms/parts/group-baseline.js";
import { groupStatistics } from "../algorithms/parts/group-statistics.js";
import { sampledTokensOf, survivingEpisodes } from "../algorithms/parts/survivors.js";
import type { LeftOut, LeftOutReason } from "../rollout/rollout-loop.js";
import { bySeat, type Group, type Trajectory } from "../rollout/trajectory.js";
import type { Metrics } from "./metric-names.js";

export interface BatchMetrics {
  readonly metrics: Metrics;
  /** Trained tokens by staleness: see `TrainRecord`. */
  readonly staleness: readonly number[];
  /** Number of tokens in the batch, including observations and rows without a gradient. */
  readonly tokens: number;
}

/**
 * Computes the metrics of a batch.
 *
 * @param all groups of the batch; a player of a seat counts as an episode
 * @param version version of the policy that the batch trains
 * @param leftOut groups that were played since the previous batch and are not learned from
 */
export function batchMetrics(
  all: readonly Group[],
  credits: ReadonlyMap<Trajectory, Credit>,
  version: number,
  leftOut: readonly LeftOut[] = [],
): BatchMetrics {
  // Returns are compared within a seat, so that each seat of a group is a group of its own.
  const groups = all.flatMap(bySeat);
  const played = groups.flatMap(survivingEpisodes);
  const { failed, zeroVariance, tooSmall } = groupStatistics(groups);
  const lengths = played.map(sampledTokensOf);
  const outcomes = played.map(([row]) => row as Trajectory);
  const staleness = stalenessOf([...credits.keys()], version);
  return {
    staleness,
    tokens: groups.flatMap(({ trajectories }) => trajectories).reduce((sum, { tokens }) => sum + tokens.length, 0),
    metrics: {
      "episode/count": played.length,
      "episode/failed": failed + groupStatistics(leftOut.map(({ group }) => group)).failed,
      "groups/count": groups.length,
      "groups/zero_variance": zeroVariance,
      "groups/too_small": tooSmall + because(leftOut, "failed").length,
      "groups/filtered": because(leftOut, "filtered").length,
      ...leftOutMetrics(leftOut.flatMap(({ group }) => survivingEpisodes(group))),
      ...(played.length === 0
        ? {}
        : {
            "episode/success_rate": mean(outcomes.map(({ solved }) => Number(solved))),
            "episode/reward/mean": mean(outcomes.map(({ return: total }) => total)),
            "episode/length/mean": mean(played.map(stepsOf)),
            "response_length/mean": mean(lengths),
            "response_length/max": lengths.reduce((most, length) => Math.max(most, length), 0),
          }),
      ...(groups.length > 0 && { "actor/no_gradient": Number(!hasAdvantage(credits)) }),
      ...advantageMetrics(credits),
      ...stalenessMetrics(staleness),
    },
  };
}

function stepsOf(rows: readonly Trajectory[]): number {
  return rows.reduce((sum, { steps }) => sum + steps.length, 0);
}

/** Describes the episodes that are not learned from, whose length and success would differ if the choice were biased. */
function leftOutMetrics(episodes: readonly (readonly Trajectory[])[]): Metrics {
  if (episodes.length === 0) return { "episode/left_out/count": 0 };
  return {
    "episode/left_out/count": episodes.length,
    "episode/left_out/success_rate": mean(episodes.map(([row]) => Number(row?.solved))),
    "episode/left_out/length/mean": mean(episodes.map(stepsOf)),
  };
}

function because(leftOut: readonly LeftOut[], reason: LeftOutReason): Group[] {
  return leftOut.filter((one) => one.reason === reason).map(({ group }) => group);
}

/** Counts the trained tokens by staleness. Tokens of examples that no policy sampled are left out. */
function stalenessOf(trajectories: readonly Trajectory[], version: number): number[] {
  const counts: number[] = [];
  for (const { mask, versions } of trajectories) {
    for (let token = 0; token < mask.length; token++) {
      if (mask[token] !== 1 || (versions[token] as number) < 0) continue;
      const staleness = Math.max(0, version - (versions[token] as number));
      while (counts.length <= staleness) counts.push(0);
      counts[staleness] = (counts[staleness] as number) + 1;
    }
  }
  return counts;
}

function stalenessMetrics(counts: readonly number[]): Metrics {
  if (counts.length === 0) return {};
  const tokens = counts.reduce((total, count) => total + count, 0);
  const sum = counts.reduce((total, count, staleness) => total + count * staleness, 0);
  return { "staleness/mean": sum / tokens, "staleness/max": counts.length - 1 };
}

function hasAdvantage(credits: ReadonlyMap<Trajectory, Credit>): boolean {
  return [...credits].some(([{ mask }, { advantages }]) =>
    advantages.some((advantage, token) => mask[token] === 1 && advantage !== 0),
  );
}

function advantageMetrics(credits: ReadonlyMap<Trajectory, Credit>): Metrics {
  let [count, total, highest, lowest] = [0, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [{ mask }, { advantages }] of credits) {
    for (let token = 0; token < mask.length; token++) {
      if (mask[token] !== 1) continue;
      const advantage = advantages[token] as number;
      count += 1;
      total += advantage;
      highest = Math.max(highest, advantage);
      lowest = Math.min(lowest, advantage);
    }
  }
  if (count === 0) return {};
  return {
    "critic/advantages/mean": total / count,
    "critic/advantages/max": highest,
    "critic/advantages/min": lowest,
  };
}

/**
 * Computes the metrics of losses, from the results of `accumulate` for the packs of one or several optimizer steps.
 * Losses are summed, since the token weights already make them means; the remaining metrics are means over tokens. Terms
 * that the algorithm's loss lacks have no metric, since a constant 0 would be drawn as an empty chart.
 */
export function lossMetrics(
  parts: readonly LossStatistics[],
  { loss, criticLoss }: Pick<Algorithm, "loss" | "criticLoss">,
): Metrics {
  const sum = (name: keyof LossStatistics) => parts.reduce((total, part) => total + part[name], 0);
  const tokens = sum("tokens");
  if (tokens === 0 || "gradients" in loss) return {};
  const isClipped = ["ppo", "gspo", "cispo"].includes(loss.policy);
  const hasCritic = loss.valueCoefficient !== undefined || criticLoss !== undefined;
  return {
    "actor/loss": sum("loss"),
    "actor/pg_loss": sum("policyLoss"),
    ...(loss.kl && { "actor/kl_loss": sum("klLoss") }),
    ...(hasCritic && { "critic/vf_loss": sum("valueLoss") }),
    "actor/entropy": sum("entropy") / tokens,
    "actor/ppo_kl": sum("proximalKl") / tokens,
    "actor/ratio/mean": sum("ratio") / tokens,
    "actor/ratio/max": parts.reduce((most, { highestRatio }) => Math.max(most, highestRatio), 0),
    ...(isClipped && { "actor/pg_clipfrac": (sum("clippedLow") + sum("clippedHigh")) / tokens }),
    ...(loss.dualClip && { "actor/pg_clipfrac_lower": sum("dualClipped") / tokens }),
    ...(loss.behaviourWeight && {
      "actor/behav_imp_weight/mean": sum("behaviourWeight") / tokens,
      "actor/behav_imp_weight/cut": sum("behaviourCut") / tokens,
    }),
  };
}
