/**
 * Contradictions between settings, as two tables. A setting that would be ignored, or that cancels the effect of
 * another setting, is refused with the reason. A warning in a log would be noticed only after the run has failed.
 */
import { TrainerError } from "../../errors.js";
import type { ResolvedSettings } from "./defaults.js";
import { type AlgorithmName, type AlgorithmSettings, algorithmNames } from "./settings.js";

type Names = readonly AlgorithmName[];

const supervised: Names = ["sft", "agent-evol"];
const withoutRatio: Names = ["reinforce", "rloo", ...supervised];
const clipped = except(...withoutRatio, "sapo");
const ofGroups = except("ppo", "reinforce", "reinforce-plus-plus", "on-policy-distillation", ...supervised);

function except(...names: Names): Names {
  return algorithmNames.filter((name) => !names.includes(name));
}

interface Reader {
  readonly by: Names;
  /** Feature that the remaining algorithms lack. */
  readonly lacking: string;
}

/** Algorithms that read a setting. All other algorithms refuse the setting. */
const readers: { readonly [K in keyof AlgorithmSettings]?: Reader } = {
  eps_clip: { by: clipped, lacking: "a ratio that is clipped" },
  eps_clip_higher: { by: clipped, lacking: "a ratio that is clipped" },
  c_clip: {
    by: clipped.filter((name) => name !== "cispo"),
    lacking: "a clipped surrogate, which dual clip bounds",
  },
  gamma: {
    by: ["ppo", "reinforce-plus-plus", "gigpo"],
    lacking: "returns per token. For returns per turn, use turn_discount",
  },
  lam: { by: ["ppo"], lacking: "a critic, which generalized advantage estimation needs" },
  critic: { by: ["ppo"], lacking: "a critic" },
  critic_lr: { by: ["ppo"], lacking: "a critic" },
  vf_coef: { by: ["ppo"], lacking: "a critic" },
  value_eps_clip: { by: ["ppo"], lacking: "a critic" },
  turn_discount: {
    by: except("gigpo", ...supervised),
    lacking: "discounted turns: GiGPO discounts steps by gamma, and supervised learning has no returns",
  },
  baseline: { by: ["reinforce", "on-policy-distillation"], lacking: "a choice of baseline" },
  baseline_decay: { by: ["reinforce"], lacking: "a running mean" },
  dynamic_sampling: { by: ["dapo"], lacking: "dynamic sampling" },
  overlong_tokens: { by: ["dapo"], lacking: "overlong reward shaping" },
  overlong_penalty_factor: { by: ["dapo"], lacking: "overlong reward shaping" },
  step_advantage_w: { by: ["gigpo"], lacking: "step groups" },
  gigpo_mode: { by: ["gigpo"], lacking: "step groups" },
  reward_advantage_w: { by: ["on-policy-distillation"], lacking: "a teacher, to whose advantage the setting adds" },
  sapo_tau_pos: { by: ["sapo"], lacking: "a soft gate" },
  sapo_tau_neg: { by: ["sapo"], lacking: "a soft gate" },
};

/** Returns the algorithms that read a setting. */
export function readersOf(name: keyof AlgorithmSettings): Names {
  return readers[name]?.by ?? algorithmNames;
}

interface Contradiction {
  readonly holds: (resolved: ResolvedSettings, given: AlgorithmSettings) => boolean;
  readonly reason: string | ((resolved: ResolvedSettings) => string);
}

const contradictions: readonly Contradiction[] = [
  // Decoupled loss
  {
    holds: (s) => s.use_decoupled_loss && s.behav_imp_weight_mode === "none",
    reason:
      "use_decoupled_loss with behav_imp_weight_mode none: without a behavior weight, the decoupled loss has no effect. Choose truncate or mask",
  },
  {
    holds: (s) => s.recompute_logprob && clipped.includes(s.algorithm) && s.ppo_n_minibatches * s.update_epochs === 1,
    reason:
      "recompute_logprob (or use_decoupled_loss) with one optimizer step per batch: the ratio to the policy at the start of the update is then 1 for every token, and eps_clip has no effect. Raise ppo_n_minibatches or update_epochs, or choose algorithm reinforce or rloo with use_decoupled_loss",
  },
  {
    holds: (s) => s.use_decoupled_loss && !s.recompute_logprob,
    reason:
      "use_decoupled_loss without recompute_logprob: without the proximal policy's log-probabilities, every behavior weight is 1",
  },
  {
    holds: (s, given) =>
      !s.use_decoupled_loss && (s.behav_imp_weight_mode !== "none" || given.behav_imp_weight_cap !== undefined),
    reason:
      "behav_imp_weight_mode or behav_imp_weight_cap without use_decoupled_loss: only the decoupled loss has a behavior weight",
  },
  {
    holds: (s) => s.behav_imp_weight_cap < 1,
    reason: "behav_imp_weight_cap below 1: it would cut tokens of the current policy, whose weight is 1",
  },
  {
    holds: (s) => s.use_decoupled_loss && s.algorithm === "sapo",
    reason: "use_decoupled_loss with sapo: its gate already reduces the weight of tokens whose ratio is far from 1",
  },
  {
    holds: (s) => s.use_decoupled_loss && supervised.includes(s.algorithm),
    reason: "use_decoupled_loss with supervised learning: its tokens are examples without a behavior policy",
  },
  {
    holds: (s) => s.recompute_logprob && !s.use_decoupled_loss && withoutRatio.includes(s.algorithm),
    reason:
      "recompute_logprob without use_decoupled_loss for a loss without a ratio: the loss does not read the log-probabilities",
  },
  // KL and entropy
  {
    holds: (s, given) => s.kl_ctl === 0 && (given.kl_estimator !== undefined || given.use_kl_in_reward !== undefined),
    reason: "kl_estimator or use_kl_in_reward with a kl_ctl of 0: the loss has no KL term",
  },
  {
    holds: (s) => s.kl_ctl > 0 && s.use_kl_in_reward && !["ppo", "reinforce-plus-plus"].includes(s.algorithm),
    reason:
      "use_kl_in_reward with outcome advantages: only ppo and reinforce-plus-plus have rewards per token. Remove use_kl_in_reward to make KL a term of the loss",
  },
  {
    holds: (s) => s.kl_ctl > 0 && !s.use_kl_in_reward && s.kl_estimator === "k1",
    reason: "kl_estimator k1 in the loss: the expectation of its gradient is 0, so it only adds noise. Choose k2 or k3",
  },
  {
    holds: (s) => s.kl_ctl > 0 && supervised.includes(s.algorithm),
    reason: "kl_ctl with supervised learning: the estimators of KL are only valid for tokens that the policy sampled",
  },
  // Baselines and normalization
  {
    holds: (s) => ofGroups.includes(s.algorithm) && s.n_samples < 2,
    reason: ({ algorithm }) =>
      `n_samples 1 with ${algorithm}: a group of one rollout has no comparison, and every advantage is 0. Raise n_samples, or choose an algorithm without groups, such as reinforce with baseline ema`,
  },
  {
    holds: (s) => s.algorithm === "on-policy-distillation" && s.baseline === "ema",
    reason:
      "baseline ema with on-policy-distillation: its batch has enough tokens for a mean. Choose batch_mean or none",
  },
  {
    holds: (s) => s.algorithm === "on-policy-distillation" && s.reward_advantage_w > 0 && s.n_samples < 2,
    reason:
      "reward_advantage_w with n_samples 1: a group of one rollout has no comparison, and its advantage by reward is 0. Raise n_samples",
  },
  {
    holds: (s) =>
      s.algorithm === "on-policy-distillation" && s.reward_advantage_w === 0 && s.turn_discount !== undefined,
    reason: "turn_discount with a reward_advantage_w of 0: the teacher's advantages do not depend on rewards",
  },
  {
    holds: (s) => s.adv_norm !== "none" && s.algorithm === "on-policy-distillation",
    reason:
      "adv_norm with on-policy-distillation: the smaller the divergence from the teacher, the more it would be magnified",
  },
  {
    holds: (s) => s.adv_norm === "batch" && s.algorithm === "dr-grpo",
    reason: "adv_norm batch with dr-grpo: it would divide by a standard deviation, which Dr.GRPO removes from GRPO",
  },
  {
    holds: (s) => s.adv_norm !== "none" && s.algorithm === "lite-ppo",
    reason: "adv_norm with lite-ppo: its advantages are already divided by the batch's standard deviation",
  },
  {
    holds: (s) => s.adv_norm !== "none" && supervised.includes(s.algorithm),
    reason: "adv_norm with supervised learning: equal advantages would all become 0",
  },
  {
    holds: (s) => s.adv_norm === "none" && s.algorithm.startsWith("reinforce-plus-plus"),
    reason: "adv_norm none with REINFORCE++: without normalization over the batch, it equals REINFORCE",
  },
  {
    holds: (s, given) => s.baseline !== "ema" && given.baseline_decay !== undefined,
    reason: "baseline_decay without baseline ema: only ema has a running mean",
  },
  {
    holds: (s) => s.algorithm === "ppo" && s.vf_coef === 0,
    reason: "vf_coef 0 with ppo: the critic would never learn",
  },
  {
    holds: (s, given) => s.critic === "separate" && given.vf_coef !== undefined,
    reason: "vf_coef with critic separate: the value loss has its own optimizer. Set critic_lr instead",
  },
  {
    holds: (s) => s.critic === "shared" && s.critic_lr !== undefined,
    reason: "critic_lr with critic shared: the value head learns at the policy's lr. Choose critic separate",
  },
  // Lengths
  {
    holds: (s) => s.loss_agg_mode === "seq-mean-token-sum-norm" && s.max_completion_length === undefined,
    reason:
      "loss_agg_mode seq-mean-token-sum-norm (Dr.GRPO's) without max_completion_length, the constant by which it divides the loss",
  },
  {
    holds: (s) => s.overlong_tokens !== undefined && s.overlong_tokens >= (s.max_completion_length ?? 0),
    reason:
      "overlong_tokens without a longer max_completion_length: the penalty applies from max_completion_length - overlong_tokens to max_completion_length",
  },
  {
    holds: (s, given) => s.overlong_tokens === undefined && given.overlong_penalty_factor !== undefined,
    reason: "overlong_penalty_factor without overlong_tokens: no length is penalized",
  },
];

/** Refuses contradictory settings. @throws {TrainerError} ALGORITHM_CONTRADICTION, with every contradiction */
export function refuseContradictions(given: AlgorithmSettings, resolved: ResolvedSettings): void {
  const unread = Object.entries(readers)
    .filter(([name, { by }]) => given[name as keyof AlgorithmSettings] !== undefined && !by.includes(given.algorithm))
    .map(([name, { lacking }]) => `${name} with ${given.algorithm}: it lacks ${lacking}`);
  const held = contradictions
    .filter(({ holds }) => holds(resolved, given))
    .map(({ reason }) => (typeof reason === "string" ? reason : reason(resolved)));
  const reasons = [...unread, ...held];
  if (reasons.length === 0) return;
  throw new TrainerError(
    "ALGORITHM_CONTRADICTION",
    `expected settings that agree, but received ${reasons.join("; and ")}`,
  );
}
