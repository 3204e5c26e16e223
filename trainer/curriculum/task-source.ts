/**
 * Which task is played next. A source is a state machine whose state is a small JSON value: after a resume with it the
 * tasks that come are exactly those that would have come.
 */
import { z } from "zod";
import type { Played } from "../rollout/trajectory.js";
import { mixed, shuffled } from "./shuffle.js";

export interface TaskSource {
  /** There is always a next task. */
  next(): Played;
  /** Plain JSON, of which the source's constructor makes the same source again. */
  state(): unknown;
}

/** The tasks of one split. */
export interface TaskSplit {
  /** `id@version` */
  readonly environment: string;
  readonly split: string;
  readonly count: number;
}

export interface ShuffledOptions {
  readonly seed: number;
  /**
   * - `each`, the default: whenever a task comes again it has another seed of its own
   * - `same`: a task has one seed for ever, as on a benchmark
   */
  readonly seeds?: "each" | "same";
}

const State = z.strictObject({ epoch: z.int().min(0), position: z.int().min(0) });

/** Every task once an epoch, each epoch in another order. */
export class ShuffledTasks implements TaskSource {
  readonly #split: TaskSplit;
  readonly #options: ShuffledOptions;
  #epoch: number;
  #position: number;
  #order: Uint32Array;

  /** @throws {RangeError} the split has no task, or the state is not one of it */
  constructor(split: TaskSplit, options: ShuffledOptions, state: unknown = { epoch: 0, position: 0 }) {
    const { environment, split: name, count } = split;
    if (!(Number.isSafeInteger(count) && count >= 1 && count <= 2 ** 32)) {
      throw new RangeError(`expected ${environment} ${name} to have 1 to 2^32 tasks, but received ${count}`);
    }
    const parsed = State.safeParse(state);
    if (!parsed.success || parsed.data.position > count) {
      throw new RangeError(
        `expected a state of ${count} tasks of ${environment} ${name}, but received ${JSON.stringify(state)}`,
      );
    }
    this.#split = split;
    this.#options = options;
    this.#epoch = parsed.data.epoch;
    this.#position = parsed.data.position;
    this.#order = shuffled(count, options.seed, this.#epoch);
  }

  next(): Played {
    const { environment, split, count } = this.#split;
    if (this.#position === count) {
      this.#epoch += 1;
      this.#position = 0;
      this.#order = shuffled(count, this.#options.seed, this.#epoch);
    }
    const index = this.#order[this.#position] as number;
    this.#position += 1;
    return { environment, split, index, seed: this.#seedOf(index) };
  }

  state(): unknown {
    return { epoch: this.#epoch, position: this.#position };
  }

  /** Of 31 bits, so that every environment takes it. */
  #seedOf(index: number): number {
    const { seed, seeds = "each" } = this.#options;
    return mixed(seed, index, seeds === "each" ? this.#epoch : 0) >>> 1;
  }
}
