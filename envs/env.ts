/**
 * The environment contract: everything that the gym knows of a game, and everything that a game knows of the gym.
 *
 * An environment is a deterministic engine. The same task, seed, options and actions give the same bytes out, on every machine
 * and for as long as its version stands, since an episode is kept as its actions and rebuilt by playing them again.
 * So an environment takes its randomness from the seed, its time from the context, and uses no global state.
 *
 * Vocabulary and semantics follow Gymnasium (Towers et al. 2024): `terminated` is the task's own end, `truncated` an
 * outside limit. Limits and call order are the business of the wrappers, never of the environment.
 */

import type { Sandboxes } from "../sandboxes/sandbox.js";

export type { SandboxErrorCode } from "../sandboxes/sandbox.js";

export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** Facts beside the observation. For trainers and people; never shown to the agent. */
export type Info = { [key: string]: JsonValue };

/** Something that an observation carries beside its text. */
export type ObservationPart =
  /** `data` is base64. */
  { type: "image"; mediaType: "image/png" | "image/svg+xml"; data: string } | { type: "json"; data: JsonValue };

/** One problem of an environment: entry `index` (from 0) of one of its splits. Written `split:index`. */
export interface TaskRef {
  split: string;
  index: number;
}

/** What a list of tasks says of each of its entries. */
export interface TaskSummary extends TaskRef {
  /** What has to be done, in a few words: a goal, a question, a mission. */
  title: string;
}

/** An ordered set of tasks. */
export interface TaskSplit {
  /** Tasks in the split: `index` runs from 0 to `size - 1`. */
  size: number;
  /** One sentence: which tasks these are, and in what order. */
  summary: string;
  /** The title of entry `index`, which is always in range. */
  title(index: number): string;
}

/**
 * A kind of action as a function, for agents that call functions or write code. What is sent to `step` is always the
 * action's text.
 */
export interface Tool {
  /** Lower-case letters, digits and underscores. */
  name: string;
  /** For the agent: what a call does. */
  description: string;
  /** An `ObjectSchema` only where the action ends with `{arguments}`. */
  parameters: ToolParameters | ObjectSchema;
  /**
   * The action that a call stands for: `get {count} {item}`, with each argument in the place of its name, and the entries of
   * a list with ", " between them. Each parameter stands in it once, so that a call can be read out of an action, too: one
   * at the template's end takes all that is left, of whatever lines; any other ends with its line at the latest. A text
   * whose name stands in quotation marks, `{"text": "{text}"}`, is written as JSON, of whatever lines.
   *
   * `forecast {arguments}` is for what has other parameters than these, such as a tool of somebody else's: all arguments
   * stand at the action's end, as one JSON object.
   */
  action: string;
}

/** JSON Schema of a call's arguments, all of which are required. */
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

/** A way in which an episode can be played, such as how actions are written. */
export interface EnvironmentOption {
  /** One sentence. */
  summary: string;
  /** What it can be set to, by name; the first is meant where a caller sets nothing. */
  values: Record<string, OptionValue>;
}

export interface OptionValue {
  /** One sentence. */
  summary: string;
  /** Instructions for an agent in place of the spec's, where they are others. */
  prompt?: string;
  /** In place of the spec's. */
  tools?: readonly Tool[];
  /** In place of the spec's. */
  rewardRange?: readonly [number, number];
}

/** A value for each of a spec's options, by name. */
export type Options = Readonly<Record<string, string>>;

export interface ResetRequest {
  /** Always names a split of the spec and an index within it. */
  task: TaskRef;
  /** A whole number from 0 to 2^53 - 1. All that is random in an episode follows from it. */
  seed: number;
  /** A value of the spec for each of its options. */
  options: Options;
}

export interface ResetResult {
  /** What the agent sees first. */
  observation: string;
  parts?: ObservationPart[];
  info: Info;
}

export interface StepResult {
  /** What the agent sees now. A legal but wrong action is an ordinary step whose observation says so. */
  observation: string;
  parts?: ObservationPart[];
  /** Finite, and within the spec's `rewardRange`. */
  reward: number;
  /** The task itself has ended: solved, lost, or given up. */
  terminated: boolean;
  /** A limit from outside the task was reached. An environment always says false; the time limit says true. */
  truncated: boolean;
  info: Info;
}

/**
 * One running instance. The gym calls `reset`, then `step` until the episode ends, then `close`; it may reset again
 * after any of these but `close`. Engines are synchronous: they run in a worker thread where nothing else waits.
 * An environment whose engine runs outside of the gym is an `AsyncEnvironment`.
 *
 * An error thrown from `reset` or `step` is a bug in the environment and fails this episode alone.
 */
export interface Environment {
  reset(request: ResetRequest): ResetResult;
  /** @param action what the model wrote, unchanged: any string of any length that the gym lets in. */
  step(action: string): StepResult;
  /** Frees what the instance holds. Calling it again does nothing. */
  close(): void;
  /** A second instance in the same state, independent of this one. Present where the spec says `restore: "clone"`. */
  clone?(): Environment;
}

/** An answer to a task that was given without an episode: by a trainer that has a loop of its own. */
export interface Submission {
  /** Always names a split of the spec and an index within it. */
  task: TaskRef;
  /** A value of the spec for each of its options. */
  options: Options;
  /** What the model wrote, unchanged: any string of any length that the gym lets in. */
  answer: string;
  /** What the answer took, where the caller says: for rewards that count it. */
  steps?: number;
  tokens?: number;
}

/** What an answer is worth. */
export interface Verdict {
  /** What an episode's rewards would add up to in which the answer were given: finite. */
  reward: number;
  /** How it came about. Never shown to the agent. */
  info: Info;
}

/** What an environment is given when it is made. */
export interface EnvironmentContext {
  /** Milliseconds since the epoch. For `info` only: no observation or reward may depend on it. */
  now(): number;
}

/**
 * One running instance whose engine runs outside of the gym, in a sandbox or a browser: the calls of `Environment`,
 * answered by promise. All async environments share one process, whose thread such an environment gives back soon: it sends,
 * receives and translates, and leaves the work to its engine. Code that keeps the thread busy for a second is ended,
 * its episode fails, and the process is replaced.
 *
 * The gym makes one call at a time. It aborts a call's signal, with an error as its reason, when the call is past its
 * deadline or nobody wants the answer any more: the call then ends soon, with whatever error, and leaves nothing behind
 * that `close` does not free. After an error or an abort the instance gets no call but `close`.
 *
 * A SandboxError thrown from a call says that the instance is lost: the episode is restored on a new one, or the caller
 * is told, in the error's own words. Any other error is a bug in the environment and fails this episode.
 */
export interface AsyncEnvironment {
  reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult>;
  /** @param action what the model wrote, unchanged: any string of any length that the gym lets in. */
  step(action: string, signal: AbortSignal): Promise<StepResult>;
  /**
   * Frees what the instance holds, and settles when that is done. Calling it again does nothing. It may come while a call
   * still runs that took no heed of its signal.
   */
  close(): Promise<void>;
}

/** What an async environment is given when it is made. */
export interface AsyncContext extends EnvironmentContext {
  /** Where its engine may run. */
  sandboxes: Sandboxes;
  /**
   * Asks something outside of the gym that may answer otherwise the next time, such as a web page. To be called in a step,
   * which waits for it. The answer is kept in the log with the step; when the step is played again, the answer comes from
   * the log, and `ask` is not called. Answers are told apart by the order of the calls. Where `ask` fails, the step has to fail too.
   */
  record<T extends JsonValue>(ask: () => Promise<T>): Promise<T>;
}

/** Something outside the package that an environment cannot run without. */
export interface Requirement {
  /** What it is: `browser`, `jvm`, `docker`, `index`, or another single word. */
  name: string;
  /** One sentence for the person who has to provide it. */
  howToGet: string;
  /** Whether it is there, and where or why not. Must answer within a second. */
  probe(): Promise<{ available: boolean; detail: string }>;
  /**
   * Gets it, where that needs nobody's hand: `palestra setup <name>`.
   *
   * @param progress is told how far it has come, where it takes long: the fraction from 0 to 1, and what is being done
   * @returns what was done
   * @throws {Error} it could not be got: the message says what came instead, and what can be done about it
   */
  setUp?(choices?: SetUpChoices, progress?: Progress): Promise<string>;
}

export type Progress = (fraction: number, doing: string) => void;

/** Arguments and options of `palestra setup <name>`. Those that a requirement has no use for, it leaves. */
export interface SetUpChoices {
  /** A file or folder of the caller's own to take in place of what is published. */
  from?: string;
  /** The name to give to it. */
  as?: string;
  /** Network of tasks that ask for an open one. */
  internet?: Internet;
  /** Where the answers to questions are looked for. */
  source?: string;
}

/** `none`: nothing can be reached. `http`: HTTP and HTTPS to every public host, through the gym's proxy. */
export type Internet = "none" | "http";

/**
 * How an episode whose instance is gone comes back. `replay`: the logged actions are played again. `clone`: the same,
 * and a live instance can be copied in place. `none`: the outside world has moved on and the episode has failed. Such an
 * environment may draw its pictures differently each time; all else that it answers stays deterministic.
 */
export type Restore = "clone" | "replay" | "none";

/** All that is known of an environment without running it. */
export interface EnvironmentFacts {
  /** Lower-case letters, digits and dashes. `id` means the newest version, `id@version` this one. */
  id: string;
  /**
   * Raised with every change of behaviour: an old version's episodes must replay to the same bytes or not at all. A name,
   * of lower-case letters, digits and dashes and a letter first, is another engine behind the same id, which `id` alone
   * never means.
   */
  version: number | string;
  /** One sentence. */
  summary: string;
  /** Task splits by name; the first is the one meant where a caller names none. */
  splits: Record<string, TaskSplit>;
  /** How an episode can be played, by the option's name. */
  options?: Record<string, EnvironmentOption>;
  /** After so many steps the time-limit wrapper truncates. */
  maxSteps: number;
  /** The lowest and the highest reward of a single step. */
  rewardRange: readonly [number, number];
  /** The least that the rewards of an episode add up to where its task was solved; unless told, the highest of a step. */
  solvedReward?: number;
  /** The entry of a reset's `info` that tells what kind of task it is: results are broken down by it. */
  familyKey?: string;
  /** Instructions for an agent: the action format, in the words that published results used where there are any. */
  prompt: string;
  /** All that an agent can do, as functions: at least all that the expert does. Left out: actions are text alone. */
  tools?: readonly Tool[];
  requirements: readonly Requirement[];
  restore: Restore;
}

/** What a person or a program may ask of a running instance: its inventory, what could be done now, how far it has come. */
export interface Query<E> {
  /** One sentence: what the answer tells. */
  summary: string;
  /** The answer leads to the task's end as the expert does: it takes the same right, and leaves the same mark. */
  isAdvice?: boolean;
  /** Leaves the instance unchanged: an episode goes on the same whether or not it was asked. */
  answer(environment: E): JsonValue;
}

/** The default export of `envs/<id>/index.ts`. */
export interface EnvironmentSpec<E extends Environment = Environment> extends EnvironmentFacts {
  isAsync?: false;
  create(context: EnvironmentContext): E;
  /**
   * The expert: the next action from the instance's present state towards the highest reward, or null where none
   * leads there. Deterministic; leaves the instance unchanged.
   */
  expert?(environment: E): string | null;
  /** Scores an answer by itself: `POST /v1/rewards`. Any text gets a verdict, and the same text the same one. */
  verify?(submission: Submission): Verdict;
  /** A picture of the instance's present state, for people. Leaves the instance unchanged. */
  render?(environment: E): ObservationPart & { type: "image" };
  /** By name: lower-case letters, digits and dashes. */
  queries?: Readonly<Record<string, Query<E>>>;
}

/** A query that is answered by promise. */
export interface AsyncQuery<E> {
  /** One sentence: what the answer tells. */
  summary: string;
  /** As of any query. */
  isAdvice?: boolean;
  /** Leaves the instance unchanged: an episode goes on the same whether or not it was asked. */
  answer(environment: E, signal: AbortSignal): Promise<JsonValue>;
}

/** The spec of an environment whose engine runs outside of the gym. What it shares with `EnvironmentSpec` means the same. */
export interface AsyncEnvironmentSpec<E extends AsyncEnvironment = AsyncEnvironment> extends EnvironmentFacts {
  isAsync: true;
  /** An engine outside of the gym cannot be copied in place. */
  restore: Exclude<Restore, "clone">;
  /**
   * Milliseconds that a call may rightly take, where that is more than the gym gives to every environment: an engine may
   * have to start first, or wait for a place to start in.
   */
  deadlineMs?: number;
  /** The instance starts its engine in `reset`, which can wait and fail. */
  create(context: AsyncContext): E;
  expert?(environment: E, signal: AbortSignal): Promise<string | null>;
  /** As of any environment; what it asks for is gone when it settles. */
  verify?(submission: Submission, signal: AbortSignal): Promise<Verdict>;
  render?(environment: E, signal: AbortSignal): Promise<ObservationPart & { type: "image" }>;
  queries?: Readonly<Record<string, AsyncQuery<E>>>;
}

export type AnyEnvironmentSpec = EnvironmentSpec | AsyncEnvironmentSpec;
