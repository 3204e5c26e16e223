/** How the losses of tokens become the loss of a batch: verl's `loss_agg_mode`, as a weight of every token. */
import { episodesOf, type Trajectory } from "../rollout/trajectory.js";
import type { ResolvedSettings } from "./defaults.js";
import { sampledTokensOf } from "./survivors.js";

/**
 * The weight of each sampled token of an episode, of N in all with |o_i| sampled tokens in all of their rows: in how many
 * rows an agent left an episode makes no difference.
 * - `token-mean`: 1 / sum |o_i| (DAPO eq. 8)
 * - `seq-mean-token-mean`: 1 / (N |o_i|) (GRPO eq. 3)
 * - `seq-mean-token-sum`: 1 / N (a sequence is one action: RLOO)
 * - `seq-mean-token-sum-norm`: 1 / (N L) with a constant L (Dr.GRPO)
 */
export function tokenWeights(
  trajectories: readonly Trajectory[],
  { loss_agg_mode: mode, max_completion_length: longest = 1 }: ResolvedSettings,
): ReadonlyMap<Trajectory, number> {
  const episodes = episodesOf(trajectories).map((rows) => ({ rows, length: sampledTokensOf(rows) }));
  const tokens = episodes.reduce((total, { length }) => total + length, 0);
  const weightOf = (length: number) => {
    if (mode === "token-mean") return 1 / tokens;
    if (mode === "seq-mean-token-mean") return 1 / (episodes.length * length);
    return 1 / (episodes.length * (mode === "seq-mean-token-sum-norm" ? longest : 1));
  };
  return new Map(episodes.flatMap(({ rows, length }) => rows.map((row) => [row, weightOf(length)])));
}
