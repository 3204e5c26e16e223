/** A mixture of task sources. The weights are fixed or scaled by learnability. */

import { z } from "zod";
import { counted } from "../../server/formats/counted.js";
import { TrainerError } from "../errors.js";
import type { Played } from "../gym/gym.js";
import type { BoundedTaskSet } from "../gym/task-set.js";
import type { Learnability } from "./learnability.js";
import { ShuffledTasks, type TaskSource } from "./task-source.js";

export interface Share {
  /** Weight above 0, relative to the sum of all weights. */
  readonly weight: number;
  /** Factor of the weight, called before each draw. Default 1. */
  scale?(): number;
  /** Creates the source. A resumed run passes the saved state. */
  source(state?: unknown): TaskSource;
}

const State = z.strictObject({ credits: z.array(z.number()), sources: z.array(z.unknown()) });

/**
 * Smooth weighted round robin: the next task comes from the source that is furthest behind its share. No draw is
 * random. While weights are equal, the number of tasks from a source differs from its share by at most one task for
 * each other source.
 */
export class Mixture implements TaskSource {
  readonly #shares: readonly Share[];
  readonly #sources: readonly TaskSource[];
  readonly #credits: number[];

  /** @throws {RangeError} a weight is not above 0 @throws {TrainerError} TASKS_INVALID, STATE_MISMATCH */
  constructor(shares: readonly Share[], state?: unknown) {
    if (shares.length === 0)
      throw new TrainerError("TASKS_INVALID", "expected at least one source of tasks, but received none");
    for (const { weight } of shares) {
      if (!(Number.isFinite(weight) && weight > 0)) {
        throw new RangeError(`expected weights above 0, but received ${weight}`);
      }
    }
    this.#shares = shares;
    const { credits, sources } = stateOf(shares.length, state);
    this.#credits = credits;
    this.#sources = shares.map((share, index) => share.source(sources[index]));
  }

  next(): Played {
    const weights = this.#shares.map((share) => share.weight * (share.scale?.() ?? 1));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let chosen = 0;
    for (const [index, weight] of weights.entries()) {
      this.#credits[index] = (this.#credits[index] as number) + weight / total;
      if ((this.#credits[index] as number) > (this.#credits[chosen] as number)) chosen = index;
    }
    this.#credits[chosen] = (this.#credits[chosen] as number) - 1;
    return (this.#sources[chosen] as TaskSource).next();
  }

  state(): unknown {
    return { credits: [...this.#credits], sources: this.#sources.map((source) => source.state()) };
  }
}

function stateOf(count: number, state: unknown): z.output<typeof State> {
  if (state === undefined) return { credits: new Array(count).fill(0), sources: new Array(count).fill(undefined) };
  const parsed = State.safeParse(state);
  if (parsed.success && parsed.data.credits.length === count && parsed.data.sources.length === count)
    return parsed.data;
  throw new TrainerError(
    "STATE_MISMATCH",
    `expected a state of ${counted(count, "source")}, but received ${JSON.stringify(state)}`,
  );
}

/** Mixes shuffled task sets by weight and, if given, by learnability. */
export function mixtureOf(
  sets: readonly BoundedTaskSet[],
  seed: number,
  state?: unknown,
  learnability?: Learnability,
): Mixture {
  const shares = sets.map(({ environment, split, first, last, weight }, set) => {
    const range = { environment, split, first, count: last - first + 1 };
    const scale = learnability && { scale: () => learnability.of(set) };
    return { weight, ...scale, source: (own?: unknown) => new ShuffledTasks(range, { seed }, own) };
  });
  return new Mixture(shares, state);
}
