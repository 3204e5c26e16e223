/** Trains a model's weights, or low-rank adapters beside them, with AdamW. */
import { z } from "zod";
import type { ModelHandle, RawPack, TrainerHandle } from "../addon/addon.js";
import {
  boolean,
  check,
  expectLengths,
  filePath,
  flags,
  floats,
  integer,
  number,
  numberAbove,
  oneOf,
  parentIndices,
  type SignalOption,
  seed,
  signal,
  signalOf,
  table,
  tokenIds,
} from "../format/options.js";
import type { Handle } from "./handle.js";
import { type Loss, type LossInputs, type LossStatistics, rawInputs, rawLoss } from "./loss.js";

export interface TrainerOptions {
  /** Largest number of tokens in a pack. The memory for this size is planned once. */
  maxTokens: number;
  /**
   * Activations to recompute. `layer` recomputes the activations of each layer instead of keeping them: results are
   * equal, and training takes a third longer.
   */
  recompute?: "none" | "layer";
  /** Trains low-rank adapters (Hu et al. 2021). The model's own weights are frozen. */
  lora?: LoraOptions;
}

/** Names of the projections, in the order of the C ABI. */
const projections = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"] as const;

/** Returns the projections whose bits are set. */
export function targetsOf(bits: number): (typeof projections)[number][] {
  return projections.filter((_, at) => (bits >> at) & 1);
}

export interface LoraOptions {
  rank: number;
  /** Scale of the adapters. The product of the adapters is scaled by alpha / rank. Default: rank. */
  alpha?: number;
  /**
   * Share of the adapters' inputs that is dropped in passes with gradients, from 0 to below 1. The mask depends on the seed, the
   * optimizer step and the sequence's tokens. Default 0.
   */
  dropout?: number;
  /** Projections that get adapters. Default: all. */
  targets?: (typeof projections)[number][];
  seed?: number | bigint;
}

/**
 * Sequences, concatenated in one array. Entry t of every per-token array describes `tokens[t]` given the tokens before
 * it in its sequence. The first token of a sequence has no tokens before it, so its entries are 0 and it is never
 * trained.
 *
 * A sequence with a parent continues the tokens of the parent and its ancestors. Tokens with which several sequences
 * begin are thus computed once. The first token of a continuation is not trained either, because the row that would
 * predict it belongs to the parent: leave the last shared token out of the parent, and repeat it in each continuation.
 */
export interface Pack {
  /** Token ids: [tokens]. */
  tokens: Int32Array | number[];
  /**
   * Index of the first token of each sequence, followed by the number of tokens: [sequences + 1]. Default: one
   * sequence.
   */
  starts?: Int32Array | number[];
  /** Tokens that are scored or trained: [tokens]. Default: all. */
  mask?: ArrayLike<number | boolean>;
  /** Index of the sequence that each sequence continues, which is an earlier one, or -1: [sequences]. Default: all -1. */
  parents?: Int32Array | number[];
}

/** Arrays of [tokens] with 0 where the mask is 0. Log-probabilities and entropies are in nats. */
export interface Scores {
  logprob: Float32Array;
  /** Undefined unless requested, as is `value`. */
  entropy?: Float32Array;
  value?: Float32Array;
}

export interface StepOptions {
  lr: number;
  /** Decay rate of the first moment. Default 0.9. */
  beta1?: number;
  /** Decay rate of the second moment. Default 0.999. */
  beta2?: number;
  /** Constant added to the denominator of the update. Default 1e-8. */
  epsilon?: number;
  /** Weight decay of matrices. Norms and biases have no decay. Default 0. */
  weightDecay?: number;
  /** Limit of the global norm of the gradients. Default: not clipped. */
  clipNorm?: number;
  signal?: AbortSignal;
}

export interface StepResult {
  /**
   * Norm of the gradients before clipping. When the norm is not finite, the step drops the gradients and changes no
   * weights.
   */
  gradientNorm: number;
  /** Version of the model after the step. */
  version: number;
}

const column = floats.optional().transform((given) => given ?? null);
const temperature = numberAbove(0).default(1);

const scoreTable = table({
  temperature,
  entropy: boolean.default(false),
  value: boolean.default(false),
  signal: signal.optional(),
});
const gradientsTable = table({ logprob: column, entropy: column, value: column });
const gradientOptionsTable = table({ temperature, signal: signal.optional() });
const decay = number(0, 1).refine((rate) => Math.fround(rate) < 1, "a 32-bit float from 0 to below 1");
const stepTable = table({
  lr: number(0, 1e6),
  beta1: decay.default(0.9),
  beta2: decay.default(0.999),
  epsilon: numberAbove(0).default(1e-8),
  weightDecay: number(0, 1e6).default(0),
  clipNorm: numberAbove(0).default(0),
  signal: signal.optional(),
});

export class Trainer {
  /** Packs may have `parents`. */
  readonly takesParents = true;
  readonly #model: Handle<ModelHandle>;
  /** @internal */
  readonly handle: Handle<TrainerHandle>;

  /** @internal */
  constructor(model: Handle<ModelHandle>, handle: Handle<TrainerHandle>) {
    this.#model = model;
    this.handle = handle;
  }

  /** Returns the log-probabilities of tokens and, if requested, the entropies of their distributions and the values. */
  async score(
    pack: Pack,
    options: SignalOption & { temperature?: number; entropy?: boolean; value?: boolean } = {},
  ): Promise<Scores> {
    const checked = check("the options of score", scoreTable, options);
    const raw = rawPack(pack);
    const { logprob, entropy, value } = await this.handle.wait(checked.signal, (addon, handle, ticket) =>
      addon.score(handle, raw, checked.temperature, checked.entropy, checked.value, ticket),
    );
    const scores: Scores = { logprob };
    if (entropy) scores.entropy = entropy;
    if (value) scores.value = value;
    return scores;
  }

  /** Adds the gradients of a loss. A call that fails or is cancelled drops all gradients since the last step. */
  async accumulate(
    pack: Pack,
    loss: Loss,
    inputs: LossInputs = {},
    options: SignalOption = {},
  ): Promise<LossStatistics> {
    const raw = rawPack(pack);
    return this.handle.wait(signalOf("accumulate", options), (addon, handle, ticket) =>
      addon.accumulate(handle, raw, rawLoss(loss), rawInputs(inputs, raw.tokens.length), ticket),
    );
  }

  /**
   * Adds gradients for a loss that the engine does not have, given its derivatives with respect to each token's
   * log-probability, entropy and value.
   */
  async accumulateGradients(
    pack: Pack,
    gradients: { logprob?: ArrayLike<number>; entropy?: ArrayLike<number>; value?: ArrayLike<number> },
    options: SignalOption & { temperature?: number } = {},
  ): Promise<void> {
    const raw = rawPack(pack);
    const columns = check("the gradients", gradientsTable, gradients);
    expectLengths(raw.tokens.length, columns);
    const { logprob, entropy, value } = columns;
    const checked = check("the options of accumulateGradients", gradientOptionsTable, options);
    await this.handle.wait(checked.signal, (addon, handle, ticket) =>
      addon.accumulateGradients(handle, raw, checked.temperature, logprob, entropy, value, ticket),
    );
  }

  /**
   * Applies AdamW (Loshchilov and Hutter 2019) with the accumulated gradients, drops the gradients, and raises the version.
   */
  async step(options: StepOptions): Promise<StepResult> {
    const { signal: end, ...rule } = check("the options of step", stepTable, options);
    const gradientNorm = await this.handle.wait(end, (addon, handle, ticket) => addon.step(handle, rule, ticket));
    return { gradientNorm, version: this.#model.use((addon, raw) => addon.modelVersion(raw)) };
  }

  /** Drops the gradients accumulated since the last step. */
  async zeroGradients(options: SignalOption = {}): Promise<void> {
    await this.handle.wait(signalOf("zeroGradients", options), (addon, handle, ticket) =>
      addon.zeroGradients(handle, ticket),
    );
  }

  /**
   * Writes weights, adapters, moments and counts, but not the accumulated gradients. A trainer that loads the file continues
   * bit for bit. The file is written completely or not at all.
   */
  async save(path: string, options: SignalOption = {}): Promise<void> {
    const file = check("path", filePath, path);
    await this.handle.wait(signalOf("save", options), (addon, handle, ticket) =>
      addon.saveTrainer(handle, file, ticket),
    );
  }

  /**
   * Restores the state that `save` wrote, including the model's weights, and drops accumulated gradients. A file that is
   * truncated, altered or from another model fails with NATIVE_FORMAT and changes nothing.
   */
  async load(path: string, options: SignalOption = {}): Promise<void> {
    const file = check("path", filePath, path);
    await this.handle.wait(signalOf("load", options), (addon, handle, ticket) =>
      addon.loadTrainer(handle, file, ticket),
    );
  }

  close(): void {
    void this.handle.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

/** Schema of the option `adapters` of `Model.generator` and `Model.save`: a trainer with LoRA. */
export const trainerOption = z.instanceof(Trainer, { error: "a Trainer" }).optional();

const loraTable = table({
  rank: integer(1, 2 ** 16),
  alpha: numberAbove(0).optional(),
  dropout: decay.default(0),
  targets: z
    .array(oneOf(projections), "an array")
    .min(1, "an array of at least one projection")
    .default([...projections]),
  seed: seed.default(0n),
});

const trainerTable = table({
  maxTokens: integer(1, 2 ** 24),
  recompute: oneOf(["none", "layer"]).default("none"),
  lora: loraTable.optional(),
});

export async function createTrainer(model: Handle<ModelHandle>, options: TrainerOptions): Promise<Trainer> {
  const { maxTokens, recompute, lora } = check("the options of a trainer", trainerTable, options);
  const targets = lora?.targets.reduce((bits, target) => bits | (1 << projections.indexOf(target)), 0);
  const raw = {
    maxTokens,
    recompute: recompute === "layer" ? 1 : 0,
    loraRank: lora?.rank ?? 0,
    loraAlpha: lora?.alpha ?? lora?.rank ?? 0,
    loraDropout: lora?.dropout ?? 0,
    loraTargets: targets ?? 0,
    loraSeed: lora?.seed ?? 0n,
  };
  const handle = await model.create(
    "trainer",
    (addon, own) => addon.createTrainer(own, raw),
    (addon, own) => addon.closeTrainer(own),
  );
  return new Trainer(model, handle);
}

const packTable = table({
  tokens: tokenIds,
  starts: tokenIds.optional(),
  mask: flags.optional(),
  parents: parentIndices.optional(),
});

function rawPack(pack: Pack): RawPack {
  const { tokens, starts, mask, parents } = check("the pack", packTable, pack);
  expectLengths(tokens.length, { mask });
  expectLengths(starts ? starts.length - 1 : 1, { parents }, "sequence");
  return {
    tokens,
    starts: starts ?? Int32Array.of(0, tokens.length),
    mask: mask ?? new Uint8Array(tokens.length).fill(1),
    parents: parents ?? null,
  };
}
