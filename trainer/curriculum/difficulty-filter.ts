/** Filters out tasks that are almost always or almost never solved, since their groups have no gradient. */

import { z } from "zod";
import { TrainerError } from "../errors.js";
import type { Played } from "../gym/gym.js";
import type { TaskSource } from "./task-source.js";

export interface DifficultyOptions {
  /** Lowest success rate of tasks that are played; the next field is the highest. Default 0.05 and 0.95. */
  readonly lowest?: number;
  readonly highest?: number;
  /** Number of episodes that a task needs before it can be filtered out. Default 8. */
  readonly evidence?: number;
  /**
   * Number of train steps after which evidence counts half. Tasks that were filtered out are thus tried again with a
   * newer policy. Default 100.
   */
  readonly halfLife?: number;
}

const Entry = z.strictObject({ solved: z.number().min(0), played: z.number().min(0), trainStep: z.number().min(0) });
const State = z.record(z.string(), Entry);
type Entry = z.output<typeof Entry>;

/**
 * Success rates of tasks, with a decision for each task. The state depends only on the observations and their order.
 */
export class DifficultyFilter {
  readonly #options: Required<DifficultyOptions>;
  readonly #entries: Map<string, Entry>;

  /** @throws {RangeError} the options are out of range @throws {TrainerError} STATE_MISMATCH */
  constructor(
    { lowest = 0.05, highest = 0.95, evidence = 8, halfLife = 100 }: DifficultyOptions = {},
    state: unknown = {},
  ) {
    if (!(lowest >= 0 && lowest <= highest && highest <= 1)) {
      throw new RangeError(`expected success rates 0 <= lowest <= highest <= 1, but received ${lowest} and ${highest}`);
    }
    if (!(evidence > 0 && halfLife > 0)) {
      throw new RangeError(`expected evidence and halfLife greater than 0, but received ${evidence} and ${halfLife}`);
    }
    const parsed = State.safeParse(state);
    if (!parsed.success) {
      throw new TrainerError(
        "STATE_MISMATCH",
        `expected the state of a difficulty filter, but received ${JSON.stringify(state)}`,
      );
    }
    this.#options = { lowest, highest, evidence, halfLife };
    this.#entries = new Map(Object.entries(parsed.data));
  }

  /**
   * Records an episode of a task. Failed episodes are not recorded.
   *
   * @param solved whether the episode counts as solved, or a share
   * @param seat seat of the player, if the environment has seats
   */
  observe(task: Played, solved: boolean | number, trainStep: number, seat?: string): void {
    const before = this.#faded(task, trainStep, seat);
    const counts = { solved: before.solved + Number(solved), played: before.played + 1 };
    this.#entries.set(keyOf(task, seat), { ...counts, trainStep });
  }

  /** Returns whether the task is to be played, in one of the seats if there are several. */
  admits(task: Played, trainStep: number, seats: readonly (string | undefined)[] = [undefined]): boolean {
    return seats.some((seat) => this.#admitsSeat(task, trainStep, seat));
  }

  #admitsSeat(task: Played, trainStep: number, seat: string | undefined): boolean {
    const { lowest, highest, evidence } = this.#options;
    const { solved, played } = this.#faded(task, trainStep, seat);
    if (played < evidence) return true;
    const rate = solved / played;
    return rate >= lowest && rate <= highest;
  }

  /** State as plain JSON. */
  state(): unknown {
    return Object.fromEntries(this.#entries);
  }

  #faded(task: Played, trainStep: number, seat: string | undefined): { solved: number; played: number } {
    const entry = this.#entries.get(keyOf(task, seat));
    if (!entry) return { solved: 0, played: 0 };
    // Episodes of an asynchronous run may arrive out of order, so the newest entry may have a later train step.
    const kept = 0.5 ** (Math.max(0, trainStep - entry.trainStep) / this.#options.halfLife);
    return { solved: entry.solved * kept, played: entry.played * kept };
  }
}

/** Returns the key of a task, without the seed: the evidence of all seeds of a task is combined. */
function keyOf({ environment, split, index }: Played, seat: string | undefined): string {
  return `${environment} ${split} ${index}${seat === undefined ? "" : ` ${seat}`}`;
}

export interface FilteredOptions {
  readonly filter: DifficultyFilter;
  trainStep(): number;
  /** Returns the seats in which a task can be played. Default: the environment has one player. */
  seatsOf?(task: Played): readonly string[] | undefined;
  /** Maximum number of tasks to skip in a row. The task after them is played regardless of its success rate. */
  readonly patience: number;
}

/** A task source that skips the tasks which the filter refuses, but at most `patience` tasks in a row. */
export class FilteredTasks implements TaskSource {
  readonly #source: TaskSource;
  readonly #options: FilteredOptions;

  /** Creates the source. Its state does not include the state of the filter. */
  constructor(source: TaskSource, options: FilteredOptions) {
    this.#source = source;
    this.#options = options;
  }

  next(): Played {
    const { filter, seatsOf, patience } = this.#options;
    const trainStep = this.#options.trainStep();
    for (let passed = 0; passed < patience; passed++) {
      const task = this.#source.next();
      if (filter.admits(task, trainStep, seatsOf?.(task))) return task;
    }
    return this.#source.next();
  }

  state(): unknown {
    return this.#source.state();
  }
}
