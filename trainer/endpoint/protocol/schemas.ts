/**
 * Schemas of the agents' requests. A chat completion has OpenAI's parameters. Unknown parameters are refused, as are
 * parameters that would change the reply but that the engine does not support. Parameters for OpenAI's own bookkeeping
 * are ignored.
 */
import { z } from "zod";
import { EndpointError, shown } from "./errors.js";

const whole = (least: number) => z.int().min(least);
/** Schema of a parameter whose only accepted value has no effect. */
const only = (value: number) => z.literal(value, { error: `expected ${value} or no value` }).nullish();

const TextPart = z.strictObject({ type: z.literal("text"), text: z.string() });
const Content = z.union([z.string(), z.array(TextPart)], {
  error: "expected text as a string or as parts of type text",
});

/** Schema of fields that SDK helpers add to a reply and send back with it. */
const derived = z.unknown().optional();

const ToolCall = z.strictObject({
  id: z.string(),
  type: z.literal("function").default("function"),
  function: z.strictObject({ name: z.string(), arguments: z.string(), parsed_arguments: derived }),
  index: z.int().optional(),
});

const named = { name: z.string().optional() };

const Message = z.discriminatedUnion(
  "role",
  [
    z.strictObject({ role: z.enum(["system", "developer", "user"]), content: Content, ...named }),
    z.strictObject({
      role: z.literal("assistant"),
      content: Content.nullish(),
      tool_calls: z.array(ToolCall).nullish(),
      // Fields of OpenAI's own replies, which SDKs send back unchanged.
      refusal: z.null().optional(),
      annotations: z.array(z.never()).nullish(),
      audio: z.null().optional(),
      function_call: z.null().optional(),
      parsed: derived,
      ...named,
    }),
    z.strictObject({ role: z.literal("tool"), content: Content, tool_call_id: z.string(), ...named }),
  ],
  { error: "expected one of system, developer, user, assistant, tool" },
);
export type RequestMessage = z.output<typeof Message>;

const Tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    strict: z.boolean().nullish(),
  }),
});
export type Tool = z.output<typeof Tool>;

export const ChatRequest = z.strictObject({
  /** Any name is accepted: the policy always replies, and the reply contains the policy's name. */
  model: z.string(),
  messages: z.array(Message).min(1),
  tools: z.array(Tool).nullish(),
  tool_choice: z
    .enum(["auto", "none"], { error: "expected auto or none: no reply can be forced to call a tool" })
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.literal(false).optional() })
    .nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().positive().max(1).nullish(),
  max_tokens: whole(1).nullish(),
  max_completion_tokens: whole(1).nullish(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).max(4)]).nullish(),
  seed: z.int().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: only(0),
  return_token_ids: z.boolean().nullish(),
  n: only(1),
  frequency_penalty: only(0),
  presence_penalty: only(0),
  logit_bias: z.strictObject({}).nullish(),
  response_format: z.strictObject({ type: z.literal("text") }).nullish(),
  modalities: z.array(z.literal("text")).nullish(),
  // Parameters for OpenAI's own bookkeeping.
  user: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  store: z.boolean().nullish(),
  service_tier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  safety_identifier: z.string().nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

export const RolloutRequest = z.strictObject({
  /** Name of the task. Rollouts of the same task are compared with each other. */
  task: z.string().min(1).max(1000),
  mode: z.enum(["train", "eval"]).default("train"),
});
export type RolloutRequest = z.output<typeof RolloutRequest>;

export const RewardRequest = z
  .strictObject({
    // The limits keep sums of rewards finite.
    reward: z.number().min(-1e9).max(1e9),
    /** Id of the completion that earned the reward. Default: the last completion. */
    call: z.string().optional(),
    /** Whether this is the last reward, which ends the rollout. */
    end: z.boolean().default(false),
    solved: z.boolean().optional(),
  })
  .refine(({ end, solved }) => end || solved === undefined, {
    path: ["solved"],
    error: "expected end: true in the same request",
  });
export type RewardRequest = z.output<typeof RewardRequest>;

/** Maximum number of characters of a reason that are kept. */
const reasonLength = 1000;

export const FailRequest = z.strictObject({
  /** Reason for the failure, for the trainer's log and `GET /rollouts/:id`. */
  reason: z
    .string()
    .nullish()
    .transform((reason) => reason?.slice(0, reasonLength) || undefined),
});
export type FailRequest = z.output<typeof FailRequest>;

export const EndRequest = z.strictObject({ solved: z.boolean().optional() });
export type EndRequest = z.output<typeof EndRequest>;

/**
 * Checks a body against its schema.
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
  const received = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], body);
  const given = received === undefined ? "none" : shown(received);
  const code = received === undefined ? "invalid_request" : codeOf(issue);
  const reason = issue.message.replace(/^Invalid input: /, "");
  return new EndpointError(code, `${param}: ${reason}, but received ${given}`, param);
}

/**
 * Returns the code of an issue: `unsupported_parameter` for a value that the engine does not support, else
 * `invalid_request`.
 */
function codeOf({ code }: z.core.$ZodIssue): "unsupported_parameter" | "invalid_request" {
  return code === "invalid_value" || code === "invalid_union" ? "unsupported_parameter" : "invalid_request";
}

/** Returns the name of a parameter, such as `messages[0].content`. */
function nameOf(path: readonly PropertyKey[]): string {
  const names = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return names.join("").replace(/^\./, "") || "body";
}
