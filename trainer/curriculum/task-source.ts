/**
 * Which task is played next. A source is a state machine whose state is a small JSON value: after a resume with it the
 * tasks that come are exactly those that would have come.
 */

import { z } from "zod";
import { TrainerError } from "../errors.js";
import type { Played } from "../gym/gym.js";
import { mixed, shuffled } from "./shuffle.js";

export interface TaskSource {
  /** There is always a next task. */
  next(): Played;
  /** Plain JSON, of which the source's constructor makes the same source again. */
  state(): unknown;
}

/** The tasks of one split, or a range of them: what is trained on and what is held out may be parts of one split. */
export interface TaskRange {
  /** `id@version` */
  readonly environment: string;
  readonly split: string;
  /** The first index. Default 0. */
  readonly first?: number;
  /** Up to 2^53 - 1: as many as there are seeds. */
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
  readonly #range: TaskRange;
  readonly #options: ShuffledOptions;
  #epoch: number;
  #position: number;

  /** @throws {TrainerError} there is no task, or the state is not one of it */
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
        `expected a state of ${count} tasks of ${environment} ${split}, but received ${JSON.stringify(state)}`,
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

  /** Of 31 bits, so that every environment takes it. */
  #seedOf(index: number): number {
    const { seed, seeds = "each" } = this.#options;
    return mixed(seed, index, seeds === "each" ? this.#epoch : 0) >>> 1;
  }
}
