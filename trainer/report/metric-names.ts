/** The metrics of a train step, by the names that verl and AReaL gave them, so that dashboards made for those fit. */

export type Unit = "share" | "nats" | "tokens" | "tokens/s" | "steps" | "seconds" | "count" | "";

interface Metric {
  readonly help: string;
  readonly unit: Unit;
}

export const metrics = {
  "episode/success_rate": { unit: "share", help: "Episodes of the batch whose task was solved." },
  "episode/reward/mean": { unit: "", help: "Sum of an episode's rewards." },
  "episode/length/mean": { unit: "steps", help: "Steps of an episode." },
  "episode/count": { unit: "count", help: "Episodes that the step learnt from or compared with." },
  "episode/failed": { unit: "count", help: "Episodes that machinery failed, left out of every baseline and loss." },
  "response_length/mean": { unit: "tokens", help: "Sampled tokens of an episode." },
  "response_length/max": { unit: "tokens", help: "Of the longest episode." },
  "val/success_rate": { unit: "share", help: "Held-out tasks that were solved." },
  "val/reward/mean": { unit: "", help: "On held-out tasks." },
  "actor/loss": { unit: "", help: "All terms together." },
  "actor/pg_loss": { unit: "", help: "Policy gradient loss." },
  "actor/kl_loss": { unit: "nats", help: "KL to the reference policy, before its coefficient." },
  "actor/entropy": { unit: "nats", help: "Of the policy, mean of the trained tokens." },
  "actor/ppo_kl": { unit: "nats", help: "KL from the policy at the start of the update (k3), mean of tokens." },
  "actor/ratio/mean": { unit: "", help: "Of the policy to that at the start of the update." },
  "actor/ratio/max": { unit: "", help: "The highest of the step." },
  "actor/pg_clipfrac": { unit: "share", help: "Tokens that the clip cut off." },
  "actor/pg_clipfrac_lower": { unit: "share", help: "Tokens that dual clip cut off." },
  "actor/behav_imp_weight/mean": { unit: "", help: "Behaviour weight of the decoupled loss." },
  "actor/behav_imp_weight/cut": { unit: "share", help: "Tokens whose behaviour weight was truncated or masked." },
  "actor/grad_norm": { unit: "", help: "Before clipping." },
  "actor/no_gradient": {
    unit: "count",
    help: "1 where every advantage of the batch was 0, as with equal rewards in each group; else 0.",
  },
  "actor/no_gradient_steps": { unit: "count", help: "Train steps of the run so far with actor/no_gradient 1." },
  "actor/lr": { unit: "", help: "Learning rate." },
  "critic/vf_loss": { unit: "", help: "Value loss, before its coefficient." },
  "critic/advantages/mean": { unit: "", help: "Over trained tokens." },
  "critic/advantages/max": { unit: "", help: "Over trained tokens." },
  "critic/advantages/min": { unit: "", help: "Over trained tokens." },
  "staleness/mean": { unit: "steps", help: "Policy versions between sampling and training, mean of tokens." },
  "staleness/max": { unit: "steps", help: "Of the oldest token." },
  "staleness/dropped": { unit: "count", help: "Episodes that were too old when they were taken out of the buffer." },
  "groups/count": { unit: "count", help: "Groups of the batch." },
  "groups/zero_variance": { unit: "count", help: "Groups of one score, without a gradient." },
  "groups/too_small": { unit: "count", help: "Groups with fewer than 2 survivors." },
  "groups/filtered": { unit: "count", help: "Groups that the algorithm did not keep, and had played anew." },
  "perf/throughput": { unit: "tokens/s", help: "Tokens of the batch a second, observations included." },
  "perf/generation_throughput": { unit: "tokens/s", help: "Sampled tokens a second." },
  "perf/idle/train": { unit: "share", help: "Time that training waited for episodes." },
  "perf/idle/generate": { unit: "share", help: "Time that generation had no sequence to extend." },
  "perf/mfu": { unit: "share", help: "Model FLOPs utilisation." },
  "perf/logprob_mismatch": {
    unit: "nats",
    help: "Largest difference of sampled and scored log-probability at one version.",
  },
  "perf/total_num_tokens": { unit: "tokens", help: "Trained since the beginning of the run." },
  "timing_s/step": { unit: "seconds", help: "From one train step to the next." },
  "timing_s/wait": { unit: "seconds", help: "Of which waiting for a batch." },
  "timing_s/update": { unit: "seconds", help: "Of which scoring and training." },
  "curriculum/rounds": { unit: "steps", help: "Round cap of new episodes." },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as MetricName[];

export type Metrics = { readonly [Name in MetricName]?: number };

/** An evaluation on held-out tasks. */
export interface HeldOutRecord {
  /** Train steps before it. */
  readonly step: number;
  /** Share that was solved, by task set; without those of which nothing could be played. */
  readonly success: Readonly<Record<string, number>>;
}

/** The record of one train step, or of one evaluation, which has `held_out` and the metrics `val/...` alone. */
export interface TrainRecord extends Metrics {
  /** Optimiser updates of the run so far: from 1 for a train step, from 0 for an evaluation. */
  readonly step: number;
  /** Seconds since 1970. */
  readonly time: number;
  /** Trained tokens by staleness: entry s has those of s versions. */
  readonly staleness?: readonly number[];
  /** In the record of an evaluation. Logs of earlier versions have it in the record of a train step. */
  readonly held_out?: HeldOutRecord;
}

/** Where records go. */
export interface MetricsSink {
  /** @throws where it cannot be written; what was written before is whole */
  write(record: TrainRecord): void;
  /** Twice is fine. */
  close(): void | Promise<void>;
}
