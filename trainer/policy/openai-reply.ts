/** Parsing of completions: OpenAI's fields, and the token ids that vLLM and SGLang add on request. */
import type { ToolCallMessage } from "../../server/formats/dialogue.js";
import { PolicyError, type Reply } from "./policy.js";

export interface Completion {
  readonly text: string;
  /** Calls of the functions in the request. */
  readonly toolCalls: readonly ToolCallMessage[];
  readonly finish: Reply["finish"];
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Token ids and log-probabilities, if the server reports them. */
  readonly sampled?: {
    readonly prompt: readonly number[];
    readonly ids: readonly number[];
    readonly logprobs: readonly number[];
  };
}

interface Choice {
  message?: { content?: unknown; tool_calls?: unknown };
  finish_reason?: unknown;
  token_ids?: unknown;
  prompt_token_ids?: unknown;
  logprobs?: { content?: unknown; token_logprobs?: unknown; tokens?: unknown } | null;
}

/** Tokens sampled after a prompt of tokens. */
export interface SampledTokens {
  readonly ids: readonly number[];
  /** Log-probabilities in nats. */
  readonly logprobs: readonly number[];
  /** `abort`: the server interrupted the reply, as it does to load new weights. */
  readonly finish: "stop" | "length" | "abort";
}

/**
 * Parses a completion of tokens.
 *
 * @throws {PolicyError} POLICY_REPLY: the reply is not a completion, and a retry may help; TOKENS_MISSING: the server
 * reports no tokens
 */
export function readTokens(text: string): SampledTokens {
  const { choice } = read(text);
  if (!choice) throw garbage(text);
  const finish = choice.finish_reason === "length" || choice.finish_reason === "abort" ? choice.finish_reason : "stop";
  const { token_logprobs: logprobs, tokens } = choice.logprobs ?? {};
  const ids = isIds(choice.token_ids)
    ? choice.token_ids
    : Array.isArray(tokens)
      ? tokens.map((token) => idOf({ token }))
      : undefined;
  if (finish === "abort" && !ids?.length) return { ids: [], logprobs: [], finish };
  const isWhole = isIds(ids) && Array.isArray(logprobs) && logprobs.length === ids.length;
  if (!isWhole || !logprobs.every(Number.isFinite)) {
    const message =
      "expected a server that reports the id and the log-probability of each sampled token (vLLM and SGLang: " +
      "return_token_ids), but received a completion without them. Such a server can be evaluated but not trained";
    throw new PolicyError("TOKENS_MISSING", message, false);
  }
  return { ids, logprobs, finish };
}

/** Parses a chat completion. @throws {PolicyError} POLICY_REPLY: the reply is not a completion, and a retry may help */
export function readCompletion(text: string): Completion {
  const { body, choice } = read(text);
  const content = choice?.message?.content;
  // The content is null if the model wrote no text, or called a tool that was not offered.
  if (!body || !choice?.message || (typeof content !== "string" && content != null)) throw garbage(text);
  const sampled = sampledTokens(choice, choice.prompt_token_ids ?? body.prompt_token_ids);
  return {
    text: content ?? "",
    toolCalls: toolCallsOf(choice.message.tool_calls),
    finish: choice.finish_reason === "length" ? "length" : "stop",
    promptTokens: count(body.usage?.prompt_tokens),
    completionTokens: count(body.usage?.completion_tokens),
    ...(sampled && { sampled }),
  };
}

interface Body {
  choices?: unknown;
  usage?: Record<string, unknown> | null;
  prompt_token_ids?: unknown;
}

function read(text: string): { body: Body | null; choice: Choice | undefined } {
  let body: Body | null;
  try {
    body = JSON.parse(text);
  } catch {
    throw garbage(text);
  }
  return { body, choice: (Array.isArray(body?.choices) ? body.choices[0] : undefined) as Choice | undefined };
}

function toolCallsOf(calls: unknown): ToolCallMessage[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call, at) => {
    const { id, function: called } = (call ?? {}) as { id?: unknown; function?: Record<string, unknown> };
    const { name, arguments: given = "{}" } = called ?? {};
    // Some servers send the arguments as an object.
    const text = typeof given === "string" ? given : JSON.stringify(given);
    return { id: String(id ?? `call_${at}`), type: "function", function: { name: String(name), arguments: text } };
  });
}

/** Reads ids and log-probabilities; undefined if either is incomplete, since training needs both. */
function sampledTokens(choice: Choice, prompt: unknown): Completion["sampled"] {
  const entries = choice.logprobs?.content;
  if (!isIds(prompt) || !Array.isArray(entries)) return undefined;
  const logprobs = entries.map((entry) => (entry as { logprob?: unknown } | null)?.logprob as number);
  const ids = isIds(choice.token_ids) ? choice.token_ids : entries.map(idOf);
  const isWhole = isIds(ids) && ids.length === logprobs.length && logprobs.every(Number.isFinite);
  return isWhole ? { prompt, ids, logprobs } : undefined;
}

/** Reads the id from the token text of vLLM's `return_tokens_as_token_ids`. */
function idOf(entry: unknown): number {
  const { token } = (entry ?? {}) as { token?: unknown };
  const id = typeof token === "string" ? /^token_id:(\d+)$/.exec(token)?.[1] : undefined;
  return id === undefined ? Number.NaN : Number(id);
}

function isIds(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((id) => Number.isSafeInteger(id) && id >= 0);
}

function count(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : 0;
}

function garbage(text: string): PolicyError {
  const received = text.length > 200 ? `${text.slice(0, 200)}...` : text;
  const message = `expected a completion, but received ${JSON.stringify(received)}`;
  return new PolicyError("POLICY_REPLY", message, true, { brief: "a reply without a completion" });
}
