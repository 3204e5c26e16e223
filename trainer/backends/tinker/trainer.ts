/** Trains a model on a server of the Tinker API, as the engine's `Trainer` does. */
import { open, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { z } from "zod";
import type { Loss, LossInputs, LossStatistics, Pack, Scores, StepOptions } from "../../../native/api/index.js";
import { counted } from "../../../server/formats/counted.js";
import { TrainerError } from "../../errors.js";
import { BackendLost, type PolicyTrainer } from "../backend.js";
import { type Reduction, reductions, type ServerFacts } from "./facts.js";
import type { Gate } from "./gate.js";
import type { Datum } from "./protobuf.js";
import { requestsOf, rowOf, type Span, spansOf, targetsOf } from "./rows.js";
import { misformed, type TinkerServer } from "./server.js";
import type { ModelOptions, TinkerSession } from "./session.js";
import { behaviourWeight, type Columns, tokenLosses } from "./token-loss.js";

export interface TinkerTrainerOptions {
  readonly session: TinkerSession;
  readonly server: TinkerServer;
  readonly model: ModelOptions;
  readonly facts: ServerFacts;
  /** Closed while the weights change, if samples read them; undefined if sampling reads weights of its own. */
  readonly gate?: Gate | undefined;
  readonly signal: AbortSignal;
}

/** Content of the file of a checkpoint. */
const savedFile = z.object({
  format: z.literal(1),
  server: z.string(),
  path: z.string(),
  version: z.int().min(0),
});

const passResult = z.object({
  loss_fn_outputs: z.array(z.object({ logprobs: z.object({ data: z.array(z.number()) }) })),
});
const stepResult = z.object({ metrics: z.record(z.string(), z.number().nullable()).nullish() });
const pathResult = z.object({ path: z.string() });

/** A loss as a request: its name, its thresholds, and its inputs besides the targets. */
interface ServerLoss {
  readonly loss_fn: string;
  readonly loss_fn_config?: Readonly<Record<string, number>>;
  readonly columns: Readonly<Record<string, Float32Array>>;
}

export class TinkerTrainer implements PolicyTrainer {
  readonly checkpointFile = "tinker.json";
  /** Number of optimizer steps that have changed the weights. */
  version = 0;
  trainedTokens = 0;
  scoredTokens = 0;
  /** Seconds in which the trainer waited for the server. */
  waitedSeconds = 0;
  private id: Promise<string> | undefined;
  private requests = 0;
  private saves = 0;
  /** Log-probabilities of the packs scored since the last step. */
  private scored = new WeakMap<Pack, Float32Array>();
  private hasGradients = false;

  constructor(private readonly options: TinkerTrainerOptions) {}

  async score(
    pack: Pack,
    { temperature = 1, entropy, value }: { temperature?: number; entropy?: boolean; value?: boolean } = {},
  ): Promise<Scores> {
    if (temperature !== 1 || entropy || value)
      throw new TypeError("expected log-probabilities at temperature 1, but received a request for other scores");
    const logprob = await this.logprobsOf(pack);
    const targets = targetsOf(pack);
    return { logprob: logprob.map((one, token) => (targets[token] === 1 ? one : 0)) };
  }

  async accumulate(pack: Pack, loss: Loss, inputs: LossInputs = {}): Promise<LossStatistics> {
    const columns = inputs as Columns;
    const trained = targetsOf(pack, inputs.weight);
    const { starts = [0, pack.tokens.length] } = pack;
    const { facts } = this.options;
    const isTheirs = (loss.policy === "ppo" || loss.policy === "cispo") && facts.losses.has(loss.policy);
    if (isTheirs && !loss.dualClip && (loss.kl ?? "none") === "none") {
      const logprobs = await this.pass(pack, clippedLoss(loss, columns, trained));
      return tokenLosses(loss, columns, logprobs, trained, starts).statistics;
    }
    const logprobs = await this.logprobsOf(pack);
    const { slopes, statistics } = tokenLosses(loss, columns, logprobs, trained, starts);
    await this.pass(pack, sloped(slopes, logprobs));
    return statistics;
  }

  async accumulateGradients(
    pack: Pack,
    {
      logprob,
      entropy,
      value,
    }: { logprob?: ArrayLike<number>; entropy?: ArrayLike<number>; value?: ArrayLike<number> },
  ): Promise<void> {
    if (entropy || value) throw new TypeError("expected gradients of log-probabilities alone");
    const targets = targetsOf(pack);
    const slopes = Float32Array.from(pack.tokens, (_, token) => (targets[token] === 1 ? (logprob?.[token] ?? 0) : 0));
    await this.pass(pack, sloped(slopes, await this.logprobsOf(pack)));
  }

  async step({ lr, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0, clipNorm = 0 }: StepOptions) {
    const adam = { learning_rate: lr, beta1, beta2, eps: epsilon, weight_decay: weightDecay, grad_clip_norm: clipNorm };
    const model_id = await this.modelId();
    const { server } = this.options;
    const body = { model_id, adam_params: adam, seq_id: this.next(), type: "optim_step" };
    const received = await this.waiting(() => server.result("optim_step", body));
    const result = stepResult.safeParse(received);
    if (!result.success) throw misformed("optim_step", "metrics", received);
    this.version += 1;
    this.hasGradients = false;
    this.scored = new WeakMap();
    return { gradientNorm: gradientNormOf(result.data.metrics ?? {}), version: this.version };
  }

  /** Saves the state on the server, and its name there in a file. */
  async save(path: string): Promise<void> {
    this.saves += 1;
    const name = `step-${String(this.version).padStart(8, "0")}-${this.saves}`;
    const saved = await this.saveOnServer("save_weights", name);
    const content = { format: 1, server: this.options.server.base, path: saved, version: this.version };
    const file = await open(path, "w");
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Makes the model again on the server from the state that `save` wrote. */
  async load(path: string): Promise<void> {
    const saved = savedFile.parse(JSON.parse(await readFile(path, "utf8")));
    const { session, server, model } = this.options;
    const id = await session.createModel(model);
    this.id = Promise.resolve(id);
    const request = { model_id: id, path: saved.path, optimizer: true, seq_id: this.next(), type: "load_weights" };
    try {
      await server.result("load_weights", request);
    } catch (error) {
      if (!(error instanceof BackendLost)) throw error;
      throw new TrainerError(
        "BACKEND_REFUSED",
        `expected the weights ${saved.path} of the checkpoint on the server, but received: ${error.message} Remove ${basename(dirname(path))} to resume from the checkpoint before it.`,
        { cause: error },
      );
    }
    this.version = saved.version;
  }

  /** Saves the weights for sampling. @returns the name of the weights on the server */
  saveForSampling(name: string): Promise<string> {
    return this.saveOnServer("save_weights_for_sampler", name);
  }

  /** Removes the model from the server. */
  async unload(): Promise<void> {
    const model_id = await this.modelId();
    await this.options.server.result("unload_model", { model_id, type: "unload_model" });
  }

  private async saveOnServer(route: "save_weights" | "save_weights_for_sampler", name: string): Promise<string> {
    const model_id = await this.modelId();
    const body = { model_id, path: name, seq_id: this.next(), type: route };
    const received = await this.waiting(() => this.options.server.result(route, body));
    const result = pathResult.safeParse(received);
    if (!result.success) throw misformed(route, "a path", received);
    return result.data.path;
  }

  private async logprobsOf(pack: Pack): Promise<Float32Array> {
    const known = this.scored.get(pack);
    if (known) return known;
    const logprobs = await this.pass(pack, undefined);
    this.scored.set(pack, logprobs);
    return logprobs;
  }

  /**
   * Runs a pass over the sequences of a pack.
   *
   * @param loss undefined: only scores
   * @returns log-probability of each token that is a target: [tokens]
   */
  private async pass(pack: Pack, loss: ServerLoss | undefined): Promise<Float32Array> {
    const { facts, gate, signal } = this.options;
    const spans = spansOf(pack);
    if (loss) {
      if (this.hasGradients && facts.reduction !== "sum")
        throw new TypeError("expected one pack for each optimizer step, but received a second one");
      await gate?.close(signal);
      scale(loss, spans, facts.reduction);
    }
    const logprobs = new Float32Array(pack.tokens.length);
    for (const request of requestsOf(spans)) {
      const rows = request.map((span) => rowOf(pack, span, loss?.columns ?? {}));
      const outputs = await this.passRows(rows, loss);
      for (const [at, { first, end }] of request.entries()) {
        const values = outputs[at] as number[];
        if (values.length !== end - first - 1)
          throw misformed("forward_backward", `${end - first - 1} log-probabilities of row ${at}`, values.length);
        logprobs.set(values, first + 1);
      }
    }
    if (loss) this.hasGradients = true;
    return logprobs;
  }

  private async passRows(data: readonly Datum[], loss: ServerLoss | undefined): Promise<number[][]> {
    const tokens = data.reduce((sum, { loss_fn_inputs }) => sum + (loss_fn_inputs.target_tokens?.data.length ?? 0), 0);
    const { loss_fn = "cross_entropy", loss_fn_config } = loss ?? {};
    const input = { data, loss_fn, ...(loss_fn_config && { loss_fn_config }) };
    const request = { model_id: await this.modelId(), seq_id: this.next(), forwardOnly: !loss, input };
    const received = await this.waiting(() => this.options.server.pass(request, { repeatable: !loss }));
    if (loss) this.trainedTokens += tokens;
    else this.scoredTokens += tokens;
    const result = passResult.safeParse(received);
    const isWhole = result.success && result.data.loss_fn_outputs.length === data.length;
    if (!isWhole) throw misformed("forward_backward", `log-probabilities of ${counted(data.length, "row")}`, received);
    return result.data.loss_fn_outputs.map(({ logprobs }) => logprobs.data);
  }

  private modelId(): Promise<string> {
    this.id ??= this.options.session.createModel(this.options.model);
    return this.id;
  }

  private next(): number {
    this.requests += 1;
    return this.requests;
  }

  private async waiting<T>(work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.waitedSeconds += (performance.now() - began) / 1000;
    }
  }
}

/** Returns PPO's or CISPO's loss. Weights are factors of the advantages, in which these losses are linear. */
function clippedLoss(loss: Loss, columns: Columns, trained: Uint8Array): ServerLoss {
  const { clipLow = 0.2, clipHigh = 0.2 } = loss;
  const at = (name: keyof LossInputs, token: number, absent: number) => columns[name]?.[token] ?? absent;
  const advantages = Float32Array.from(trained, (is, token) => {
    if (is !== 1) return 0;
    const weight = behaviourWeight(loss, at("proximal", token, 0) - at("behaviour", token, 0));
    return at("advantage", token, 0) * at("weight", token, 1) * weight;
  });
  return {
    loss_fn: loss.policy,
    loss_fn_config: { clip_low_threshold: 1 - clipLow, clip_high_threshold: 1 + clipHigh },
    columns: {
      logprobs: Float32Array.from(trained, (is, token) => (is === 1 ? at("proximal", token, 0) : 0)),
      advantages,
    },
  };
}

/**
 * Returns a loss with these derivatives: importance sampling with a ratio of 1, since its log-probabilities are the current
 * ones. Its derivative is then the negative advantage.
 */
function sloped(slopes: Float32Array, logprobs: Float32Array): ServerLoss {
  return { loss_fn: "importance_sampling", columns: { logprobs, advantages: slopes.map((slope) => -slope) } };
}

/** Scales the advantages so that the server's reduction gives the sum. */
function scale({ columns }: ServerLoss, spans: readonly Span[], reduction: Reduction): void {
  const positionsOf = ({ first, end }: Span) => end - first - 1;
  const allPositions = spans.reduce((sum, span) => sum + positionsOf(span), 0);
  for (const span of spans) {
    const factor = reductions[reduction]({ rows: spans.length, positions: positionsOf(span), allPositions });
    const { advantages } = columns;
    if (advantages && factor !== 1)
      for (let token = span.first; token < span.end; token++)
        advantages[token] = (advantages[token] as number) * factor;
  }
}

/** Finds the gradient norm among a server's metrics; undefined if the server does not report one. */
function gradientNormOf(metrics: Readonly<Record<string, number | null>>): number | undefined {
  const [, norm] = Object.entries(metrics).find(([name]) => /grad(ient)?_norm$/.test(name.split(":")[0] ?? "")) ?? [];
  return norm ?? undefined;
}
