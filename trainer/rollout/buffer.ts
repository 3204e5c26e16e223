/**
 * A queue of groups that wait to be learned from. The groups that started first are taken first. A batch waits for the
 * running groups that would be too old for the next one.
 */

import { counted } from "../../server/formats/counted.js";
import { type Group, oldestVersion } from "./trajectory.js";

export interface BufferOptions {
  /** Maximum number of groups in the buffer. */
  readonly capacity: number;
  /**
   * Returns whether a batch has to wait for running groups. Call `serve` when this may have changed.
   *
   * @param rest versions at which the groups started that the batch would leave in the buffer
   */
  isHeld(rest: readonly number[]): boolean;
}

interface Waiting {
  readonly group: Group;
  /** Version of the weights at which the group started. */
  readonly begun: number;
}

export interface BufferStatistics {
  readonly size: number;
  readonly capacity: number;
  readonly put: number;
  readonly taken: number;
  /** Number of taken groups, by the staleness of their oldest token. */
  readonly staleness: ReadonlyMap<number, number>;
}

interface Taker {
  readonly count: number;
  resolve(groups: Group[]): void;
  reject(error: unknown): void;
}

export class RolloutBuffer {
  private groups: Waiting[] = [];
  private readonly takers: Taker[] = [];
  private readonly staleness = new Map<number, number>();
  private version = 0;
  private puts = 0;
  private taken = 0;
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
    const { size, capacity, puts: put, taken } = this;
    return { size, capacity, put, taken, staleness: new Map(this.staleness) };
  }

  /**
   * Adds a group.
   *
   * @param begun version of the weights at which the group started
   * @throws {RangeError} the buffer is full; callers have to respect the capacity
   */
  put(group: Group, begun: number): void {
    if (this.size >= this.capacity)
      throw new RangeError(`The buffer is full: it has ${counted(this.capacity, "group")}.`);
    this.puts += 1;
    this.groups.push({ group, begun });
    this.serve();
  }

  /** Sets the version of the weights. */
  advance(version: number): void {
    this.version = version;
  }

  /**
   * Takes the `count` groups that started first, once the buffer has so many and no running group has to be among them; or
   * fewer groups after `end`. Waiting callers are served in the order of their calls.
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

  /** Hands over batches to waiting callers, if possible. */
  serve(): void {
    for (let taker = this.takers[0]; taker; taker = this.takers[0]) {
      const isShort = this.groups.length < taker.count;
      if ((isShort || this.isHeld(taker.count)) && !this.ending) return;
      this.takers.shift();
      if (isShort && this.ending && "error" in this.ending) taker.reject(this.ending.error);
      else taker.resolve(this.handOver(taker.count));
    }
  }

  /** Groups by their start. The sort is stable: of groups that started at the same version, those that ended first come first. */
  private get inOrder(): Waiting[] {
    return [...this.groups].sort((a, b) => a.begun - b.begun);
  }

  private isHeld(count: number): boolean {
    return this.options.isHeld(this.inOrder.slice(count).map(({ begun }) => begun));
  }

  private handOver(count: number): Group[] {
    const batch = this.inOrder.slice(0, count).map(({ group }) => group);
    this.groups = this.inOrder.slice(count);
    this.taken += batch.length;
    for (const group of batch) {
      const age = this.ageOf(group);
      this.staleness.set(age, (this.staleness.get(age) ?? 0) + 1);
    }
    return batch;
  }

  /** Returns the staleness of the group's oldest token, in versions. */
  private ageOf({ trajectories }: Group): number {
    const oldest = Math.min(...trajectories.map((trajectory) => oldestVersion(trajectory) ?? this.version));
    return Number.isFinite(oldest) ? this.version - oldest : 0;
  }
}
