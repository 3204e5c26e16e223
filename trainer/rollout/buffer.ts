/**
 * A first-in, first-out queue of groups that wait to be learned from. It drops groups that are too old: admission
 * limits the staleness on average, the buffer limits the staleness of each token.
 */
import { type Group, oldestVersion } from "./trajectory.js";

export interface BufferOptions {
  /** Maximum number of groups in the buffer. */
  readonly capacity: number;
  /** eta: maximum number of versions between a token and the weights that learn from it. */
  readonly maxHeadOffpolicyness: number;
  /** Called with each dropped group, after its removal. */
  onDrop(group: Group): void;
}

export interface BufferStatistics {
  readonly size: number;
  readonly capacity: number;
  readonly put: number;
  readonly taken: number;
  readonly dropped: number;
  /** Number of taken groups, by the staleness of their oldest token. */
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
      throw new RangeError(`expected a capacity of at least 1, but received ${options.capacity}`);
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

  /** Adds a group. @throws {RangeError} the buffer is full; callers have to respect the capacity */
  put(group: Group): void {
    if (this.size >= this.capacity) throw new RangeError(`The buffer is full: it has ${this.capacity} groups.`);
    this.puts += 1;
    this.groups.push(group);
    this.serve();
  }

  /** Sets the version of the weights and drops groups that are now too old. */
  advance(version: number): void {
    this.version = version;
    this.dropStale();
  }

  /**
   * Takes the oldest `count` groups once the buffer has so many, or fewer groups after `end`. Waiting callers are
   * served in the order of their calls.
   *
   * @throws the error passed to `fail`, or the signal's reason
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

  /** Ends the buffer: waiting callers receive the remaining groups. */
  end(): void {
    this.ending ??= {};
    this.serve();
  }

  /** Fails the buffer: waiting callers receive the error. */
  fail(error: unknown): void {
    // Only the first error is reported.
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

  /** Returns the staleness of the group's oldest token, in versions. */
  private ageOf({ trajectories }: Group): number {
    const oldest = Math.min(...trajectories.map((trajectory) => oldestVersion(trajectory) ?? this.version));
    return Number.isFinite(oldest) ? this.version - oldest : 0;
  }
}
