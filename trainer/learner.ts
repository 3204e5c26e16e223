/** One train step: from a batch of groups to new weights, as the algorithm says. */
import type { LossStatistics, Scores, StepOptions, Trainer } from "../native/index.js";
import {
  type Algorithm,
  type Batch,
  type Credit,
  type CustomLoss,
  lossInputs,
  type ResolvedSettings,
  type Scored,
} from "./algorithms/index.js";
import { joined, packed, packOf, parted } from "./data/packing.js";
import { keyedRandom } from "./keyed-random.js";
import type { Group, Trajectory } from "./rollout/trajectory.js";

export interface LearnerSettings
  extends Pick<ResolvedSettings, "ppo_n_minibatches" | "update_epochs" | "temperature" | "entropy_coef" | "kl_ctl"> {
  readonly seed: number;
  /** The most tokens of one pass through the engine. */
  readonly max_tokens_per_mb: number;
}

/** What a train step was. */
export interface TrainStep {
  readonly credits: ReadonlyMap<Trajectory, Credit>;
  /** Trajectories that a gradient came of: the others had an advantage of 0. */
  readonly learntFrom: number;
  /** Tokens that went through the engine with their gradients, observations included. */
  readonly trainedTokens: number;
  readonly optimiserSteps: number;
  /** Those that were left out, since their gradient was not finite. */
  readonly notFinite: number;
  /** Of the last optimiser step, before clipping. */
  readonly gradientNorm: number;
  /** Of the last pass over the batch: its loss, a mean of its optimiser steps'. */
  readonly loss: number;
  /** Of the same pass, a part each pack. Empty where the loss is one that the engine does not know. */
  readonly losses: readonly LossStatistics[];
}

export class Learner {
  /**
   * @param reference the frozen policy, for an algorithm with a KL term
   * @param carried as `Algorithm.carry` gave it last
   */
  constructor(
    private readonly trainer: Trainer,
    private readonly algorithm: Algorithm,
    private readonly settings: LearnerSettings,
    private readonly reference?: Trainer | undefined,
    public carried?: number | undefined,
  ) {}

  /**
   * @param trainStep numbers the update: with the seed it gives the order in which trajectories are gone through
   * @param rule of each optimiser step
   */
  async learn(groups: readonly Group[], trainStep: number, rule: StepOptions): Promise<TrainStep> {
    const scored = await this.score(groups.flatMap(({ trajectories }) => trajectories));
    const carried = this.carried === undefined ? {} : { carried: this.carried };
    const batch: Batch = { groups, scored, ...carried };
    const credits = this.algorithm.credit(batch);
    this.carried = this.algorithm.carry?.(batch);
    const examples = [...credits]
      .filter(([, credit]) => this.teaches(credit))
      .map(([trajectory, credit]) => ({ ...trajectory, trajectory, credit, scored: scored.get(trajectory) }));
    const counts = { trainedTokens: 0, optimiserSteps: 0, notFinite: 0, gradientNorm: 0 };
    let last: Descent[] = [];
    for (let epoch = 0; epoch < this.settings.update_epochs; epoch++) {
      last = [];
      for (const minibatch of this.minibatches(examples, trainStep, epoch)) {
        const descent = await this.descend(minibatch, rule);
        last.push(descent);
        counts.trainedTokens += minibatch.reduce((sum, { tokens }) => sum + tokens.length, 0);
        counts.optimiserSteps += 1;
        counts.notFinite += Number(!Number.isFinite(descent.gradientNorm));
        counts.gradientNorm = descent.gradientNorm;
      }
    }
    const loss = last.reduce((sum, descent) => sum + descent.loss, 0) / Math.max(1, last.length);
    return { ...counts, credits, learntFrom: examples.length, loss, losses: last.flatMap(({ losses }) => losses) };
  }

  /** What the algorithm needs to know of each trajectory under the weights as they are now. */
  private async score(trajectories: readonly Trajectory[]): Promise<Map<Trajectory, Scored>> {
    const { proximal, reference, values } = this.algorithm.needs;
    const scored = new Map<Trajectory, Scored>();
    if (!proximal && !reference && !values) return scored;
    const { temperature, max_tokens_per_mb } = this.settings;
    for (const sequences of packed(trajectories, max_tokens_per_mb)) {
      const pack = packOf(sequences);
      const own = await this.trainer.score(pack, { temperature, value: values });
      const frozen = reference ? await this.referenceOf().score(pack, { temperature }) : undefined;
      for (const [at, one] of partsOf(own, frozen, pack.starts).entries()) scored.set(sequences[at] as Trajectory, one);
    }
    return scored;
  }

  private referenceOf(): Trainer {
    if (this.reference) return this.reference;
    throw new TypeError(`expected a reference policy for ${this.algorithm.name}, but received none`);
  }

  /** Whether a gradient comes of it. */
  private teaches({ advantages, weights, returns }: Credit): boolean {
    const { entropy_coef, kl_ctl } = this.settings;
    const always = entropy_coef !== 0 || kl_ctl > 0 || returns !== undefined;
    return weights.some((weight, token) => weight !== 0 && (always || advantages[token] !== 0));
  }

  /** Of about equally many trajectories each, in an order that follows from seed, train step and epoch. */
  private minibatches(examples: readonly Example[], trainStep: number, epoch: number): Example[][] {
    const random = keyedRandom(this.settings.seed, trainStep, epoch);
    const shuffled = [...examples];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const at = Math.floor(random() * (last + 1));
      [shuffled[last], shuffled[at]] = [shuffled[at] as Example, shuffled[last] as Example];
    }
    const size = Math.ceil(shuffled.length / this.settings.ppo_n_minibatches);
    return Array.from({ length: size && Math.ceil(shuffled.length / size) }, (_, at) =>
      shuffled.slice(at * size, (at + 1) * size),
    );
  }

  /** One optimiser step. */
  private async descend(minibatch: readonly Example[], rule: StepOptions): Promise<Descent> {
    const { loss } = this.algorithm;
    // A minibatch is a mean over its own tokens, as the batch is over all of them.
    const scale = 1 / minibatch.reduce((sum, { credit }) => sum + total(credit.weights), 0);
    const losses: LossStatistics[] = [];
    let custom = 0;
    for (const examples of packed(minibatch, this.settings.max_tokens_per_mb)) {
      if ("gradients" in loss) custom += await this.accumulateCustom(examples, loss, scale);
      else losses.push(await this.trainer.accumulate(packOf(examples), loss, this.inputs(examples, scale)));
    }
    const { gradientNorm } = await this.trainer.step(rule);
    return { gradientNorm, losses, loss: losses.reduce((sum, part) => sum + part.loss, custom) };
  }

  private inputs(examples: readonly Example[], scale: number) {
    const each = examples.map(({ trajectory, credit, scored }) => {
      const inputs = lossInputs(this.algorithm, trajectory, credit, scored);
      return { ...inputs, weight: credit.weights.map((weight) => weight * scale) };
    });
    const names = Object.keys(each[0] ?? {}) as (keyof (typeof each)[0])[];
    return Object.fromEntries(names.map((name) => [name, joined(each.map((inputs) => inputs[name] as Float32Array))]));
  }

  /** @returns the loss */
  private async accumulateCustom(examples: readonly Example[], loss: CustomLoss, scale: number): Promise<number> {
    const pack = packOf(examples);
    const { temperature } = loss;
    const wantsEntropy = this.settings.entropy_coef !== 0;
    const now = await this.trainer.score(pack, { temperature, entropy: wantsEntropy });
    const current = parted(now.logprob, pack.starts);
    const entropies = now.entropy && parted(now.entropy, pack.starts);
    const gradients = examples.map(({ trajectory, credit, scored }, at) =>
      loss.gradients(trajectory, credit, current[at] as Float32Array, entropies?.[at], scored),
    );
    const scaled = (column: Float32Array) => column.map((value) => value * scale);
    const logprob = joined(gradients.map((one) => scaled(one.logprob)));
    const ofEntropy = wantsEntropy && {
      entropy: joined(gradients.map(({ logprob, entropy }) => scaled(entropy ?? new Float32Array(logprob.length)))),
    };
    await this.trainer.accumulateGradients(pack, { logprob, ...ofEntropy }, { temperature });
    return gradients.reduce((sum, one) => sum + one.loss, 0) * scale;
  }
}

/** What one optimiser step was. */
interface Descent {
  readonly gradientNorm: number;
  readonly losses: readonly LossStatistics[];
  readonly loss: number;
}

function total(column: Float32Array): number {
  return column.reduce((sum, value) => sum + value, 0);
}

/** A trajectory with what it is worth. */
interface Example extends Trajectory {
  readonly trajectory: Trajectory;
  readonly credit: Credit;
  readonly scored: Scored | undefined;
}

function partsOf(own: Scores, frozen: Scores | undefined, starts: Int32Array): Scored[] {
  const reference = frozen && parted(frozen.logprob, starts);
  const values = own.value && parted(own.value, starts);
  return parted(own.logprob, starts).map((logprobs, at) => ({
    logprobs,
    ...(reference && { reference: reference[at] as Float32Array }),
    ...(values && { values: values[at] as Float32Array }),
  }));
}
