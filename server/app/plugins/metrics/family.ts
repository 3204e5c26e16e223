/**
 * Families of metrics. They only hold numbers: prom-client, which writes them in the format of Prometheus, is loaded by the
 * first scrape.
 */

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  /** Default: the name of the family. */
  metricName?: string;
  labels: Labels;
  value: number;
}

/** A family as prom-client reads it at every scrape. */
export interface Family {
  readonly name: string;
  get(): Promise<{ name: string; help: string; type: "counter" | "gauge" | "histogram"; values: Sample[] }>;
}

/** A counter, with one value for each combination of labels. */
export class Tally implements Family {
  private readonly samples = new Map<string, Sample>();

  /** @param isLabelled false for a counter with a single value, which is 0 at the start */
  constructor(
    readonly name: string,
    private readonly help: string,
    isLabelled: boolean,
  ) {
    if (!isLabelled) this.add({}, 0);
  }

  /** Each call passes the same labels in the same order. */
  add(labels: Labels, change = 1): void {
    const key = Object.values(labels).join("\0");
    const sample = this.samples.get(key);
    if (sample) sample.value += change;
    else this.samples.set(key, { labels, value: change });
  }

  async get() {
    const { name, help } = this;
    return { name, help, type: "counter" as const, values: [...this.samples.values()] };
  }
}

/** A value that is read at every scrape, or one for each combination of labels. */
export class Reading implements Family {
  constructor(
    private readonly type: "counter" | "gauge",
    readonly name: string,
    private readonly help: string,
    private readonly read: () => number | Sample[],
  ) {}

  async get() {
    const { name, help, type } = this;
    const value = this.read();
    return { name, help, type, values: typeof value === "number" ? [{ labels: {}, value }] : value };
  }
}
