/**
 * What the main thread, a host thread and the log thread say to each other about slots. Commands go from the main thread
 * to a host. Its results go to the log, which passes them on to the main thread once their steps are committed: so no
 * reply can leave before its step is in the log.
 *
 * A message is one flat array of numbers and strings that holds many commands or results, one after the other. Flat
 * arrays cross threads several times faster than arrays of objects. A step's reply crosses as the JSON text that the
 * caller will get, inside the page of text that is logged: the main thread never parses an observation.
 */
import type { MessagePort } from "node:worker_threads";
import type { Options, StepResult, Submission, TaskRef } from "../../envs/env.js";
import type { StepPage } from "../log/step-page.js";

export type Message = (number | string)[];

/** Words from which on commands wait for no more of them: some fifty steps. */
export const fullMessage = 150;

/** Commands, main thread to host. Each starts with its kind and the slot that it concerns. */
export const Command = {
  /** slot, episode key, environment, split, index, seed, options as JSON text, maxSteps, opening or "" */
  open: 0,
  /** slot, count, then action, reply and answers of each step to play again */
  replay: 1,
  /** slot, action */
  step: 2,
  /** slot, question */
  ask: 3,
  /** slot, slot of the copy, episode key of the copy */
  clone: 4,
  /** slot: closed after all that was commanded, which is answered */
  finish: 5,
  /** slot: closed at once, and nobody hears of it; what was commanded and is not done may be left undone */
  close: 6,
  /** 0: the slots of a refused report are closed, and what follows does not build on them */
  resume: 7,
  /** slot, environment, JSON text of the submissions: the slot ends with the result */
  verify: 8,
} as const;

/**
 * What an instance can be asked that does not change it: the expert's next action, a picture as JSON text, the answer of
 * one of its environment's queries as JSON text.
 */
export type Question = "expert" | "render" | `query:${string}`;

const queryPrefix = "query:";

export function questionOf(query: string): Question {
  return `${queryPrefix}${query}`;
}

/** The query's name, where the question is one. */
export function queryOf(question: Question): string | undefined {
  return question.startsWith(queryPrefix) ? question.slice(queryPrefix.length) : undefined;
}

/** Results, host to log to main thread, in the order of the commands. */
export const Result = {
  /** slot, opening: JSON text of the reset result */
  opened: 0,
  /** slot */
  replayed: 1,
  /** slot, how it ended, and the lengths of its two lines in the page: head and reply, JSON text with the index */
  stepped: 2,
  /** slot, the answer or "", 1 if there is one */
  answered: 3,
  /** slot of the copy */
  cloned: 4,
  /** slot */
  closed: 5,
  /** slot, error code, detail. The slot is closed. */
  failed: 6,
  /** slot, error code, expected, received: the slot is closed, by no fault of its environment */
  lost: 7,
  /** slot, the verdicts: a line of JSON for each. The slot is closed. */
  verified: 8,
} as const;

/** Words of each kind of result, the kind itself included. */
export const resultWords = [3, 2, 5, 4, 2, 2, 4, 5, 3];

/** How a step left its episode. */
export const Ended = { no: 0, terminated: 1, truncated: 2 } as const;
export type Ended = (typeof Ended)[keyof typeof Ended];

export function endedBy({ terminated, truncated }: StepResult): Ended {
  return terminated ? Ended.terminated : truncated ? Ended.truncated : Ended.no;
}

/** From a host to the log. */
export type FromHost = HostReport | { kind: "resumed" };

/** Results, and the page of the steps among them. */
export interface HostReport {
  kind: "report";
  results: Message;
  page: StepPage;
}

/** From a host straight to the main thread: what concerns no episode. */
export type HostNotice = { kind: "ready" } | { kind: "stray" | "fault"; detail: string };

/** What a slot is opened for. */
export interface OpenRequest {
  /** The episode's key in the log. */
  episode: number;
  /** `id@version` */
  environment: string;
  task: TaskRef;
  seed: number;
  options: Options;
  /** The step at which the episode is truncated. */
  maxSteps: number;
  /** The opening as logged, which the reset must give again; "" for a new episode. */
  opening: string;
}

/** Answers to be scored by an environment's verifier, without an episode. */
export interface VerifyRequest {
  /** `id@version` */
  environment: string;
  submissions: readonly Submission[];
}

/** A past step, as replay needs it. */
export interface PlayedStep {
  action: string;
  /** The reply as logged; replay must give the same bytes. */
  reply: string;
  /** Answers that it got from outside of the gym, as a JSON array or "": they are given again. */
  answers: string;
}

/** Reads a message from front to back: what a command holds, all of it, before anything is done that can fail. */
export class MessageReader {
  private at = 0;

  constructor(private readonly message: Message) {}

  get done(): boolean {
    return this.at >= this.message.length;
  }

  number(): number {
    return this.message[this.at++] as number;
  }

  string(): string {
    return this.message[this.at++] as string;
  }

  openRequest(): OpenRequest {
    return {
      episode: this.number(),
      environment: this.string(),
      task: { split: this.string(), index: this.number() },
      seed: this.number(),
      options: JSON.parse(this.string()) as Options,
      maxSteps: this.number(),
      opening: this.string(),
    };
  }

  verifyRequest(): VerifyRequest {
    return { environment: this.string(), submissions: JSON.parse(this.string()) as Submission[] };
  }

  history(): PlayedStep[] {
    const next = () => ({ action: this.string(), reply: this.string(), answers: this.string() });
    return Array.from({ length: this.number() }, next);
  }
}

/** Characters that a host may have reported and the main thread not yet taken: about its memory for replies under way. */
export const mostUntaken = 2 ** 25;

/**
 * Memory shared by a host and the main thread, through which a host that hangs can still be seen: `beat` is odd while
 * the environment runs and changes with every call of it, `slot` is whose environment runs. A third cell counts what
 * was reported and not yet taken, so that large replies do not pile up between the threads; a fourth keeps the memory
 * that was in use when the last call was done; a fifth counts the messages that the host has begun, so that it can be
 * seen to hang between two calls.
 */
export class Pulse {
  private readonly cells: Int32Array;

  constructor(readonly buffer = new SharedArrayBuffer(20)) {
    this.cells = new Int32Array(buffer);
  }

  enter(slot: number): void {
    Atomics.store(this.cells, 1, slot);
    Atomics.add(this.cells, 0, 1);
  }

  leave(): void {
    Atomics.add(this.cells, 0, 1);
  }

  get beat(): number {
    return Atomics.load(this.cells, 0);
  }

  get running(): boolean {
    return (this.beat & 1) === 1;
  }

  get slot(): number {
    return Atomics.load(this.cells, 1);
  }

  /** MiB, after the last call. */
  get usedMb(): number {
    return Atomics.load(this.cells, 3);
  }

  set usedMb(mebibytes: number) {
    Atomics.store(this.cells, 3, mebibytes);
  }

  /** The host takes up its next message. */
  begin(): void {
    Atomics.add(this.cells, 4, 1);
  }

  /** Messages that the host has begun. */
  get begun(): number {
    return Atomics.load(this.cells, 4);
  }

  reported(characters: number): void {
    Atomics.add(this.cells, 2, characters);
  }

  taken(characters: number): void {
    Atomics.sub(this.cells, 2, characters);
    Atomics.notify(this.cells, 2);
  }

  /** Blocks the calling thread until the main thread has caught up. */
  awaitTaken(): void {
    for (let untaken = this.untaken; untaken > mostUntaken; untaken = this.untaken)
      Atomics.wait(this.cells, 2, untaken);
  }

  /** Whether the host may rightly be waiting for the main thread. */
  get backlogged(): boolean {
    return this.untaken > mostUntaken;
  }

  private get untaken(): number {
    return Atomics.load(this.cells, 2);
  }
}

/** The exit code of a host that found itself over its memory limit. */
export const outOfMemoryExit = 86;

/** The exit code of a host that no longer works, of which it has given notice. */
export const faultExit = 87;

export interface HostData {
  pulse: SharedArrayBuffer;
  /** To the log thread. */
  log: MessagePort;
  environmentModules: readonly string[];
  limits: HostLimits;
}

export interface HostLimits {
  /**
   * JavaScript heap and array buffers of one host, in MiB. A host over it is replaced; but where an environment asks V8 for
   * more than all of it in a single piece, such as one array, V8 ends the process, and the gym has to be started again.
   */
  memoryMb: number;
  /** JSON text of one reply, in characters. */
  maxReplyLength: number;
}
