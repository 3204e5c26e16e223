/** The held-out success of a run: its first and its last evaluation, and the gain with its interval over tasks. */
import { pairedDifference } from "../../../server/formats/outcomes/paired-difference.js";
import { macroMean, mean } from "../../evaluation/statistics.js";
import type { HeldOutOutcomes } from "../../run/held-out.js";
import type { HeldOutRecord, TrainRecord } from "../metric-names.js";

/** Last minus first. */
export interface Gain {
  readonly value: number;
  /** Bounds of the 95 % confidence interval over tasks; absent if the log lacks the results of the episodes. */
  readonly low?: number;
  readonly high?: number;
}

/** Success of one run on a task set, on the sets of an environment, or on all sets. */
export interface HeldOutResult {
  readonly label: string;
  /** Task sets of the mean; 1 for a task set. */
  readonly sets: number;
  readonly episodes: number | undefined;
  readonly first: number;
  readonly last: number;
  /** Undefined with a single evaluation. */
  readonly gain: Gain | undefined;
}

/** Results of a run, by task set, then by environment if there are several, then over all sets. */
export interface HeldOutResults {
  readonly firstStep: number;
  readonly lastStep: number;
  readonly evaluations: number;
  readonly results: readonly HeldOutResult[];
}

/** @returns undefined without an evaluation */
export function heldOutResults(records: readonly TrainRecord[]): HeldOutResults | undefined {
  const evaluations = records.flatMap(({ held_out }) => (held_out ? [held_out] : []));
  const [first, last] = [evaluations[0], evaluations.at(-1)];
  if (!first || !last) return undefined;
  const names = Object.keys(last.success).filter((set) => first.success[set] !== undefined);
  const sets = names.map((set) => resultOf(set, first, last));
  const environments = [...new Set(names.map(environmentOf))];
  const means = environments.length > 1 ? environments : [];
  return {
    firstStep: first.step,
    lastStep: last.step,
    evaluations: evaluations.length,
    results: [
      ...sets,
      ...means.flatMap((name) => {
        const own = sets.filter(({ label }) => environmentOf(label) === name);
        return own.length > 1 ? [meanOf(`${name}, mean`, own)] : [];
      }),
      ...(sets.length > 1 ? [meanOf("mean", sets)] : []),
    ],
  };
}

export function environmentOf(set: string): string {
  return set.split(":", 1)[0] as string;
}

function resultOf(set: string, first: HeldOutRecord, last: HeldOutRecord): HeldOutResult {
  const [before, after] = [first.success[set] as number, last.success[set] as number];
  const isSingle = first.step === last.step;
  const gain = isSingle ? undefined : gainOf(after - before, first.outcomes?.[set], last.outcomes?.[set]);
  return { label: set, sets: 1, episodes: last.episodes?.[set], first: before, last: after, gain };
}

function gainOf(value: number, before: HeldOutOutcomes | undefined, after: HeldOutOutcomes | undefined): Gain {
  if (!before || !after) return { value };
  const byTask = new Map<number, number[]>();
  for (const [at, task] of after.tasks.entries()) {
    const pair = [before.solved[at], after.solved[at]];
    if (before.tasks[at] !== task || pair.includes("-")) continue;
    byTask.set(task, [...(byTask.get(task) ?? []), Number(pair[1]) - Number(pair[0])]);
  }
  const { low, high } = pairedDifference([...byTask.values()], 1) ?? {};
  if (low === undefined || high === undefined) return { value };
  return { value, low: Math.min(low, value), high: Math.max(high, value) };
}

function meanOf(label: string, sets: readonly HeldOutResult[]): HeldOutResult {
  const gains = sets.map(({ gain }) => gain);
  const known = gains.filter((gain) => gain !== undefined);
  const withIntervals = known.flatMap(({ value, low, high }) =>
    low === undefined || high === undefined ? [] : [{ value, low, high }],
  );
  const value = mean(known.map((gain) => gain.value));
  const interval = withIntervals.length === sets.length ? macroMean(withIntervals) : undefined;
  return {
    label,
    sets: sets.length,
    episodes: sets.every(({ episodes }) => episodes !== undefined)
      ? sets.reduce((sum, { episodes = 0 }) => sum + episodes, 0)
      : undefined,
    first: mean(sets.map(({ first }) => first)) as number,
    last: mean(sets.map(({ last }) => last)) as number,
    gain: value === undefined ? undefined : { value, ...(interval && { low: interval.low, high: interval.high }) },
  };
}
