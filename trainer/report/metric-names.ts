/** The metrics of a train step, with the names of verl and AReaL, so that their dashboards can be used. */

import type { HeldOutOutcomes, SeatScore } from "../run/held-out.js";

export type Unit = "share" | "nats" | "tokens" | "tokens/s" | "steps" | "seconds" | "count" | "";

interface Metric {
  readonly help: string;
  readonly unit: Unit;
}

export const metrics = {
  "episode/success_rate": { unit: "share", help: "Episodes of the batch whose task was solved." },
  "episode/reward/mean": { unit: "", help: "Return of an episode: the sum of its rewards." },
  "episode/length/mean": { unit: "steps", help: "Steps of an episode." },
  "episode/count": { unit: "count", help: "Episodes that the step learnt from or compared with." },
  "episode/failed": {
    unit: "count",
    help: "Episodes that failed in the gym or the policy, left out of every baseline and loss.",
  },
  "episode/left_out/count": {
    unit: "count",
    help: "Episodes that were played to their end and not learnt from, since their group was filtered or too small.",
  },
  "episode/left_out/success_rate": { unit: "share", help: "Episodes left out whose task was solved." },
  "episode/left_out/length/mean": { unit: "steps", help: "Steps of an episode that was left out." },
  "response_length/mean": { unit: "tokens", help: "Sampled tokens of an episode." },
  "response_length/max": { unit: "tokens", help: "Sampled tokens of the longest episode." },
  "val/success_rate": { unit: "share", help: "Mean success rate of the held-out task sets." },
  "val/reward/mean": { unit: "", help: "On held-out tasks." },
  "actor/loss": { unit: "", help: "All terms together." },
  "actor/pg_loss": { unit: "", help: "Policy gradient loss." },
  "actor/kl_loss": { unit: "nats", help: "KL to the reference policy, before its coefficient." },
  "actor/teacher_kl": { unit: "nats", help: "Reverse KL from the policy to the teacher, mean of the sampled tokens." },
  "actor/entropy": { unit: "nats", help: "Entropy of the policy, mean of the trained tokens." },
  "actor/ppo_kl": { unit: "nats", help: "KL from the policy at the start of the update (k3), mean of tokens." },
  "actor/ratio/mean": { unit: "", help: "Ratio of the policy to that at the start of the update, mean of tokens." },
  "actor/ratio/max": { unit: "", help: "Highest ratio of the train step." },
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
  "critic/grad_norm": { unit: "", help: "Of a separate critic, before clipping." },
  "critic/advantages/mean": { unit: "", help: "Over trained tokens." },
  "critic/advantages/max": { unit: "", help: "Over trained tokens." },
  "critic/advantages/min": { unit: "", help: "Over trained tokens." },
  "staleness/mean": { unit: "steps", help: "Policy versions between sampling and training, mean of tokens." },
  "staleness/max": { unit: "steps", help: "Staleness of the oldest token." },
  "groups/count": { unit: "count", help: "Groups of the batch." },
  "groups/zero_variance": { unit: "count", help: "Groups whose returns are all equal, without a gradient." },
  "groups/too_small": { unit: "count", help: "Groups with fewer than 2 survivors." },
  "groups/filtered": { unit: "count", help: "Groups that the algorithm did not keep and replaced." },
  "perf/throughput": { unit: "tokens/s", help: "Tokens of the batch per second, observations included." },
  "perf/generation_throughput": { unit: "tokens/s", help: "Sampled tokens per second." },
  "perf/idle/train": { unit: "share", help: "Time that training waited for episodes." },
  "perf/idle/generate": { unit: "share", help: "Time that generation had no sequence to extend." },
  "perf/mfu": { unit: "share", help: "Model FLOPs utilisation." },
  "perf/logprob_mismatch": {
    unit: "nats",
    help: "Largest difference between sampled and recomputed log-probabilities of the same version.",
  },
  "perf/total_num_tokens": { unit: "tokens", help: "Tokens trained since the beginning of the run." },
  "perf/computed_num_tokens": {
    unit: "tokens",
    help: "The same, with tokens that several rows share, such as their prompt, counted once.",
  },
  "backend/trained_tokens": { unit: "tokens", help: "Tokens that the backend's server trained since the run started." },
  "backend/scored_tokens": { unit: "tokens", help: "Tokens that it only scored." },
  "backend/prompt_tokens": { unit: "tokens", help: "Prompt tokens that it read for sampling." },
  "backend/sampled_tokens": { unit: "tokens", help: "Tokens that it sampled." },
  "backend/waited_s": { unit: "seconds", help: "Time that training waited for the server." },
  "backend/away_s": { unit: "seconds", help: "Time in which the server could not be reached." },
  "timing_s/step": { unit: "seconds", help: "Time from one train step to the next." },
  "timing_s/wait": { unit: "seconds", help: "Part of it spent waiting for a batch." },
  "timing_s/update": { unit: "seconds", help: "Part of it spent on log-probabilities and training." },
  "timing_s/testing": { unit: "seconds", help: "Time of an evaluation on held-out tasks." },
  "curriculum/rounds": { unit: "steps", help: "Round cap of new episodes." },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as MetricName[];

export type Metrics = { readonly [Name in MetricName]?: number };

/** An evaluation on held-out tasks. */
export interface HeldOutRecord {
  /** Number of train steps before the evaluation. */
  readonly step: number;
  /** Success rate by task set. Sets without a played episode are left out. */
  readonly success: Readonly<Record<string, number>>;
  /** Number of played episodes by task set. Logs of earlier versions lack it. */
  readonly episodes?: Readonly<Record<string, number>>;
  /** Result of each episode by task set. Logs of earlier versions lack it. */
  readonly outcomes?: Readonly<Record<string, HeldOutOutcomes>>;
  /** Results of the policy by task set and seat. Sets of one player are left out. */
  readonly seats?: Readonly<Record<string, Readonly<Record<string, SeatScore>>>>;
}

/** A seat in the groups of a train step. */
export interface SeatRecord {
  /** Number of groups by player. */
  readonly players: Readonly<Record<string, number>>;
  /** Mean return of the seat where the policy played it; left out if it did not. */
  readonly reward?: number;
}

/**
 * The record of a train step or of an evaluation. An evaluation's record only has `held_out` and the metrics `val/...`.
 */
export interface TrainRecord extends Metrics {
  /** Number of train steps so far: from 1 for a train step, from 0 for an evaluation. */
  readonly step: number;
  /** Time in seconds since 1970. */
  readonly time: number;
  /** Number of trained tokens by staleness: entry s counts the tokens that are s versions old. */
  readonly staleness?: readonly number[];
  /** Seats in the groups of the train step; left out if no environment has several players. */
  readonly seats?: Readonly<Record<string, SeatRecord>>;
  /** Results of an evaluation. In logs of earlier versions, they are part of the record of a train step. */
  readonly held_out?: HeldOutRecord;
}

/** The contract of an output of records. */
export interface MetricsSink {
  /** Writes a record. @throws errors of the disk; earlier records are not damaged */
  write(record: TrainRecord): void;
  /** Closes the output. A second call has no effect. */
  close(): void | Promise<void>;
}
