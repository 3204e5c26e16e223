/** The record of an evaluation in the log of a run. */
import { mean } from "../../evaluation/statistics.js";
import type { Evaluation } from "../../run/observer.js";
import type { TrainRecord } from "../metric-names.js";

/**
 * Returns the record of an evaluation: means over the played task sets, and each set's results. Undefined if no episode
 * was played.
 */
export function evaluationRecord({ trainStep: step, scores, seconds }: Evaluation): TrainRecord | undefined {
  const played = scores.filter(({ success }) => success !== undefined);
  const meanOf = (values: readonly (number | undefined)[]) => mean(values.filter((value) => value !== undefined));
  const [success, score] = [meanOf(played.map(({ success }) => success)), meanOf(played.map(({ score }) => score))];
  if (success === undefined || score === undefined) return undefined;
  const outcomes = played.flatMap(({ name, outcomes }) => (outcomes ? [[name, outcomes] as const] : []));
  const seats = played.flatMap(({ name, seats }) => (seats ? [[name, seats] as const] : []));
  return {
    step,
    time: Date.now() / 1000,
    "val/success_rate": success,
    "val/reward/mean": score,
    ...(seconds !== undefined && { "timing_s/testing": seconds }),
    held_out: {
      step,
      success: Object.fromEntries(played.map(({ name, success: share }) => [name, share as number])),
      episodes: Object.fromEntries(played.map(({ name, episodes }) => [name, episodes])),
      ...(outcomes.length > 0 && { outcomes: Object.fromEntries(outcomes) }),
      ...(seats.length > 0 && { seats: Object.fromEntries(seats) }),
    },
  };
}
