/**
 * How much each set of tasks teaches at the moment: p (1 - p) of its success rate p within a group, by which a group's
 * members differ from their mean (Tzannetos et al. 2023, "Proximal Curriculum for RL Agents"; Rutherford et al. 2024,
 * "No Regrets"). What is always solved, and what never is, teaches nothing.
 */

import { z } from "zod";
import { TrainerError } from "../errors.js";

export interface LearnabilityOptions {
  /** Groups after which an observation counts for 1/e. Default 24. */
  readonly memory?: number;
  /** Of the most that a set can teach: none counts for less, so that it is noticed when a set begins to teach. Default 0.05. */
  readonly least?: number;
}

const State = z.array(z.number().min(0).max(1));

export class Learnability {
  readonly #memory: number;
  readonly #least: number;
  readonly #means: number[];

  /** @throws {RangeError} options out of range, or the state of other sets */
  constructor(sets: number, { memory = 24, least = 0.05 }: LearnabilityOptions = {}, state?: unknown) {
    if (!(memory >= 1 && least > 0 && least <= 1)) {
      throw new RangeError(`expected memory from 1 up and least in (0, 1], but received ${memory} and ${least}`);
    }
    this.#memory = memory;
    this.#least = least;
    const parsed = State.safeParse(state ?? new Array(sets).fill(1));
    if (!parsed.success || parsed.data.length !== sets) {
      throw new TrainerError(
        "STATE_MISMATCH",
        `expected the learnability of ${sets} sets, but received ${JSON.stringify(state)}`,
      );
    }
    this.#means = parsed.data;
  }

  /** @param solved share of a group's trajectories, 0 to 1 */
  observe(set: number, solved: number): void {
    const mean = this.#means[set] as number;
    this.#means[set] = mean + (4 * solved * (1 - solved) - mean) / this.#memory;
  }

  /** From `least` to 1, which is where a set that nobody has seen yet begins. */
  of(set: number): number {
    return Math.max(this.#least, this.#means[set] as number);
  }

  /** Plain JSON. */
  state(): unknown {
    return [...this.#means];
  }
}
