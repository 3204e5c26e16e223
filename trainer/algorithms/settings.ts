/**
 * The settings of algorithms, by the names that users of AReaL and verl know, as fields of one flat schema. A setting
 * that is left out takes the default of the algorithm's paper; one that the algorithm has no use for is refused.
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
] as const;
export type AlgorithmName = (typeof algorithmNames)[number];

const unit = z.number().min(0).max(1);
const positive = z.number().positive();
const fromZero = z.number().min(0);

/** To be spread into the schema of a run. What is optional here has a default of each algorithm's own. */
export const algorithmFields = {
  algorithm: z.enum(algorithmNames).default("grpo").describe("Algorithm that the policy learns by."),
  n_samples: z.int().min(1).optional().describe("Trajectories of a group."),
  loss_agg_mode: z
    .enum(["token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"])
    .optional()
    .describe("How the losses of tokens become that of the batch."),
  max_completion_length: z
    .int()
    .min(1)
    .optional()
    .describe(
      "The most tokens that a trajectory may sample: the constant length of seq-mean-token-sum-norm, and DAPO's Lmax.",
    ),
  temperature: positive.default(1).describe("Temperature of sampling, and so of the log-probabilities in the loss."),

  eps_clip: unit.optional().describe("The ratio is clipped to at least 1 - eps_clip."),
  eps_clip_higher: fromZero.optional().describe("The ratio is clipped to at most 1 + eps_clip_higher."),
  c_clip: z
    .number()
    .gt(1)
    .optional()
    .describe("Dual clip: of a negative advantage the loss is at most -c_clip times it."),
  ppo_n_minibatches: z.int().min(1).default(4).describe("Optimiser steps of one pass over a batch."),
  update_epochs: z.int().min(1).default(1).describe("Passes over a batch."),
  recompute_logprob: z
    .boolean()
    .optional()
    .describe("Score the batch with the weights at the start of the update. Default: with the decoupled loss only."),

  use_decoupled_loss: z
    .boolean()
    .default(false)
    .describe("Weigh tokens by exp(proximal - behaviour), and clip about proximal."),
  behav_imp_weight_mode: z
    .enum(["none", "truncate", "mask"])
    .optional()
    .describe(
      "What becomes of a behaviour weight past the cap: the cap, or 0. Default with the decoupled loss: truncate.",
    ),
  behav_imp_weight_cap: positive.optional().describe("Cap of the behaviour weight."),

  kl_ctl: fromZero.default(0).describe("Weight of the KL term; 0: none, and no reference policy."),
  kl_estimator: z
    .enum(["k1", "k2", "k3"])
    .optional()
    .describe("Schulman's estimator of the KL term. Default: k1 in the reward, k3 in the loss."),
  use_kl_in_reward: z.boolean().optional().describe("KL as a reward of each token in place of a term of the loss."),
  entropy_coef: z.number().default(0).describe("Entropy is subtracted from the loss with this weight."),

  gamma: unit.optional().describe("Discount from one sampled token to the next; of GiGPO: from one step to the next."),
  lam: unit.optional().describe("Lambda of generalised advantage estimation."),
  vf_coef: fromZero.optional().describe("Weight of the value loss."),
  value_eps_clip: positive.optional().describe("Values move at most so far from what they were."),
  turn_discount: unit.optional().describe("Turns get returns of their own: R_i = r_i + turn_discount R_(i+1)."),
  adv_norm: z.enum(["none", "batch"]).optional().describe("Whiten advantages over the sampled tokens of the batch."),

  baseline: z.enum(["none", "ema", "batch_mean"]).optional().describe("Baseline of REINFORCE."),
  baseline_decay: unit.optional().describe("Decay of the running mean of baseline ema."),
  dynamic_sampling: z
    .enum(["none", "acc", "score"])
    .optional()
    .describe("DAPO's: keep groups whose members differ in this."),
  overlong_tokens: z
    .int()
    .min(1)
    .optional()
    .describe("DAPO's Lc: from max_completion_length - Lc on, length costs reward."),
  overlong_penalty_factor: positive.optional().describe("Highest cost of length."),
  step_advantage_w: fromZero.optional().describe("GiGPO's weight of step groups."),
  gigpo_mode: z
    .enum(["mean_norm", "mean_std_norm"])
    .optional()
    .describe("Whether GiGPO divides by standard deviations."),
  sapo_tau_pos: positive.optional().describe("Temperature of SAPO's gate for positive advantages."),
  sapo_tau_neg: positive.optional().describe("Temperature of SAPO's gate for other advantages."),
};

export const AlgorithmSettings = z.strictObject(algorithmFields);
export type AlgorithmSettings = z.output<typeof AlgorithmSettings>;
