/**
 * Names of our settings in other trainers and in earlier versions of this trainer. The other trainers are verl, AReaL,
 * TRL, SkyRL, slime, OpenRLHF, NeMo RL, prime-rl, verl-agent and AgentGym-RL; the names come from their configuration
 * files, documentation and examples. The same table is used for flags and for keys of a settings file.
 */
import { didYouMean } from "../../server/formats/did-you-mean.js";
import { TrainerError } from "../errors.js";
import { type SettingName, settingFields } from "./fields.js";

type Names = { readonly [ours in SettingName]?: string };

/** Names of the same setting in other trainers, by our name. */
const same: Names = {
  algorithm: `adv_estimator advantage_estimator algorithm.adv_estimator trainer.algorithm.advantage_estimator
    policy_loss_type loss_mode actor_rollout_ref.actor.policy_loss.loss_mode`,
  n_samples: `n num_generations n_samples_per_prompt group_size num_generations_per_prompt rollouts_per_example
    num_return_sequences_in_group actor_rollout_ref.rollout.n env.rollout.n gconfig.n_samples
    generator.n_samples_per_prompt grpo.num_generations_per_prompt`,
  batch_size: `rollout_batch_size train_batch_size consumer_batch_size num_prompts_per_step data.train_batch_size
    train_dataset.batch_size rollout.consumer_batch_size trainer.train_batch_size grpo.num_prompts_per_step`,
  eps_clip: `clip_ratio clip_ratio_low clip_eps cliprange pg_clip epsilon eps_clip_low ratio_clip_min
    actor_rollout_ref.actor.clip_ratio actor_rollout_ref.actor.clip_ratio_low actor.eps_clip
    trainer.algorithm.eps_clip_low loss_fn.ratio_clip_min`,
  eps_clip_higher: `clip_ratio_high epsilon_high eps_clip_high ratio_clip_max actor_rollout_ref.actor.clip_ratio_high
    actor.eps_clip_higher trainer.algorithm.eps_clip_high loss_fn.ratio_clip_max`,
  c_clip: `clip_ratio_c dual_clip eps_clip_c ratio_clip_c delta actor_rollout_ref.actor.clip_ratio_c actor.c_clip
    loss_fn.ratio_clip_c`,
  critic_lr: `critic_learning_rate critic.optim.lr critic.optimizer.lr trainer.critic.optimizer_config.lr`,
  value_eps_clip: "cliprange_value value_clip critic.cliprange_value critic.value_eps_clip",
  kl_ctl: `kl_coef kl_coeff init_kl_coef kl_loss_coef kl_beta beta algorithm.kl_ctrl.kl_coef
    actor_rollout_ref.actor.kl_loss_coef actor.kl_ctl trainer.algorithm.kl_loss_coef
    loss_fn.reference_policy_kl_penalty`,
  kl_estimator: `kl_loss_type kl_penalty kl_estimator_type algorithm.kl_penalty actor_rollout_ref.actor.kl_loss_type
    actor.kl_estimator trainer.algorithm.kl_estimator_type`,
  use_kl_in_reward: "algorithm.use_kl_in_reward trainer.algorithm.use_kl_in_reward",
  entropy_coef: "entropy_coeff ent_coef entropy_loss_coef actor_rollout_ref.actor.entropy_coeff",
  loss_agg_mode: "loss_reduction actor_rollout_ref.actor.loss_agg_mode trainer.algorithm.loss_reduction",
  update_epochs: `ppo_epochs num_ppo_epochs num_iterations update_epochs_per_batch
    actor_rollout_ref.actor.ppo_epochs trainer.update_epochs_per_batch`,
  ppo_n_minibatches: "num_mini_batches actor.ppo_n_minibatches",
  gamma: "discount discount_factor algorithm.gamma actor.discount trainer.algorithm.gamma",
  lam: "lambd gae_lambda algorithm.lam actor.gae_lambda trainer.algorithm.lambd",
  vf_coef: "vf_coeff value_loss_coef",
  adv_norm: "whiten_advantages normalize_advantages actor.adv_norm",
  turn_discount: "rollout.agent.turn_discount rollout.openai.turn_discount",
  recompute_logprob: "actor.recompute_logprob",
  use_decoupled_loss: "use_tis vllm_importance_sampling_correction actor.use_decoupled_loss",
  behav_imp_weight_cap: `behave_imp_weight_cap tis_imp_ratio_cap tis_clip vllm_importance_sampling_cap
    actor.behav_imp_weight_cap actor.behave_imp_weight_cap actor_rollout_ref.actor.tis_imp_ratio_cap`,
  behav_imp_weight_mode: `behave_imp_weight_mode vllm_importance_sampling_mode actor.behav_imp_weight_mode
    actor.behave_imp_weight_mode`,
  dynamic_sampling: "algorithm.filter_groups.metric",
  overlong_tokens: "overlong_buffer_len reward_model.overlong_buffer.len actor.overlong_tokens",
  overlong_penalty_factor: `overlong_buffer_penalty_factor reward_model.overlong_buffer.penalty_factor
    actor.overlong_penalty_factor`,
  step_advantage_w: "algorithm.gigpo.step_advantage_w",
  gigpo_mode: "algorithm.gigpo.mode",
  sapo_tau_pos: "sapo_temperature_pos actor.sapo_tau_pos",
  sapo_tau_neg: "sapo_temperature_neg actor.sapo_tau_neg",
  lr: `learning_rate actor_lr actor_learning_rate actor_rollout_ref.actor.optim.lr actor.optimizer.lr
    trainer.policy.optimizer_config.lr`,
  lr_scheduler_type:
    "lr_scheduler lr_decay_style actor_rollout_ref.actor.optim.warmup_style actor.optimizer.lr_scheduler_type",
  warmup_steps_proportion: `warmup_ratio lr_warmup_ratio lr_warmup_steps_ratio
    actor_rollout_ref.actor.optim.lr_warmup_steps_ratio actor.optimizer.warmup_steps_proportion`,
  weight_decay: `l2 actor_rollout_ref.actor.optim.weight_decay actor.optimizer.weight_decay
    trainer.policy.optimizer_config.weight_decay`,
  beta1: "adam_beta1 actor.optimizer.beta1",
  beta2: "adam_beta2 actor.optimizer.beta2",
  eps: "adam_eps adam_epsilon actor.optimizer.eps",
  gradient_clipping: `max_grad_norm grad_clip clip_grad max_norm actor_rollout_ref.actor.grad_clip
    actor.optimizer.gradient_clipping trainer.policy.optimizer_config.max_grad_norm`,
  max_tokens_per_mb: `ppo_max_token_len_per_gpu max_tokens_per_gpu actor_rollout_ref.actor.ppo_max_token_len_per_gpu
    actor.mb_spec.max_tokens_per_mb`,
  memory_recompute: `gradient_checkpointing enable_gradient_checkpointing actor.gradient_checkpointing
    actor_rollout_ref.model.enable_gradient_checkpointing`,
  max_new_tokens: `max_response_length max_response_len response_length generate_max_len rollout_max_response_len
    data.max_response_length gconfig.max_new_tokens generator.sampling_params.max_generate_length`,
  context_length:
    "max_model_len max_model_length max_seq_len max_length vllm_max_model_length actor_rollout_ref.rollout.max_model_len",
  temperature: `rollout_temperature actor_rollout_ref.rollout.temperature gconfig.temperature
    generator.sampling_params.temperature`,
  top_p: "rollout_top_p actor_rollout_ref.rollout.top_p gconfig.top_p generator.sampling_params.top_p",
  max_rounds: `max_turns max_assistant_turns max_tool_calling_iterations generator.max_turns env.max_steps
    actor_rollout_ref.rollout.multi_turn.max_turns actor_rollout_ref.rollout.multi_turn.max_assistant_turns`,
  rounds_ctrl: "algorithm.rounds_ctrl.rounds",
  steps_scaling_inter: "algorithm.rounds_ctrl.steps_scaling_inter",
  max_head_offpolicyness: `max_staleness max_staleness_steps max_off_policy_steps rollout.max_head_offpolicyness
    trainer.fully_async.max_staleness_steps`,
  max_concurrent_groups: "rollout.max_concurrent_rollouts",
  total_train_steps: "max_steps max_train_steps total_training_steps num_rollout trainer.total_training_steps",
  save_freq_steps:
    "save_freq save_steps save_interval ckpt_interval trainer.save_freq trainer.ckpt_interval saver.freq_steps",
  save_keep:
    "save_total_limit max_ckpt_num max_actor_ckpt_to_keep max_ckpts_to_keep trainer.max_actor_ckpt_to_keep trainer.max_ckpts_to_keep",
  eval_freq_steps: "test_freq eval_steps eval_interval trainer.test_freq trainer.eval_interval evaluator.freq_steps",
  eval_temperature: "actor_rollout_ref.rollout.val_kwargs.temperature eval_gconfig.temperature",
  output:
    "output_dir save_path ckpt_path default_local_dir trainer.default_local_dir trainer.ckpt_path cluster.fileroot",
  resume: "resume_mode resume_from_checkpoint trainer.resume_mode recover.mode",
  model: `model_path model_name_or_path pretrain hf_checkpoint actor_rollout_ref.model.path actor.path
    trainer.policy.model.path`,
  lora_rank: "lora_r actor_rollout_ref.model.lora_rank",
  lora_alpha: "actor_rollout_ref.model.lora_alpha",
  dtype: "bf16 actor.dtype actor_rollout_ref.rollout.dtype",
  seed: "random_seed data.seed",
  train_tasks: "dataset_name prompt_data train_files data.train_files data.train_data train_dataset.path",
  eval_tasks: "eval_prompt_data val_files data.val_files data.val_data valid_dataset.path",
  policy: "vllm_server_base_url",
};

/** Names of settings in other trainers with the same purpose but a different unit or format, by our name. */
const nearest: Names = {
  algorithm:
    "loss_type scale_rewards norm_adv_by_std_in_grpo algorithm.norm_adv_by_std_in_grpo importance_sampling_level",
  batch_size: "global_batch_size generation_batch_size per_device_train_batch_size micro_train_batch_size",
  ppo_n_minibatches: `mini_batch_size ppo_mini_batch_size policy_mini_batch_size
    actor_rollout_ref.actor.ppo_mini_batch_size trainer.policy_mini_batch_size`,
  use_kl_in_reward: "use_kl_loss actor_rollout_ref.actor.use_kl_loss trainer.algorithm.use_kl_loss",
  max_tokens_per_mb: `ppo_micro_batch_size ppo_micro_batch_size_per_gpu gradient_accumulation_steps
    actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu`,
  warmup_steps_proportion:
    "warmup_steps lr_warmup_steps actor_rollout_ref.actor.optim.lr_warmup_steps trainer.policy.optimizer_config.num_warmup_steps",
  context_length: "max_prompt_length prompt_max_len data.max_prompt_length trainer.max_prompt_length",
  total_train_steps:
    "num_train_epochs total_epochs total_train_epochs num_episodes trainer.total_epochs trainer.epochs",
  max_head_offpolicyness: "staleness_threshold async_training.staleness_threshold",
  dynamic_sampling: "filter_groups algorithm.filter_groups.enable dynamic_sampling_filter_path",
  policy: "use_vllm",
  rounds_ctrl: "algorithm.rounds_ctrl.type",
};

/** Our name for each foreign name, with the words that introduce it in a message. */
const answers = new Map<string, { readonly verb: string; readonly ours: SettingName }>();
for (const [verb, names] of [
  ["is called", same],
  ["is nearest to", nearest],
] as const) {
  for (const [ours, elsewhere] of Object.entries(names)) {
    for (const name of elsewhere.split(/\s+/)) answers.set(name, { verb, ours: ours as SettingName });
  }
}

/** Earlier names of our settings. They are still accepted, with a warning. */
export const earlierNames = { max_concurrent_rollouts: "max_concurrent_groups" } as const satisfies Record<
  string,
  SettingName
>;

/**
 * Replaces earlier names by current ones.
 *
 * @param warn receives a line for each earlier name
 * @throws {TrainerError} SETTINGS_INVALID: a setting is given by both names
 */
export function withCurrentNames(
  given: Readonly<Record<string, unknown>>,
  warn: (line: string) => void,
): Record<string, unknown> {
  const current: Record<string, unknown> = { ...given };
  for (const [earlier, name] of Object.entries(earlierNames)) {
    if (!Object.hasOwn(given, earlier)) continue;
    if (Object.hasOwn(given, name)) {
      throw new TrainerError(
        "SETTINGS_INVALID",
        `expected only ${name}, but received ${name} and its earlier name ${earlier}`,
      );
    }
    warn(`${earlier} is now called ${name}. Rename it; the earlier name will go.`);
    current[name] = given[earlier];
    delete current[earlier];
  }
  return current;
}

/** Name of our setting for every foreign name. */
export const foreignNames: ReadonlyMap<string, SettingName> = new Map(
  [...answers].map(([name, { ours }]) => [name, ours]),
);

/**
 * Explains a foreign name: "kl_coef is called kl_ctl here: ...". Returns an empty string for a name that no other
 * trainer has.
 *
 * @param name a flag without its dashes, or a key of a file with dots between its levels
 */
export function aboutForeignName(name: string): string {
  const plain = name.replaceAll("-", "_");
  const known = answers.get(plain);
  if (known) return `${name} ${known.verb} ${known.ours} here: ${settingFields[known.ours].description}`;
  // Other trainers nest settings in levels that change between versions, so a known last part of the name is suggested.
  const last = plain.slice(plain.lastIndexOf(".") + 1);
  const ours = answers.get(last)?.ours ?? (Object.hasOwn(settingFields, last) ? last : undefined);
  return ours === undefined || last === plain ? "" : `${name} is unknown (Did you mean ${ours}?)`;
}

/** Explains a name that is not a setting. */
export function aboutUnknownSetting(name: string): string {
  const suggestion = didYouMean(name.replaceAll("-", "_"), Object.keys(settingFields));
  return aboutForeignName(name) || `${name} is unknown${suggestion || " (palestra train --help lists all settings)"}`;
}
