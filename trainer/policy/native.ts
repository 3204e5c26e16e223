/**
 * A policy that samples with the native engine. A conversation is one sequence of the generator. Weights may be updated
 * in the middle of a reply; the version that sampled each token is recorded.
 */
import { type Generator, type Model, NativeError, type Sequence, type SequenceResult } from "../../native/api/index.js";
import { PolicyError } from "./policy.js";
import { type Sampled, TokenPolicy, type TokenPolicyOptions, type TokenSequence } from "./token-policy.js";

export interface NativePolicyOptions extends TokenPolicyOptions {
  /** Generator, which the caller closes. */
  generator: Generator;
  /** Model with the tokenizer and the chat template. */
  model: Model;
  /** Maps a version of the engine's weights to the policy version. Default: the same number. */
  versionOf?: (weights: number) => number;
}

export class NativePolicy extends TokenPolicy<NativePolicyOptions> {
  readonly name: string = "native";

  /** @throws {TrainerError} MODEL_UNUSABLE */
  constructor(options: Readonly<NativePolicyOptions>) {
    super(options.model.tokenizer, options);
  }

  begin(seed: number): TokenSequence {
    return new NativeSequence(this, seed);
  }
}

class NativeSequence implements TokenSequence {
  private sequence: Sequence | undefined;

  constructor(
    private readonly policy: NativePolicy,
    private readonly seed: number,
  ) {}

  async sample(tokens: Int32Array, maxNewTokens: number, signal: AbortSignal): Promise<Sampled> {
    const { generator, temperature = 1, topP = 1, topK = 0, versionOf = (weights) => weights } = this.policy.options;
    const stopTokens = [...this.policy.format.stopTokens];
    const request = { tokens, maxNewTokens, temperature, topP, topK, seed: this.seed, stopTokens, signal };
    let result: SequenceResult;
    try {
      if (this.sequence) result = await this.sequence.extend(request);
      else {
        this.sequence = generator.submit(request);
        result = await this.sequence.result;
      }
    } catch (error) {
      // After a device failure, every later request fails too, so the error does not only concern this episode.
      if (!(error instanceof NativeError) || error.code === "NATIVE_DEVICE") throw error;
      throw new PolicyError(error.code, error.message, error.code === "NATIVE_OUT_OF_MEMORY");
    }
    signal.throwIfAborted();
    const { logprobs } = result;
    return { tokens: result.tokens, logprobs, versions: result.versions.map(versionOf), finish: finishOf(result) };
  }

  close(): void {
    this.sequence?.abort();
    this.sequence?.release();
  }
}

function finishOf({ finish }: SequenceResult): Sampled["finish"] {
  if (finish === "aborted")
    throw new PolicyError("POLICY_CLOSED", "The conversation was closed before the reply was complete.", false);
  if (finish === "failed") {
    throw new PolicyError("POLICY_NOT_FINITE", "expected finite logits, but received NaN or infinity", false);
  }
  return finish === "length" || finish === "context" ? finish : "stop";
}
