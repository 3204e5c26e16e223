/** Messages between the gym's process and the process that runs async environments. They carry the host protocol. */
import { writeSync } from "node:fs";
import type { Config } from "../../config.js";
import { type ErrorCode, errorTable } from "../../errors.js";
import type { FromHost } from "../../log/protocol.js";
import type { CommandMessage, HostLimits } from "../protocol.js";

/** Content of the first message to the process. */
export interface AsyncProcessSetup {
  environmentModules: readonly string[];
  sandboxes: Config["sandboxes"];
  /** Milliseconds that a call of an environment may take, unless its spec allows more. */
  stepDeadlineMs: number;
  limits: HostLimits;
}

export type ToAsyncProcess =
  | { type: "setup"; setup: AsyncProcessSetup }
  | { type: "commands"; message: CommandMessage }
  /** So many characters of reset results, verdicts and replies have reached their owners. */
  | { type: "taken"; characters: number }
  /** Abort the calls that are still running after a while. */
  | { type: "drain" }
  /** Close all instances and sandboxes, then end. */
  | { type: "stop" };

export type FromAsyncProcess =
  | { type: "ready" }
  | { type: "results"; results: FromHost }
  /** An error outside of any call, of an unknown environment. */
  | { type: "stray"; detail: string }
  | { type: "instance-lost"; environment: string; code: ErrorCode; expected: string; received: string };

/**
 * File descriptor for lines that arrive even while the main thread of the process hangs: `.` as a sign of life, or the last
 * words as JSON.
 */
export const lifeDescriptor = 4;

/** Interval of the signs of life, in milliseconds. */
export const signOfLifeMs = 500;

/** The reason why the process ends. */
export interface LastWords {
  /** Slot whose code was running; 0: none. */
  slot: number;
  code: ErrorCode;
  detail: string;
}

/** Writes a line to the gym's process. If that is gone, the main thread notices and ends this process. */
export function writeLife(said: "." | LastWords): void {
  try {
    writeSync(lifeDescriptor, `${said === "." ? said : JSON.stringify(said)}\n`);
  } catch {
    // The gym's process no longer reads.
  }
}

/** Returns null for any other line: code in the process can write to any descriptor. */
export function readLastWords(line: string): LastWords | null {
  try {
    const { slot, code, detail } = JSON.parse(line) as LastWords;
    const isKnown = Number.isInteger(slot) && Object.hasOwn(errorTable, code) && typeof detail === "string";
    return isKnown ? { slot, code, detail } : null;
  } catch {
    return null;
  }
}
