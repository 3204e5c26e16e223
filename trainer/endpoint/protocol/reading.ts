/**
 * Reading of request bodies. A schema lists the parameters that have an effect, and those that would change the reply but
 * that the engine does not support, which are accepted only with values that change nothing. Parameters that a schema does
 * not list are ignored, and the reply names them in the header `x-palestra-ignored`.
 */
import { z } from "zod";
import { isDeeperThan } from "../../../server/formats/nesting.js";
import { EndpointError, shown } from "./errors.js";
import { deepest } from "./message.js";

/** Schema of fields that replies have and that clients send back unchanged. */
export const sentBack = z.unknown().optional();

/** Schema of a parameter that changes nothing with the given values, and that is refused with others. */
export const only = (...values: readonly (string | number | boolean)[]) =>
  z
    .literal(values, { error: `expected ${values.join(" or ")} or no value, since the engine does not support others` })
    .nullish();

const none = { error: "expected no value, since the engine does not support this parameter" };
/** Schema of a parameter that the engine does not support. */
export const absent = z.null(none).optional();
/** Schema of a list that the engine does not support. */
export const emptyList = z.array(z.never(), none).max(0, none).nullish();
const emptyObject = z.record(z.string(), z.never(none), none).nullish();

/**
 * Sampling parameters that the engine supports. OpenAI's APIs lack `top_k`, `min_p` and `repetition_penalty`, which vLLM and
 * SGLang add.
 */
export const samplingShape = {
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().positive().max(1).nullish(),
  /** 0 and -1 keep all tokens, as in SGLang and vLLM. */
  top_k: z.int().min(-1).nullish(),
  min_p: z.number().min(0).max(1).nullish(),
  seed: z.int().nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  repetition_penalty: z.number().min(0.001).max(1000).nullish(),
  /** Numbers to add to logits, by token id. */
  logit_bias: z.record(z.string().regex(/^\d{1,9}$/, "expected a token id"), z.number().min(-100).max(100)).nullish(),
  /** Tokens that end the reply, as in vLLM, beside those of the model. */
  stop_token_ids: z.array(z.int().min(0)).max(1_000).nullish(),
};

/** Number of most probable tokens to report with each token. */
export const topLogprobs = z.int().min(0).max(20).nullish();

/** Stop strings, of which OpenAI's chat completions accept up to four, and vLLM's server accepts also for Responses. */
export const stopShape = { stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(4)]).nullish() };

export function stopsOf({
  stop,
}: {
  readonly stop?: string | readonly string[] | null | undefined;
}): readonly string[] {
  return typeof stop === "string" ? [stop] : (stop ?? []);
}

/**
 * Parameters of OpenAI's APIs and of vLLM's and SGLang's servers that would change the reply and that the engine does not
 * support. See https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html for the parameters of vLLM.
 */
export const unsupportedShape = {
  n: only(1),
  best_of: only(1),
  length_penalty: only(1),
  min_tokens: only(0),
  top_logprobs: only(0),
  prompt_logprobs: absent,
  logprob_token_ids: absent,
  truncate_prompt_tokens: absent,
  add_special_tokens: only(false),
  documents: emptyList,
  thinking_token_budget: only(-1),
  repetition_detection: absent,
  watermarking: only(false),
  ignore_eos: only(false),
  use_beam_search: only(false),
  echo: only(false),
  continue_final_message: only(false),
  add_generation_prompt: only(true),
  include_stop_str_in_output: only(false),
  allowed_token_ids: emptyList,
  bad_words: emptyList,
  chat_template: absent,
  chat_template_kwargs: emptyObject,
};

/** Schema of text as a string or as parts, whose texts are joined. @param parts schema of the parts */
export function textOf<T extends z.ZodType<{ text: string }>>(type: string, part: T) {
  const parts = z.array(part, { error: `expected text as a string or as parts of type ${type}` });
  return z
    .preprocess((given) => (typeof given === "string" ? [{ type, text: given }] : given), parts)
    .transform((all) => all.map(({ text }) => text).join(""));
}

/** Entry of a list that the endpoint ignores because of its type. */
export const Other = z.strictObject({ type: z.literal("other"), name: z.string() });

/** Converts entries of other types than the given ones to `Other`. @param usual type of entries without a type */
export function othersAsOther(types: readonly string[], usual?: string) {
  return (entry: unknown): unknown => {
    if (typeof entry !== "object" || entry === null) return entry;
    const type = (entry as { type?: unknown }).type ?? usual;
    if (typeof type !== "string") return entry;
    return types.includes(type) ? { ...entry, type } : { type: "other", name: type };
  };
}

/** Returns the names of the ignored entries of a list, such as `tools[web_search]`. */
export function othersIn(list: string, entries: readonly { readonly type: string }[]): string[] {
  return entries.flatMap((entry) =>
    entry.type === "other" ? [`${list}[${(entry as z.output<typeof Other>).name}]`] : [],
  );
}

/**
 * Checks a body against its schema. Fields that the schema does not know are deleted from the body and named; those whose
 * value is null are not named.
 *
 * @throws {EndpointError} the first invalid parameter, with its name
 */
export function readBody<T extends z.ZodType>(schema: T, body: unknown): { asked: z.output<T>; ignored: string[] } {
  const ignored = new Set<string>();
  for (;;) {
    const { success, data, error } = schema.safeParse(body);
    if (success) {
      expectShallow(data);
      return { asked: data, ignored: [...ignored] };
    }
    for (const issue of error.issues) {
      if (issue.code !== "unrecognized_keys") throw refusal(issue, body);
    }
    for (const issue of error.issues as z.core.$ZodIssueUnrecognizedKeys[]) {
      for (const name of leaveOut(body, issue)) ignored.add(name);
    }
  }
}

function expectShallow(asked: unknown): void {
  if (!isDeeperThan(deepest, asked)) return;
  const [param] = Object.entries(asked as object).find(([, value]) => isDeeperThan(deepest - 1, value)) ?? ["body"];
  const message = `${param}: expected at most ${deepest} levels of nested values, but received more`;
  throw new EndpointError("invalid_request", message, param);
}

/** Deletes unknown fields. @returns the names of those that are not null */
function leaveOut(body: unknown, issue: z.core.$ZodIssueUnrecognizedKeys): string[] {
  const { path, keys } = issue;
  const owner = valueAt(body, path) as Record<string, unknown> | undefined;
  const place = nameOf(path.map((key) => (typeof key === "number" ? "[]" : key)));
  return keys.flatMap((key) => {
    // Otherwise the same issue would be found for ever.
    if (owner === undefined || !Object.hasOwn(owner, key)) throw refusal(issue, body);
    const value = owner[key];
    delete owner[key];
    return value === null ? [] : [place === "body" ? key : `${place}.${key}`];
  });
}

/**
 * Checks a body against its schema, which knows all fields.
 *
 * @throws {EndpointError} the first invalid parameter, with its name
 */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  throw refusal(error.issues[0] as z.core.$ZodIssue, body);
}

function refusal(issue: z.core.$ZodIssue, body: unknown): EndpointError {
  if (issue.code === "unrecognized_keys") {
    const param = nameOf([...issue.path, issue.keys[0] as string]);
    return new EndpointError("unsupported_parameter", `expected no ${param}, which is not supported`, param);
  }
  const param = nameOf(issue.path);
  if (issue.code === "invalid_key") {
    const [reason] = issue.issues;
    const message = `${param}: ${reason?.message}, but received ${shown(issue.path.at(-1))}`;
    return new EndpointError("invalid_request", message, param);
  }
  const received = valueAt(body, issue.path);
  const given = received === undefined ? "none" : shown(received);
  const code = received === undefined ? "invalid_request" : codeOf(issue);
  const reason = issue.message.replace(/^Invalid input: /, "");
  return new EndpointError(code, `${param}: ${reason}, but received ${given}`, param);
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], body);
}

/**
 * Returns the code of an issue: `unsupported_parameter` for a value that the engine does not support, else
 * `invalid_request`.
 */
function codeOf({ code, message }: z.core.$ZodIssue): "unsupported_parameter" | "invalid_request" {
  const isUnsupported = code === "invalid_value" || code === "invalid_union" || message === none.error;
  return isUnsupported ? "unsupported_parameter" : "invalid_request";
}

/** Returns the name of a parameter, such as `messages[0].content`. */
function nameOf(path: readonly PropertyKey[]): string {
  const names = path.map((key) =>
    typeof key === "number" || key === "[]" ? `[${key === "[]" ? "" : String(key)}]` : `.${String(key)}`,
  );
  return names.join("").replace(/^\./, "") || "body";
}
