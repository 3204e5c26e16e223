/** Presets: named groups of settings. Settings that a preset does not contain have the schema's default. */

const babyaiLevels = ["GoToRedBallNoDists", "GoToRedBall", "GoToObj", "GoToLocal", "PickupLoc", "GoToDoor"];

/** AgentGym's 40 levels of BabyAI. */
const agentgymLevels = [
  ...["GoToRedBallGrey", "GoToRedBall", "GoToRedBallNoDists", "GoToObjS6-v0", "GoToLocalS8N7", "GoToObjMazeS7"],
  ...["GoToImpUnlock", "GoToSeqS5R2", "GoToRedBlueBall", "GoToDoor", "GoToObjDoor", "Open", "OpenRedDoor"],
  ...["OpenDoorLoc", "OpenRedBlueDoorsDebug", "OpenDoorsOrderN4Debug", "Pickup", "UnblockPickup", "PickupLoc"],
  ...["PickupDistDebug", "PickupAbove", "PutNextLocalS6N4", "PutNextS7N4Carrying", "Unlock", "UnlockLocalDist"],
  ...["KeyInBox", "UnlockPickupDist", "BlockedUnlockPickup", "UnlockToUnlock", "ActionObjDoor", "FindObjS7"],
  ...["KeyCorridorS6R3", "OneRoomS20", "MoveTwoAcrossS8N9", "SynthS5R2", "SynthLoc", "SynthSeq", "MiniBossLevel"],
  ...["BossLevel", "BossLevelNoUnlock"],
];

const babyai = babyaiLevels.map((level) => `babyai:${level}:1000000-1999999`);

/** Short tasks of ScienceWorld; the experts need at most 8 steps. The last quarter is held out. */
const sciworld = "sciworld:find-non-living-thing";

/**
 * Easy tasks. BabyAI has a task for every seed, and TextCraft's goals of depth 1 have other names in each task, so that the
 * model learns to read the recipes. Training and held-out tasks use separate ranges.
 */
const easy = {
  train_tasks: [...babyai, "textcraft:renamed:0-1029999*3", "textcraft:train:0-102", `${sciworld}:0-149`, "math:easy"],
  eval_tasks: [
    ...babyaiLevels.map((level) => `babyai:${level}:2000000-2009999`),
    "textcraft:test:0-21",
    `${sciworld}:225-299`,
    "math:easy-test",
  ],
  // Half of the cloned episodes are TextCraft's, which needs the most of them.
  clone_tasks: [...babyai, "textcraft:renamed:0-1029999*8", "textcraft:train:0-102", `${sciworld}:0-149`, "math:easy"],
  // Cloning an untrained model needs some weight decay; reinforcement learning does not.
  clone_weight_decay: 0.01,
};

/** Settings for a pretrained model: ReAct replies, round caps and lengths as in AgentGym-RL. */
const pretrained = {
  action_format: "react",
  train_tasks: ["textcraft:train"],
  eval_tasks: ["textcraft:test"],
  max_rounds: 20,
  max_new_tokens: 128,
  context_length: 4096,
  max_tokens_per_mb: 8192,
  lr: 1e-6,
  beta2: 0.999,
  eval_temperature: 0,
};

/**
 * Settings for the small model on a CPU. Most rollouts of easy tasks are solved, so the returns of a group are almost
 * equal. Dr. GRPO does not divide by their standard deviation, which would magnify the small differences.
 */
const smallModel = {
  dtype: "auto",
  task_mixing: "learnability",
  difficulty_filter: true,
  clone_epochs: 2,
  clone_tokens_per_step: 512,
  algorithm: "dr-grpo",
  max_completion_length: 48,
  ppo_n_minibatches: 1,
  lr: 4e-4,
  lr_scheduler_type: "linear",
  warmup_steps_proportion: 0.03,
  max_rounds: 8,
  save_freq_steps: 100,
};

/** SmolLM2-135M on a GPU, cloned from so few episodes that reinforcement learning can still improve the model. */
const smollm2Gpu = {
  ...pretrained,
  model: "models/SmolLM2-135M-Instruct",
  dtype: "bf16",
  task_mixing: "learnability",
  max_new_tokens: 48,
  max_tokens_per_mb: 32_768,
  clone_episodes: 500,
  clone_lr: 3e-5,
  clone_epochs: 1,
  max_head_offpolicyness: 2,
  ppo_n_minibatches: 1,
  save_freq_steps: 100,
  eval_temperature: 1,
};

export const defaultPreset = "cpu";

export const presets: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  cpu: {
    ...smallModel,
    ...easy,
    clone_episodes: 20_000,
    total_train_steps: 330,
    max_minutes: 10,
    eval_freq_steps: 110,
    eval_episodes: 100,
  },
  // Sums up to 20 with a calculator, cloned from few episodes: the model learns most of the task from rewards.
  math: {
    ...smallModel,
    train_tasks: ["math:easy"],
    eval_tasks: ["math:easy-test"],
    clone_weight_decay: 0.01,
    clone_episodes: 3000,
    batch_size: 32,
    total_train_steps: 400,
    max_minutes: 12,
    eval_freq_steps: 100,
    eval_episodes: 200,
  },
  "one-gpu": {
    ...easy,
    clone_episodes: 2000,
    hidden_size: 256,
    layers: 6,
    batch_size: 64,
    max_concurrent_groups: 128,
    max_tokens_per_mb: 32_768,
    dtype: "bf16",
  },
  // About an hour on two CPU cores: TextCraft's goals of depth 1, cloned from so few episodes that reinforcement
  // learning can still improve the model.
  smollm2: {
    ...pretrained,
    model: "models/SmolLM2-135M-Instruct",
    dtype: "auto",
    train_tasks: ["textcraft:train:0-102"],
    eval_tasks: ["textcraft:test:0-21"],
    max_rounds: 8,
    max_new_tokens: 48,
    context_length: 2048,
    max_tokens_per_mb: 2048,
    clone_episodes: 200,
    clone_lr: 3e-5,
    clone_epochs: 1,
    batch_size: 8,
    n_samples: 8,
    max_concurrent_groups: 8,
    ppo_n_minibatches: 1,
    lr: 1e-5,
    total_train_steps: 10,
    save_freq_steps: 2,
    eval_freq_steps: 0,
    eval_episodes: 44,
  },
  // Three minutes on an H200.
  "smollm2-gpu": {
    ...smollm2Gpu,
    train_tasks: ["textcraft:train:0-102", "textcraft:train:103-339", "textcraft:train:340-435"],
    eval_tasks: ["textcraft:test:0-21", "textcraft:test:22-75", "textcraft:test:76-96"],
    difficulty_filter: true,
    batch_size: 8,
    max_concurrent_groups: 24,
    lr: 2e-5,
    total_train_steps: 200,
    eval_freq_steps: 50,
    eval_episodes: 66,
  },
  // Nine minutes on an H200. A task set per level, because each seed is a task: the mixture can prefer the levels that the
  // model solves at times, and a difficulty filter has nothing to filter.
  "smollm2-gpu-babyai": {
    ...smollm2Gpu,
    train_tasks: agentgymLevels.map((level) => `babyai:${level}:1000000-1999999`),
    eval_tasks: ["babyai:test"],
    algorithm: "dr-grpo",
    max_completion_length: 256,
    batch_size: 16,
    max_concurrent_groups: 40,
    lr: 6e-5,
    total_train_steps: 300,
    eval_freq_steps: 100,
    eval_episodes: 240,
  },
  "qwen2.5-0.5b": { ...pretrained, model: "models/Qwen2.5-0.5B-Instruct", dtype: "bf16" },
};
