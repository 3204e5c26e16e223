/** Gradients and AdamW over a model's weights, or over low-rank adapters beside them. */
import type { Addon, RawPack, TrainerHandle } from "../addon/addon.js";
import { closed, invalid } from "../addon/errors.js";
import {
  boolean,
  checkOptions,
  filePath,
  flags,
  floats,
  integer,
  listOf,
  number,
  numberAbove,
  oneOf,
  optional,
  type SignalOption,
  seed,
  signal,
  signalOf,
  tokenIds,
} from "../format/options.js";
import { type Loss, type LossInputs, type LossStatistics, rawInputs, rawLoss } from "./loss.js";
import type { Model } from "./model.js";

export interface TrainerOptions {
  /** Tokens of the largest pack: memory is planned for it once. */
  maxTokens: number;
  /** `layer`: activations of a layer are computed again in place of being kept. Same results, a third more time. */
  recompute?: "none" | "layer";
  /** Low-rank adapters (Hu et al. 2021): the model's own weights are frozen. */
  lora?: LoraOptions;
}

/** In the order of the C ABI. */
const projections = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"] as const;

export interface LoraOptions {
  rank: number;
  /** The adapters' product is scaled by alpha / rank. Default: rank. */
  alpha?: number;
  /** Default: all. */
  targets?: (typeof projections)[number][];
  seed?: number | bigint;
}

/**
 * Sequences side by side. Entry t of all that is given or returned by token is about `tokens[t]` given the tokens
 * before it in its sequence; the first of a sequence has none: its entries are 0, and it is never trained.
 */
export interface Pack {
  /** (tokens) token ids */
  tokens: Int32Array | number[];
  /** (sequences + 1): where each begins, and the end. Default: one sequence. */
  starts?: Int32Array | number[];
  /** (tokens): which tokens are scored or trained. Default: all. */
  mask?: ArrayLike<number | boolean>;
}

/** Nats. (tokens) each; 0 where the mask is. */
export interface Scores {
  logprob: Float32Array;
  /** Undefined where not asked for. */
  entropy?: Float32Array;
  value?: Float32Array;
}

export interface StepOptions {
  lr: number;
  /** Default 0.9, 0.999 (betas), 1e-8 and 0. */
  beta1?: number;
  beta2?: number;
  epsilon?: number;
  /** Pulls at matrices, not at norms and biases. */
  weightDecay?: number;
  /** The most that the global norm of the gradients may be. Default: not clipped. */
  clipNorm?: number;
  signal?: AbortSignal;
}

export interface StepResult {
  /** Before clipping. Where it is not finite nothing was changed but that the gradients are dropped. */
  gradientNorm: number;
  /** Of the model, after the step. */
  version: number;
}

const signalTable = { signal: optional(signal, undefined) };

export class Trainer {
  readonly #model: Model;
  readonly #handle: TrainerHandle;
  #isClosed = false;

  /** @internal */
  constructor(model: Model, handle: TrainerHandle) {
    this.#model = model;
    this.#handle = handle;
    model.adopt(this);
  }

  /** Log-probabilities of tokens, and, if asked for, the entropy of their distributions and the value head's values. */
  async score(
    pack: Pack,
    options: SignalOption & { temperature?: number; entropy?: boolean; value?: boolean } = {},
  ): Promise<Scores> {
    const { temperature, entropy, value, ...rest } = checkOptions("the options of score", options, {
      temperature: optional(numberAbove(0), 1),
      entropy: optional(boolean, false),
      value: optional(boolean, false),
      ...signalTable,
    });
    const raw = rawPack(pack);
    const scores = await this.#wait(rest.signal, (addon, handle, ticket) =>
      addon.score(handle, raw, temperature, entropy, value, ticket),
    );
    return {
      logprob: scores.logprob,
      ...(scores.entropy ? { entropy: scores.entropy } : {}),
      ...(scores.value ? { value: scores.value } : {}),
    };
  }

  /** Adds the gradients of a loss. A call that fails or is ended drops all that was gathered since the last step. */
  async accumulate(
    pack: Pack,
    loss: Loss,
    inputs: LossInputs = {},
    options: SignalOption = {},
  ): Promise<LossStatistics> {
    const raw = rawPack(pack);
    const statistics = await this.#wait(signalOf("accumulate", options), (addon, handle, ticket) =>
      addon.accumulate(handle, raw, rawLoss(loss), rawInputs(inputs, raw.tokens.length), ticket),
    );
    return statistics as unknown as LossStatistics;
  }

  /**
   * Adds the gradients that follow from the given ones of the loss by each token's log-probability, entropy and value:
   * for losses that the engine does not know.
   */
  async accumulateGradients(
    pack: Pack,
    gradients: { logprob?: ArrayLike<number>; entropy?: ArrayLike<number>; value?: ArrayLike<number> },
    options: SignalOption & { temperature?: number } = {},
  ): Promise<void> {
    const raw = rawPack(pack);
    const array = optional(floats(raw.tokens.length), null);
    const { logprob, entropy, value } = checkOptions("the gradients", gradients, {
      logprob: array,
      entropy: array,
      value: array,
    });
    const { temperature, ...rest } = checkOptions("the options of accumulateGradients", options, {
      temperature: optional(numberAbove(0), 1),
      ...signalTable,
    });
    await this.#wait(rest.signal, (addon, handle, ticket) =>
      addon.accumulateGradients(handle, raw, temperature, logprob, entropy, value, ticket),
    );
  }

  /** AdamW (Loshchilov and Hutter 2019) with what was gathered, which is then dropped; raises the model's version. */
  async step(options: StepOptions): Promise<StepResult> {
    const { signal: end, ...rule } = checkOptions("the options of step", options, {
      lr: number(0, 1e6),
      beta1: optional(number(0, 1), 0.9),
      beta2: optional(number(0, 1), 0.999),
      epsilon: optional(numberAbove(0), 1e-8),
      weightDecay: optional(number(0, 1e6), 0),
      clipNorm: optional(numberAbove(0), 0),
      ...signalTable,
    });
    const gradientNorm = await this.#wait(end, (addon, handle, ticket) => addon.step(handle, rule, ticket));
    return { gradientNorm, version: this.#model.version };
  }

  /** Drops what was gathered since the last step. */
  async zeroGradients(options: SignalOption = {}): Promise<void> {
    await this.#wait(signalOf("zeroGradients", options), (addon, handle, ticket) =>
      addon.zeroGradients(handle, ticket),
    );
  }

  /**
   * Writes weights, adapters, moments and counts, so that a trainer that loads them goes on bit for bit as this one.
   * Gathered gradients are not part of it. The file is there as a whole or not at all.
   */
  async save(path: string, options: SignalOption = {}): Promise<void> {
    const file = filePath(path, "path");
    await this.#wait(signalOf("save", options), (addon, handle, ticket) => addon.saveTrainer(handle, file, ticket));
  }

  /**
   * Takes over what `save` wrote, into the model's weights too, and drops gathered gradients. What is truncated, altered
   * or of another model fails with NATIVE_FORMAT and changes nothing.
   */
  async load(path: string, options: SignalOption = {}): Promise<void> {
    const file = filePath(path, "path");
    await this.#wait(signalOf("load", options), (addon, handle, ticket) => addon.loadTrainer(handle, file, ticket));
  }

  close(): void {
    if (this.#isClosed) return;
    this.#model.use((addon) => addon.closeTrainer(this.#handle));
    this.#isClosed = true;
    this.#model.disown(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** @internal */
  get handle(): TrainerHandle {
    if (this.#isClosed) throw closed("trainer");
    return this.#handle;
  }

  async #wait<T>(
    end: AbortSignal | undefined,
    work: (addon: Addon, handle: TrainerHandle, ticket: number) => Promise<T>,
  ): Promise<T> {
    const handle = this.handle;
    return this.#model.wait(end, (addon, _, ticket) => work(addon, handle, ticket));
  }
}

export async function createTrainer(model: Model, options: TrainerOptions): Promise<Trainer> {
  const { maxTokens, recompute, lora } = checkOptions("the options of a trainer", options, {
    maxTokens: integer(1, 2 ** 24),
    recompute: optional(oneOf(["none", "layer"]), "none"),
    lora: optional(checkLora, { rank: 0, alpha: 0, targets: [], seed: 0n }),
  });
  const targets = lora.targets.reduce((bits, target) => bits | (1 << projections.indexOf(target)), 0);
  const raw = {
    maxTokens,
    recompute: recompute === "layer" ? 1 : 0,
    loraRank: lora.rank,
    loraAlpha: lora.alpha,
    loraTargets: targets,
    loraSeed: lora.seed,
  };
  return new Trainer(model, await model.create((addon, handle) => addon.createTrainer(handle, raw)));
}

function checkLora(value: unknown) {
  const { rank, alpha, ...rest } = checkOptions("lora", value, {
    rank: integer(1, 2 ** 16),
    alpha: optional(numberAbove(0), undefined),
    targets: optional(listOf(oneOf(projections)), [...projections]),
    seed: optional(seed, 0n),
  });
  if (rest.targets.length === 0) throw invalid("lora.targets of at least one projection", rest.targets);
  return { rank, alpha: alpha ?? rank, ...rest };
}

function rawPack(pack: Pack): RawPack {
  const { tokens, starts, ...rest } = checkOptions("the pack", pack, {
    tokens: tokenIds,
    starts: optional(tokenIds, undefined),
    mask: (value) => value,
  });
  const mask = optional(flags(tokens.length), undefined)(rest.mask, "mask");
  return {
    tokens,
    starts: starts ?? Int32Array.of(0, tokens.length),
    mask: mask ?? new Uint8Array(tokens.length).fill(1),
  };
}
