/** Settings of behavior cloning, which comes before reinforcement learning. */
import { z } from "zod";
import { setting } from "../setting.js";
import { positive, whole } from "../types.js";
import { taskSets } from "./gym.js";

export const cloningSettings = {
  clone_episodes: setting(whole(0).default(0), "Number of expert episodes to clone first; 0: none.", {
    mode: "gym",
    change: "asked",
    startingModel: "yes",
  }),
  clone_dialogues: setting(
    z.array(z.string().min(1)).min(1).optional(),
    "Files with dialogues to clone, besides the expert episodes: lines in the format openai or agentgym of `palestra export`, with replies in the run's action_format. Default: none.",
    { mode: "gym", change: "asked", startingModel: "yes" },
  ),
  clone_tasks: setting(
    taskSets.optional(),
    "Tasks that experts play for cloning, in the format of train_tasks. Default: train_tasks.",
    { mode: "gym", change: "asked", startingModel: "yes" },
  ),
  clone_epochs: setting(whole(1).default(6), "Passes over the expert episodes and the dialogues.", {
    mode: "gym",
    change: "asked",
    startingModel: "yes",
  }),
  clone_lr: setting(positive.default(2e-3), "Highest learning rate of cloning.", {
    mode: "gym",
    change: "asked",
    startingModel: "yes",
  }),
  clone_tokens_per_step: setting(whole(1).default(1024), "Number of tokens in one optimizer step of cloning.", {
    mode: "gym",
    change: "asked",
    startingModel: "yes",
  }),
  clone_observation_weight: setting(
    z.number().min(0).default(0.5),
    "Weight of the loss on observations. The loss on replies has the weight 1.",
    { mode: "gym", change: "asked", startingModel: "yes" },
  ),
  clone_weight_decay: setting(z.number().min(0).optional(), "Weight decay of cloning; unset: weight_decay.", {
    mode: "gym",
    change: "asked",
    startingModel: "yes",
  }),
  language_episodes: setting(
    whole(0).default(400),
    "Number of first observations of each task set from which the small model's tokenizer is built.",
    { mode: "gym", change: "asked", startingModel: "yes" },
  ),
};
