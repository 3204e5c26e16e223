/** Samples with a server of the Tinker API: each reply with the weights that were published last when it began. */
import { z } from "zod";
import type { Tokenizer } from "../../../native/api/index.js";
import { keyedHash } from "../../keyed-random.js";
import { PolicyError } from "../../policy/policy.js";
import { RemoteSequence } from "../../policy/remote-sequence.js";
import { type Sampled, TokenPolicy, type TokenPolicyOptions, type TokenSequence } from "../../policy/token-policy.js";
import { BackendLost } from "../backend.js";
import type { Gate } from "./gate.js";
import { misformed, type TinkerServer } from "./server.js";

/** Weights for sampling. */
export interface Published {
  /** Name of the weights on the server. */
  readonly path: string;
  /** Policy version: the number of train steps before these weights. */
  readonly version: number;
}

export interface SampleRequest {
  readonly path: string;
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number;
  /** Number of most likely tokens to sample from; 0: all. */
  readonly topK: number;
  readonly seed: number;
  /** Tokens that end a reply and belong to it. */
  readonly stop: readonly number[];
}

const sampleResult = z.object({
  sequences: z
    .array(
      z.object({
        stop_reason: z.enum(["stop", "length"]),
        tokens: z.array(z.int().min(0)),
        logprobs: z.array(z.number()).nullish(),
      }),
    )
    .length(1),
});

export class Sampler {
  published: Published | undefined;
  promptTokens = 0;
  sampledTokens = 0;
  private inFlight = 0;
  private idleMs = 0;
  private idleSince = performance.now();

  /** @param gate closed while the weights change, for a server whose samples read them */
  constructor(
    private readonly server: TinkerServer,
    public gate: Gate | undefined,
  ) {}

  /** Seconds so far in which no reply of this run was being sampled. */
  get idleSeconds(): number {
    return (this.idleMs + (this.inFlight === 0 ? performance.now() - this.idleSince : 0)) / 1000;
  }

  /** Samples a continuation with the newest weights, once the gate is open. */
  async next(
    request: Omit<SampleRequest, "path">,
    signal: AbortSignal,
  ): Promise<Omit<Sampled, "finish"> & { isCutOff: boolean }> {
    const work = async () => {
      const { published } = this;
      if (!published) throw new Error("The weights are not published yet.");
      const { tokens, logprobs, isCutOff } = await this.sample({ ...request, path: published.path }, signal);
      const versions = new Int32Array(tokens.length).fill(published.version);
      return { tokens: Int32Array.from(tokens), logprobs: Float32Array.from(logprobs), versions, isCutOff };
    };
    return this.gate ? this.gate.through(signal, work) : work();
  }

  /** Samples a continuation with given weights. */
  async sample(
    { path, prompt, maxTokens, temperature, topP, topK, seed, stop }: SampleRequest,
    signal: AbortSignal,
  ): Promise<{ tokens: number[]; logprobs: number[]; isCutOff: boolean }> {
    const params = { max_tokens: maxTokens, seed, temperature, top_p: topP, top_k: topK > 0 ? topK : -1 };
    const body = {
      num_samples: 1,
      prompt: { chunks: [{ type: "encoded_text", tokens: prompt }] },
      sampling_params: { ...params, ...(stop.length > 0 && { stop }) },
      model_path: path,
      type: "sample",
    };
    const received = await this.counting(() => this.server.result("asample", body, { repeatable: true, signal }));
    const result = sampleResult.safeParse(received);
    const [sequence] = result.data?.sequences ?? [];
    const logprobs = sequence?.logprobs ?? [];
    if (!sequence || logprobs.length !== sequence.tokens.length)
      throw misformed("asample", "a sequence with a log-probability for each token", received);
    this.promptTokens += prompt.length;
    this.sampledTokens += sequence.tokens.length;
    return { tokens: sequence.tokens, logprobs, isCutOff: sequence.stop_reason === "length" };
  }

  private async counting<T>(work: () => Promise<T>): Promise<T> {
    if (this.inFlight === 0) this.idleMs += performance.now() - this.idleSince;
    this.inFlight += 1;
    try {
      return await work();
    } finally {
      this.inFlight -= 1;
      if (this.inFlight === 0) this.idleSince = performance.now();
    }
  }
}

export class TinkerPolicy extends TokenPolicy {
  readonly name = "tinker";

  /** @throws {TrainerError} MODEL_UNUSABLE */
  constructor(
    readonly sampler: Sampler,
    tokenizer: Tokenizer | undefined,
    options: TokenPolicyOptions,
  ) {
    super(tokenizer, options);
  }

  begin(seed: number): TokenSequence {
    return new TinkerSequence(this, seed);
  }
}

class TinkerSequence extends RemoteSequence {
  constructor(
    private readonly policy: TinkerPolicy,
    private readonly seed: number,
  ) {
    super();
  }

  protected async next(prompt: number[], maxNewTokens: number, signal: AbortSignal): Promise<Sampled> {
    const { temperature = 1, topP = 1, topK = 0 } = this.policy.options;
    const seed = keyedHash(this.seed, prompt.length) >>> 1;
    const stop = [...this.policy.format.stopTokens];
    const request = { prompt, maxTokens: maxNewTokens, temperature, topP, topK, seed, stop };
    try {
      const { isCutOff, ...sampled } = await this.policy.sampler.next(request, signal);
      return { ...sampled, finish: isCutOff ? "length" : "stop" };
    } catch (error) {
      signal.throwIfAborted();
      // Every later request would fail, too. The run goes back to its checkpoint, or ends.
      if (error instanceof BackendLost || !isRefused(error)) throw error;
      throw new PolicyError(error.code, error.message, false);
    }
  }
}

function isRefused(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "code" in error && error.code === "BACKEND_REFUSED";
}
