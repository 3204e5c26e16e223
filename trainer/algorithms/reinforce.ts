/** REINFORCE: the plain policy gradient. */
import type { Algorithm, Batch } from "./parts/algorithm.js";
import { creditsOf, spread } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { mean } from "./parts/group-baseline.js";
import { survivingEpisodes } from "./parts/survivors.js";
import { sampleOf, stretchesOf } from "./parts/turn-discount.js";

/**
 * REINFORCE (Williams 1992): L = 1/N sum_i sum_t -(R_i - b) log pi(t), with a baseline b of
 * - `none`: 0
 * - `batch_mean` (the default): the mean return of this batch
 * - `ema`: the running mean of earlier batches, b' = decay b + (1 - decay) mean, which does not depend on this batch
 *   and is 0 for the first batch; `Algorithm.carry` and `Batch.carried` transfer it between batches
 */
export function reinforce(settings: ResolvedSettings): Algorithm {
  const { baseline, baseline_decay: decay } = settings;
  const stretches = ({ groups }: Batch) =>
    groups.flatMap(survivingEpisodes).flatMap((episode) => stretchesOf(episode, settings.turn_discount));
  const meanReturn = (batch: Batch) =>
    mean(sampleOf(stretches(batch), settings.turn_discount).map(({ value }) => value));
  const baselineOf = (batch: Batch) => (baseline === "ema" ? (batch.carried ?? 0) : meanReturn(batch));
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: (batch) => {
      const b = baseline === "none" ? 0 : baselineOf(batch);
      const all = stretches(batch);
      return creditsOf(
        settings,
        spread(
          all,
          all.map(({ value }) => value - b),
        ),
      );
    },
    ...(baseline === "ema"
      ? {
          carry: (batch: Batch) => {
            if (stretches(batch).length === 0) return batch.carried;
            const next = meanReturn(batch);
            return batch.carried === undefined ? next : decay * batch.carried + (1 - decay) * next;
          },
        }
      : {}),
    loss: engineLoss("reinforce", settings),
  };
}
