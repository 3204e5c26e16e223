/**
 * The contract between the gym and an environment. The gym and an environment depend on nothing else of each other.
 *
 * An environment is deterministic: for the same task, seed, options and actions, one version returns the same bytes on
 * every machine. The gym stores the actions of an episode, and restores the episode by replaying them. An environment
 * therefore takes randomness only from the seed and time only from the context, and has no global state.
 *
 * Terms and semantics follow Gymnasium (Towers et al. 2024): `terminated` means that the task has ended, `truncated`
 * that an external limit has ended the episode. The gym's wrappers enforce the limits and the order of calls.
 */

import type { Sandboxes } from "../sandboxes/sandbox.js";

export type { SandboxErrorCode } from "../sandboxes/sandbox.js";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Facts about an observation for trainers and people, which the agent never sees. */
export type Info = { [key: string]: JsonValue };

/** An image or JSON value that accompanies the text of an observation. */
export type ObservationPart =
  /** An image. `data` is in base64. */
  { type: "image"; mediaType: "image/png" | "image/svg+xml"; data: string } | { type: "json"; data: JsonValue };

/** Reference to a task: the entry `index` (from 0) of a split. As text it is written `split:index`. */
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
  /** Values of options for tasks of this split, in place of the environment's defaults. */
  options?: Options;
  /** Returns the title of a task. The gym passes only valid indices. */
  title(index: number): string;
}

/**
 * A kind of action described as a function, for agents that call functions or write code. The gym converts a call to
 * the text of an action for `step`.
 */
export interface Tool {
  /** Lower-case letters, digits and underscores. */
  name: string;
  /** Description of a call's effect, for the agent. */
  description: string;
  /** An `ObjectSchema` only if the action ends with `{arguments}`. */
  parameters: ToolParameters | ObjectSchema;
  /**
   * Template of the action, such as `get {count} {item}`. Each argument replaces the placeholder with its name; the
   * entries of a list are joined with ", ". Each parameter occurs once, so that an action can be parsed back into a
   * call.
   *
   * - When an action is parsed, a parameter at the end of the template matches all remaining text, line breaks
   *   included.
   * - Any other parameter matches text without line breaks.
   * - A quoted parameter, as in `{"text": "{text}"}`, is written as a JSON string and may contain line breaks.
   * - `{arguments}` at the end, as in `forecast {arguments}`, stands for all arguments as one JSON object. Use
   *   `{arguments}` for tools with other types of parameters, such as third-party tools.
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

/** Chosen values of the options, by option name. */
export type Options = Readonly<Record<string, string>>;

/** One of the players of an environment for several players. */
export interface Seat {
  /** Summary of the player's part in one sentence. */
  summary: string;
  /** Instructions for the player, if they differ from the `prompt` of the spec. */
  prompt?: string;
  /** Tools of the player, if they differ from the `tools` of the spec. */
  tools?: readonly Tool[];
}

/**
 * Part of a result of an environment with seats. The seats take turns: one seat acts at a time, and only its player
 * gets the observation, as in PettingZoo's AEC games (Terry et al. 2021). The observation of a seat's turn therefore
 * tells what has happened since its last one. At the end of an episode all seats get the observation.
 */
export interface Turn {
  /** Seat that acts next. Absent if the episode has ended, or the environment has no seats. */
  turn?: string;
}

/** The request of a reset. The gym keeps it, so an environment must not change it. */
export interface ResetRequest {
  /** Task of the environment. The gym has checked that it exists. */
  task: TaskRef;
  /** Seed of every random choice in the episode: an integer from 0 to 2^53 - 1. */
  seed: number;
  /** A valid value for each option of the spec. */
  options: Options;
}

export interface ResetResult extends Turn {
  /** First observation of the agent. */
  observation: string;
  parts?: ObservationPart[];
  info: Info;
}

export interface StepResult extends Turn {
  /**
   * Observation after the action. A wrong or malformed action is an ordinary step whose observation reports the
   * mistake.
   */
  observation: string;
  parts?: ObservationPart[];
  /** Reward of the step: a finite number within the `rewardRange` of the spec. */
  reward: number;
  /**
   * Rewards of the seats in this step, by seat, where seats have rewards of their own. Each is a finite number within the
   * `rewardRange` of the spec. A seat that is not named gets 0. Absent if all seats share `reward`.
   */
  rewards?: Readonly<Record<string, number>>;
  /** True if the task has ended: solved, lost, or given up. */
  terminated: boolean;
  /**
   * True if an external limit ended the episode. An environment always returns false; the time-limit wrapper sets the
   * field.
   */
  truncated: boolean;
  info: Info;
}

/** Result of a method: a value, or a promise of the value if the environment is async. */
export type Returned<T, Async extends boolean> = Async extends true ? Promise<T> : T;

/** Last argument of a call of an async environment. The gym aborts the signal when it no longer needs the result. */
export type Abortable<Async extends boolean> = Async extends true ? [signal: AbortSignal] : [];

/**
 * One running instance. The gym calls `reset`, then `step` until the episode ends, then `close`. The gym may also call
 * `reset` again at any time before `close`. It makes one call at a time.
 *
 * A synchronous environment has its engine in its own code, and runs in a worker thread. An error thrown by `reset` or `step`
 * counts as a bug of the environment, and only this episode fails.
 *
 * The engine of an async environment runs outside the gym, in a sandbox or a browser. The async environments of a group share one
 * process and its event loop, so a method should only exchange and convert messages. If it blocks the event loop for a
 * second, its episode fails and the gym replaces the process.
 *
 * - The gym aborts the signal of a call, with an error as the reason, if the call misses its deadline or the result is no
 *   longer needed. An aborted call must reject soon, with any error, and `close` must free all its resources. After an
 *   error or an abort the gym calls only `close`, even while an earlier call that ignored its abort is still running.
 * - A SandboxError means that the instance is lost: the gym restores the episode on a new instance, or passes the error's
 *   message to the caller. Any other error counts as a bug of the environment.
 */
export interface Environment<Async extends boolean = false> {
  reset(request: ResetRequest, ...abortable: Abortable<Async>): Returned<ResetResult, Async>;
  /** @param action text from the model, unchanged: any string up to the gym's limit on length */
  step(action: string, ...abortable: Abortable<Async>): Returned<StepResult, Async>;
  /** Frees the resources of the instance; a promise settles when all are free. Further calls have no effect. */
  close(): Returned<void, Async>;
  /** Returns an independent copy in the same state. Required if the spec has `restore: "clone"`, else absent. */
  clone?(): Async extends true ? never : Environment;
}

export type AsyncEnvironment = Environment<true>;

/** An answer to score without an episode, from a trainer that has its own loop. */
export interface Submission {
  /** Task of the environment. The gym has checked that it exists. */
  task: TaskRef;
  /** A valid value for each option of the spec. */
  options: Options;
  /** Text from the model, unchanged: any string up to the gym's limit on length. */
  answer: string;
  /** Number of steps that led to the answer, if the caller reports it. Some rewards depend on it. */
  steps?: number;
  /** Number of tokens that led to the answer, if the caller reports it. */
  tokens?: number;
}

/** The reward of an answer. */
export interface AnswerReward {
  /** Return that an episode with this answer would have: a finite number. */
  reward: number;
  /** Details of the scoring, without the right answer. The agent never sees them. */
  info: Info;
  /** The right answer. Only callers with the expert's right receive it. */
  expected?: JsonValue;
}

/** The end of an episode, as the gym has counted it. */
export interface EpisodeEnd {
  /** Whether the return reaches the `solvedReward` of the spec. */
  solved: boolean;
  /** Sum of all rewards. */
  return: number;
  /** Number of steps. */
  steps: number;
  /** Last action: the text of the step, or the action that was read in it. */
  action: string;
  /** Result of the last step. */
  result: StepResult;
}

/**
 * The reason for the outcome of an episode, for people. Only callers with the expert's right receive it, since it may
 * give the solution away; the player never does.
 */
export interface Verdict {
  /** The goal in one sentence, if the title of the task does not name it. */
  goal?: string;
  /** One sentence such as "Answered Paris, expected Lyon; cited no page." */
  why: string;
  /** The right answer or final state, if the environment knows one. */
  expected?: JsonValue;
}

/** Services that the gym passes to a new environment. */
export interface EnvironmentContext {
  /**
   * Returns milliseconds since the Unix epoch. Use the time only in `info`: observations and rewards must not depend on
   * it.
   */
  now(): number;
}

/** Services that the gym passes to a new async environment. */
export interface AsyncContext extends EnvironmentContext {
  /** Sandboxes in which the environment may start its engine. The gym closes them with the instance. */
  sandboxes: Sandboxes;
  /**
   * Sandboxes that outlive the instance, such as the site of a benchmark that all instances share. The environment closes
   * them itself. Absent if `sandboxes` are not closed with the instance.
   */
  sharedSandboxes?: Sandboxes;
  /**
   * Calls `ask`, which queries a source whose answer may change, such as a web page. Call and await `record` within a
   * step. The gym logs the answer with the step; a replay returns the logged answers in the order of the calls and does
   * not call `ask`. If `ask` fails, the step must fail too.
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
   * True if a live episode holds a sandbox of this kind, such as a machine, a browser session or a Java process. The
   * gym limits such episodes separately for each token.
   */
  isSandbox?: boolean;
  /**
   * Reports whether the dependency is available. `detail` is its location, or the reason why it is unavailable. The
   * promise should settle within a second.
   */
  probe(): Promise<{ available: boolean; detail: string }>;
  /**
   * Installs the dependency, for `palestra setup <name>`. Absent if the dependency can only be installed by hand.
   *
   * @param progress called during long work with the fraction done, from 0 to 1, and a description
   * @returns a summary of the work done
   * @throws {Error} the installation failed; the message states the cause and the remedy
   */
  setUp?(choices?: SetUpChoices, progress?: Progress): Promise<string>;
}

export type Progress = (fraction: number, doing: string) => void;

/** Arguments and options of `palestra setup <name>`. A requirement ignores arguments that it does not use. */
export interface SetUpChoices {
  /** File or folder to install from, instead of the published data. */
  from?: string;
  /** Name under which the data is installed. */
  as?: string;
  /** Network access of tasks that request an open network. */
  internet?: Internet;
  /** Machine in which the verifiers of tasks run. */
  verifier?: VerifierMachine;
  /** Source in which agents search for answers. */
  source?: string;
  /** Whether to describe the web sites of a benchmark instead of installing its tasks. */
  sites?: boolean;
  /** Host name of the machine with the web sites. */
  host?: string;
  /** Family of the images of the web sites. */
  family?: SiteFamily;
  /** Whether existing files are replaced. */
  force?: boolean;
}

/**
 * Machine of a verifier: `agent`, the agent's machine with its processes, or `new`, a new machine with the agent's files.
 */
export type VerifierMachine = "agent" | "new";

/** Images of web sites: WebArena's own, or the smaller images of WebArena-Verified. */
export type SiteFamily = "webarena" | "verified";

/** Network access of a task: `none`, or `http` for HTTP and HTTPS to every public host through the gym's proxy. */
export type Internet = "none" | "http";

/**
 * How the gym restores an episode whose instance is lost:
 *
 * - `replay`: the gym replays the logged actions.
 * - `clone`: the gym replays the logged actions, and can also copy a live instance.
 * - `none`: the gym cannot restore the episode, since external state has changed; the episode fails. Images of the
 *   environment may differ between runs; all other results are deterministic.
 */
export type Restore = "clone" | "replay" | "none";

/** Static description of an environment, common to synchronous and async environments. */
export interface EnvironmentFacts {
  /**
   * Id of lower-case letters, digits and dashes. Callers select the newest version with `id`, and a specific version
   * with `id@version`.
   */
  id: string;
  /**
   * Version number of the environment, or the name of another engine with the same id. Increase the number with every
   * change of behavior, since an episode must replay to the same bytes or be refused. A named engine is selected only
   * by `id@name`. A name has lower-case letters, digits and dashes, and starts with a letter.
   */
  version: number | string;
  /** Summary in one sentence. */
  summary: string;
  /** Task splits by name. */
  splits: Record<string, TaskSplit>;
  /** Name of the split of a task that names none. Default: the first split. */
  defaultSplit?: string;
  /** Options by name. */
  options?: Record<string, EnvironmentOption>;
  /** Number of steps after which the time-limit wrapper truncates the episode. */
  maxSteps: number;
  /** Lowest and highest reward of one step. */
  rewardRange: readonly [number, number];
  /** Minimum return of an episode that counts as solved. Default: the highest reward of a step. */
  solvedReward?: number;
  /** Name of the field in the `info` of a reset that contains the kind of task. Reports group results by this field. */
  familyKey?: string;
  /**
   * Instructions for the agent, with the action format. If results have been published for the environment, the prompt
   * is the prompt used for them.
   */
  prompt: string;
  /** `react` if the prompt asks for a thought and an action after `Action:`. Absent if the reply is the action. */
  promptFormat?: "react";
  /** Tools that can express at least every action of the expert. Absent if the environment has only text actions. */
  tools?: readonly Tool[];
  /**
   * Seats by name, in the order of play, at least two: lower-case letters, digits and dashes. Absent if the environment has
   * one player.
   */
  seats?: Readonly<Record<string, Seat>>;
  requirements: readonly Requirement[];
  restore: Restore;
}

/** A query to a running instance, for example for its inventory, its available actions or its progress. */
export interface Query<E, Async extends boolean = false> {
  /** One sentence that describes the answer. */
  summary: string;
  /**
   * True if the answer helps to solve the task, like the expert. Such queries need the same permission as the expert
   * and are logged in the same way.
   */
  isAdvice?: boolean;
  /** Returns the answer. Must not change the instance or the rest of the episode. */
  answer(environment: E, ...abortable: Abortable<Async>): Returned<JsonValue, Async>;
}

/** Fields of every spec. The results of its functions are promises if the environment is async. */
export interface SpecOf<Async extends boolean, E extends Environment<Async>> extends EnvironmentFacts {
  /**
   * Deadline of a call of an async environment in milliseconds, if the gym's default is too short, for example because the
   * engine must start first or wait for free capacity.
   */
  deadlineMs?: Async extends true ? number : never;
  /** Makes an instance. An engine outside the gym is started by `reset`, since the start takes time and may fail. */
  create(context: Async extends true ? AsyncContext : EnvironmentContext): E;
  /**
   * The expert: returns the next action towards the highest reward, or null if the highest reward is out of reach. It
   * is deterministic and does not change the instance.
   */
  expert?(environment: E, ...abortable: Abortable<Async>): Returned<string | null, Async>;
  /**
   * Scores an answer without an episode, for `POST /v1/rewards`. It must accept any text and be deterministic, and free its
   * resources before a promise settles.
   */
  verify?(submission: Submission, ...abortable: Abortable<Async>): Returned<AnswerReward, Async>;
  /**
   * States why the episode has ended as it did. Called after the last step, before `close`. It must be deterministic, and
   * must not change the instance. If it throws, the gym states only the steps and the return.
   */
  verdict?(environment: E, end: EpisodeEnd, ...abortable: Abortable<Async>): Returned<Verdict, Async>;
  /** Returns an image of the current state for people, without changing the instance. */
  render?(environment: E, ...abortable: Abortable<Async>): Returned<ObservationPart & { type: "image" }, Async>;
  /** Queries by name: lower-case letters, digits and dashes. */
  queries?: Readonly<Record<string, Query<E, Async>>>;
}

/** Spec of an environment: the default export of `envs/<id>/index.ts`. */
export interface EnvironmentSpec<E extends Environment = Environment> extends SpecOf<false, E> {
  isAsync?: false;
}

/** Spec of an async environment. An engine outside the gym cannot be copied, so `restore` is not `clone`. */
export interface AsyncEnvironmentSpec<E extends AsyncEnvironment = AsyncEnvironment> extends SpecOf<true, E> {
  isAsync: true;
  restore: Exclude<Restore, "clone">;
}

export type AnyEnvironmentSpec = EnvironmentSpec | AsyncEnvironmentSpec;
