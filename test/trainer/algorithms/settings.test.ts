/** Settings of algorithms: defaults, and the refusal of every contradiction. */
import { describe, expect, test } from "vitest";
import {
  AlgorithmSettings,
  algorithmNames,
  createAlgorithm,
  resolveSettings,
} from "#palestra/trainer/algorithms/index.js";

type Given = Partial<AlgorithmSettings>;
const create = (given: Given) => createAlgorithm(AlgorithmSettings.parse(given));
const resolve = (given: Given) => resolveSettings(AlgorithmSettings.parse(given));

test.each(algorithmNames)("%s needs no setting except its name, and for Dr.GRPO a length", (name) => {
  const length = name === "dr-grpo" ? { max_completion_length: 64 } : {};
  expect(create({ algorithm: name, ...length }).name).toBe(name);
});

test.each([
  [
    "grpo",
    { eps_clip: 0.2, eps_clip_higher: 0.2, n_samples: 8, adv_norm: "none", kl_ctl: 0, recompute_logprob: false },
  ],
  ["dapo", { eps_clip: 0.2, eps_clip_higher: 0.28, loss_agg_mode: "token-mean", dynamic_sampling: "acc" }],
  ["gspo", { eps_clip: 3e-4, eps_clip_higher: 4e-4 }],
  ["ppo", { gamma: 1, lam: 1, adv_norm: "batch", value_eps_clip: 0.5, n_samples: 1 }],
  ["gigpo", { gamma: 0.95, step_advantage_w: 1, gigpo_mode: "mean_norm" }],
  ["sapo", { sapo_tau_pos: 1, sapo_tau_neg: 1.05 }],
] as const)("%s has its paper's defaults", (algorithm, expected) => {
  expect(resolve({ algorithm })).toMatchObject(expected);
});

test("eps_clip alone bounds the ratio on both sides", () => {
  expect(create({ eps_clip: 0.4 }).loss).toMatchObject({ clipLow: 0.4, clipHigh: 0.4 });
});

test("the decoupled loss scores the batch first and truncates importance weights at 5", () => {
  const { loss, needs } = create({ use_decoupled_loss: true });
  expect(needs.proximal).toBe(true);
  expect(loss).toMatchObject({ behaviourWeight: "truncate", behaviourCap: 5 });
  expect(create({}).loss).not.toHaveProperty("behaviourWeight");
});

test("the KL estimate is k3 as a term of the loss, and k1 in PPO's rewards", () => {
  expect(create({ kl_ctl: 0.01 })).toMatchObject({
    needs: { reference: true },
    loss: { kl: "k3", klCoefficient: 0.01 },
  });
  expect(create({ algorithm: "ppo", kl_ctl: 0.01 }).loss).not.toHaveProperty("kl");
  expect(resolve({ algorithm: "ppo", kl_ctl: 0.01 })).toMatchObject({ use_kl_in_reward: true, kl_estimator: "k1" });
});

const decoupled = { use_decoupled_loss: true } as const;

describe("is refused", () => {
  test.each<[string, Given]>([
    ["without a behavior weight, the decoupled loss has no effect", { ...decoupled, behav_imp_weight_mode: "none" }],
    ["eps_clip has no effect", { ...decoupled, ppo_n_minibatches: 1 }],
    ["eps_clip has no effect", { recompute_logprob: true, ppo_n_minibatches: 1, algorithm: "gspo" }],
    ["every behavior weight is 1", { ...decoupled, recompute_logprob: false }],
    ["only the decoupled loss has a behavior weight", { behav_imp_weight_mode: "mask" }],
    ["only the decoupled loss has a behavior weight", { behav_imp_weight_cap: 2 }],
    ["whose weight is 1", { ...decoupled, behav_imp_weight_cap: 0.5 }],
    ["its gate already reduces", { ...decoupled, algorithm: "sapo" }],
    ["without a behavior policy", { ...decoupled, algorithm: "sft" }],
    ["the loss does not read the log-probabilities", { recompute_logprob: true, algorithm: "rloo" }],
    ["the loss has no KL term", { kl_estimator: "k3" }],
    ["the loss has no KL term", { algorithm: "ppo", use_kl_in_reward: true }],
    ["rewards per token", { kl_ctl: 0.1, use_kl_in_reward: true }],
    ["only adds noise", { kl_ctl: 0.1, kl_estimator: "k1" }],
    ["that the policy sampled", { kl_ctl: 0.1, algorithm: "sft" }],
    ["a group of one rollout has no comparison", { n_samples: 1 }],
    ["removes from GRPO", { algorithm: "dr-grpo", max_completion_length: 8, adv_norm: "batch" }],
    ["already divided by", { algorithm: "lite-ppo", adv_norm: "batch" }],
    ["would all become 0", { algorithm: "sft", adv_norm: "batch" }],
    ["would all become 0", { algorithm: "agent-evol", adv_norm: "environment" }],
    ["already divided by", { algorithm: "lite-ppo", adv_norm: "environment" }],
    ["it equals REINFORCE", { algorithm: "reinforce-plus-plus", adv_norm: "none" }],
    ["it equals REINFORCE", { algorithm: "reinforce-plus-plus-baseline", adv_norm: "none" }],
    ["only ema has a running mean", { algorithm: "reinforce", baseline_decay: 0.5 }],
    ["the critic would never learn", { algorithm: "ppo", vf_coef: 0 }],
    ["has its own optimizer", { algorithm: "ppo", critic: "separate", vf_coef: 0.5 }],
    ["the value head learns at the policy's lr", { algorithm: "ppo", critic_lr: 1e-3 }],
    ["critic with grpo", { critic: "separate" }],
    ["critic_lr with grpo", { critic_lr: 1e-3 }],
    ["the constant by which it divides the loss", { algorithm: "dr-grpo" }],
    ["without a longer max_completion_length", { algorithm: "dapo", overlong_tokens: 4 }],
    ["without a longer max_completion_length", { algorithm: "dapo", overlong_tokens: 4, max_completion_length: 4 }],
    ["no length is penalized", { algorithm: "dapo", overlong_penalty_factor: 2 }],
    ["eps_clip with rloo", { algorithm: "rloo", eps_clip: 0.2 }],
    ["eps_clip_higher with sapo", { algorithm: "sapo", eps_clip_higher: 0.2 }],
    ["c_clip with cispo", { algorithm: "cispo", c_clip: 3 }],
    ["gamma with grpo", { gamma: 0.9 }],
    ["lam with reinforce-plus-plus", { algorithm: "reinforce-plus-plus", lam: 0.9 }],
    ["vf_coef with grpo", { vf_coef: 0.5 }],
    ["value_eps_clip with grpo", { value_eps_clip: 0.5 }],
    ["turn_discount with gigpo", { algorithm: "gigpo", turn_discount: 0.9 }],
    ["baseline with grpo", { baseline: "ema" }],
    ["dynamic_sampling with grpo", { dynamic_sampling: "acc" }],
    ["overlong_tokens with gspo", { algorithm: "gspo", overlong_tokens: 4, max_completion_length: 8 }],
    ["step_advantage_w with grpo", { step_advantage_w: 1 }],
    ["gigpo_mode with ppo", { algorithm: "ppo", gigpo_mode: "mean_norm" }],
    ["sapo_tau_pos with grpo", { sapo_tau_pos: 1 }],
    ["sapo_tau_neg with grpo", { sapo_tau_neg: 1 }],
  ])("%s: %j", (reason, given) => {
    expect(() => create(given)).toThrow(expect.objectContaining({ code: "ALGORITHM_CONTRADICTION" }));
    expect(() => create(given)).toThrow(reason);
  });

  test("with every reason at once", () => {
    expect(() => create({ n_samples: 1, gamma: 0.5, vf_coef: 1 })).toThrow(/gamma.*vf_coef.*n_samples/);
  });

  test.each([{ eps_clip: -0.1 }, { c_clip: 1 }, { algorithm: "trpo" }, { epsilon: 0.2 }, { temperature: 0 }])(
    "by the schema: %j",
    (given) => {
      expect(AlgorithmSettings.safeParse(given).success).toBe(false);
    },
  );
});

describe("is not refused", () => {
  test.each<Given>([
    { ...decoupled, algorithm: "reinforce", ppo_n_minibatches: 1 },
    { ...decoupled, ppo_n_minibatches: 1, update_epochs: 2 },
    { ppo_n_minibatches: 1 },
    { algorithm: "dapo", kl_ctl: 0.01, c_clip: 3 },
    { algorithm: "ppo", critic: "separate", critic_lr: 1e-3 },
    { algorithm: "ppo", kl_ctl: 0.01, use_kl_in_reward: false, kl_estimator: "k3", turn_discount: 0.9 },
  ])("%j", (given) => {
    expect(() => create(given)).not.toThrow();
  });
});

test("missing log-probabilities and values are named in the error", async () => {
  const { trajectory, group } = await import("../../support/trajectories.js");
  const batch = { groups: [group(trajectory(".a", [1]))], estimates: new Map() };
  expect(() => create({ algorithm: "ppo" }).credit(batch)).toThrow("expected values of trajectory episode-");
  expect(() => create({ algorithm: "reinforce-plus-plus", kl_ctl: 0.1 }).credit(batch)).toThrow(
    "expected log-probabilities of the reference policy",
  );
});
