/**
 * Groups that wait to be learnt from, first in, first out. What has grown too old by the time somebody wants it is dropped
 * here: admission bounds the staleness of the whole, this of each token.
 */
import { type Group, oldestVersion } from "./trajectory.js";

export interface BufferOptions {
  /** Groups, at most. */
  readonly capacity: number;
  /** eta: versions that a token may lag behind the weights that learn from it. */
  readonly maxHeadOffpolicyness: number;
  /** Hears of each group that was dropped, when it is gone. */
  onDrop(group: Group): void;
}

export interface BufferStatistics {
  readonly size: number;
  readonly capacity: number;
  readonly put: number;
  readonly taken: number;
  readonly dropped: number;
  /** Groups taken, by the versions that their oldest token lagged behind. */
  readonly staleness: ReadonlyMap<number, number>;
}

interface Taker {
  readonly count: number;
  resolve(groups: Group[]): void;
  reject(error: unknown): void;
}

export class RolloutBuffer {
  private groups: Group[] = [];
  private readonly takers: Taker[] = [];
  private readonly staleness = new Map<number, number>();
  private version = 0;
  private puts = 0;
  private taken = 0;
  private dropped = 0;
  private ending: { error?: unknown } | undefined;

  constructor(private readonly options: BufferOptions) {
    if (!(options.capacity >= 1)) {
      throw new RangeError(`expected a capacity from 1 up, but received ${options.capacity}`);
    }
  }

  get size(): number {
    return this.groups.length;
  }

  get capacity(): number {
    return this.options.capacity;
  }

  get statistics(): BufferStatistics {
    const { size, capacity, puts: put, taken, dropped } = this;
    return { size, capacity, put, taken, dropped, staleness: new Map(this.staleness) };
  }

  /** Whoever puts keeps to the capacity: there is nowhere to wait. */
  put(group: Group): void {
    if (this.size >= this.capacity)
      throw new RangeError(`expected room for a group, but received one more than ${this.capacity}`);
    this.puts += 1;
    this.groups.push(group);
    this.serve();
  }

  /** The weights have this version from now on. */
  advance(version: number): void {
    this.version = version;
    this.dropStale();
  }

  /**
   * The oldest `count` groups, none of them too old, once there are so many; fewer, or none, after `end`. Those who wait
   * are served in turn.
   *
   * @throws what `fail` was given, or the signal's reason
   */
  take(count: number, signal?: AbortSignal): Promise<Group[]> {
    if (!(count >= 1 && count <= this.capacity)) {
      return Promise.reject(new RangeError(`expected a batch of 1 to ${this.capacity} groups, but received ${count}`));
    }
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const settle = () => signal?.removeEventListener("abort", abort);
      const taker: Taker = {
        count,
        resolve: (groups) => {
          settle();
          resolve(groups);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      };
      const abort = () => {
        this.takers.splice(this.takers.indexOf(taker), 1);
        taker.reject(signal?.reason);
      };
      signal?.addEventListener("abort", abort);
      this.takers.push(taker);
      this.serve();
    });
  }

  /** No more groups will come: whoever waits gets what is left. */
  end(): void {
    this.ending ??= {};
    this.serve();
  }

  /** No more groups will come, because of this. */
  fail(error: unknown): void {
    // The first reason is the one to tell.
    if (!this.ending || !("error" in this.ending)) this.ending = { error };
    this.serve();
  }

  private serve(): void {
    this.dropStale();
    for (let taker = this.takers[0]; taker; taker = this.takers[0]) {
      const isShort = this.groups.length < taker.count;
      if (isShort && !this.ending) return;
      this.takers.shift();
      if (isShort && this.ending && "error" in this.ending) taker.reject(this.ending.error);
      else taker.resolve(this.handOver(taker.count));
    }
  }

  private handOver(count: number): Group[] {
    const batch = this.groups.splice(0, count);
    this.taken += batch.length;
    for (const group of batch) {
      const age = this.ageOf(group);
      this.staleness.set(age, (this.staleness.get(age) ?? 0) + 1);
    }
    return batch;
  }

  private dropStale(): void {
    const { maxHeadOffpolicyness, onDrop } = this.options;
    const stale = this.groups.filter((group) => this.ageOf(group) > maxHeadOffpolicyness);
    if (stale.length === 0) return;
    this.groups = this.groups.filter((group) => !stale.includes(group));
    this.dropped += stale.length;
    for (const group of stale) onDrop(group);
  }

  /** Versions between its oldest token and now. */
  private ageOf({ trajectories }: Group): number {
    const oldest = Math.min(...trajectories.map((trajectory) => oldestVersion(trajectory) ?? this.version));
    return Number.isFinite(oldest) ? this.version - oldest : 0;
  }
}
