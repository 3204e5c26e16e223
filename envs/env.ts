/**
 * The contract between the gym and an environment. The gym and the environment know nothing else about each other.
 *
 * An environment is a deterministic engine. One version of an environment gives the same bytes on every machine for the
 * same task, seed, options and actions. The gym stores the actions of an episode, and rebuilds the episode by replaying
 * the actions. An environment therefore takes randomness from the seed and time from the context, and has no global
 * state.
 *
 * Words and semantics follow Gymnasium (Towers et al. 2024): `terminated` is the task's own end, `truncated` is a limit
 * from outside. The wrappers enforce limits and the order of calls; the environment does not.
 */

import type { Sandboxes } from "../sandboxes/sandbox.js";

export type { SandboxErrorCode } from "../sandboxes/sandbox.js";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Facts that accompany an observation, for trainers and people. The agent never sees them. */
export type Info = { [key: string]: JsonValue };

/** An image or JSON value that accompanies the text of an observation. */
export type ObservationPart =
  /** An image. `data` is in base64. */
  { type: "image"; mediaType: "image/png" | "image/svg+xml"; data: string } | { type: "json"; data: JsonValue };

/**
 * One problem of an environment: entry `index` (from 0) of one of its splits. As text, a task is written `split:index`.
 */
export interface TaskRef {
  split: string;
  index: number;
}

/** An entry in a list of tasks. */
export interface TaskSummary extends TaskRef {
  /** The goal, question or mission in a few words. */
  title: string;
}

/** An ordered set of tasks. */
export interface TaskSplit {
  /** Number of tasks in the split: `index` runs from 0 to `size - 1`. */
  size: number;
  /** One sentence that names the tasks and their order. */
  summary: string;
  /** Returns the title of a task. The gym only passes an index that is in range. */
  title(index: number): string;
}

/**
 * A kind of action in the form of a function, for agents that call functions or write code. The gym still sends the
 * text of the action to `step`.
 */
export interface Tool {
  /** Lower-case letters, digits and underscores. */
  name: string;
  /** Explains the effect of a call to the agent. */
  description: string;
  /** An `ObjectSchema` only if the action ends with `{arguments}`. */
  parameters: ToolParameters | ObjectSchema;
  /**
   * Template of the action, such as `get {count} {item}`. Each argument replaces its name, and the entries of a list are
   * joined with ", ". Each parameter occurs once, so that a call can also be parsed from an action.
   *
   * - A parameter at the end of the template takes all of the remaining text, line breaks included.
   * - Any other parameter ends at the end of its line at the latest.
   * - A quoted parameter, as in `{"text": "{text}"}`, is written as a JSON string and may contain line breaks.
   * - `{arguments}` at the end, as in `forecast {arguments}`, takes all arguments as one JSON object. Use `{arguments}`
   *   for tools with other types of parameters, such as third-party tools.
   */
  action: string;
}

/** JSON Schema of the arguments of a call. All arguments are required. */
export type ToolParameters = {
  type: "object";
  properties: Record<string, ToolParameter>;
  required: string[];
  additionalProperties: false;
};

/** JSON Schema of an object. */
export type ObjectSchema = {
  type: "object";
  properties?: Record<string, { [keyword: string]: JsonValue }>;
  required?: string[];
  [keyword: string]: JsonValue | undefined;
};

export type ToolParameter = { description: string } & (
  | { type: "string"; enum?: string[]; pattern?: string }
  | { type: "integer" }
  | { type: "array"; items: { type: "string" } }
);

/** A setting of an episode, such as the format of actions. */
export interface EnvironmentOption {
  /** Summary in one sentence. */
  summary: string;
  /** Possible values by name. The first value is the default. */
  values: Record<string, OptionValue>;
}

export interface OptionValue {
  /** Summary in one sentence. */
  summary: string;
  /** Instructions for the agent, if they differ from the `prompt` of the spec. */
  prompt?: string;
  /** Tools, if they differ from the `tools` of the spec. */
  tools?: readonly Tool[];
  /** Reward range, if it differs from the `rewardRange` of the spec. */
  rewardRange?: readonly [number, number];
}

/** The chosen value of each option of a spec, by the option's name. */
export type Options = Readonly<Record<string, string>>;

export interface ResetRequest {
  /** A task that exists: the gym checks the split and the index. */
  task: TaskRef;
  /** Seed of every random choice in the episode: an integer from 0 to 2^53 - 1. */
  seed: number;
  /** A valid value for every option of the spec. */
  options: Options;
}

export interface ResetResult {
  /** First observation of the agent. */
  observation: string;
  parts?: ObservationPart[];
  info: Info;
}

export interface StepResult {
  /** Observation after the action. A legal but wrong action is an ordinary step whose observation reports the mistake. */
  observation: string;
  parts?: ObservationPart[];
  /** Reward of the step: a finite number within the `rewardRange` of the spec. */
  reward: number;
  /** True if the task has ended: solved, lost, or given up. */
  terminated: boolean;
  /**
   * True if a limit from outside ended the episode. An environment always returns false; the time-limit wrapper sets
   * `truncated`.
   */
  truncated: boolean;
  info: Info;
}

/**
 * One running instance. The gym calls `reset`, then `step` until the episode ends, then `close`. The gym may also call
 * `reset` again at any time before `close`. The engine is synchronous and runs in a worker thread. If the engine runs
 * outside the gym, implement `AsyncEnvironment` instead.
 *
 * An error thrown by `reset` or `step` is a bug in the environment. Only this episode fails.
 */
export interface Environment {
  reset(request: ResetRequest): ResetResult;
  /** @param action text from the model, unchanged: any string up to the gym's limit on length */
  step(action: string): StepResult;
  /** Frees the resources of the instance. A second call does nothing. */
  close(): void;
  /** Returns an independent copy in the same state. Required if the spec has `restore: "clone"`, else absent. */
  clone?(): Environment;
}

/** An answer to a task without an episode, from a trainer with its own loop. */
export interface Submission {
  /** A task that exists: the gym checks the split and the index. */
  task: TaskRef;
  /** A valid value for every option of the spec. */
  options: Options;
  /** Text from the model, unchanged: any string up to the gym's limit on length. */
  answer: string;
  /** Number of steps that the answer took, if the caller reports it. Some rewards depend on the number of steps. */
  steps?: number;
  /** Number of tokens that the answer took, if the caller reports it. */
  tokens?: number;
}

/** The reward of an answer. */
export interface Verdict {
  /** Return of an episode in which the agent gives this answer: a finite number. */
  reward: number;
  /** Details of the scoring. The agent never sees them. */
  info: Info;
}

/** Services of the gym for a new environment. */
export interface EnvironmentContext {
  /**
   * Returns milliseconds since the epoch. Use the time only in `info`: no observation or reward may depend on the time.
   */
  now(): number;
}

/**
 * One running instance whose engine runs outside the gym, in a sandbox or a browser. An `AsyncEnvironment` has the calls
 * of `Environment`, as promises. All async environments share one process and its event loop: only send, receive and
 * translate there. If an environment blocks the event loop for a second, its episode fails and the gym replaces the
 * process.
 *
 * The gym makes one call at a time. The gym aborts the signal of a call, with an error as the reason, when the call
 * misses its deadline or the result is no longer needed. An aborted call must reject soon, with any error, and leave no
 * resources that `close` does not free. After an error or an abort the gym only calls `close`.
 *
 * A SandboxError means that the instance is lost. The gym restores the episode on a new instance, or passes the message
 * of the error to the caller. Any other error is a bug in the environment and fails this episode.
 */
export interface AsyncEnvironment {
  reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult>;
  /** @param action text from the model, unchanged: any string up to the gym's limit on length */
  step(action: string, signal: AbortSignal): Promise<StepResult>;
  /**
   * Frees the resources of the instance. The promise settles when all resources are free. A second call does nothing.
   * The gym may call `close` while an earlier call is still running and has ignored an abort.
   */
  close(): Promise<void>;
}

/** Services of the gym for a new async environment. */
export interface AsyncContext extends EnvironmentContext {
  /** Sandboxes in which the engine may run. */
  sandboxes: Sandboxes;
  /**
   * Queries a source whose answer may change, such as a web page. Call and await `record` within a step. The gym logs
   * the answer with the step, and a replay reads the answer from the log without calling `ask`. The order of the calls
   * identifies the answers. If `ask` fails, the step must fail too.
   */
  record<T extends JsonValue>(ask: () => Promise<T>): Promise<T>;
}

/** An external dependency of an environment. */
export interface Requirement {
  /** One word, such as `browser`, `jvm`, `docker` or `index`. */
  name: string;
  /** One sentence that tells the operator how to provide the dependency. */
  howToGet: string;
  /**
   * Reports whether the dependency is available; `detail` says where, or why not. The promise must settle within a
   * second.
   */
  probe(): Promise<{ available: boolean; detail: string }>;
  /**
   * Installs the dependency, for `palestra setup <name>`. Absent if the installation needs manual work.
   *
   * @param progress called during long work with the fraction done, from 0 to 1, and a description
   * @returns a summary of the work done
   * @throws {Error} installation failed: the message states the cause and the remedy
   */
  setUp?(choices?: SetUpChoices, progress?: Progress): Promise<string>;
}

export type Progress = (fraction: number, doing: string) => void;

/** Arguments and options of `palestra setup <name>`. A requirement ignores the choices that it does not use. */
export interface SetUpChoices {
  /** File or folder to install from, instead of the published data. */
  from?: string;
  /** Name to give to the installed data. */
  as?: string;
  /** Network access for tasks that ask for an open network. */
  internet?: Internet;
  /** Source that is searched for answers to questions. */
  source?: string;
}

/** `none`: no network access. `http`: HTTP and HTTPS to every public host, through the gym's proxy. */
export type Internet = "none" | "http";

/**
 * Method by which the gym restores an episode whose instance is lost.
 *
 * - `replay`: the gym replays the logged actions.
 * - `clone`: as `replay`, and the gym can also copy a live instance.
 * - `none`: the gym cannot restore the episode, since the outside world has changed, and the episode fails. Images of
 *   the environment may differ between runs; all other results are deterministic.
 */
export type Restore = "clone" | "replay" | "none";

/** Static description of an environment. */
export interface EnvironmentFacts {
  /** Id of lower-case letters, digits and dashes. `id` selects the newest version, `id@version` a certain version. */
  id: string;
  /**
   * Version number of the environment, or the name of another engine with the same id. A number goes up with every
   * change of behaviour: episodes of an old version replay to the same bytes or not at all. A named engine is never
   * selected by `id` alone. A name has lower-case letters, digits and dashes, and starts with a letter.
   */
  version: number | string;
  /** Summary in one sentence. */
  summary: string;
  /** Task splits by name. The first split is the default. */
  splits: Record<string, TaskSplit>;
  /** Options by name. */
  options?: Record<string, EnvironmentOption>;
  /** Number of steps after which the time-limit wrapper truncates the episode. */
  maxSteps: number;
  /** Lowest and highest reward of a single step. */
  rewardRange: readonly [number, number];
  /** Lowest return of an episode that counts as solved. Default: the highest reward of a step. */
  solvedReward?: number;
  /** Key in the `info` of a reset whose value names the kind of task. Reports group results by this value. */
  familyKey?: string;
  /**
   * Instructions for the agent, with the action format. Where results were published, the text is the prompt of those
   * results.
   */
  prompt: string;
  /** Actions as functions, which cover at least every action of the expert. Absent if actions are text only. */
  tools?: readonly Tool[];
  requirements: readonly Requirement[];
  restore: Restore;
}

/** A question to a running instance, such as its inventory, its available actions or its progress. */
export interface Query<E> {
  /** One sentence that describes the answer. */
  summary: string;
  /**
   * True if the answer helps to solve the task, as the expert does. Advice needs the same permission as the expert and
   * is logged in the same way.
   */
  isAdvice?: boolean;
  /** Returns the answer without changing the instance: the rest of the episode is the same with and without the query. */
  answer(environment: E): JsonValue;
}

/** The default export of `envs/<id>/index.ts`. */
export interface EnvironmentSpec<E extends Environment = Environment> extends EnvironmentFacts {
  isAsync?: false;
  create(context: EnvironmentContext): E;
  /**
   * The expert: returns the next action towards the highest reward, or null if no action leads there. A call is
   * deterministic and does not change the instance.
   */
  expert?(environment: E): string | null;
  /** Scores an answer without an episode, for `POST /v1/rewards`. Accepts any text, and is deterministic. */
  verify?(submission: Submission): Verdict;
  /** Draws the state of the instance for people, without changing the instance. */
  render?(environment: E): ObservationPart & { type: "image" };
  /** Queries by name: lower-case letters, digits and dashes. */
  queries?: Readonly<Record<string, Query<E>>>;
}

/** A query whose answer is a promise. */
export interface AsyncQuery<E> {
  /** One sentence that describes the answer. */
  summary: string;
  /** As in `Query`. */
  isAdvice?: boolean;
  /** Returns the answer without changing the instance: the rest of the episode is the same with and without the query. */
  answer(environment: E, signal: AbortSignal): Promise<JsonValue>;
}

/** The spec of an environment whose engine runs outside the gym. Fields shared with `EnvironmentSpec` mean the same. */
export interface AsyncEnvironmentSpec<E extends AsyncEnvironment = AsyncEnvironment> extends EnvironmentFacts {
  isAsync: true;
  /** Method of restoring an episode. `clone` is excluded, since an engine outside the gym cannot be copied. */
  restore: Exclude<Restore, "clone">;
  /**
   * Deadline of a call in milliseconds, if a call needs more than the gym's default. An engine may have to start first,
   * or to wait for free capacity.
   */
  deadlineMs?: number;
  /** Makes an instance. The instance starts its engine in `reset`, which may wait and may fail. */
  create(context: AsyncContext): E;
  expert?(environment: E, signal: AbortSignal): Promise<string | null>;
  /** As in `EnvironmentSpec`. The call frees its resources before the promise settles. */
  verify?(submission: Submission, signal: AbortSignal): Promise<Verdict>;
  render?(environment: E, signal: AbortSignal): Promise<ObservationPart & { type: "image" }>;
  queries?: Readonly<Record<string, AsyncQuery<E>>>;
}

export type AnyEnvironmentSpec = EnvironmentSpec | AsyncEnvironmentSpec;
