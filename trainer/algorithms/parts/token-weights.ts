/** Weights that aggregate the losses of tokens to the batch's loss: verl's `loss_agg_mode`. */
import { episodesOf, type Trajectory } from "../../rollout/trajectory.js";
import type { ResolvedSettings } from "./defaults.js";
import { sampledTokensOf } from "./survivors.js";

/**
 * Returns the weight of each sampled token, for N episodes with |o_i| sampled tokens in all rows of episode i. The
 * number of rows of an episode makes no difference.
 * - `token-mean`: 1 / sum |o_i| (DAPO eq. 8)
 * - `seq-mean-token-mean`: 1 / (N |o_i|) (GRPO eq. 3)
 * - `seq-mean-token-sum`: 1 / N (a sequence is one action: RLOO)
 * - `seq-mean-token-sum-norm`: 1 / (N L) with a constant L (Dr.GRPO)
 */
export function tokenWeights(
  trajectories: readonly Trajectory[],
  settings: ResolvedSettings,
): ReadonlyMap<Trajectory, number> {
  const { loss_agg_mode: mode, max_completion_length: longest = 1 } = settings;
  const episodes = episodesOf(trajectories);
  const normaliser = normaliserOf(episodes, mode);
  const weightOf = (episode: readonly Trajectory[]) => {
    if (mode === "seq-mean-token-mean") return 1 / (normaliser * sampledTokensOf(episode));
    return 1 / (normaliser * (mode === "seq-mean-token-sum-norm" ? longest : 1));
  };
  return new Map(episodes.flatMap((rows) => rows.map((row) => [row, weightOf(rows)])));
}

/**
 * Returns the divisor of a batch's loss: the number of sampled tokens for `token-mean`, of episodes for the other
 * modes. Episodes whose advantage is 0 are included.
 */
export function normaliserOf(episodes: readonly Trajectory[][], mode: ResolvedSettings["loss_agg_mode"]): number {
  if (mode !== "token-mean") return episodes.length;
  return episodes.reduce((sum, episode) => sum + sampledTokensOf(episode), 0);
}
