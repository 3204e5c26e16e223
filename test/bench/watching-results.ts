/** Figures of the bench `watching`: rates of a run in its periods, compared within each round. */
import { meanRatio } from "./paired.js";
import { type BenchResult, median } from "./report.js";

export type Kind = "nobody" | "client" | "page";

/** A period of the run. */
export interface Period {
  readonly kind: Kind;
  readonly from: number;
  readonly to: number;
  /** CPU seconds in the period. */
  readonly gymCpu: number;
  readonly trainerCpu: number;
  readonly browserCpu: number;
}

export interface StepRecord {
  readonly time: number;
  readonly "timing_s/step"?: number;
  readonly "perf/throughput"?: number;
}

/** CPU seconds of the gym for a poll. */
export interface PollCpu {
  readonly unchanged: number;
  readonly oneRecord: number;
}

interface Rate {
  /** Tokens per second. */
  readonly tokens: number;
  /** Train steps per second. */
  readonly steps: number;
}

/** Returns the rate of a period. A train step counts with the share of its time that lies in the period. */
function rateOf({ from, to }: Period, records: readonly StepRecord[]): Rate {
  let [tokens, steps] = [0, 0];
  for (const { time, "timing_s/step": duration, "perf/throughput": rate } of records) {
    if (duration === undefined || rate === undefined || duration <= 0) continue;
    const share = Math.max(0, Math.min(time, to) - Math.max(time - duration, from));
    tokens += rate * share;
    steps += share / duration;
  }
  if (steps === 0)
    throw new Error("expected a part of a train step in each period, but received none: use longer ones");
  return { tokens: tokens / (to - from), steps: steps / (to - from) };
}

const titles = { client: "requests of the page", page: "page in Chromium" };

export function resultsOf(
  periods: readonly Period[],
  records: readonly StepRecord[],
  poll: PollCpu,
  pollsPerSecond: number,
): BenchResult[] {
  const of = (kind: Kind) => periods.filter((period) => period.kind === kind);
  const idle = of("nobody").map((period) => ({ ...period, ...rateOf(period, records) }));
  const seconds = sum(idle.map(({ from, to }) => to - from));
  const cpuPerSecond = sum(idle.map(({ gymCpu, trainerCpu }) => gymCpu + trainerCpu)) / seconds;
  const stepsPerSecond = mean(idle.map(({ steps }) => steps));
  const pollShare = (poll.oneRecord * pollsPerSecond) / cpuPerSecond;
  const ms = (value: number) => ({ value: 1_000 * value, unit: "ms" });
  const compared = (["client", "page"] as const).filter((kind) => of(kind).length > 0);
  return [
    ...compared.flatMap((kind) =>
      comparison(
        titles[kind],
        of(kind).map((period) => ({ ...period, ...rateOf(period, records) })),
        idle,
      ),
    ),
    { name: "train steps a second", value: stepsPerSecond, unit: "" },
    { name: "polls a second", value: pollsPerSecond, unit: "" },
    { name: "gym, CPU of a poll without news", ...ms(poll.unchanged) },
    { name: "gym, CPU of a poll with a new record", ...ms(poll.oneRecord) },
    { name: "gym and trainer, CPU of a train step", ...ms(cpuPerSecond / stepsPerSecond) },
    { name: "CPU of polls over CPU of gym and trainer", value: 100 * pollShare, unit: "%", target: "< 2" },
  ];
}

type Measured = Period & Rate;

/** Compares the periods with a watcher with the unwatched periods of the same rounds. */
function comparison(title: string, watched: readonly Measured[], idle: readonly Measured[]): BenchResult[] {
  const ratiosOf = (value: (period: Measured) => number) =>
    watched.map((period, round) => value(period) / value(idle[round] as Measured));
  const ratios = ratiosOf(({ tokens }) => tokens);
  const { ratio, low, high } = meanRatio(ratios);
  // Compares tokens per CPU second, since other programs on the machine affect this less than the rate.
  const work = meanRatio(
    ratiosOf(({ tokens, gymCpu, trainerCpu, from, to }) => (tokens * (to - from)) / (gymCpu + trainerCpu)),
  );
  const cpu = (value: (period: Measured) => number, of: readonly Measured[]) =>
    mean(of.map((period) => (100 * value(period)) / (period.to - period.from)));
  const rate = (of: readonly Measured[]) => mean(of.map(({ tokens }) => tokens));
  return [
    { name: `${title}: rate of the run`, value: rate(watched), unit: "tokens/s", baseline: rate(idle) },
    { name: `${title}: rate watched over not watched`, value: ratio, unit: "", target: ">= 0.98" },
    { name: `${title}: 95 % interval, from`, value: low, unit: "" },
    { name: `${title}: 95 % interval, to`, value: high, unit: "" },
    { name: `${title}: median of the ratios`, value: median(ratios), unit: "" },
    {
      name: `${title}: tokens of a CPU second, watched over not watched`,
      value: work.ratio,
      unit: "",
      target: ">= 0.98",
    },
    { name: `${title}: 95 % interval of it, from`, value: work.low, unit: "" },
    { name: `${title}: 95 % interval of it, to`, value: work.high, unit: "" },
    { name: `${title}: CPU of the browser`, value: cpu(({ browserCpu }) => browserCpu, watched), unit: "%" },
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
