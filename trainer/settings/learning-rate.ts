/** The learning rate over a run, and the options of each optimizer step. */
import type { StepOptions } from "../../native/api/index.js";
import type { TrainSettings } from "./settings.js";

export interface LearningRateSettings {
  readonly lr: number;
  readonly lr_scheduler_type: "constant" | "linear" | "cosine";
  readonly warmup_steps_proportion: number;
  readonly total_train_steps: number;
}

/**
 * Returns the learning rate of a train step. It rises linearly during the warm-up and then follows the schedule; the
 * schedules linear and cosine end at 0.
 */
export function learningRate(settings: LearningRateSettings, trainStep: number): number {
  const { lr, lr_scheduler_type: type, warmup_steps_proportion: warmup, total_train_steps: total } = settings;
  const warmupSteps = Math.round(warmup * total);
  if (trainStep < warmupSteps) return (lr * (trainStep + 1)) / warmupSteps;
  if (type === "constant") return lr;
  const progress = (trainStep - warmupSteps) / Math.max(1, total - warmupSteps);
  return type === "linear" ? lr * (1 - progress) : (lr * (1 + Math.cos(Math.PI * progress))) / 2;
}

export type OptimiserSettings = Pick<TrainSettings, "beta1" | "beta2" | "eps" | "weight_decay" | "gradient_clipping">;

/** Returns the options of AdamW for one optimizer step, from the settings of the run. */
export function optimiserRule(settings: OptimiserSettings, lr: number): StepOptions {
  const { beta1, beta2, eps: epsilon, weight_decay: weightDecay, gradient_clipping: clip } = settings;
  return { lr, beta1, beta2, epsilon, weightDecay, ...(clip !== "none" && { clipNorm: clip }) };
}

/** Returns the options of each optimizer step of a train step. */
export function updateRule(settings: TrainSettings, trainStep: number): StepOptions {
  return optimiserRule(settings, learningRate(settings, trainStep));
}

/** Returns the options of each optimizer step of a separate critic. */
export function criticRule(settings: TrainSettings, trainStep: number): StepOptions {
  const { lr, critic_lr = lr } = settings;
  return updateRule({ ...settings, lr: critic_lr }, trainStep);
}
