/** The part of the library `palestra` that evaluates and trains, with the code of `palestra eval` and `palestra train`. */
import { join } from "node:path";
import { TrainerError } from "../../../trainer/errors.js";
import type { EvaluationReport } from "../../../trainer/evaluation/evaluation.js";
import type { EpisodeRecord } from "../../../trainer/evaluation/record.js";
import { TaskLists } from "../../../trainer/evaluation/task-list.js";
import { type GymPlace, openGym } from "../../../trainer/gym/open-gym.js";
import { openPolicy } from "../../../trainer/policy/policies.js";
import { TrainReport } from "../../../trainer/report/train-report.js";
import { defaultRetries } from "../../../trainer/rollout/episode-rollout.js";
import type { Evaluation, TrainStepReport } from "../../../trainer/run/observer.js";
import { loadSettings, type TrainSettings } from "../../../trainer/settings/settings.js";
import { train as runTraining, type TrainResult } from "../../../trainer/train.js";
import { gymProgram } from "../gym-program.js";
import { type EvalFlags, planOf, policySettings } from "./eval-plan.js";
import { folderName, playPlan } from "./eval-run.js";

export type { EvaluationReport, TrainResult };

/** A gym: its URL, the gym of `createGym` after `listen`, or `spawn` for a gym of the run's own. */
export type GymReference = string | { readonly url: string | undefined; readonly dataDir?: string };

interface RunSettings {
  /** Gym in which episodes are played. Default: a gym at http://127.0.0.1:8700, or else one that the run starts. */
  gym?: GymReference;
  /** Ends the run early. */
  signal?: AbortSignal;
  /** Receives lines about the run, such as the start of a gym. */
  onStage?(line: string): void;
}

export interface EvaluateSettings extends RunSettings {
  environment: string;
  /** Policy as `palestra eval --policy` names it: `expert`, `random`, `openai:URL#model` or `native:FOLDER`. */
  policy: string;
  /** Split of the tasks. Default: that of the environment. */
  split?: string;
  /** Indices of the tasks. Default: all tasks, or the first 100 of a large split. */
  tasks?: readonly number[];
  /** Largest number of tasks. */
  limit?: number;
  /** Number of episodes of each task. Default: 1. */
  k?: number;
  /** Largest number of replies in an episode. Default: the step limit of the environment, at most 50. */
  rounds?: number;
  seed?: number;
  /** Largest number of episodes in flight. Default: 64. */
  concurrency?: number;
  /** Options of the environment. */
  options?: Readonly<Record<string, string>>;
  /** Format in which a reply states its action. Default: `react`. */
  format?: string;
  temperature?: number;
  /** Largest number of tokens in a reply. Default: 512. */
  maxTokens?: number;
  /** Timeout of a policy server's reply, in milliseconds. Default: 120,000. */
  timeoutMs?: number;
  /** Folder of the episodes and reports. A second run continues there. Default: a folder under .palestra/evaluations. */
  directory?: string;
  /** Called when an episode ends. */
  onEpisode?(episode: EvaluatedEpisode): void;
}

export type EvaluatedEpisode = Pick<EpisodeRecord, "played" | "sample" | "status" | "score" | "solved" | "wallMs">;

export interface EvaluateResult {
  readonly report: EvaluationReport;
  /** Folder of `episodes.jsonl`, `report.json`, `report.md` and `report.html`. */
  readonly directory: string;
}

export interface TrainRunSettings extends RunSettings {
  /** Preset of the settings. Default: the small model of `palestra train`. */
  preset?: string;
  /** YAML file of settings, which override the preset. */
  file?: string;
  /** Settings by their names in trainer/README.md, which override the file: `{ total_train_steps: 10 }`. */
  settings?: Readonly<Partial<Record<keyof TrainSettings, unknown>>>;
  /** Called after each train step. */
  onTrainStep?(step: TrainProgress): void;
  /** Called after each evaluation on held-out tasks. */
  onEvaluation?(evaluation: Evaluation): void;
}

export type TrainProgress = Pick<TrainStepReport, "trainStep" | "loss" | "gradientNorm" | "trainedTokens" | "lr"> & {
  readonly totalTrainSteps: number;
};

/**
 * Evaluates a policy on the tasks of an environment and writes reports, as `palestra eval` does.
 *
 * @throws {TrainerError} invalid settings, or every remaining episode would fail
 */
export async function evaluate(settings: EvaluateSettings): Promise<EvaluateResult> {
  const { environment, signal = new AbortController().signal, onEpisode, onStage = () => {} } = settings;
  const flags = flagsOf(settings);
  const answers = policySettings(flags);
  const policy = await openPolicy(flags.policy, { ...answers, firstReplyMs: 15_000, onRetry: () => {} });
  try {
    const needs = { expert: flags.policy === "expert" };
    const { url, place } = placeOf(settings.gym);
    const gym = await openGym({ gym: url }, place, needs, onStage);
    try {
      const tasks = TaskLists.parse(flags.tasks);
      const unseen = { start() {}, onResume() {}, onTurn() {}, onRetry() {}, stop() {} };
      const progress = { ...unseen, onEpisode: onEpisode ?? (() => {}) };
      const run = { flags, tasks, gym: gym.client, policy, settings: answers, progress, signal };
      const plan = await planOf({ ...run, environment });
      const parts = [plan.environment, plan.split, policy.name, flags.format, plan.rollout.maxRounds, plan.seed];
      const directory = flags.out ?? join(".palestra", "evaluations", folderName(parts));
      const { report } = await playPlan(plan, directory, run);
      return { report, directory };
    } finally {
      await gym.close();
    }
  } finally {
    await policy.close();
  }
}

/** Returns the settings as flags of `palestra eval`. */
function flagsOf({
  environment,
  options,
  tasks,
  timeoutMs,
  rounds,
  directory,
  ...settings
}: EvaluateSettings): EvalFlags {
  const { policy, split, limit, k, seed, concurrency, format, temperature, maxTokens } = settings;
  return {
    env: [environment],
    policy,
    tasks: tasks ? [tasks.join(",")] : [],
    option: { ...options },
    k: k ?? 1,
    seed: seed ?? 0,
    concurrency: concurrency ?? 64,
    maxTokens: maxTokens ?? 512,
    timeout: (timeoutMs ?? 120_000) / 1_000,
    retries: defaultRetries,
    json: false,
    ...(split !== undefined && { split }),
    ...(limit !== undefined && { limit }),
    ...(rounds !== undefined && { rounds: [rounds] }),
    ...(format !== undefined && { format }),
    ...(temperature !== undefined && { temperature }),
    ...(directory !== undefined && { out: directory }),
  };
}

/** Returns where a gym listens: undefined for the default. */
function placeOf(gym: GymReference | undefined): { url: string | undefined; place: GymPlace } {
  const program = { path: gymProgram };
  if (gym === undefined || typeof gym === "string") return { url: gym, place: { program } };
  const { url, dataDir } = gym;
  if (url !== undefined) return { url, place: { dataDir, program } };
  throw new TrainerError(
    "ARGUMENT_INVALID",
    "expected a gym that listens, but received one without a URL. Call its listen().",
  );
}

/**
 * Trains a model and writes metrics and checkpoints, as `palestra train` does. A second run with the same output folder
 * continues the first.
 *
 * @throws {TrainerError} invalid settings @throws {NativeError} NATIVE_MISSING: the engine is not installed
 */
export async function train(options: TrainRunSettings = {}): Promise<TrainResult> {
  const { preset, file, gym: chosen, signal = new AbortController().signal, onStage = () => {} } = options;
  const { url, place } = placeOf(chosen);
  const own = { ...options.settings, ...(url !== undefined && { gym: url }) };
  const settings = await loadSettings({ preset, file, flags: {}, values: own, warn: onStage });
  const report = new LibraryReport(settings, options);
  const needs = { expert: settings.clone_episodes + settings.prompt_examples > 0 };
  const gym = settings.rollout === "gym" ? await openGym(settings, place, needs, onStage) : undefined;
  try {
    return await runTraining(settings, gym?.client, report, signal);
  } finally {
    await report.close();
    await gym?.close();
  }
}

/** Writes the files of a run, and passes its progress to the caller. */
class LibraryReport extends TrainReport {
  constructor(
    private readonly ofRun: TrainSettings,
    private readonly hooks: TrainRunSettings,
  ) {
    super(ofRun, (line) => hooks.onStage?.(line));
  }

  override onTrainStep(report: TrainStepReport): void {
    super.onTrainStep(report);
    const { trainStep, loss, gradientNorm, trainedTokens, lr } = report;
    const totalTrainSteps = this.ofRun.total_train_steps;
    this.hooks.onTrainStep?.({ trainStep, totalTrainSteps, loss, gradientNorm, trainedTokens, lr });
  }

  override onEvaluation(evaluation: Evaluation): void {
    super.onEvaluation(evaluation);
    this.hooks.onEvaluation?.(evaluation);
  }
}
