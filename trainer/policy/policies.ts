/** Every kind of policy, by the name that settings and command lines give it: `expert`, `native:FOLDER`. */

import type { EngineOptions } from "../../native/api/index.js";
import type { ActionFormat } from "../actions/action-format.js";
import { didYouMean } from "../did-you-mean.js";
import { TrainerError } from "../errors.js";
import type { Dialogue } from "./dialogue.js";
import { ExpertPolicy } from "./expert.js";
import { openNativeModel } from "./native-model.js";
import { OpenAIPolicy } from "./openai.js";
import type { Policy, Retry } from "./policy.js";
import { RandomPolicy } from "./random.js";

/** What is asked of any policy; each takes what concerns it. */
export interface PolicySettings {
  readonly format: ActionFormat;
  readonly dialogue: Dialogue;
  /** Default: the policy's own. */
  readonly temperature?: number | undefined;
  /** Tokens of a reply. */
  readonly maxTokens: number;
  /** How long the policy may take for a reply. */
  readonly timeoutMs: number;
  /** Conversations at a time. */
  readonly concurrency: number;
  /** Of a model in an engine of this process: where it computes, in what, and by how many threads. Default: the engine's own. */
  readonly device?: EngineOptions["device"] | undefined;
  readonly dtype?: EngineOptions["dtype"] | undefined;
  readonly threads?: number | undefined;
  /** How long a policy server may go without any success at the start, as `OpenAIServerOptions` has it. */
  readonly firstReplyMs?: number;
  /** Is called before each wait for another attempt. */
  readonly onRetry?: (retry: Retry) => void;
}

export interface PolicyKind {
  /** As help texts show it. */
  readonly usage: string;
  /**
   * @param argument what follows the colon; empty where nothing does
   * @throws {TrainerError} an argument that does not fit
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
 * @param text as `random` or `openai:http://127.0.0.1:8000/v1#model`
 * @throws {TrainerError} an unknown kind, and what its `open` throws
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
  return openNativeModel(path, { temperature, maxNewTokens, sequences, dialogue, ...engine });
}

async function openOpenAI(argument: string, settings: PolicySettings): Promise<Policy> {
  return new OpenAIPolicy({ ...parseOpenAI(argument), ...settings });
}

/** @param argument `URL#model` @throws {TrainerError} */
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
    `expected nothing after ${policy.name}, but received ${JSON.stringify(argument)}`,
  );
}
