/**
 * Messages between the main thread, a host and the log thread.
 *
 * Commands go from the main thread to a host. Results go from the host to the log. The log passes them on to the main
 * thread when their steps are committed. Therefore no reply is sent before its step is in the log.
 *
 * A message is one array of many commands or results, in order. Most messages are steps, so a step is written as
 * several plain entries ("words") of the array. Flat arrays cross threads several times faster than arrays of objects.
 * Every other command or result is one object with a `type`. A step's reply is sent as the caller's JSON text, inside
 * the page of text that is logged. Therefore the main thread never parses an observation.
 */
import type { Options, Submission, TaskRef } from "../../envs/env.js";
import type { ErrorCode } from "../errors.js";
import type { EpisodeFormat } from "../formats/actions/action-formats.js";
import type { Ended } from "../log/records/episode-state.js";
import { gymMsBefore } from "../log/records/step-page.js";

/** A slot is a place in a host that holds one instance of one environment. Slots are numbered from 1. */
export type SlotNumber = number;

/** Command from the main thread to a host. Steps are not included, since they have their own format. */
export type Command =
  | { type: "open"; slot: SlotNumber; request: OpenRequest }
  /** Plays logged steps again. With `isProof`, a different reply is reported and does not fail the slot. */
  | { type: "replay"; slot: SlotNumber; history: readonly PlayedStep[]; isProof?: boolean }
  | { type: "ask"; slot: SlotNumber; question: Question }
  /** Copies the instance into the slot `copy`. `episode` is the key of the copy's episode. */
  | { type: "clone"; slot: SlotNumber; copy: SlotNumber; episode: number }
  /** Closes the slot after all earlier commands. Those commands are still answered. */
  | { type: "finish"; slot: SlotNumber }
  /** Closes the slot at once. Earlier commands of the slot may be dropped, and no result follows. */
  | { type: "close"; slot: SlotNumber }
  /** Scores answers. The slot is closed together with the result. */
  | { type: "verify"; slot: SlotNumber; request: VerifyRequest }
  /** Informs the log that the slots of a refused report are closed, so later reports do not build on lost steps. */
  | { type: "resume" };

/** Commands. A step command consists of two words: its slot and its action. */
export type CommandMessage = (SlotNumber | string | Command)[];

/** Number of words at which a message of commands is sent without waiting for further commands: fifty steps. */
export const fullMessage = 100;

/**
 * Result from a host through the log to the main thread, in the order of the commands. Results of steps have their own
 * format.
 */
export type Result =
  /** `resetResult` is JSON text. */
  | { type: "opened"; slot: SlotNumber; resetResult: string }
  | { type: "replayed"; slot: SlotNumber; difference?: Difference | undefined }
  | { type: "answered"; slot: SlotNumber; answer: string | null }
  /** `slot` is the slot of the copy. */
  | { type: "cloned"; slot: SlotNumber }
  | LastResult;

/** The following results close their slot. */
export type LastResult =
  /** The slot was finished. */
  | { type: "closed"; slot: SlotNumber }
  /** The environment failed. `trace` has the frames of its code, or "". */
  | { type: "failed"; slot: SlotNumber; code: ErrorCode; detail: string; trace: string }
  /** The slot is lost through no fault of the environment. */
  | { type: "lost"; slot: SlotNumber; code: ErrorCode; expected: string; received: string }
  /** `verdicts` contains one line of JSON for each answer. */
  | { type: "verified"; slot: SlotNumber; verdicts: string };

/**
 * Results. A step's result consists of four words: the slot, whether and how the step ended its episode, and the
 * lengths of its two lines in the page.
 */
export type ResultMessage = (number | Result)[];

/** Receives the commands of a message in order. */
export interface CommandHandler {
  onStep(slot: SlotNumber, action: string): void;
  onCommand(command: Command): void;
}

export function readCommands(message: CommandMessage, handler: CommandHandler): void {
  for (let at = 0; at < message.length; ) {
    const word = message[at++];
    if (typeof word === "object") handler.onCommand(word);
    else handler.onStep(word as SlotNumber, message[at++] as string);
  }
}

/** Receives the results of a message in order. */
export interface ResultHandler {
  /** @param reply JSON text of the step result @param gymMs see `LoggedStep.gymMs` */
  onStep(slot: SlotNumber, reply: string, ended: Ended, gymMs: number | undefined): void;
  onResult(result: Result): void;
}

/** @param lines text of the page with the steps of the message */
export function readResults(message: ResultMessage, lines: string, handler: ResultHandler): void {
  let lineAt = 0;
  for (let at = 0; at < message.length; ) {
    const word = message[at++] as number | Result;
    if (typeof word === "object") {
      handler.onResult(word);
      continue;
    }
    const ended = message[at++] as Ended;
    const start = lineAt + (message[at++] as number) + 1;
    const end = start + (message[at++] as number);
    lineAt = end + 1;
    handler.onStep(word, lines.slice(start, end), ended, gymMsBefore(lines, start));
  }
}

/** Returns the number of characters that count as memory in use until the main thread has taken the result. */
export function charactersOf(result: Result): number {
  if (result.type === "opened") return result.resetResult.length;
  if (result.type === "replayed") return result.difference?.reply.length ?? 0;
  return result.type === "verified" ? result.verdicts.length : 0;
}

/**
 * A question to an instance. A question does not change the instance.
 * - `expert`: the expert's next action.
 * - `render`: a picture as JSON text.
 * - `query:<name>`: the answer to one of the environment's queries as JSON text.
 */
export type Question = "expert" | "render" | `query:${string}`;

const queryPrefix = "query:";

export function questionOf(query: string): Question {
  return `${queryPrefix}${query}`;
}

/** Returns the name of the query, or undefined if the question is not a query. */
export function queryOf(question: Question): string | undefined {
  return question.startsWith(queryPrefix) ? question.slice(queryPrefix.length) : undefined;
}

/** Content of an `open` command. */
export interface OpenRequest {
  /** Key of the episode in the log. */
  episode: number;
  /** `id@version` */
  environment: string;
  task: TaskRef;
  seed: number;
  options: Options;
  format: EpisodeFormat;
  /** Number of steps after which the episode is truncated. */
  maxSteps: number;
  /** JSON text of the logged reset result, which the reset must reproduce. "" for a new episode. */
  resetResult: string;
}

/** Answers to score with an environment's verifier, without an episode. */
export interface VerifyRequest {
  /** `id@version` */
  environment: string;
  submissions: readonly Submission[];
  /** Whether the verdicts tell the right answers, as only callers with the expert's right may read them. */
  tellsExpected: boolean;
}

/** Step in the log, for the host to play again. */
export interface PlayedStep {
  action: string;
  /** JSON text of the logged reply, which the replay must reproduce byte for byte. */
  reply: string;
  /** JSON array of the answers that the step got from services outside the gym, or "". A replay uses these answers. */
  answers: string;
}

/** The first step of a replay whose reply differs from the log. The steps after it are not played. */
export interface Difference {
  index: number;
  /** JSON text of the reply that the replay gave. */
  reply: string;
}

/** Events without an episode, sent directly from a host to the main thread. */
export type HostNotice = { type: "ready" } | { type: "stray" | "fault"; detail: string };

/** Exit code of a host that exceeded its memory limit. */
export const outOfMemoryExit = 86;

/** Exit code of a host that failed and has sent a `fault` message. */
export const faultExit = 87;

export interface HostLimits {
  /**
   * Limit in MiB on the JavaScript heap and array buffers of one host. A host that exceeds the limit is replaced. If an
   * environment in a worker thread allocates more than the limit at once, V8 ends the whole gym.
   */
  memoryMb: number;
  /** Limit on the characters of the JSON text of one reply. */
  maxReplyLength: number;
}
