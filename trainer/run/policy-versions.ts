/**
 * Versions of the policy, which are train steps, and of the engine's weights, which are optimiser steps: several of these
 * make one of those. Only weights that were published are ever sampled with.
 */
export class PolicyVersions {
  private readonly byWeights = new Map<number, number>();

  /** To be told before the weights are handed to the generator. */
  publish(weights: number, version: number): void {
    this.byWeights.set(weights, version);
  }

  /** @throws {RangeError} weights that were not published */
  of(weights: number): number {
    const version = this.byWeights.get(weights);
    if (version !== undefined) return version;
    throw new RangeError(`expected the version of published weights, but received ${weights}`);
  }
}
