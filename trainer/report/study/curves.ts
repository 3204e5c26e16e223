/** Curves over train steps of several runs: each run thin, their mean, and its interval over the runs. */
import { mean, studentMean } from "../../evaluation/statistics.js";
import type { MetricName, TrainRecord } from "../metric-names.js";

export interface SeedCurve {
  readonly name: string;
  readonly points: readonly (readonly [step: number, value: number])[];
}

export interface MeanPoint {
  readonly step: number;
  readonly value: number;
  /** Bounds of the 95 % confidence interval over the runs; absent with fewer than two. */
  readonly low?: number;
  readonly high?: number;
}

export interface StudyCurve {
  readonly title: string;
  readonly metric: string;
  /** Whether values are shares from 0 to 1. */
  readonly isShare: boolean;
  readonly seeds: readonly SeedCurve[];
  readonly mean: readonly MeanPoint[];
}

interface Plan {
  readonly title: string;
  readonly metric: MetricName;
  readonly isShare?: true;
}

const plans: readonly Plan[] = [
  { title: "Success on held-out tasks", metric: "val/success_rate", isShare: true },
  { title: "Success on training tasks", metric: "episode/success_rate", isShare: true },
  { title: "Entropy of the policy, nats per token", metric: "actor/entropy" },
  { title: "Rounds of an episode", metric: "episode/length/mean" },
  { title: "Sampled tokens of an episode", metric: "response_length/mean" },
  { title: "Norm of the gradient", metric: "actor/grad_norm" },
];

/** Points of a curve. More train steps are joined to means. */
const mostPoints = 60;

export function studyCurves(runs: readonly { readonly name: string; readonly records: readonly TrainRecord[] }[]) {
  const lastStep = Math.max(1, ...runs.map(({ records }) => records.at(-1)?.step ?? 0));
  const width = Math.ceil(lastStep / mostPoints);
  const held = heldOutPlans(runs.flatMap(({ records }) => records));
  const all = [...plans.slice(0, 1), ...held, ...plans.slice(1)];
  return all.flatMap((plan): StudyCurve[] => {
    const seeds = runs.flatMap(({ name, records }): SeedCurve[] => {
      const points = "set" in plan ? pointsOfSet(records, plan.set) : pointsOf(records, plan.metric, width);
      return points.length > 0 ? [{ name, points }] : [];
    });
    const isShare = plan.isShare ?? false;
    if (seeds.length === 0) return [];
    return [{ title: plan.title, metric: plan.metric, isShare, seeds, mean: meanCurve(seeds, isShare) }];
  });
}

/** Environments have a curve each if there are several, as the mean of their task sets. */
function heldOutPlans(records: readonly TrainRecord[]) {
  const sets = new Set(records.flatMap(({ held_out }) => Object.keys(held_out?.success ?? {})));
  const environments = [...new Set([...sets].map((set) => set.split(":", 1)[0] as string))];
  if (environments.length < 2) return [];
  return environments.map((set) => ({
    ...{ title: `Success on held-out tasks of ${set}`, metric: `held_out/${set}`, isShare: true as const, set },
  }));
}

function pointsOfSet(records: readonly TrainRecord[], environment: string): [number, number][] {
  return records.flatMap(({ held_out }) => {
    const own = Object.entries(held_out?.success ?? {}).filter(([set]) => set.startsWith(`${environment}:`));
    const value = mean(own.map(([, share]) => share));
    return held_out && value !== undefined ? [[held_out.step, value] as [number, number]] : [];
  });
}

/** Returns the points of a metric. Train steps are joined in bins of `width`; an evaluation keeps its step. */
function pointsOf(records: readonly TrainRecord[], metric: MetricName, width: number): [number, number][] {
  const isEvaluation = metric.startsWith("val/");
  const bins = new Map<number, number[]>();
  for (const record of records) {
    const value = record[metric];
    if (typeof value !== "number" || !Number.isFinite(value)) continue;
    const step = isEvaluation ? (record.held_out?.step ?? record.step) : Math.ceil(record.step / width) * width;
    bins.set(step, [...(bins.get(step) ?? []), value]);
  }
  return [...bins].map(([step, values]) => [step, mean(values) as number]);
}

/** The mean at the steps that every run has, so that the end of a short run does not bend the curve. */
function meanCurve(seeds: readonly SeedCurve[], isShare: boolean): MeanPoint[] {
  const bySeed = seeds.map(({ points }) => new Map(points));
  const steps = [...(bySeed[0]?.keys() ?? [])].filter((step) => bySeed.every((points) => points.has(step)));
  const range = isShare ? { low: 0, high: 1 } : { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  return steps.flatMap((step) => {
    const { n, ...estimate } = studentMean(
      bySeed.map((points) => points.get(step) as number),
      range,
    ) ?? { n: 0 };
    return "value" in estimate ? [{ step, ...estimate }] : [];
  });
}
