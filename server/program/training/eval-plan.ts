/** Makes the plan of an evaluation from the flags of `palestra eval`. */

import { TrainerError } from "../../../trainer/errors.js";
import { type Benchmark, benchmark } from "../../../trainer/evaluation/benchmarks.js";
import type { EvaluationPlan } from "../../../trainer/evaluation/evaluate.js";
import type { TaskLists } from "../../../trainer/evaluation/task-list.js";
import type { GymClient, GymEnvironment } from "../../../trainer/gym/gym.js";
import type { PolicySettings } from "../../../trainer/policy/policies.js";
import type { Policy } from "../../../trainer/policy/policy.js";
import { defaultBackOff } from "../../../trainer/rollout/episode-rollout.js";
import type { PromptExamples } from "../../../trainer/rollout/instructions.js";
import type { Device } from "../../../trainer/settings/device.js";
import { readPromptExamples } from "../../../trainer/start/prompt-examples.js";
import { actionFormat, expectPlayable } from "../../formats/actions/action-formats.js";
import { counted } from "../../formats/counted.js";
import type { Dialogue } from "../../formats/dialogue.js";
import { didYouMean } from "../../formats/did-you-mean.js";
import { textHash } from "../../formats/text-hash.js";
import { partnerFacts, seatsOf } from "./eval-seats.js";

export interface EvalFlags {
  /** Environments to play. Default: all environments of the preset. */
  env?: string[];
  split?: string;
  tasks: string[];
  limit?: number;
  policy: string;
  /** Policy that plays the other seats. */
  partner?: string;
  /** Seats that the policy plays beside the partner. */
  seats?: string[];
  k: number;
  concurrency: number;
  gym?: string;
  agentgym?: string;
  preset?: string;
  option: Record<string, string>;
  rounds?: number[];
  format?: string;
  dialogue?: Dialogue;
  by?: string;
  seed: number;
  temperature?: number;
  /** File of worked examples that a training run wrote. */
  promptExamples?: string;
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

/** Number of tasks to play if the size of the split is unknown or very large. */
export const defaultLimit = 100;
export const defaultRounds = 50;

/** Inputs for the plan of one environment. */
export interface PlanRequest {
  /** Name of the environment as the caller wrote it. */
  readonly environment: string;
  readonly flags: EvalFlags;
  readonly tasks: TaskLists;
  readonly gym: GymClient;
  readonly settings: PolicySettings;
  readonly policy: Policy;
  /** Policy of the seats that `policy` does not play. */
  readonly partner?: Policy | undefined;
}

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

/** Makes the plan of an environment. @throws {GymError} @throws {TrainerError} the flags do not fit the environment */
export async function planOf({
  flags,
  gym,
  settings,
  policy,
  partner,
  ...request
}: PlanRequest): Promise<EvaluationPlan> {
  const environment = await gym.environment(request.environment);
  const { id, splits, defaultSplit, maxSteps = defaultRounds, familyKey, solvedReward, tools } = environment;
  const preset = flags.preset === undefined ? undefined : benchmark(flags.preset, request.environment);
  const tasks = request.tasks.of(request.environment.replace(/@.*/, ""));
  const choice: TaskChoice = { environment: request.environment, flags, preset, tasks };
  const options = flags.agentgym === undefined ? { ...preset?.options, ...flags.option } : flags.option;
  expectOptions(environment, options);
  const format = flags.format === undefined && preset ? actionFormat(preset.format) : settings.format;
  expectPlayable(format, id, tools(options));
  const seats = partner && seatsOf(environment, flags.seats);
  const split = splitOf(choice, [...splits.keys()], defaultSplit);
  const examples = flags.promptExamples === undefined ? undefined : readPromptExamples(flags.promptExamples);
  const rounds = roundsOf(flags.rounds, preset, Math.min(maxSteps, defaultRounds));
  return {
    environment: id,
    split,
    tasks: tasksOf(choice, splits.get(split)),
    options,
    k: flags.k,
    seed: flags.seed,
    concurrency: flags.concurrency,
    rollout: {
      maxRounds: rounds.played,
      format,
      examples,
      retries: flags.retries,
      backOff: defaultBackOff,
    },
    cap: rounds.cap,
    caps: rounds.caps,
    familyKey: flags.by ?? familyKey,
    prices: pricesOf(flags),
    seats,
    policySettings: { ...affecting(settings, examples), ...policy.facts, ...partnerFacts(partner, seats) },
    notes: [
      ...(preset && tasks === undefined ? [preset.standIn.note] : []),
      ...rounds.notes,
      ...(solvedReward === Number.POSITIVE_INFINITY ? [unsolvable] : []),
    ],
  };
}

/** Returns the settings of a policy that affect the results. */
function affecting({ dialogue, temperature, maxTokens }: PolicySettings, examples: PromptExamples | undefined) {
  return {
    dialogue,
    ...(temperature !== undefined && { temperature }),
    maxTokens,
    ...(examples && { promptExamples: textHash([...examples].flat().join("\n")) }),
  };
}

const unsolvable =
  "The environment states no return that counts as solved, so the success rate means nothing. Compare the mean score, or " +
  "mount the environment with #solved=RETURN.";

interface Rounds {
  readonly played: number;
  readonly cap: number;
  readonly caps: readonly number[];
  readonly notes: readonly string[];
}

/**
 * Resolves the round caps. With several caps, the results of a preset still use the preset's cap, so that they can be
 * compared with published results.
 */
function roundsOf(asked: readonly number[] | undefined, preset: Benchmark | undefined, most: number): Rounds {
  const own = preset?.maxRounds ?? most;
  if (asked === undefined) return { played: own, cap: own, caps: [], notes: [] };
  const largest = Math.max(...asked);
  if (asked.length === 1) return { played: largest, cap: largest, caps: [], notes: [] };
  const cap = preset ? own : largest;
  const caps = [...new Set([...asked, cap])].sort((a, b) => a - b);
  const played = Math.max(largest, cap);
  const note = `Episodes were played for at most ${counted(played, "round")}. Results and transcripts are cut at ${counted(cap, "round")}, the preset's cap.`;
  return { played, cap, caps, notes: played > cap ? [note] : [] };
}

/** Inputs that determine the tasks of an environment. */
interface TaskChoice {
  readonly environment: string;
  readonly flags: EvalFlags;
  readonly preset: Benchmark | undefined;
  readonly tasks: readonly number[] | undefined;
}

function splitOf({ environment, flags, preset, tasks }: TaskChoice, splits: readonly string[], own: string): string {
  const published = tasks === undefined ? preset?.standIn.split : preset?.idSplit;
  // An AgentGym server has a single split.
  const split = flags.split ?? (flags.agentgym === undefined ? published : undefined) ?? own;
  if (splits.includes(split)) return split;
  const some =
    splits.length > 12
      ? `${splits.slice(0, 12).join(", ")} or ${counted(splits.length - 12, "other")}`
      : splits.join(", ");
  const received = `${JSON.stringify(split)}${didYouMean(split, splits)}`;
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected one of the splits of ${environment}: ${some}; but received ${received}`,
  );
}

/** Checks the options before the first episode, since every episode would be refused. @throws {TrainerError} */
function expectOptions({ id, options }: GymEnvironment, asked: Readonly<Record<string, string>>): void {
  const expect = (of: string, known: readonly string[], received: string) => {
    if (known.includes(received)) return;
    const suggestion = didYouMean(received, known);
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected one of ${of}: ${known.join(", ") || "none"}; but received ${JSON.stringify(received)}${suggestion}`,
    );
  };
  for (const [name, value] of Object.entries(asked)) {
    expect(`the options of ${id}`, [...options.keys()], name);
    expect(`the values of ${id}'s option ${name}`, options.get(name) ?? [], value);
  }
}

function tasksOf({ flags: { limit, split }, preset, tasks }: TaskChoice, size: number | undefined): number[] {
  const most = limit ?? Number.POSITIVE_INFINITY;
  const chosen = tasks ?? (split === undefined ? preset?.standIn.tasks : undefined);
  if (!chosen) {
    const all = size !== undefined && size <= 100_000 ? size : defaultLimit;
    return Array.from({ length: Math.min(limit ?? all, size ?? Number.POSITIVE_INFINITY) }, (_, index) => index);
  }
  const beyond = chosen.find((index) => size !== undefined && index >= size);
  if (beyond === undefined) return chosen.slice(0, most);
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected indices of tasks from 0 to ${(size as number) - 1}, but received ${beyond}`,
  );
}

function pricesOf({ priceIn, priceOut }: EvalFlags) {
  if (priceIn === undefined && priceOut === undefined) return undefined;
  return { in: priceIn ?? 0, out: priceOut ?? 0 };
}
