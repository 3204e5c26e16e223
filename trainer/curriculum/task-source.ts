/**
 * The contract of a task source, which chooses the next task. Its state is a small JSON value. A resumed run restores
 * the state and continues with exactly the same tasks.
 */

import { z } from "zod";
import { counted } from "../../server/formats/counted.js";
import { TrainerError } from "../errors.js";
import type { Played } from "../gym/gym.js";
import { mixed, shuffled } from "./shuffle.js";

export interface TaskSource {
  /** Takes the next task. A source never runs out of tasks. */
  next(): Played;
  /** Returns the state as plain JSON, to pass to the constructor of the source. */
  state(): unknown;
}

/** A range of a split's tasks. Training and held-out tasks may be ranges of the same split. */
export interface TaskRange {
  /** The environment as `id@version`. */
  readonly environment: string;
  readonly split: string;
  /** First index. Default 0. */
  readonly first?: number;
  /** Number of tasks, up to 2^53 - 1. */
  readonly count: number;
}

export interface ShuffledOptions {
  readonly seed: number;
  /**
   * - `each`, the default: a task has a different seed in each epoch
   * - `same`: a task always has the same seed, as in a benchmark
   */
  readonly seeds?: "each" | "same";
}

const State = z.strictObject({ epoch: z.int().min(0), position: z.int().min(0) });

/** A source with every task once per epoch, in a new order for each epoch. */
export class ShuffledTasks implements TaskSource {
  readonly #range: TaskRange;
  readonly #options: ShuffledOptions;
  #epoch: number;
  #position: number;

  /** @throws {TrainerError} TASKS_INVALID: the range is empty; STATE_MISMATCH */
  constructor(range: TaskRange, options: ShuffledOptions, state: unknown = { epoch: 0, position: 0 }) {
    const { environment, split, first = 0, count } = range;
    if (!(Number.isSafeInteger(first) && first >= 0 && Number.isSafeInteger(first + count) && count >= 1)) {
      throw new TrainerError(
        "TASKS_INVALID",
        `expected ${environment} ${split} to have tasks from index 0 to 2^53 - 1, but received ${count} from ${first}`,
      );
    }
    const parsed = State.safeParse(state);
    if (!parsed.success || parsed.data.position > count) {
      throw new TrainerError(
        "STATE_MISMATCH",
        `expected a state of ${counted(count, "task")} of ${environment} ${split}, but received ${JSON.stringify(state)}`,
      );
    }
    this.#range = range;
    this.#options = options;
    this.#epoch = parsed.data.epoch;
    this.#position = parsed.data.position;
  }

  next(): Played {
    const { environment, split, first = 0, count } = this.#range;
    if (this.#position === count) {
      this.#epoch += 1;
      this.#position = 0;
    }
    const index = first + shuffled(this.#position, count, this.#options.seed, this.#epoch);
    this.#position += 1;
    return { environment, split, index, seed: this.#seedOf(index) };
  }

  state(): unknown {
    return { epoch: this.#epoch, position: this.#position };
  }

  /** Returns the seed of a task, with 31 bits, which every environment accepts. */
  #seedOf(index: number): number {
    const { seed, seeds = "each" } = this.#options;
    return mixed(seed, index, seeds === "each" ? this.#epoch : 0) >>> 1;
  }
}
