/** The charts of a training run: their curves by the names of the metrics. */
import type { ChartPlan } from "../../../parts/charts/curve-chart.js";

export interface TrainingChart extends ChartPlan {
  /** Metrics by the label of their curve. */
  readonly curves: Readonly<Record<string, string>>;
  /** Metric without which the chart tells nothing. */
  readonly needs?: string;
}

const share = { isShare: true };
const positive = { mayBeLog: true };

export const trainingPlans: Readonly<Record<string, readonly TrainingChart[]>> = {
  Learning: [
    { title: "Success", ...share, curves: { training: "episode/success_rate", "held out": "val/success_rate" } },
    { title: "Reward", curves: { training: "episode/reward/mean", "held out": "val/reward/mean" } },
    {
      title: "Steps of an episode",
      unit: "steps",
      curves: { learnt: "episode/length/mean", "left out": "episode/left_out/length/mean" },
    },
    {
      title: "Success of episodes left out",
      ...share,
      curves: { learnt: "episode/success_rate", "left out": "episode/left_out/success_rate" },
      needs: "episode/left_out/success_rate",
    },
    { title: "Round cap", unit: "steps", isExact: true, curves: { cap: "curriculum/rounds" } },
    {
      title: "Sampled tokens of an episode",
      unit: "tokens",
      ...positive,
      curves: { mean: "response_length/mean", longest: "response_length/max" },
    },
  ],
  Optimisation: [
    { title: "Policy loss", curves: { pg_loss: "actor/pg_loss", "all terms": "actor/loss" } },
    { title: "Value loss", ...positive, curves: { vf_loss: "critic/vf_loss" } },
    {
      title: "KL",
      unit: "nats",
      ...positive,
      curves: { "to reference": "actor/kl_loss", "within an update": "actor/ppo_kl" },
    },
    { title: "Entropy", unit: "nats", ...positive, curves: { entropy: "actor/entropy" } },
    {
      title: "Clipped tokens",
      ...share,
      ...positive,
      curves: {
        clip: "actor/pg_clipfrac",
        "dual clip": "actor/pg_clipfrac_lower",
        "behaviour weight": "actor/behav_imp_weight/cut",
      },
    },
    {
      title: "Gradient norm",
      ...positive,
      curves: { "before clipping": "actor/grad_norm", "of a separate critic": "critic/grad_norm" },
    },
    { title: "Learning rate", isExact: true, ...positive, curves: { lr: "actor/lr" } },
    {
      title: "Groups",
      curves: {
        all: "groups/count",
        "zero variance": "groups/zero_variance",
        filtered: "groups/filtered",
        "too small": "groups/too_small",
      },
    },
  ],
  Asynchrony: [
    { title: "Staleness", unit: "steps", curves: { mean: "staleness/mean", oldest: "staleness/max" } },
    {
      title: "Tokens a second",
      unit: "tokens/s",
      ...positive,
      curves: { "in batches": "perf/throughput", sampled: "perf/generation_throughput" },
    },
    { title: "Idle time", ...share, curves: { training: "perf/idle/train", generation: "perf/idle/generate" } },
    {
      title: "Time of a train step",
      unit: "seconds",
      ...positive,
      curves: { step: "timing_s/step", waiting: "timing_s/wait", updating: "timing_s/update" },
    },
    { title: "Episodes left out", curves: { failed: "episode/failed", "not learnt from": "episode/left_out/count" } },
  ],
};
