/**
 * Learnability of task sets: p (1 - p) with the success rate p, which is the variance of success within a group
 * (Tzannetos et al. 2023, "Proximal Curriculum for RL Agents"; Rutherford et al. 2024, "No Regrets"). Tasks that are
 * always or never solved have no gradient.
 */

import { z } from "zod";
import { counted } from "../../server/formats/counted.js";
import { TrainerError } from "../errors.js";

export interface LearnabilityOptions {
  /** Number of groups after which the weight of an observation falls to 1/e. Default 24. */
  readonly memory?: number;
  /**
   * Lower bound of a set's learnability, so that each set is still played and an improvement is noticed. Default 0.05.
   */
  readonly least?: number;
}

/** Mean of each set, and the number of its groups, which checkpoints of older versions do not have. */
const State = z.union([
  z.object({ means: z.array(z.number().min(0).max(1)), groups: z.array(z.int().min(0)) }),
  z.array(z.number().min(0).max(1)).transform((means) => ({ means, groups: means.map(() => Number.MAX_SAFE_INTEGER) })),
]);

export class Learnability {
  readonly #memory: number;
  readonly #least: number;
  readonly #means: number[];
  readonly #groups: number[];

  /** @throws {RangeError} the options are out of range @throws {TrainerError} STATE_MISMATCH */
  constructor(sets: number, { memory = 24, least = 0.05 }: LearnabilityOptions = {}, state?: unknown) {
    if (!(memory >= 1 && least > 0 && least <= 1)) {
      throw new RangeError(
        `expected \`memory\` to be at least 1 and \`least\` to be above 0 and at most 1, but received ${memory} and ${least}`,
      );
    }
    this.#memory = memory;
    this.#least = least;
    const parsed = State.safeParse(state ?? { means: new Array(sets).fill(1), groups: new Array(sets).fill(0) });
    if (!parsed.success || parsed.data.means.length !== sets) {
      throw new TrainerError(
        "STATE_MISMATCH",
        `expected the learnability of ${counted(sets, "set")}, but received ${JSON.stringify(state)}`,
      );
    }
    ({ means: this.#means, groups: this.#groups } = parsed.data);
  }

  /**
   * Records a group. The first groups of a set count more, so that of many sets those without a gradient are found early:
   * the value before the first group counts as one group.
   *
   * @param solved share of the group's trajectories that are solved, 0 to 1
   */
  observe(set: number, solved: number): void {
    const mean = this.#means[set] as number;
    const groups = (this.#groups[set] as number) + 1;
    this.#groups[set] = groups;
    this.#means[set] = mean + (4 * solved * (1 - solved) - mean) / Math.min(this.#memory, groups + 1);
  }

  /** Returns the learnability of a set, from `least` to 1. A new set starts at 1. */
  of(set: number): number {
    return Math.max(this.#least, this.#means[set] as number);
  }

  /** State as plain JSON. */
  state(): unknown {
    return { means: [...this.#means], groups: [...this.#groups] };
  }
}
