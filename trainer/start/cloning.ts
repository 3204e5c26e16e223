/**
 * Behavior cloning: trains the model on experts' dialogues before reinforcement learning. The loss covers the experts'
 * replies and, with a smaller weight, the observations, from which an untrained model learns to read and to copy.
 */

import type { Trainer } from "../../native/api/index.js";
import { packed, RowPack } from "../data/packing.js";
import { TrainerError } from "../errors.js";
import { keyedRandom } from "../keyed-random.js";
import { answererOf, type ChatFormat } from "../policy/chat-format.js";
import { type OptimiserSettings, optimiserRule } from "../settings/learning-rate.js";
import type { Dialogue } from "./dialogues.js";

export interface CloningSettings extends OptimiserSettings {
  readonly seed: number;
  readonly clone_epochs: number;
  /**
   * Highest learning rate. The learning rate rises during the first 5 % of the steps and then falls linearly to 10 % of
   * this value.
   */
  readonly clone_lr: number;
  /** Approximate number of tokens in an optimizer step. A longer example is a separate step. */
  readonly clone_tokens_per_step: number;
  /** Weight decay of cloning. Default: weight_decay. */
  readonly clone_weight_decay?: number | undefined;
  /**
   * Maximum number of tokens in one pass through the engine. A longer step accumulates gradients over several passes.
   */
  readonly max_tokens_per_mb: number;
  /** Weight of the mean loss on observations. The mean loss on replies has the weight 1. */
  readonly clone_observation_weight: number;
}

/** A dialogue as tokens, both arrays of shape `[tokens]`. `mask` is 1 for tokens of the replies to clone. */
export interface Example {
  readonly tokens: Int32Array;
  readonly mask: Uint8Array;
}

export interface CloningStep {
  readonly epoch: number;
  readonly step: number;
  readonly steps: number;
  /** Loss in nats per token, the weighted sum over replies and observations. */
  readonly loss: number;
  readonly tokens: number;
}

export function exampleOf(format: ChatFormat, { prompt, tools, turns }: Dialogue): Example {
  const tokens: number[] = [];
  const mask: number[] = [];
  for (const [at, { observation, reply, isLearnt = true }] of turns.entries()) {
    const before = turns[at - 1]?.reply;
    const given =
      before === undefined
        ? format.opening(prompt, observation, { tools })
        : format.bridge(observation, tokens.at(-1), answererOf(before, tools));
    const said = format.reply(reply);
    tokens.push(...given, ...said);
    mask.push(...new Array(given.length).fill(0), ...new Array(said.length).fill(Number(isLearnt)));
  }
  return { tokens: Int32Array.from(tokens), mask: Uint8Array.from(mask) };
}

/**
 * Clones the examples.
 *
 * @throws {TrainerError} CLONING_IMPOSSIBLE, before the first step: no example, or an example that is longer than a
 * pass
 */
export async function clone(
  trainer: Trainer,
  examples: readonly Example[],
  settings: CloningSettings,
  signal: AbortSignal,
  onStep: (step: CloningStep) => void = () => {},
): Promise<void> {
  expectToFit(examples, settings.max_tokens_per_mb);
  const { clone_weight_decay: weight_decay = settings.weight_decay } = settings;
  const epochs = Array.from({ length: settings.clone_epochs }, (_, epoch) => epochOf(examples, settings, epoch));
  const steps = epochs.reduce((sum, batches) => sum + batches.length, 0);
  let step = 0;
  for (const [epoch, batches] of epochs.entries()) {
    for (const batch of batches) {
      signal.throwIfAborted();
      step += 1;
      const loss = await accumulate(trainer, batch, settings);
      const progress = step / steps;
      const lr = settings.clone_lr * Math.min(progress * 20, 1 - 0.9 * progress);
      await trainer.step(optimiserRule({ ...settings, weight_decay }, lr));
      onStep({ epoch, step, steps, loss, tokens: tokensOf(batch) });
    }
  }
}

function expectToFit(examples: readonly Example[], maxTokens: number): void {
  if (examples.length === 0)
    throw new TrainerError("CLONING_IMPOSSIBLE", "expected examples to clone, but received none");
  const longest = examples.reduce((most, { tokens }) => Math.max(most, tokens.length), 0);
  if (longest <= maxTokens) return;
  throw new TrainerError(
    "CLONING_IMPOSSIBLE",
    `expected examples of at most max_tokens_per_mb ${maxTokens} tokens, but received an example of ${longest}. Raise max_tokens_per_mb or lower context_length.`,
  );
}

/** Accumulates the gradient of one optimizer step over one or several passes. @returns the loss of the whole batch */
async function accumulate(
  trainer: Trainer,
  batch: readonly Example[],
  { clone_observation_weight: ofObservations, max_tokens_per_mb: maxTokens }: CloningSettings,
): Promise<number> {
  const weights = weightsOf(batch, ofObservations);
  let loss = 0;
  // A batch that fits into one pass keeps its order, so its sums are equal bit for bit for every maximum size of a
  // pass.
  for (const examples of tokensOf(batch) <= maxTokens ? [batch] : packed(batch, maxTokens)) {
    const { mask, ...everything } = RowPack.of(examples).pack;
    const learnt = ofObservations > 0 ? everything : { ...everything, mask };
    const weight = Float32Array.from(mask, (one) => (one === 1 ? weights.reply : weights.observation));
    loss += (await trainer.accumulate(learnt, { policy: "cross-entropy" }, { weight })).loss;
  }
  return loss;
}

/** Returns batches of whole examples, in an order that depends only on seed and epoch. */
function epochOf(examples: readonly Example[], settings: CloningSettings, epoch: number): Example[][] {
  const random = keyedRandom(settings.seed, epoch);
  const order = examples.map((example) => ({ example, at: random() })).sort((a, b) => a.at - b.at);
  const batches: Example[][] = [];
  let room = 0;
  for (const { example } of order) {
    const { length } = example.tokens;
    if (length > room) {
      batches.push([]);
      room = Math.max(settings.clone_tokens_per_step, length);
    }
    batches.at(-1)?.push(example);
    room -= length;
  }
  return batches;
}

function tokensOf(batch: readonly Example[]): number {
  return batch.reduce((sum, { tokens }) => sum + tokens.length, 0);
}

/** Returns the weights of tokens in the loss of a step. The loss is a mean over the whole batch, not over one pass. */
function weightsOf(batch: readonly Example[], ofObservations: number): { reply: number; observation: number } {
  const replies = batch.reduce((sum, { mask }) => sum + mask.reduce((ones, one) => ones + one, 0), 0);
  return { reply: 1 / replies, observation: ofObservations / (tokensOf(batch) - replies) };
}
