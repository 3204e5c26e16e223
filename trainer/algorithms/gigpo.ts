/** GiGPO: group-in-group policy optimization. */
import type { Trajectory } from "../rollout/trajectory.js";
import type { Algorithm } from "./parts/algorithm.js";
import { creditsOf } from "./parts/credit.js";
import type { ResolvedSettings } from "./parts/defaults.js";
import { engineLoss, needsOf } from "./parts/engine-loss.js";
import { centred, standardised } from "./parts/group-baseline.js";
import { comparable } from "./parts/survivors.js";
import { turnReturns, turnsOf } from "./parts/turn-discount.js";
import type { Advantages } from "./parts/whitening.js";

/**
 * GiGPO (Feng et al. 2025, "Group-in-group policy optimization for LLM agent training", eq. 3 to 8): both whole
 * trajectories of a task and single steps from the same state are compared with each other:
 *
 *     A   = A_E + w A_S
 *     A_E = (R_i - mean(R)) / F
 *     Q_t = sum_k gamma^k r_(t+k), of the environment's rewards, over all rows of the episode
 *     A_S = (Q_t - mean(Q of the anchor state)) / F
 *
 * The anchor state is the hash of the observation before the step, within the group. A trajectory may reach a state
 * more than once. For a state that was reached only once in the group, A_S is 0. All tokens of a step share its
 * advantage. F is 1 for `mean_norm` (the default) and the standard deviation + 1e-6 for `mean_std_norm`.
 *
 * Loss: PPO's clip with a k3 term, mean of tokens. Defaults: w (step_advantage_w) 1, gamma 0.95, eps_clip 0.2.
 */
export function gigpo(settings: ResolvedSettings): Algorithm {
  return {
    name: settings.algorithm,
    needs: needsOf(settings),
    credit: ({ groups }) => {
      const advantages = comparable(groups).flatMap((episodes) => [...advantagesOf(settings, episodes)]);
      return creditsOf(settings, new Map(advantages));
    },
    loss: engineLoss("ppo", settings),
  };
}

function advantagesOf(settings: ResolvedSettings, episodes: readonly Trajectory[][]): Advantages {
  const normalise = settings.gigpo_mode === "mean_norm" ? centred : standardised;
  const ofEpisodes = normalise(episodes.map(([row]) => (row as Trajectory).return));
  const advantages = new Map<Trajectory, Float64Array>();
  for (const [index, rows] of episodes.entries()) {
    for (const row of rows) {
      advantages.set(row, new Float64Array(row.tokens.length).fill(ofEpisodes[index] as number));
    }
  }
  for (const bucket of bucketsOf(settings, episodes)) {
    // A single step has a deviation of 0 and no difference from the mean.
    const steps = normalise(bucket.map(({ value }) => value));
    for (const [index, { trajectory, first, end }] of bucket.entries()) {
      const added = settings.step_advantage_w * (steps[index] as number);
      const values = advantages.get(trajectory) as Float64Array;
      for (let token = first; token < end; token++) values[token] = (values[token] as number) + added;
    }
  }
  return advantages;
}

/** A step: its tokens and its return Q_t. */
interface Step {
  readonly trajectory: Trajectory;
  readonly first: number;
  readonly end: number;
  readonly value: number;
}

/** Groups the steps of a group's episodes by the state in which they began. */
function bucketsOf({ gamma }: ResolvedSettings, episodes: readonly Trajectory[][]): Iterable<Step[]> {
  const buckets = new Map<string, Step[]>();
  for (const episode of episodes) {
    const turns = turnsOf(episode);
    const values = turnReturns(turns, gamma);
    for (const [at, { trajectory, step }] of turns.entries()) {
      if (!step) continue;
      const bucket = buckets.get(step.observationHash) ?? [];
      bucket.push({ trajectory, first: step.first, end: step.end, value: values[at] as number });
      buckets.set(step.observationHash, bucket);
    }
  }
  return buckets.values();
}
