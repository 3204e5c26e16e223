/** Settings of the run as a whole: its output folder, length and checkpoints. */
import { z } from "zod";
import { setting } from "../setting.js";
import { positive, whole } from "../types.js";

export const runSettings = {
  output: setting(
    z.string().min(1).default("runs/default"),
    "Folder for checkpoints, models, metrics and the report.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  seed: setting(whole(0).default(1), "Seed of every random choice.", {
    mode: "both",
    change: "asked",
    startingModel: "yes",
  }),
  resume: setting(
    z.boolean().default(true),
    "Resume from the newest checkpoint in the output folder, if one exists; false: move old checkpoints aside.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  allow_changed_settings: setting(
    z.boolean().default(false),
    "Resume even if settings that affect what is learned differ from those of the checkpoint.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  total_train_steps: setting(whole(0).default(150), "Number of train steps; 0: only clone and evaluate.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
  max_minutes: setting(
    positive.optional(),
    "Minutes of reinforcement learning after which training ends. Cloning and the first evaluation do not count.",
    {
      mode: "both",
      change: "free",
      startingModel: "no",
    },
  ),
  metrics_port: setting(
    whole(0).max(65_535).optional(),
    "Port that serves GET /metrics for Prometheus; 0: a free port. Default: none.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  group_log_freq_steps: setting(
    whole(0).default(1),
    "Train steps between those whose groups are logged with all tokens, for the studio; 0: none.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
  group_log_mb: setting(positive.default(256), "MiB of the log of groups, above which the oldest are removed.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
  save_freq_steps: setting(whole(1).default(25), "Train steps between checkpoints.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
  save_keep: setting(whole(0).default(3), "Number of checkpoints to keep; 0: all.", {
    mode: "both",
    change: "free",
    startingModel: "no",
  }),
};
