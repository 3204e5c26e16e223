/** Settings of the optimizer and of the engine's passes. */
import { z } from "zod";
import { setting } from "../setting.js";
import { positive, share, whole } from "../types.js";

export const optimiserSettings = {
  lr: setting(positive.default(1e-4), "Highest learning rate of reinforcement learning.", {
    mode: "both",
    change: "asked",
    startingModel: "no",
  }),
  lr_scheduler_type: setting(
    z.enum(["constant", "linear", "cosine"]).default("constant"),
    "Schedule of the learning rate after the warm-up; linear and cosine end at 0.",
    { mode: "both", change: "asked", startingModel: "no" },
  ),
  warmup_steps_proportion: setting(share.default(0), "Share of the train steps in which the learning rate rises.", {
    mode: "both",
    change: "asked",
    startingModel: "no",
  }),
  weight_decay: setting(z.number().min(0).default(0), "Weight decay of AdamW.", {
    mode: "both",
    change: "asked",
    startingModel: "asked",
  }),
  beta1: setting(share.default(0.9), "Decay of AdamW's first moment.", {
    mode: "both",
    change: "asked",
    startingModel: "asked",
  }),
  beta2: setting(share.default(0.99), "Decay of AdamW's second moment.", {
    mode: "both",
    change: "asked",
    startingModel: "asked",
  }),
  eps: setting(positive.default(1e-8), "Epsilon of AdamW.", {
    mode: "both",
    change: "asked",
    startingModel: "asked",
  }),
  gradient_clipping: setting(
    z.union([positive, z.literal("none")]).default(1),
    "Maximum global norm of the gradients; none: not limited.",
    {
      mode: "both",
      change: "asked",
      startingModel: "asked",
    },
  ),
  max_tokens_per_mb: setting(whole(16).default(4096), "Maximum number of tokens in one pass through the engine.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
  train_share: setting(
    positive.default(1),
    "Share of training in the engine's time, relative to generate_share, while both have work.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  generate_share: setting(positive.default(1), "Share of generation in the engine's time, relative to train_share.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
};
