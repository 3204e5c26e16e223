/** A filter of tasks that are solved nearly always or hardly ever, since their groups teach nothing. */

import { z } from "zod";
import { TrainerError } from "../errors.js";
import type { Played } from "../gym/gym.js";
import type { TaskSource } from "./task-source.js";

export interface DifficultyOptions {
  /** Bounds of the success rates of tasks that are played, both included. Default 0.05 and 0.95. */
  readonly lowest?: number;
  readonly highest?: number;
  /** Number of episodes below which a task is played in any case. Default 8. */
  readonly evidence?: number;
  /**
   * Train steps in which evidence fades to half, so tasks that were left out are tried again by a policy that has
   * changed. Default 100.
   */
  readonly halfLife?: number;
}

const Entry = z.strictObject({ solved: z.number().min(0), played: z.number().min(0), trainStep: z.number().min(0) });
const State = z.record(z.string(), Entry);
type Entry = z.output<typeof Entry>;

/** Evidence about each task. It depends on the observations and their order alone. */
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
      throw new RangeError(`expected evidence and halfLife above 0, but received ${evidence} and ${halfLife}`);
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

  /** Records an episode of a task. Failed episodes are not recorded. */
  observe(task: Played, isSolved: boolean, trainStep: number): void {
    const { solved, played } = this.#faded(task, trainStep);
    this.#entries.set(keyOf(task), { solved: solved + Number(isSolved), played: played + 1, trainStep });
  }

  /** Whether the task is to be played. */
  admits(task: Played, trainStep: number): boolean {
    const { lowest, highest, evidence } = this.#options;
    const { solved, played } = this.#faded(task, trainStep);
    if (played < evidence) return true;
    const rate = solved / played;
    return rate >= lowest && rate <= highest;
  }

  /** State as plain JSON. */
  state(): unknown {
    return Object.fromEntries(this.#entries);
  }

  #faded(task: Played, trainStep: number): { solved: number; played: number } {
    const entry = this.#entries.get(keyOf(task));
    if (!entry) return { solved: 0, played: 0 };
    // Episodes of an asynchronous run may arrive out of order; none is from the future.
    const kept = 0.5 ** (Math.max(0, trainStep - entry.trainStep) / this.#options.halfLife);
    return { solved: entry.solved * kept, played: entry.played * kept };
  }
}

/** Key of a task, without the seed: all seeds of a task share its evidence. */
function keyOf({ environment, split, index }: Played): string {
  return `${environment} ${split} ${index}`;
}

export interface FilteredOptions {
  readonly filter: DifficultyFilter;
  trainStep(): number;
  /** Most tasks to skip in a row; the next one is played whatever its success rate. */
  readonly patience: number;
}

/** A source without the tasks that the filter leaves out. If the filter leaves out all, some are played anyway. */
export class FilteredTasks implements TaskSource {
  readonly #source: TaskSource;
  readonly #options: FilteredOptions;

  /** The state of the filter is not part of this source's state. */
  constructor(source: TaskSource, options: FilteredOptions) {
    this.#source = source;
    this.#options = options;
  }

  next(): Played {
    const { filter, patience } = this.#options;
    const trainStep = this.#options.trainStep();
    for (let passed = 0; passed < patience; passed++) {
      const task = this.#source.next();
      if (filter.admits(task, trainStep)) return task;
    }
    return this.#source.next();
  }

  state(): unknown {
    return this.#source.state();
  }
}
