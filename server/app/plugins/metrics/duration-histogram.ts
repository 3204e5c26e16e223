import type { Family, Sample } from "./family.js";

export interface DurationHistogramOptions {
  name: string;
  help: string;
  /** Name of the histogram's only label. */
  label: string;
  /** Upper bounds of the buckets in milliseconds, ascending. */
  bucketsMs: readonly number[];
}

interface Series {
  /** Number of durations in each bucket. The last bucket has no upper bound. */
  counts: number[];
  sumMs: number;
}

/**
 * Prometheus histogram of durations that is fast enough for the hot path. prom-client's own histogram takes several
 * times as long, because it reads labels and writes objects at each observation.
 */
export class DurationHistogram implements Family {
  readonly name: string;
  private readonly series = new Map<string, Series>();

  constructor(private readonly options: DurationHistogramOptions) {
    this.name = options.name;
  }

  observe(labelValue: string, durationMs: number): void {
    const { bucketsMs } = this.options;
    const series = this.series.get(labelValue) ?? this.begin(labelValue);
    let bucket = 0;
    while (bucket < bucketsMs.length && durationMs > (bucketsMs[bucket] as number)) bucket += 1;
    (series.counts[bucket] as number) += 1;
    series.sumMs += durationMs;
  }

  /** Returns the values with bounds and sums in seconds. */
  async get() {
    const { name, help } = this.options;
    const values = [...this.series].flatMap(([labelValue, series]) => this.valuesOf(labelValue, series));
    return { name, help, type: "histogram" as const, values };
  }

  private begin(labelValue: string): Series {
    const series = { counts: new Array<number>(this.options.bucketsMs.length + 1).fill(0), sumMs: 0 };
    this.series.set(labelValue, series);
    return series;
  }

  private valuesOf(labelValue: string, { counts, sumMs }: Series): Sample[] {
    const { name, label, bucketsMs } = this.options;
    const labels = { [label]: labelValue };
    let total = 0;
    const buckets = counts.map((count, i) => {
      total += count;
      const bound = bucketsMs[i];
      const le = bound === undefined ? "+Inf" : bound / 1_000;
      return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: total };
    });
    const sum = { metricName: `${name}_sum`, labels, value: sumMs / 1_000 };
    return [...buckets, sum, { metricName: `${name}_count`, labels, value: total }];
  }
}
