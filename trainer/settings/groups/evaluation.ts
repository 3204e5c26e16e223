/** Settings of the evaluations on held-out tasks. */
import { z } from "zod";
import { setting } from "../setting.js";
import { whole } from "../types.js";

export const evaluationSettings = {
  eval_freq_steps: setting(whole(0).default(50), "Train steps between evaluations; 0: only before and after the run.", {
    mode: "gym",
    change: "free",
    startingModel: "no",
  }),
  eval_episodes: setting(whole(1).default(50), "Number of episodes of each held-out task set.", {
    mode: "gym",
    change: "free",
    startingModel: "no",
  }),
  eval_temperature: setting(
    z.number().min(0).default(1),
    "Sampling temperature of evaluations; 0: the most likely token.",
    { mode: "both", change: "free", startingModel: "no" },
  ),
};
