/** What a train step was: counts, and means over its tokens. */
import type { LossStatistics } from "../native/index.js";

export interface TrainStepStatistics {
  /** Trajectories that taught something, of those of the batch; the others had an advantage of 0. */
  readonly learntFrom: number;
  readonly trajectories: number;
  /** Tokens that went through the engine with their gradients, observations included; and sampled ones among them. */
  readonly trainedTokens: number;
  readonly sampledTokens: number;
  readonly optimiserSteps: number;
  /** Means over sampled tokens: of the last pass over the batch; nats. */
  readonly entropy: number;
  readonly clipped: number;
  readonly proximalKl: number;
  readonly behaviourWeight: number;
  readonly loss: number;
  /** Of the last optimiser step, before clipping. */
  readonly gradientNorm: number;
  /** Optimiser steps that were left out since their gradient was not finite. */
  readonly notFinite: number;
}

type Pass = Pick<
  TrainStepStatistics,
  "trainedTokens" | "sampledTokens" | "entropy" | "clipped" | "proximalKl" | "behaviourWeight" | "loss"
>;

/** Of the pass over the batch that is under way; sums, not means. */
const nothing: Pass = {
  trainedTokens: 0,
  sampledTokens: 0,
  entropy: 0,
  clipped: 0,
  proximalKl: 0,
  behaviourWeight: 0,
  loss: 0,
};

export class TrainStepSums {
  private pass: Pass = nothing;
  private trainedTokens = 0;
  private optimiserSteps = 0;
  private notFinite = 0;
  private gradientNorm = 0;

  beginPass(): void {
    this.trainedTokens += this.pass.trainedTokens;
    this.pass = nothing;
  }

  /** @param tokens that went through the engine */
  add(tokens: number, { entropy, clippedLow, clippedHigh, ...sums }: LossStatistics): void {
    const { pass } = this;
    this.pass = {
      trainedTokens: pass.trainedTokens + tokens,
      sampledTokens: pass.sampledTokens + sums.tokens,
      entropy: pass.entropy + entropy,
      clipped: pass.clipped + clippedLow + clippedHigh,
      proximalKl: pass.proximalKl + sums.proximalKl,
      behaviourWeight: pass.behaviourWeight + sums.behaviourWeight,
      loss: pass.loss + sums.loss,
    };
  }

  /** Of a loss that the engine does not know. @param entropies where they were asked for */
  addCustom({ tokens, mask }: { tokens: Int32Array; mask: Uint8Array }, loss: number, entropies?: Float32Array): void {
    const { pass } = this;
    this.pass = {
      ...pass,
      trainedTokens: pass.trainedTokens + tokens.length,
      sampledTokens: pass.sampledTokens + mask.reduce((sum, one) => sum + one, 0),
      entropy: pass.entropy + (entropies?.reduce((sum, one) => sum + one, 0) ?? 0),
      loss: pass.loss + loss,
    };
  }

  stepped(gradientNorm: number): void {
    this.optimiserSteps += 1;
    if (!Number.isFinite(gradientNorm)) this.notFinite += 1;
    this.gradientNorm = gradientNorm;
  }

  /** @param learntFrom trajectories, of all those with an advantage */
  statistics(learntFrom: number, trajectories: number): TrainStepStatistics {
    const { pass, optimiserSteps, notFinite, gradientNorm } = this;
    const mean = (sum: number) => (pass.sampledTokens > 0 ? sum / pass.sampledTokens : 0);
    return {
      learntFrom,
      trajectories,
      trainedTokens: this.trainedTokens + pass.trainedTokens,
      sampledTokens: pass.sampledTokens,
      optimiserSteps,
      entropy: mean(pass.entropy),
      clipped: mean(pass.clipped),
      proximalKl: mean(pass.proximalKl),
      behaviourWeight: mean(pass.behaviourWeight),
      loss: pass.loss,
      gradientNorm,
      notFinite,
    };
  }
}
