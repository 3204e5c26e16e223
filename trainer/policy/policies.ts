/** The kinds of policies, by their names in settings and on command lines: `expert`, `native:FOLDER`. */

import type { EngineOptions } from "../../native/api/index.js";
import type { ActionFormat } from "../../server/formats/actions/action-format.js";
import type { Dialogue } from "../../server/formats/dialogue.js";
import { didYouMean } from "../../server/formats/did-you-mean.js";
import { TrainerError } from "../errors.js";
import { ExpertPolicy } from "./expert.js";
import type { Policy, Retry } from "./policy.js";
import { RandomPolicy } from "./random.js";

/** Settings of policies; each kind of policy reads some of them. */
export interface PolicySettings {
  readonly format: ActionFormat;
  readonly dialogue: Dialogue;
  /** Sampling temperature. Default: that of the policy. */
  readonly temperature?: number | undefined;
  /** Maximum number of tokens in a reply. */
  readonly maxTokens: number;
  /** Timeout of a reply in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of conversations in flight. */
  readonly concurrency: number;
  /** Device of a native model; the data type and the number of threads follow. Default: that of the engine. */
  readonly device?: EngineOptions["device"] | undefined;
  readonly dtype?: EngineOptions["dtype"] | undefined;
  readonly threads?: number | undefined;
  /** Time limit, in milliseconds, for the first successful request to a server: see `OpenAIServerOptions`. */
  readonly firstReplyMs?: number;
  /** Called before each wait for a retry. */
  readonly onRetry?: (retry: Retry) => void;
}

export interface PolicyKind {
  /** Format of the argument, for help texts. */
  readonly usage: string;
  /**
   * @param argument text after the colon; empty without a colon
   * @throws {TrainerError} POLICY_INVALID: the argument is invalid
   */
  open(argument: string, settings: PolicySettings): Promise<Policy>;
}

export const policyKinds: ReadonlyMap<string, PolicyKind> = new Map<string, PolicyKind>([
  ["expert", { usage: "expert", open: async (argument, { format }) => without(argument, new ExpertPolicy(format)) }],
  ["random", { usage: "random", open: async (argument, { format }) => without(argument, new RandomPolicy(format)) }],
  ["native", { usage: "native:FOLDER or native:FILE.gguf", open: openNative }],
  ["openai", { usage: "openai:URL#model", open: openOpenAI }],
]);

/**
 * Opens a policy.
 *
 * @param text name and argument, such as `random` or `openai:http://127.0.0.1:8000/v1#model`
 * @throws {TrainerError} POLICY_INVALID: the kind is unknown @throws errors of the kind's `open`
 */
export async function openPolicy(text: string, settings: PolicySettings): Promise<Policy> {
  const [, name = "", argument = ""] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  const kind = policyKinds.get(name);
  if (kind) return kind.open(argument, settings);
  const known = [...policyKinds.values()].map(({ usage }) => usage).join(", ");
  const received = `${JSON.stringify(text)}${didYouMean(name, policyKinds.keys())}`;
  throw new TrainerError("POLICY_INVALID", `expected one of the policies ${known}, but received ${received}`);
}

async function openNative(path: string, settings: PolicySettings): Promise<Policy> {
  if (path === "")
    throw new TrainerError("POLICY_INVALID", 'expected native:FOLDER or native:FILE.gguf, but received "native"');
  const { temperature = 1, maxTokens: maxNewTokens, concurrency: sequences, dialogue } = settings;
  const { device = "auto", dtype, threads = 0 } = settings;
  const engine = { device, threads, ...(dtype && { dtype }) };
  const { openNativeModel } = await import("./native-model.js");
  return openNativeModel(path, { temperature, maxNewTokens, sequences, dialogue, ...engine });
}

async function openOpenAI(argument: string, settings: PolicySettings): Promise<Policy> {
  const server = parseOpenAI(argument);
  const { OpenAIPolicy } = await import("./openai.js");
  return new OpenAIPolicy({ ...server, ...settings });
}

/** Splits the argument of an openai policy. @param argument `URL#model` @throws {TrainerError} POLICY_INVALID */
export function parseOpenAI(argument: string): { url: string; model: string } {
  const [, url, model] = /^(.+)#(.+)$/s.exec(argument) ?? [];
  if (url !== undefined && model !== undefined) return { url, model };
  throw new TrainerError(
    "POLICY_INVALID",
    `expected openai:URL#model, but received ${JSON.stringify(`openai:${argument}`)}`,
  );
}

function without(argument: string, policy: Policy): Policy {
  if (argument === "") return policy;
  throw new TrainerError(
    "POLICY_INVALID",
    `expected no argument after ${policy.name}, but received ${JSON.stringify(argument)}`,
  );
}
