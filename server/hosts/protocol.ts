/**
 * Messages between the main thread, a host and the log thread.
 *
 * Commands go from the main thread to a host. The host's results go to the log, which passes them on to the main thread once
 * their steps are committed. So no reply can be sent before its step is in the log.
 *
 * A message is one array of many commands or results, in order. Steps are by far the most frequent, so a step is written as
 * plain words in that array. Flat arrays cross threads several times faster than arrays of objects. Every other command or
 * result is one object with a `type`. A step's reply crosses as the JSON text that the caller gets, inside the page of text
 * that is logged. So the main thread never parses an observation.
 */
import type { MessagePort } from "node:worker_threads";
import type { Options, Submission, TaskRef } from "../../envs/env.js";
import type { ErrorCode } from "../errors.js";
import type { Ended } from "../log/episode-state.js";

/** A slot is a place in a host that holds one instance of one environment. Slots are numbered from 1. */
export type SlotNumber = number;

/** A command other than a step, from the main thread to a host. */
export type Command =
  | { type: "open"; slot: SlotNumber; request: OpenRequest }
  /** Plays logged steps again. */
  | { type: "replay"; slot: SlotNumber; history: readonly PlayedStep[] }
  | { type: "ask"; slot: SlotNumber; question: Question }
  /** Copies the instance into the slot `copy`. `episode` is the key of the copy's episode. */
  | { type: "clone"; slot: SlotNumber; copy: SlotNumber; episode: number }
  /** Closes the slot after all earlier commands, which are still answered. */
  | { type: "finish"; slot: SlotNumber }
  /** Closes the slot at once. Earlier commands of the slot may be dropped, and no result follows. */
  | { type: "close"; slot: SlotNumber }
  /** Scores answers. The slot closes with the result. */
  | { type: "verify"; slot: SlotNumber; request: VerifyRequest }
  /**
   * Tells the log that the slots of a refused report are closed, so that the reports that follow do not build on lost steps.
   */
  | { type: "resume" };

/** Commands. A step is two words: its slot and its action. */
export type CommandMessage = (SlotNumber | string | Command)[];

/** Number of words from which a message of commands is sent without waiting for more: fifty steps. */
export const fullMessage = 100;

/** A result other than a step's, from a host through the log to the main thread, in the order of the commands. */
export type Result =
  /** `resetResult` is JSON text. */
  | { type: "opened"; slot: SlotNumber; resetResult: string }
  | { type: "replayed"; slot: SlotNumber }
  | { type: "answered"; slot: SlotNumber; answer: string | null }
  /** `slot` is the slot of the copy. */
  | { type: "cloned"; slot: SlotNumber }
  | LastResult;

/** Results that close their slot. */
export type LastResult =
  /** The slot was finished. */
  | { type: "closed"; slot: SlotNumber }
  /** The environment failed. */
  | { type: "failed"; slot: SlotNumber; code: ErrorCode; detail: string }
  /** The fault is not the environment's. */
  | { type: "lost"; slot: SlotNumber; code: ErrorCode; expected: string; received: string }
  /** `verdicts` has a line of JSON for each answer. */
  | { type: "verified"; slot: SlotNumber; verdicts: string };

/**
 * Results. A step's result is four words: the slot, how the step ended its episode, and the lengths of its two lines in the
 * page.
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
  /** @param reply JSON text of the step result */
  onStep(slot: SlotNumber, reply: string, ended: Ended): void;
  onResult(result: Result): void;
}

/** @param lines text of the page that holds the steps of the message */
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
    handler.onStep(word, lines.slice(start, end), ended);
  }
}

/** Number of characters of a result that count as memory in use until the main thread has taken the result. */
export function charactersOf(result: Result): number {
  if (result.type === "opened") return result.resetResult.length;
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

/** Returns the query's name, or undefined if the question is not a query. */
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
  /** Number of steps after which the episode is truncated. */
  maxSteps: number;
  /** JSON text of the logged reset result, which the reset must give again. "" means a new episode. */
  resetResult: string;
}

/** Answers for an environment's verifier to score, without an episode. */
export interface VerifyRequest {
  /** `id@version` */
  environment: string;
  submissions: readonly Submission[];
}

/** A past step for the host to play again. */
export interface PlayedStep {
  action: string;
  /** Logged reply. The replay must give the same bytes. */
  reply: string;
  /** JSON array of the answers that the step got from services outside the gym, or "". A replay uses these answers. */
  answers: string;
}

/** Events that concern no episode, sent from a host straight to the main thread. */
export type HostNotice = { type: "ready" } | { type: "stray" | "fault"; detail: string };

/** Exit code of a host that exceeded its memory limit. */
export const outOfMemoryExit = 86;

/** Exit code of a host that broke and has sent a `fault` notice. */
export const faultExit = 87;

/** Data that a host thread receives at its start. */
export interface HostData {
  pulse: SharedArrayBuffer;
  /** Port to the log thread. */
  log: MessagePort;
  environmentModules: readonly string[];
  limits: HostLimits;
}

export interface HostLimits {
  /**
   * Limit in MiB on the JavaScript heap and array buffers of one host. A host that exceeds the limit is replaced. If an
   * environment requests more than the whole limit in one allocation, V8 ends the whole process and the gym has to be
   * restarted.
   */
  memoryMb: number;
  /** Limit on the characters of the JSON text of one reply. */
  maxReplyLength: number;
}
