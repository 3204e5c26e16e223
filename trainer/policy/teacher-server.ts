/** A teacher on a vLLM or SGLang server, which scores token ids as a prompt. No text is tokenized again. */
import type { Tokenizer } from "../../native/api/index.js";
import { TrainerError } from "../errors.js";
import { ContextExceeded, OpenAIServer, type OpenAIServerOptions } from "./openai-server.js";
import { PolicyError } from "./policy.js";
import { expectSameProbe, probeOf, type SampledRow, type Teacher } from "./teacher.js";
import { logprobsOf, readOwner, readSglang, readTokenized, readVllm, type ScoredToken } from "./teacher-reply.js";

export const teacherServers = ["vllm", "sglang"] as const;
type Kind = (typeof teacherServers)[number];

export interface TeacherServerOptions extends OpenAIServerOptions {
  /** Name of the model on the server. */
  readonly model: string;
  /** Software of the server. Default: the owner of its models according to `/v1/models`. */
  readonly kind?: Kind | undefined;
  /** Tokenizer of the policy. */
  readonly tokenizer: Tokenizer;
  readonly signal: AbortSignal;
}

const watcher = { onAttempt: () => {} };

export class TeacherServer implements Teacher {
  private constructor(
    private readonly server: OpenAIServer,
    private readonly kind: Kind,
    private readonly options: TeacherServerOptions,
  ) {}

  /**
   * Connects to the server, and checks that it scores prompts and has the policy's tokenizer.
   *
   * @throws {PolicyError} the server cannot be reached, refuses, or reports no log-probabilities of prompts
   * @throws {TrainerError} TEACHER_UNUSABLE: the tokenizer differs
   */
  static async open(options: TeacherServerOptions): Promise<TeacherServer> {
    const server = new OpenAIServer(options);
    try {
      const kind = options.kind ?? (await kindOf(server, options.signal));
      const teacher = new TeacherServer(server, kind, options);
      await teacher.expectPolicysTokens();
      return teacher;
    } catch (error) {
      server.close();
      throw error;
    }
  }

  /** Failed requests are retried. If no attempt is left, the call fails: no row is dropped. */
  async logprobs(rows: readonly SampledRow[]): Promise<Float32Array[]> {
    return Promise.all(rows.map(async (row) => logprobsOf(await this.score(row.tokens), row)));
  }

  close(): void {
    this.server.close();
  }

  private async expectPolicysTokens(): Promise<void> {
    const { tokenizer } = this.options;
    const probe = probeOf(tokenizer);
    const tokens = tokenizer.encode(probe, { addSpecialTokens: this.kind === "sglang" });
    expectSameProbe(tokens, await this.read(probe));
    await this.logprobs([{ tokens, mask: Uint8Array.from(tokens, (_, at) => Number(at > 0)) }]);
  }

  /** Returns the token ids of a text. */
  private async read(text: string): Promise<number[]> {
    const { model, signal } = this.options;
    if (this.kind === "sglang") return (await this.generate({ text })).map(({ id }) => id);
    const request = { model, prompt: text, add_special_tokens: false };
    return this.server.ask("/tokenize", request, readTokenized, signal, watcher);
  }

  private async score(tokens: Int32Array): Promise<ScoredToken[]> {
    const { model, signal } = this.options;
    try {
      if (this.kind === "sglang") return await this.generate({ input_ids: [...tokens] });
      // One token is sampled and thrown away. With 1, the likeliest token is reported besides that of the prompt.
      const request = { model, prompt: [...tokens], max_tokens: 1, temperature: 1, prompt_logprobs: 1 };
      return await this.server.ask("completions", request, (text) => readVllm(text, tokens), signal, watcher);
    } catch (error) {
      if (!(error instanceof ContextExceeded)) throw error;
      throw new TrainerError(
        "TEACHER_UNUSABLE",
        `expected a teacher with a context of more than ${tokens.length} tokens, but received: ${error.message}. Lower context_length, or start the server with a longer context.`,
      );
    }
  }

  private generate(prompt: { text: string } | { input_ids: number[] }): Promise<ScoredToken[]> {
    const sampling = { max_new_tokens: 0, temperature: 1 };
    const request = { ...prompt, sampling_params: sampling, return_logprob: true, logprob_start_len: 0 };
    return this.server.ask("/generate", request, readSglang, this.options.signal, watcher);
  }
}

async function kindOf(server: OpenAIServer, signal: AbortSignal): Promise<Kind> {
  const owner = await server.ask("models", undefined, readOwner, signal, watcher);
  const kind = teacherServers.find((name) => name === owner);
  if (kind) return kind;
  const message = `expected models of vllm or sglang (teacher_server says which it is), but received owned_by ${JSON.stringify(owner)}`;
  throw new PolicyError("TOKENS_MISSING", message, false);
}
