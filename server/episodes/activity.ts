/** Counts of steps, episodes and failures, for each of the last seconds and since the gym started. */
import { type ErrorCode, errorTable, type FailureClass } from "../errors.js";

/** The gym in one second. */
export interface Sample {
  /** Time of the end of the second, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly stepsPerSecond: number;
  /** Median of the seconds' step durations in milliseconds, or null if no step was taken. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly liveEpisodes: number;
  /** Bytes of steps that were written to the log since the gym started. */
  readonly writtenBytes: number;
}

/** Values that are read for each sample. */
export type Levels = Pick<Sample, "liveEpisodes" | "writtenBytes">;

const sampleMs = 1_000;
/** Number of samples that are kept: five minutes. */
const mostSamples = 300;

export class Activity {
  readonly startedAtMs = Date.now();
  /** Steps since the start. */
  steps = 0;
  /** Episodes created since the start, forks included. */
  created = 0;
  hostsLost = 0;
  /** Episodes that failed since the start, and those that could not be started since their reset failed. */
  readonly failures: Record<FailureClass, number> = { action: 0, environment: 0, infrastructure: 0, capacity: 0 };
  private readonly durations = new Durations();
  private readonly kept: Sample[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly timer: NodeJS.Timeout;
  private sampledSteps = 0;
  private sampledAt = performance.now();

  /** @param levels reads the values of a sample that the activity does not count */
  constructor(private readonly levels: () => Levels) {
    this.timer = setInterval(() => this.sample(), sampleMs);
    this.timer.unref();
  }

  /** The samples of the last five minutes, oldest first. */
  get samples(): readonly Sample[] {
    return this.kept;
  }

  /** The newest sample. Before the first second has passed, a sample without steps. */
  get newest(): Sample {
    const none = { stepsPerSecond: 0, p50Ms: null, p95Ms: null };
    return this.kept.at(-1) ?? { atMs: this.startedAtMs, ...none, ...this.levels() };
  }

  onStep(durationMs: number): void {
    this.steps += 1;
    this.durations.add(durationMs);
  }

  onFailure(code: ErrorCode): void {
    this.failures[errorTable[code].class] += 1;
  }

  /** Calls `listener` after each sample. Returns a function that ends it. */
  onSample(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const now = performance.now();
    const stepsPerSecond = ((this.steps - this.sampledSteps) * 1_000) / (now - this.sampledAt);
    const [p50Ms, p95Ms] = [this.durations.quantile(0.5), this.durations.quantile(0.95)];
    this.kept.push({ atMs: Date.now(), stepsPerSecond: Math.round(stepsPerSecond), p50Ms, p95Ms, ...this.levels() });
    if (this.kept.length > mostSamples) this.kept.shift();
    this.sampledSteps = this.steps;
    this.sampledAt = now;
    this.durations.reset();
    for (const listener of this.listeners) listener();
  }
}

/** Buckets per factor of two: a quantile is at most 9 % too large. */
const perOctave = 8;
/** Smallest duration that is told from zero, in milliseconds. */
const shortestMs = 0.001;
/** Enough buckets for durations of more than an hour. */
const bucketCount = perOctave * 32;

/** Counts durations in buckets of equal ratio. */
class Durations {
  private readonly counts = new Uint32Array(bucketCount);
  private total = 0;

  add(ms: number): void {
    const bucket = ms <= shortestMs ? 0 : Math.ceil(Math.log2(ms / shortestMs) * perOctave);
    const counted = Math.min(bucket, bucketCount - 1);
    this.counts[counted] = (this.counts[counted] as number) + 1;
    this.total += 1;
  }

  /** Returns the upper bound of the bucket of a quantile with three significant digits, or null without durations. */
  quantile(part: number): number | null {
    if (this.total === 0) return null;
    let below = 0;
    let bucket = 0;
    while (bucket < bucketCount - 1) {
      below += this.counts[bucket] as number;
      if (below >= part * this.total) break;
      bucket += 1;
    }
    return Number((shortestMs * 2 ** (bucket / perOctave)).toPrecision(3));
  }

  reset(): void {
    this.counts.fill(0);
    this.total = 0;
  }
}
