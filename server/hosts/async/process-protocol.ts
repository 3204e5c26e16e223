/** Messages between the gym's process and the process that runs async environments, beside the host protocol's own. */
import { writeSync } from "node:fs";
import type { Config } from "../../config.js";
import { type ErrorCode, errorTable } from "../../errors.js";
import type { FromHost, HostLimits, Message } from "../protocol.js";

/** First message to the process. */
export interface AsyncProcessSetup {
  environmentModules: readonly string[];
  sandboxes: Config["sandboxes"];
  /** Milliseconds that a call of an environment may take, unless its spec states a longer time. */
  stepDeadlineMs: number;
  limits: HostLimits;
}

export type ToAsyncProcess =
  | { kind: "setup"; setup: AsyncProcessSetup }
  | { kind: "commands"; message: Message }
  /** Characters of openings and replies that have reached their owners. */
  | { kind: "taken"; characters: number }
  /** Calls that still run a while from now are aborted. */
  | { kind: "drain" }
  /** Instances and sandboxes are closed, then the process ends. */
  | { kind: "stop" };

export type FromAsyncProcess =
  | { kind: "ready" }
  | { kind: "results"; results: FromHost }
  /** An error outside of any call, of which nobody can tell whose it is. */
  | { kind: "stray"; detail: string }
  | { kind: "instance-lost"; environment: string; code: ErrorCode; expected: string; received: string };

/**
 * File descriptor on which the process writes lines that arrive even while its main thread hangs: `.` as a sign of life,
 * or its last words as JSON.
 */
export const lifeDescriptor = 4;

/** Interval of the signs of life, in milliseconds. */
export const signOfLifeMs = 500;

/** Why the process ends. */
export interface LastWords {
  /** The slot whose code was running; 0: none. */
  slot: number;
  code: ErrorCode;
  detail: string;
}

/** Writes a line to the gym's process. Where that is gone, the main thread hears of it and ends this process. */
export function writeLife(said: "." | LastWords): void {
  try {
    writeSync(lifeDescriptor, `${said === "." ? said : JSON.stringify(said)}\n`);
  } catch {
    // Nobody reads any more.
  }
}

/** Returns null for a line that is no last words: code in the process can write to any descriptor. */
export function readLastWords(line: string): LastWords | null {
  try {
    const { slot, code, detail } = JSON.parse(line) as LastWords;
    const isKnown = Number.isInteger(slot) && Object.hasOwn(errorTable, code) && typeof detail === "string";
    return isKnown ? { slot, code, detail } : null;
  } catch {
    return null;
  }
}
