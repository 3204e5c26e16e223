/** Parsing of the log-probabilities of prompts, in the replies of vLLM and SGLang. */
import { z } from "zod";
import { PolicyError } from "./policy.js";

/** A token of a prompt. The log-probability of the first token is undefined. */
export interface ScoredToken {
  readonly id: number;
  readonly logprob: number | undefined;
}

const VllmReply = z.object({
  choices: z.tuple([
    z.object({ prompt_logprobs: z.array(z.record(z.string(), z.object({ logprob: z.number() })).nullable()) }),
  ]),
});

/**
 * Reads `prompt_logprobs`, an object by token id for each place, with the likeliest token besides the prompt's own.
 *
 * @throws {PolicyError} TOKENS_MISSING, or POLICY_REPLY, which a retry may help
 */
export function readVllm(text: string, prompt: ArrayLike<number>): ScoredToken[] {
  const { choices } = checked(VllmReply, text, "vLLM's prompt_logprobs");
  return choices[0].prompt_logprobs.map((place, at) => {
    const id = prompt[at] as number;
    const entry = place?.[String(id)];
    if (place && !entry) throw misread(`token ${id}`, Object.keys(place).join(" and "));
    return { id, logprob: entry?.logprob };
  });
}

const SglangReply = z.object({
  meta_info: z.object({
    input_token_logprobs: z.array(z.tuple([z.number().nullable(), z.number()]).rest(z.unknown())),
  }),
});

/** Reads `input_token_logprobs`: log-probability, token id and text for each place. @throws {PolicyError} as `readVllm` */
export function readSglang(text: string): ScoredToken[] {
  const { meta_info } = checked(SglangReply, text, "SGLang's input_token_logprobs");
  return meta_info.input_token_logprobs.map(([logprob, id]) => ({ id, logprob: logprob ?? undefined }));
}

const VllmTokens = z.object({ tokens: z.array(z.number()) });

/** Reads the token ids of a text from vLLM's `/tokenize`. @throws {PolicyError} as `readVllm` */
export function readTokenized(text: string): number[] {
  return checked(VllmTokens, text, "the token ids of vLLM's /tokenize").tokens;
}

const Models = z.object({ data: z.array(z.object({ owned_by: z.string() })).min(1) });

/** Reads the owner of a server's models from `/v1/models`. @throws {PolicyError} as `readVllm` */
export function readOwner(text: string): string {
  return (checked(Models, text, "a list of models with owned_by").data[0] as { owned_by: string }).owned_by;
}

/**
 * Returns the log-probabilities of a row's sampled tokens, `[tokens]`; 0 elsewhere.
 *
 * @throws {PolicyError} TOKENS_MISSING: a sampled token has none, or the server scored other tokens
 */
export function logprobsOf(
  scored: readonly ScoredToken[],
  { tokens, mask }: { readonly tokens: Int32Array; readonly mask: Uint8Array },
): Float32Array {
  // The token that the server adds to the prompt is not scored.
  if (scored.length !== tokens.length) throw misread(`${tokens.length} tokens`, `${scored.length}`);
  return Float32Array.from(scored, ({ id, logprob }, at) => {
    if (id !== tokens[at]) throw misread(`token ${tokens[at]}`, `${id}`);
    if (mask[at] !== 1) return 0;
    if (logprob === undefined || !Number.isFinite(logprob))
      throw misread(`a log-probability of token ${id}`, `${logprob}`);
    return logprob;
  });
}

function checked<Shape extends z.ZodType>(shape: Shape, text: string, expected: string): z.output<Shape> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new PolicyError("POLICY_REPLY", `expected ${expected}, but received ${brief(text)}`, true, {
      brief: "a reply that is not JSON",
    });
  }
  const parsed = shape.safeParse(body);
  if (parsed.success) return parsed.data;
  const remedy = "Choose a server of vLLM or SGLang that scores prompts, and set teacher_server if it is not detected";
  throw new PolicyError("TOKENS_MISSING", `expected ${expected}, but received ${brief(text)}. ${remedy}`, false);
}

function misread(expected: string, received: string): PolicyError {
  return new PolicyError(
    "TOKENS_MISSING",
    `expected ${expected} in the teacher's reply, but received ${received}`,
    false,
  );
}

function brief(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}
