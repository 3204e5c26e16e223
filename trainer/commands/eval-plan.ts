/** From the flags of `palestra eval` to the plan of an evaluation. */
import type { Device } from "../device.js";
import { didYouMean } from "../did-you-mean.js";
import type { EvaluationPlan } from "../evaluate.js";
import { type Benchmark, benchmark } from "../evaluation/benchmarks.js";
import type { GymClient, GymEnvironment } from "../gym.js";
import type { Dialogue } from "../policy/dialogue.js";
import type { PolicySettings } from "../policy/policies.js";
import type { Policy } from "../policy/policy.js";
import { actionFormat, expectPlayable } from "../rollout/action-format.js";
import { defaultBackOff } from "../rollout/episode-rollout.js";

export interface EvalFlags {
  env: string;
  split?: string;
  tasks?: number[];
  limit?: number;
  policy: string;
  k: number;
  concurrency: number;
  gym?: string;
  agentgym?: string;
  preset?: string;
  option: Record<string, string>;
  rounds?: number;
  format?: string;
  dialogue?: Dialogue;
  by?: string;
  seed: number;
  temperature?: number;
  maxTokens: number;
  device?: Device;
  dtype?: "f32" | "bf16";
  threads?: number;
  timeout: number;
  retries: number;
  priceIn?: number;
  priceOut?: number;
  out?: string;
  json: boolean;
}

/** Number of tasks played where the split has no end, or a very far one. */
export const defaultLimit = 100;
export const defaultRounds = 50;

export function policySettings(flags: EvalFlags): PolicySettings {
  const { temperature, maxTokens, timeout, concurrency, preset, device, dtype, threads } = flags;
  const isAgentgym = preset === "agentgym-rl";
  return {
    format: actionFormat(flags.format ?? (isAgentgym ? "agentgym" : "react")),
    dialogue: flags.dialogue ?? (isAgentgym ? "agentgym" : "system"),
    temperature,
    maxTokens,
    timeoutMs: timeout * 1000,
    concurrency,
    device,
    dtype,
    threads,
  };
}

export async function planOf(
  flags: EvalFlags,
  gym: GymClient,
  settings: PolicySettings,
  { facts }: Policy,
): Promise<EvaluationPlan> {
  const environment = await gym.environment(flags.env);
  const { id, splits, defaultSplit, maxSteps = defaultRounds, familyKey, tools } = environment;
  const preset = flags.preset === undefined ? undefined : benchmark(flags.preset, flags.env);
  const options = flags.agentgym === undefined ? { ...preset?.options, ...flags.option } : flags.option;
  expectOptions(environment, options);
  expectPlayable(settings.format, id, tools(options));
  const split = splitOf(flags, preset, [...splits.keys()], defaultSplit);
  const size = splits.get(split);
  const { format, dialogue, temperature, maxTokens } = settings;
  return {
    environment: id,
    split,
    tasks: tasksOf(flags, preset, size),
    options,
    k: flags.k,
    seed: flags.seed,
    concurrency: flags.concurrency,
    rollout: {
      maxRounds: flags.rounds ?? preset?.maxRounds ?? Math.min(maxSteps, defaultRounds),
      format,
      retries: flags.retries,
      backOff: defaultBackOff,
    },
    familyKey: flags.by ?? familyKey,
    prices: pricesOf(flags),
    policySettings: { dialogue, ...(temperature !== undefined && { temperature }), maxTokens, ...facts },
    notes: preset && flags.tasks === undefined ? [preset.standIn.note] : [],
  };
}

function splitOf(flags: EvalFlags, preset: Benchmark | undefined, splits: readonly string[], own: string): string {
  const published = flags.tasks === undefined ? preset?.standIn.split : preset?.idSplit;
  // An AgentGym server numbers its tasks in one way.
  const split = flags.split ?? (flags.agentgym === undefined ? published : undefined) ?? own;
  if (splits.includes(split)) return split;
  const some =
    splits.length > 12 ? `${splits.slice(0, 12).join(", ")} or ${splits.length - 12} others` : splits.join(", ");
  const received = `${JSON.stringify(split)}${didYouMean(split, splits)}`;
  throw new RangeError(`expected one of the splits of ${flags.env}: ${some}; but received ${received}`);
}

/** Before the first episode: each would be refused for the same reason. @throws {RangeError} */
function expectOptions({ id, options }: GymEnvironment, asked: Readonly<Record<string, string>>): void {
  const expect = (of: string, known: readonly string[], received: string) => {
    if (known.includes(received)) return;
    const suggestion = didYouMean(received, known);
    throw new RangeError(
      `expected one of ${of}: ${known.join(", ") || "none"}; but received ${JSON.stringify(received)}${suggestion}`,
    );
  };
  for (const [name, value] of Object.entries(asked)) {
    expect(`the options of ${id}`, [...options.keys()], name);
    expect(`the values of ${id}'s option ${name}`, options.get(name) ?? [], value);
  }
}

function tasksOf(
  { tasks, limit, split }: EvalFlags,
  preset: Benchmark | undefined,
  size: number | undefined,
): number[] {
  const most = limit ?? Number.POSITIVE_INFINITY;
  const chosen = tasks ?? (split === undefined ? preset?.standIn.tasks : undefined);
  if (!chosen) {
    const all = size !== undefined && size <= 100_000 ? size : defaultLimit;
    return Array.from({ length: Math.min(limit ?? all, size ?? Number.POSITIVE_INFINITY) }, (_, index) => index);
  }
  const beyond = chosen.find((index) => size !== undefined && index >= size);
  if (beyond === undefined) return chosen.slice(0, most);
  throw new RangeError(`expected indices of tasks from 0 to ${(size as number) - 1}, but received ${beyond}`);
}

function pricesOf({ priceIn, priceOut }: EvalFlags) {
  if (priceIn === undefined && priceOut === undefined) return undefined;
  return { in: priceIn ?? 0, out: priceOut ?? 0 };
}
