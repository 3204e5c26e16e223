/** One train step: updates the weights with the loss of an algorithm over a batch of groups. */
import type { Loss, LossInputs, LossStatistics, Scores, StepOptions } from "../native/api/index.js";
import {
  type Algorithm,
  type Batch,
  type Credit,
  type CustomLoss,
  type Estimates,
  lossInputs,
  type ResolvedSettings,
} from "./algorithms/index.js";
import type { PolicyTrainer, Scorer } from "./backends/backend.js";
import { type Dealt, type MinibatchSettings, minibatchesOf } from "./data/minibatches.js";
import { packed, RowPack } from "./data/packing.js";
import type { Teacher } from "./policy/teacher.js";
import { bySeat, episodesOf, type Group, type Trajectory } from "./rollout/trajectory.js";

export interface LearnerSettings
  extends MinibatchSettings,
    Pick<ResolvedSettings, "update_epochs" | "temperature" | "entropy_coef" | "kl_ctl"> {
  /** Maximum number of tokens in one pass through the engine. */
  readonly max_tokens_per_mb: number;
}

/** Report of a train step. */
export interface TrainStep {
  readonly credits: ReadonlyMap<Trajectory, Credit>;
  /** Number of rows that have a gradient. Rows with an advantage of 0 only count in the loss's denominator. */
  readonly learntFrom: number;
  /** Number of tokens of the rows for which the engine computed gradients, observations included. */
  readonly trainedTokens: number;
  /** The same, with the tokens that rows of a pack share counted once. */
  readonly computedTokens: number;
  readonly optimiserSteps: number;
  /** Number of optimizer steps that were skipped because their gradient was not finite. */
  readonly notFinite: number;
  /** Gradient norm of the last optimizer step, before clipping; undefined if the backend does not tell it. */
  readonly gradientNorm: number | undefined;
  /** The same of a separate critic; undefined without one. */
  readonly criticGradientNorm?: number | undefined;
  /** Reverse KL from the policy to the teacher in nats, the mean of the sampled tokens; undefined without a teacher. */
  readonly teacherKl?: number | undefined;
  /** Loss of the batch in the last pass over it, without that of a separate critic. */
  readonly loss: number;
  /** Statistics of the loss for each pack. Empty for a loss that the engine does not compute itself. */
  readonly losses: readonly LossStatistics[];
}

/** Models of a run besides the policy. */
export interface OtherModels {
  /** Frozen policy, for an algorithm with a KL term. */
  readonly reference?: Scorer | undefined;
  /** Teacher, for on-policy distillation. */
  readonly teacher?: Teacher | undefined;
  /** Critic with weights of its own, for an algorithm with `criticLoss`. */
  readonly critic?: PolicyTrainer | undefined;
}

export class Learner {
  /** @param carried last result of `Algorithm.carry` */
  constructor(
    private readonly trainer: PolicyTrainer,
    private readonly algorithm: Algorithm,
    private readonly settings: LearnerSettings,
    private readonly others: OtherModels = {},
    public carried?: number | undefined,
  ) {}

  /**
   * Runs a train step on a batch of groups.
   *
   * @param trainStep number of the train step, which determines the order of the episodes together with the seed
   * @param rule options of each optimizer step
   * @param criticRule options of each optimizer step of a separate critic
   */
  async learn(
    played: readonly Group[],
    trainStep: number,
    rule: StepOptions,
    criticRule: StepOptions = rule,
  ): Promise<TrainStep> {
    const groups = played.flatMap(bySeat);
    const estimates = await this.estimate(groups.flatMap(({ trajectories }) => trajectories));
    const carried = this.carried === undefined ? {} : { carried: this.carried };
    const batch: Batch = { groups, estimates, ...carried };
    const credits = this.algorithm.credit(batch);
    this.carried = this.algorithm.carry?.(batch);
    const episodes = this.creditedEpisodes(credits, estimates);
    const counts = { trainedTokens: 0, computedTokens: 0, optimiserSteps: 0, notFinite: 0 };
    let last: Descent[] = [];
    for (let epoch = 0; epoch < this.settings.update_epochs; epoch++) {
      last = [];
      for (const { episodes: dealt, share } of minibatchesOf(episodes, this.settings, trainStep, epoch)) {
        const examples = dealt.flatMap((episode) => episode.examples);
        const descent = await this.descend(examples, share, { rule, criticRule });
        last.push(descent);
        counts.trainedTokens += examples.reduce((sum, { tokens }) => sum + tokens.length, 0);
        counts.computedTokens += descent.computedTokens;
        counts.optimiserSteps += 1;
        counts.notFinite += Number(!Number.isFinite(descent.gradientNorm ?? 0));
        counts.notFinite += Number(!Number.isFinite(descent.criticGradientNorm ?? 0));
      }
    }
    const learntFrom = episodes.reduce((sum, { examples }) => sum + examples.length, 0);
    const { gradientNorm, criticGradientNorm } = last.at(-1) ?? { gradientNorm: 0, criticGradientNorm: undefined };
    const norms = { gradientNorm, criticGradientNorm };
    const loss = last.reduce((sum, descent) => sum + descent.loss, 0);
    const teacherKl = this.algorithm.needs.teacher && meanTeacherKl(estimates);
    return { ...counts, ...norms, credits, learntFrom, loss, teacherKl, losses: last.flatMap(({ losses }) => losses) };
  }

  /** Computes the log-probabilities and values of each row that the algorithm needs, under the current weights. */
  private async estimate(trajectories: readonly Trajectory[]): Promise<Map<Trajectory, Estimates>> {
    const { proximal, reference, values } = this.algorithm.needs;
    const hasCritic = this.algorithm.criticLoss !== undefined;
    const estimates = await this.taught(trajectories);
    if (!proximal && !reference && !values && !hasCritic) return estimates;
    const { temperature, max_tokens_per_mb } = this.settings;
    for (const sequences of packed(trajectories, max_tokens_per_mb, this.shares)) {
      const rows = RowPack.of(sequences, this.shares);
      const { pack } = rows;
      const own: Partial<Scores> =
        proximal || values ? await this.trainer.score(pack, { temperature, value: values }) : {};
      const frozen: Partial<Scores> = reference ? await this.model("reference").score(pack, { temperature }) : {};
      const critic: Partial<Scores> = hasCritic ? await this.model("critic").score(pack, { value: true }) : own;
      const columns = { logprobs: own.logprob, reference: frozen.logprob, values: critic.value };
      for (const [at, one] of partsOf(columns, rows).entries()) {
        const row = sequences[at] as Trajectory;
        estimates.set(row, { ...estimates.get(row), ...one });
      }
    }
    return estimates;
  }

  /** Whether rows share the tokens with which they begin: all models must take such packs. */
  private get shares(): boolean {
    const { reference, critic } = this.others;
    return [this.trainer, reference, critic].every((model) => model === undefined || model.takesParents === true);
  }

  /** Lets the teacher score the rows, if the algorithm has one. */
  private async taught(trajectories: readonly Trajectory[]): Promise<Map<Trajectory, Estimates>> {
    if (!this.algorithm.needs.teacher) return new Map();
    const scores = await this.model("teacher").logprobs(trajectories);
    return new Map(trajectories.map((row, at) => [row, { teacher: scores[at] as Float32Array }]));
  }

  private model<Name extends keyof OtherModels>(name: Name): NonNullable<OtherModels[Name]> {
    const model = this.others[name];
    if (model) return model;
    throw new TypeError(`expected a ${name} for ${this.algorithm.name}, but received none`);
  }

  private creditedEpisodes(
    credits: ReadonlyMap<Trajectory, Credit>,
    estimates: ReadonlyMap<Trajectory, Estimates>,
  ): CreditedEpisode[] {
    return episodesOf([...credits.keys()]).map((rows) => {
      const all = rows.map((trajectory) => {
        const credit = credits.get(trajectory) as Credit;
        return { ...trajectory, trajectory, credit, estimates: estimates.get(trajectory) };
      });
      const examples = all.filter(({ credit }) => this.teaches(credit));
      return { rows, examples, teaches: examples.length > 0 };
    });
  }

  /** Returns whether a row has a gradient. */
  private teaches({ advantages, weights, returns }: Credit): boolean {
    const { entropy_coef, kl_ctl } = this.settings;
    const always = entropy_coef !== 0 || kl_ctl > 0 || returns !== undefined;
    return weights.some((weight, token) => weight !== 0 && (always || advantages[token] !== 0));
  }

  /**
   * Makes one optimizer step. The tokens' weights in the batch's loss, divided by the minibatch's share of the
   * normalizer, give the same loss over the minibatch alone, as in verl and TRL.
   */
  private async descend(minibatch: readonly Example[], share: number, { rule, criticRule }: Rules): Promise<Descent> {
    const { loss, criticLoss } = this.algorithm;
    const losses: LossStatistics[] = [];
    let custom = 0;
    let computedTokens = 0;
    for (const examples of packed(minibatch, this.settings.max_tokens_per_mb, this.shares)) {
      const rows = RowPack.of(examples, this.shares);
      computedTokens += rows.pack.tokens.length;
      if ("gradients" in loss) custom += await this.accumulateCustom(examples, rows, loss, 1 / share);
      else losses.push(await this.accumulate(examples, rows, loss, 1 / share));
    }
    const { gradientNorm } = await this.trainer.step(rule);
    const { gradientNorm: criticGradientNorm } = criticLoss ? await this.model("critic").step(criticRule) : {};
    const parts = losses.map((part) => partOfBatch(part, share));
    const norms = { gradientNorm, criticGradientNorm };
    return {
      ...norms,
      computedTokens,
      losses: parts,
      loss: parts.reduce((sum, part) => sum + part.loss, custom * share),
    };
  }

  /** Accumulates the gradients of a loss of the engine, and those of a separate critic. */
  private async accumulate(
    examples: readonly Example[],
    rows: RowPack,
    loss: Loss,
    scale: number,
  ): Promise<LossStatistics> {
    const { criticLoss } = this.algorithm;
    const { pack } = rows;
    const inputs = this.inputs(examples, rows, scale);
    const statistics = await this.trainer.accumulate(pack, loss, inputs);
    if (!criticLoss) return statistics;
    const { weight, returns, oldValues } = inputs;
    const advantage = new Float32Array(pack.tokens.length);
    const ofCritic = { weight, advantage, returns, oldValues } as LossInputs;
    const { valueLoss } = await this.model("critic").accumulate(pack, criticLoss, ofCritic);
    return { ...statistics, valueLoss };
  }

  private inputs(examples: readonly Example[], rows: RowPack, scale: number): LossInputs {
    const each = examples.map(({ trajectory, credit, estimates }) => {
      const inputs = lossInputs(this.algorithm, trajectory, credit, estimates);
      return { ...inputs, weight: credit.weights.map((weight) => weight * scale) };
    });
    const names = Object.keys(each[0] ?? {}) as (keyof (typeof each)[0])[];
    return Object.fromEntries(
      names.map((name) => [name, rows.joined(each.map((inputs) => inputs[name] as Float32Array))]),
    );
  }

  /** Accumulates the gradients of a loss that the engine does not compute itself. @returns the loss */
  private async accumulateCustom(
    examples: readonly Example[],
    rows: RowPack,
    loss: CustomLoss,
    scale: number,
  ): Promise<number> {
    const { pack } = rows;
    const { temperature } = loss;
    const wantsEntropy = this.settings.entropy_coef !== 0;
    const now = await this.trainer.score(pack, { temperature, entropy: wantsEntropy });
    const current = rows.parted(now.logprob);
    const entropies = now.entropy && rows.parted(now.entropy);
    const gradients = examples.map(({ trajectory, credit, estimates }, at) =>
      loss.gradients(trajectory, credit, current[at] as Float32Array, entropies?.[at], estimates),
    );
    const scaled = (column: Float32Array) => column.map((value) => value * scale);
    const logprob = rows.joined(gradients.map((one) => scaled(one.logprob)));
    const ofEntropy = wantsEntropy && {
      entropy: rows.joined(
        gradients.map(({ logprob, entropy }) => scaled(entropy ?? new Float32Array(logprob.length))),
      ),
    };
    await this.trainer.accumulateGradients(pack, { logprob, ...ofEntropy }, { temperature });
    return gradients.reduce((sum, one) => sum + one.loss, 0) * scale;
  }
}

/** An episode, with its rows that have a gradient. */
interface CreditedEpisode extends Dealt {
  readonly examples: readonly Example[];
}

interface Rules {
  readonly rule: StepOptions;
  readonly criticRule: StepOptions;
}

/** Report of one optimizer step. Its losses are summands of the batch's loss. */
interface Descent {
  readonly gradientNorm: number | undefined;
  readonly criticGradientNorm: number | undefined;
  readonly computedTokens: number;
  readonly losses: readonly LossStatistics[];
  readonly loss: number;
}

function partOfBatch(part: LossStatistics, share: number): LossStatistics {
  const { loss, policyLoss, klLoss, valueLoss } = part;
  return {
    ...part,
    loss: loss * share,
    policyLoss: policyLoss * share,
    klLoss: klLoss * share,
    valueLoss: valueLoss * share,
  };
}

/** Estimates of a pack. Each array has the shape `[tokens]`. */
type Columns = { readonly [Name in keyof Estimates]: Float32Array | undefined };

/** A row with its credit. */
interface Example extends Trajectory {
  readonly trajectory: Trajectory;
  readonly credit: Credit;
  readonly estimates: Estimates | undefined;
}

/** Returns the mean of log policy - log teacher over the sampled tokens, under the policy that sampled them. */
function meanTeacherKl(estimates: ReadonlyMap<Trajectory, Estimates>): number {
  let [sum, count] = [0, 0];
  for (const [{ mask, logprobs }, { teacher }] of estimates) {
    for (let token = 0; token < mask.length; token++) {
      if (mask[token] !== 1) continue;
      sum += (logprobs[token] as number) - (teacher?.[token] as number);
      count += 1;
    }
  }
  return sum / count;
}

/** Divides the estimates of a pack into those of its rows. */
function partsOf(columns: Columns, rows: RowPack): Estimates[] {
  const parts: Record<string, Float32Array>[] = [];
  for (const [name, column] of Object.entries(columns)) {
    if (!column) continue;
    for (const [at, part] of rows.parted(column).entries()) parts[at] = { ...parts[at], [name]: part };
  }
  return parts;
}
