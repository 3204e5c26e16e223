/**
 * A policy that calls a server which completes token ids, such as vLLM or SGLang. No text is tokenized twice, so its
 * episodes can be used for training. The server's chat template and parsers are not used.
 */
import type { Tokenizer } from "../../native/api/index.js";
import { sleep } from "../gym/back-off.js";
import { keyedHash } from "../keyed-random.js";
import { ContextExceeded, OpenAIServer, type OpenAIServerOptions } from "./openai-server.js";
import { RemoteSequence } from "./remote-sequence.js";
import { type Sampled, TokenPolicy, type TokenPolicyOptions, type TokenSequence } from "./token-policy.js";

export interface TokenServerOptions extends OpenAIServerOptions {
  /** Name of the model on the server. */
  readonly model: string;
}

export interface TokenRequest {
  readonly prompt: readonly number[];
  readonly max_tokens: number;
  readonly temperature: number;
  readonly top_p?: number;
  readonly top_k?: number;
  /** Seed of the draws, together with the length of the prompt. */
  readonly seed?: number;
  readonly stop_token_ids?: readonly number[];
}

/** Milliseconds before an interrupted reply is continued. */
const pauseMs = 100;

/** Client of a server that samples, with the version of its weights. */
export class TokenServer {
  readonly server: OpenAIServer;
  /** Policy version of the server's weights, set after new weights were loaded. */
  version = 0;
  /** Number of tokens sampled so far. */
  sampledTokens = 0;

  constructor(readonly options: TokenServerOptions) {
    this.server = new OpenAIServer(options);
  }

  /**
   * Checks that the server reports tokens.
   *
   * @throws {PolicyError} TOKENS_MISSING: the server reports no ids or log-probabilities
   */
  async expectTokens(prompt: Int32Array, signal: AbortSignal): Promise<void> {
    await this.sample({ prompt: [...prompt], max_tokens: 1, temperature: 1 }, signal);
  }

  /** Samples a reply. A reply that the server interrupts for new weights continues with them, as in AReaL. */
  async sample(request: TokenRequest, signal: AbortSignal): Promise<Sampled> {
    const tokens: number[] = [];
    const logprobs: number[] = [];
    const versions: number[] = [];
    for (;;) {
      const prompt = [...request.prompt, ...tokens];
      const { version, ...sampled } = await this.attempt({ ...request, prompt }, tokens.length, signal);
      tokens.push(...sampled.ids);
      logprobs.push(...sampled.logprobs);
      versions.push(...sampled.ids.map(() => version));
      const isCutOff = sampled.finish === "abort" && tokens.length < request.max_tokens;
      if (!isCutOff) {
        const finish = sampled.finish === "stop" ? "stop" : "length";
        this.sampledTokens += tokens.length;
        return {
          tokens: Int32Array.from(tokens),
          logprobs: Float32Array.from(logprobs),
          versions: Int32Array.from(versions),
          finish,
        };
      }
      await sleep(pauseMs, signal);
    }
  }

  private async attempt(request: TokenRequest, done: number, signal: AbortSignal) {
    // vLLM and SGLang report ids and log-probabilities on request. SGLang treats `logprobs: 0` as no log-probabilities.
    const asked = { model: this.options.model, logprobs: 1, return_token_ids: true };
    const { max_tokens, seed, ...rest } = request;
    // OpenAI accepts seeds of 64 bits, some servers only of 31 bits. Each request has its own seed.
    const draws = seed === undefined ? {} : { seed: keyedHash(seed, request.prompt.length) >>> 1 };
    const body = { ...rest, ...asked, ...draws, max_tokens: max_tokens - done };
    let { version } = this;
    const sampled = await this.server.completeTokens(body, signal, {
      onAttempt: () => {
        // Weights may change during the request: all tokens get the oldest version that may have sampled them.
        version = this.version;
      },
    });
    return { ...sampled, version };
  }

  close(): void {
    this.server.close();
  }
}

export class TokenServerPolicy extends TokenPolicy {
  readonly name: string;

  /**
   * @param tokenizer tokenizer of the server's model
   * @throws {TrainerError} MODEL_UNUSABLE
   */
  constructor(
    readonly server: TokenServer,
    tokenizer: Tokenizer | undefined,
    options: TokenPolicyOptions,
  ) {
    super(tokenizer, options);
    this.name = `openai:${server.options.url}#${server.options.model}`;
  }

  begin(seed: number): TokenSequence {
    return new ServerSequence(this, seed);
  }
}

class ServerSequence extends RemoteSequence {
  constructor(
    private readonly policy: TokenServerPolicy,
    private readonly seed: number,
  ) {
    super();
  }

  protected async next(prompt: number[], maxNewTokens: number, signal: AbortSignal): Promise<Sampled> {
    const { temperature = 1, topP = 1, topK = 0 } = this.policy.options;
    const request = {
      prompt,
      max_tokens: maxNewTokens,
      temperature,
      top_p: topP,
      ...(topK > 0 && { top_k: topK }),
      seed: this.seed,
      stop_token_ids: this.policy.format.stopTokens,
    };
    try {
      return await this.policy.server.sample(request, signal);
    } catch (error) {
      if (!(error instanceof ContextExceeded)) throw error;
      const none = new Int32Array();
      return { tokens: none, logprobs: new Float32Array(), versions: none, finish: "context" };
    }
  }
}
