/** The evaluation of one environment: its plan and its report. */
import type { RolloutSettings } from "../rollout/episode-rollout.js";
import type { Seats } from "./by-seat.js";
import type { Diagnosis } from "./diagnosis.js";
import type { EpisodeRecord } from "./record.js";
import type { RoundsResult } from "./rounds.js";
import type { Prices, Summary } from "./summary.js";

export interface EvaluationPlan {
  /** Name of the environment as the caller wrote it; the report contains the version that was played. */
  readonly environment: string;
  readonly split: string;
  readonly tasks: readonly number[];
  readonly options?: Readonly<Record<string, string>> | undefined;
  /** Number of samples of each task. */
  readonly k: number;
  /** Sample i is played with the environment's seed `seed` + i. */
  readonly seed: number;
  readonly concurrency: number;
  /** Settings of the rollouts, including the number of rounds to play. */
  readonly rollout: RolloutSettings;
  /** Round cap of the results, at most `rollout.maxRounds`. Default: `rollout.maxRounds`. */
  readonly cap?: number | undefined;
  /** Seats of the policy beside a partner. Default: the policy plays all seats. */
  readonly seats?: Seats | undefined;
  /** Additional round caps for which success is reported, ascending, each at most `rollout.maxRounds`. */
  readonly caps?: readonly number[] | undefined;
  /** Key in an episode's info by which results are grouped. */
  readonly familyKey?: string | undefined;
  readonly prices?: Prices | undefined;
  /** Settings of the policy that affect the results. A run can only be continued with equal settings. */
  readonly policySettings: Readonly<Record<string, unknown>>;
  /** Notes about the results, shown in the report. */
  readonly notes: readonly string[];
}

export interface EvaluationReport {
  readonly environment: string;
  readonly split: string;
  readonly policy: string;
  readonly k: number;
  readonly seed: number;
  /** Round cap of the results. */
  readonly maxRounds: number;
  readonly format: string;
  readonly options: Readonly<Record<string, string>>;
  readonly policySettings: Readonly<Record<string, unknown>>;
  readonly notes: readonly string[];
  /** Whether the report contains every planned episode, played or failed. */
  readonly complete: boolean;
  readonly summary: Summary;
  /** Success rate within each round cap; empty for a single cap. */
  readonly byRounds: readonly RoundsResult[];
  /** Diagnosis; undefined if no episode was played to its end. */
  readonly diagnosis: Diagnosis | undefined;
}

export interface Evaluation {
  readonly report: EvaluationReport;
  /** Records in the order of tasks and samples, within the round cap of the results. */
  readonly records: readonly EpisodeRecord[];
  /** Instructions of the environment; undefined if no episode could be started. */
  readonly prompt: string | undefined;
}
