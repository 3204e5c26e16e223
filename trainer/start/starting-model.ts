/**
 * The starting model of reinforcement learning, as folders under the output folder: `initial` if no model is given, and
 * `cloned` if experts are cloned. An existing folder is reused if it was made with the same settings, else the run is
 * refused.
 */

import { existsSync } from "node:fs";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine, Model, Tokenizer, TrainerOptions } from "../../native/api/index.js";
import { actionFormat } from "../../server/formats/actions/action-formats.js";
import { counted } from "../../server/formats/counted.js";
import { mixtureOf } from "../curriculum/index.js";
import { writeDefaultModel } from "../data/default-model.js";
import { buildTokenizer } from "../data/default-tokenizer.js";
import { TrainerError } from "../errors.js";
import type { GymClient } from "../gym/gym.js";
import type { RunTaskSets } from "../gym/task-set.js";
import { ChatFormat } from "../policy/chat-format.js";
import { parseTeacher } from "../policy/teacher.js";
import type { PromptExamples } from "../rollout/instructions.js";
import type { TrajectoryFailure } from "../rollout/trajectory.js";
import { expectSameStartingModel, type RecordedSettings, startingSettings } from "../settings/changes.js";
import type { TrainSettings } from "../settings/settings.js";
import { type CloningStep, clone, exampleOf } from "./cloning.js";
import { readDialogues } from "./dialogue-files.js";
import { type Dialogue, expertDialogues, openings } from "./dialogues.js";

export interface StartingModelRequest {
  readonly engine: Engine;
  /** Gym of the run; undefined if agents play at the rollout endpoint. */
  readonly gym: GymClient | undefined;
  readonly settings: TrainSettings;
  readonly taskSets: RunTaskSets;
  /** Worked examples for the instructions of cloned episodes. */
  readonly examples?: PromptExamples | undefined;
  readonly signal: AbortSignal;
  readonly observer: StartObserver;
}

/** Progress of a phase: playing experts' episodes, reading first observations, or cloning. */
export interface StartProgress {
  readonly phase: "experts" | "language" | "cloning";
  readonly done: number;
  readonly total: number;
  /** Pass over the episodes, from 1, and their number; the loss in nats per token. Only of cloning. */
  readonly epoch?: number;
  readonly epochs?: number;
  readonly loss?: number;
}

export interface StartObserver {
  onStage(stage: string): void;
  onCloningStep(step: CloningStep): void;
  onStartProgress(progress: StartProgress): void;
}

/** Maximum number of episodes in flight, of experts and of first observations. */
const concurrency = 32;

const untrained =
  "reinforcement learning starts from an untrained model, which solves almost no task at first, so that most groups have " +
  "no gradient. Clone experts first with clone_episodes, or start from a pretrained model with the setting model.";

/** File in a model's folder with the settings that the model was made with. */
const madeByFile = "made-by.json";

/**
 * Makes the starting model unless it exists.
 *
 * @returns its folder, or the setting `model` if that model is used unchanged
 * @throws {TrainerError}
 */
export async function startingModel(request: StartingModelRequest): Promise<string> {
  const { settings, gym, observer } = request;
  const cloned = join(settings.output, "cloned");
  if (await isMade(cloned, settings)) return cloned;
  if (!gym) return expectModel(settings);
  const inGym = { ...request, gym };
  // A wrong file ends the run before the experts play, which takes minutes.
  const own = await ownDialogues(settings, observer);
  const experts = settings.clone_episodes > 0 ? await collect(inGym) : [];
  const dialogues = [...experts, ...own];
  if (settings.model === undefined && dialogues.length === 0) observer.onStage(untrained);
  const initial = settings.model ?? (await initialModel(inGym, dialogues));
  if (dialogues.length === 0) return initial;
  await cloneInto(cloned, initial, dialogues, inGym);
  return cloned;
}

type GymRequest = StartingModelRequest & { readonly gym: GymClient };

/**
 * Checks that the run has a model to start from. Call it before the engine and the gym are started, which takes a while.
 *
 * @throws {TrainerError} MODEL_UNUSABLE, SETTINGS_INVALID
 */
export async function expectStartable(settings: TrainSettings): Promise<void> {
  const isCloned = existsSync(join(settings.output, "cloned", "config.json"));
  if (isCloned) return;
  if (settings.rollout === "endpoint") expectModel(settings);
  if (settings.model === undefined) return;
  await stat(settings.model).catch((error: Error) => {
    const expected = `a model in Hugging Face's layout, or a GGUF file, at ${settings.model}`;
    throw new TrainerError("MODEL_UNUSABLE", `expected ${expected}, but received: ${error.message}`);
  });
}

function expectModel({ model, output }: TrainSettings): string {
  if (model !== undefined) return model;
  throw new TrainerError(
    "SETTINGS_INVALID",
    `expected a model with rollout endpoint, which has no gym to clone experts in, but the setting model is unset and no model is in ${join(output, "cloned")}`,
  );
}

/** Returns the options of the engine's trainer, from the settings of a run. */
export function trainerOptions(settings: TrainSettings): TrainerOptions {
  const { lora_rank: rank, lora_alpha: alpha = rank, lora_dropout: dropout, seed } = settings;
  const options: TrainerOptions = { maxTokens: settings.max_tokens_per_mb, recompute: settings.memory_recompute };
  if (rank === 0) return options;
  const targets = settings.lora_targets?.map((name) => `${name}_proj` as const);
  return { ...options, lora: { rank, alpha, seed, dropout, ...(targets && { targets }) } };
}

async function collect({ gym, settings, taskSets, examples, signal, observer }: GymRequest): Promise<Dialogue[]> {
  observer.onStage(`playing ${counted(settings.clone_episodes, "episode")} by experts`);
  // The seed differs from the seed of reinforcement learning.
  const mixture = mixtureOf(taskSets.clone, settings.seed + 1);
  const tasks = Array.from({ length: settings.clone_episodes }, () => mixture.next());
  const format = actionFormat(settings.action_format);
  const { max_rounds: maxRounds } = settings;
  const failures: TrajectoryFailure[] = [];
  const onFailed = (failure: TrajectoryFailure) => void failures.push(failure);
  const onPlayed = countedBy(observer, "experts", tasks.length);
  const how = { format, examples, maxRounds, concurrency };
  const dialogues = await expertDialogues({ gym, tasks, ...how, signal, onFailed, onPlayed });
  const last = failures.at(-1);
  const reason = last && `${failures.length} failed, the last with ${last.code}: ${last.message}`;
  if (reason) observer.onStage(`experts' episodes: ${reason}`);
  if (dialogues.length > 0) return dialogues;
  throw new TrainerError(
    "CLONING_IMPOSSIBLE",
    `expected tasks that experts solve in ${counted(maxRounds, "round")}, but the experts solved none${reason ? `: ${reason}` : ""}`,
  );
}

/** Reads the dialogues of the setting `clone_dialogues`. @throws {TrainerError} DIALOGUES_INVALID, CLONING_IMPOSSIBLE */
async function ownDialogues(
  { clone_dialogues: paths = [] }: TrainSettings,
  observer: StartObserver,
): Promise<Dialogue[]> {
  const all = await readDialogues(paths);
  const dialogues = all.filter(({ turns }) => turns.length > 0);
  const empty = all.length - dialogues.length;
  const leftOut = empty > 0 ? `; left out as without a reply to clone: ${empty}` : "";
  if (paths.length > 0) observer.onStage(`read ${counted(dialogues.length, "dialogue")}${leftOut}`);
  if (paths.length === 0 || dialogues.length > 0) return dialogues;
  throw new TrainerError(
    "CLONING_IMPOSSIBLE",
    `expected dialogues with replies in ${paths.join(", ")}, but received ${counted(all.length, "line")} without`,
  );
}

/** Returns a function that counts the episodes of a phase. */
function countedBy(observer: StartObserver, phase: StartProgress["phase"], total: number): () => void {
  let done = 0;
  return () => observer.onStartProgress({ phase, done: ++done, total });
}

async function initialModel(request: GymRequest, dialogues: readonly Dialogue[]): Promise<string> {
  const { engine, settings } = request;
  const folder = join(settings.output, "initial");
  if (await isMade(folder, settings)) return folder;
  const tokenizer = (await teachersTokenizer(request)) ?? (await ownTokenizer(request, dialogues));
  const { hidden_size: hiddenSize, layers, context_length: context, copying_scale: copyingScale } = settings;
  await noteMadeBy(folder, settings);
  await writeDefaultModel(engine, tokenizer, { hiddenSize, layers, context, copyingScale }, settings.seed, folder);
  return folder;
}

/** Returns the tokenizer of a native teacher, which can only score tokens that it knows. */
async function teachersTokenizer({ engine, settings }: GymRequest): Promise<Tokenizer | undefined> {
  const name = settings.teacher === undefined ? undefined : parseTeacher(settings.teacher);
  if (name?.kind !== "native") return undefined;
  const model = await engine.loadModel(name.path);
  model.close();
  return model.tokenizer;
}

/** Builds a tokenizer from the texts of the environments. */
async function ownTokenizer(request: GymRequest, dialogues: readonly Dialogue[]): Promise<Tokenizer> {
  const { gym, settings, taskSets, signal, observer } = request;
  observer.onStage("reading the environments' language");
  const all = [...new Set([...taskSets.clone, ...taskSets.train])];
  const tasks = all.flatMap(({ environment, split, first, last }) => {
    const count = Math.min(settings.language_episodes, last - first + 1);
    return Array.from({ length: count }, (_, at) => ({ environment, split, index: first + at, seed: at }));
  });
  const onPlayed = countedBy(observer, "language", tasks.length);
  const said = dialogues.flatMap(({ turns }) => turns.flatMap(({ observation, reply }) => [observation, reply]));
  return buildTokenizer([...said, ...(await openings({ gym, tasks, concurrency, signal, onPlayed }))]);
}

async function cloneInto(
  target: string,
  source: string,
  dialogues: readonly Dialogue[],
  request: StartingModelRequest,
) {
  const { engine, settings, signal, observer } = request;
  const model = await engine.loadModel(source);
  try {
    const format = formatOf(model);
    const all = dialogues.map((dialogue) => exampleOf(format, dialogue));
    const fitting = all.filter(({ tokens }) => tokens.length <= settings.context_length);
    observer.onStage(cloningStage(fitting.length, all.length - fitting.length, settings.context_length));
    const trainer = await model.trainer(trainerOptions(settings));
    await clone(trainer, fitting, settings, signal, (step) => {
      observer.onCloningStep(step);
      const { step: done, steps: total, epoch, loss } = step;
      const progress = { done, total, epoch: epoch + 1, epochs: settings.clone_epochs, loss };
      observer.onStartProgress({ phase: "cloning", ...progress });
    });
    await noteMadeBy(target, settings);
    await model.save(target, settings.lora_rank > 0 ? { adapters: trainer } : {});
  } finally {
    model.close();
  }
}

/**
 * Describes the cloning stage for the log. @throws {TrainerError} CLONING_IMPOSSIBLE: no episode fits into the context
 */
function cloningStage(fitting: number, tooLong: number, context: number): string {
  if (fitting === 0) {
    throw new TrainerError(
      "CLONING_IMPOSSIBLE",
      `expected episodes and dialogues of at most context_length ${context} tokens, but received only longer ones: ${tooLong}. Raise context_length or lower max_rounds.`,
    );
  }
  return `cloning ${counted(fitting, "episode")}${tooLong > 0 ? `; left out as longer than the context: ${tooLong}` : ""}`;
}

/** Creates the chat format of a model. @throws {TrainerError} MODEL_UNUSABLE */
export function formatOf({ tokenizer }: Model): ChatFormat {
  if (tokenizer) return new ChatFormat(tokenizer);
  throw new TrainerError("MODEL_UNUSABLE", "expected a model with a tokenizer.json, but received one without");
}

/**
 * Returns whether the folder already contains the model. A model without the file of settings was not made by the
 * trainer and is accepted.
 */
async function isMade(folder: string, settings: TrainSettings): Promise<boolean> {
  // This file is written last. A folder without it contains no complete model.
  if (!existsSync(join(folder, "config.json"))) return false;
  const note = join(folder, madeByFile);
  if (existsSync(note)) {
    expectSameStartingModel(folder, JSON.parse(await readFile(note, "utf8")) as RecordedSettings, settings);
  }
  return true;
}

/** Writes the settings that a model is made with, before the model is written. */
async function noteMadeBy(folder: string, settings: TrainSettings): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, madeByFile), `${JSON.stringify(startingSettings(settings), null, 2)}\n`);
}
