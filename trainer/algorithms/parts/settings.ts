/**
 * The settings of algorithms as fields of one flat schema, with the names of AReaL and verl. Default values are from
 * the algorithm's paper. A setting that the algorithm does not read is refused.
 */
import { z } from "zod";

export const algorithmNames = [
  "ppo",
  "grpo",
  "dr-grpo",
  "rloo",
  "reinforce",
  "reinforce-plus-plus",
  "reinforce-plus-plus-baseline",
  "dapo",
  "gspo",
  "lite-ppo",
  "sapo",
  "cispo",
  "gigpo",
  "sft",
  "agent-evol",
  "on-policy-distillation",
] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

const unit = z.number().min(0).max(1);
const positive = z.number().positive();
const fromZero = z.number().min(0);

/** Fields for the schema of a run. Each algorithm has its own default for an optional field. */
export const algorithmFields = {
  algorithm: z.enum(algorithmNames).default("grpo").describe("Learning algorithm."),
  n_samples: z.int().min(1).optional().describe("Number of rollouts in a group."),
  loss_agg_mode: z
    .enum(["token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"])
    .optional()
    .describe("Aggregation of the tokens' losses to the loss of the batch."),
  max_completion_length: z
    .int()
    .min(1)
    .optional()
    .describe(
      "Maximum number of sampled tokens in a trajectory: the constant of seq-mean-token-sum-norm, and DAPO's Lmax.",
    ),
  temperature: positive.default(1).describe("Sampling temperature, which the log-probabilities in the loss include."),

  eps_clip: unit.optional().describe("Lower clip of the ratio: at least 1 - eps_clip."),
  eps_clip_higher: fromZero.optional().describe("Upper clip of the ratio: at most 1 + eps_clip_higher."),
  c_clip: z.number().gt(1).optional().describe("Dual clip: the loss of a negative advantage A is at most -c_clip A."),
  ppo_n_minibatches: z.int().min(1).default(4).describe("Optimizer steps in one pass over a batch."),
  update_epochs: z.int().min(1).default(1).describe("Passes over a batch."),
  recompute_logprob: z
    .boolean()
    .optional()
    .describe(
      "Recompute log-probabilities with the weights at the start of the update. Without the decoupled loss: only with max_head_offpolicyness 0. Default: only with the decoupled loss.",
    ),

  use_decoupled_loss: z
    .boolean()
    .default(false)
    .describe("Weight tokens by exp(proximal - behaviour), and clip around the proximal policy."),
  behav_imp_weight_mode: z
    .enum(["none", "truncate", "mask"])
    .optional()
    .describe(
      "Treatment of a behavior weight above the cap: truncate it to the cap, or mask the token. Default with the decoupled loss: truncate.",
    ),
  behav_imp_weight_cap: positive.optional().describe("Cap of the behavior weight."),

  kl_ctl: fromZero.default(0).describe("Weight of the KL term; 0: none, and no reference policy."),
  kl_estimator: z
    .enum(["k1", "k2", "k3"])
    .optional()
    .describe("Schulman's estimator of the KL term. Default: k1 in the reward, k3 in the loss."),
  use_kl_in_reward: z.boolean().optional().describe("Use KL as a reward of each token instead of a term of the loss."),
  entropy_coef: z.number().default(0).describe("Weight of the entropy, which is subtracted from the loss."),

  gamma: unit.optional().describe("Discount per sampled token; with GiGPO: per step."),
  lam: unit.optional().describe("Lambda of generalized advantage estimation."),
  critic: z
    .enum(["shared", "separate"])
    .optional()
    .describe(
      "shared: a value head on the policy, which the value loss trains, too; separate: a second model with its own optimizer.",
    ),
  critic_lr: positive.optional().describe("Highest learning rate of a separate critic. Default: lr."),
  vf_coef: fromZero.optional().describe("Weight of the value loss of a shared critic."),
  value_eps_clip: positive
    .optional()
    .describe("Clip of the values: maximum difference from the values at the start of the update."),
  turn_discount: unit
    .optional()
    .describe("Compute a separate return for each turn: R_i = r_i + turn_discount R_(i+1)."),
  adv_norm: z
    .enum(["none", "batch", "environment"])
    .optional()
    .describe(
      "Whiten advantages over the sampled tokens of the batch, or of each environment's part of it: each environment then has the same weight per token, whatever the scale of its rewards.",
    ),

  baseline: z
    .enum(["none", "ema", "batch_mean"])
    .optional()
    .describe("Baseline of REINFORCE, and of on-policy distillation."),
  baseline_decay: unit.optional().describe("Decay of the running mean of baseline ema."),
  dynamic_sampling: z
    .enum(["none", "acc", "score"])
    .optional()
    .describe("DAPO's dynamic sampling: keep groups whose members differ in success (acc) or return (score)."),
  overlong_tokens: z
    .int()
    .min(1)
    .optional()
    .describe("DAPO's Lc: a length above max_completion_length - Lc reduces the reward."),
  overlong_penalty_factor: positive.optional().describe("Maximum penalty for length, in units of reward."),
  step_advantage_w: fromZero.optional().describe("GiGPO's weight of step advantages."),
  gigpo_mode: z
    .enum(["mean_norm", "mean_std_norm"])
    .optional()
    .describe("GiGPO's normalization: by the mean only, or by mean and standard deviation."),
  reward_advantage_w: fromZero
    .optional()
    .describe("Weight of GRPO's advantage, which on-policy distillation adds to that of the teacher; 0: none."),
  sapo_tau_pos: positive.optional().describe("Temperature of SAPO's gate for positive advantages."),
  sapo_tau_neg: positive.optional().describe("Temperature of SAPO's gate for advantages of 0 or below."),
};

export const AlgorithmSettings = z.strictObject(algorithmFields);
export type AlgorithmSettings = z.output<typeof AlgorithmSettings>;
