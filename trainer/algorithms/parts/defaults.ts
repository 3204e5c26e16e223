/** Defaults of each algorithm's settings, from its paper or its reference code. */
import type { AlgorithmName, AlgorithmSettings } from "./settings.js";

/** Optional settings without a default. */
type MayBeAbsent = "turn_discount" | "c_clip" | "critic_lr" | "max_completion_length" | "overlong_tokens";

type Given = Required<AlgorithmSettings>;
export type ResolvedSettings = {
  readonly [K in Exclude<keyof Given, MayBeAbsent>]: NonNullable<Given[K]>;
} & { readonly [K in MayBeAbsent]?: AlgorithmSettings[K] };

interface Defaults {
  loss_agg_mode: ResolvedSettings["loss_agg_mode"];
  /** If absent: 1, for algorithms without a comparison within a group. */
  n_samples?: number;
  /** If absent: 0.2. An absent `eps_clip_higher` equals `eps_clip`. */
  eps_clip?: number;
  eps_clip_higher?: number;
  /** If absent: `none`. */
  adv_norm?: "batch";
  /** If absent: 1. */
  gamma?: number;
  /** If absent: false. */
  use_kl_in_reward?: true;
}

const inGroups = { n_samples: 8 };

const defaults: Record<AlgorithmName, Defaults> = {
  ppo: { loss_agg_mode: "token-mean", adv_norm: "batch", use_kl_in_reward: true },
  grpo: { ...inGroups, loss_agg_mode: "seq-mean-token-mean" },
  "dr-grpo": { ...inGroups, loss_agg_mode: "seq-mean-token-sum-norm" },
  rloo: { ...inGroups, loss_agg_mode: "seq-mean-token-sum" },
  reinforce: { loss_agg_mode: "seq-mean-token-sum" },
  "reinforce-plus-plus": { loss_agg_mode: "token-mean", adv_norm: "batch", use_kl_in_reward: true },
  "reinforce-plus-plus-baseline": { ...inGroups, loss_agg_mode: "token-mean", adv_norm: "batch" },
  dapo: { ...inGroups, loss_agg_mode: "token-mean", eps_clip_higher: 0.28 },
  gspo: { ...inGroups, loss_agg_mode: "seq-mean-token-mean", eps_clip: 3e-4, eps_clip_higher: 4e-4 },
  "lite-ppo": { ...inGroups, loss_agg_mode: "token-mean" },
  sapo: { ...inGroups, loss_agg_mode: "seq-mean-token-mean" },
  // The ratio is at most 5, without a lower bound.
  cispo: { ...inGroups, loss_agg_mode: "token-mean", eps_clip: 1, eps_clip_higher: 4 },
  gigpo: { ...inGroups, loss_agg_mode: "token-mean", gamma: 0.95 },
  sft: { loss_agg_mode: "token-mean" },
  "agent-evol": { ...inGroups, loss_agg_mode: "token-mean" },
  "on-policy-distillation": { loss_agg_mode: "token-mean" },
};

/** Fills in the defaults of settings, without a check for contradictions. */
export function resolveDefaults(given: AlgorithmSettings): ResolvedSettings {
  const own = defaults[given.algorithm];
  const eps_clip = given.eps_clip ?? own.eps_clip ?? 0.2;
  const use_kl_in_reward = given.use_kl_in_reward ?? own.use_kl_in_reward ?? false;
  const ofTheirOwn: ResolvedSettings = {
    ...(given as ResolvedSettings),
    n_samples: given.n_samples ?? own.n_samples ?? 1,
    loss_agg_mode: given.loss_agg_mode ?? own.loss_agg_mode,
    eps_clip,
    eps_clip_higher: given.eps_clip_higher ?? own.eps_clip_higher ?? eps_clip,
    adv_norm: given.adv_norm ?? own.adv_norm ?? "none",
    gamma: given.gamma ?? own.gamma ?? 1,
    recompute_logprob: given.recompute_logprob ?? given.use_decoupled_loss,
    behav_imp_weight_mode: given.behav_imp_weight_mode ?? (given.use_decoupled_loss ? "truncate" : "none"),
    use_kl_in_reward,
    kl_estimator: given.kl_estimator ?? (use_kl_in_reward ? "k1" : "k3"),
    dynamic_sampling: given.dynamic_sampling ?? (given.algorithm === "dapo" ? "acc" : "none"),
  };
  return { ...common, ...withoutAbsent(ofTheirOwn) };
}

const common = {
  behav_imp_weight_cap: 5,
  lam: 1,
  critic: "shared",
  vf_coef: 0.1,
  value_eps_clip: 0.5,
  baseline: "batch_mean",
  baseline_decay: 0.9,
  overlong_penalty_factor: 1,
  step_advantage_w: 1,
  gigpo_mode: "mean_norm",
  reward_advantage_w: 0,
  sapo_tau_pos: 1,
  sapo_tau_neg: 1.05,
} as const;

function withoutAbsent<T extends object>(settings: T): T {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as T;
}
