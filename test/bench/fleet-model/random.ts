/** Random numbers of a simulation, the same for the same seed. */
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";

export class Random {
  private readonly twister: MersenneTwister;

  constructor(seed: number) {
    this.twister = new MersenneTwister(seed);
  }

  /** Returns a number in [0, 1). */
  next(): number {
    return this.twister.random();
  }

  /** Returns an integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Returns a value of a distribution. @param quantiles values at evenly spaced probabilities from 0 to 1 */
  of(quantiles: readonly number[]): number {
    const at = this.next() * (quantiles.length - 1);
    const low = Math.floor(at);
    const [from = 0, to = from] = [quantiles[low], quantiles[low + 1]];
    return from + (at - low) * (to - from);
  }
}
