/**
 * Messages between the gym's process and the process that runs async environments. They contain the messages of the
 * host protocol.
 */
import { writeSync } from "node:fs";
import type { Config } from "../../config.js";
import { type ErrorCode, errorTable } from "../../errors.js";
import type { FromHost } from "../../log/protocol.js";
import type { CommandMessage, HostLimits } from "../protocol.js";

/** Content of the first message to the process. */
export interface AsyncProcessSetup {
  environmentModules: readonly string[];
  sandboxes: Config["sandboxes"];
  /** Limit in milliseconds on a call of an environment. The environment's spec may set a higher limit. */
  stepDeadlineMs: number;
  limits: HostLimits;
}

export type ToAsyncProcess =
  | { type: "setup"; setup: AsyncProcessSetup }
  | { type: "commands"; message: CommandMessage }
  /** Reports that `characters` of reset results, verdicts and replies have reached their owners. */
  | { type: "taken"; characters: number }
  /** Requests that calls which still run after 5 seconds are aborted. */
  | { type: "drain" }
  /** Requests that all instances and sandboxes are closed and the process exits. */
  | { type: "stop" };

export type FromAsyncProcess =
  | { type: "ready" }
  | { type: "results"; results: FromHost }
  /** An error outside of any call, from an unknown environment. */
  | { type: "stray"; detail: string }
  | { type: "instance-lost"; environment: string; code: ErrorCode; expected: string; received: string };

/**
 * File descriptor for status lines, which arrive even while the main thread of the process hangs. A line is `.` as a
 * heartbeat, or the reason why the process ends, as JSON.
 */
export const lifeDescriptor = 4;

/** Interval of the heartbeats in milliseconds. */
export const signOfLifeMs = 500;

/** The reason why the process ends. */
export interface LastWords {
  /** Slot whose code was running, or 0 if no slot's code was running. */
  slot: number;
  code: ErrorCode;
  detail: string;
}

/**
 * Writes a line to the gym's process. Errors are ignored: if the gym's process has exited, the main thread ends this
 * process.
 */
export function writeLife(said: "." | LastWords): void {
  try {
    writeSync(lifeDescriptor, `${said === "." ? said : JSON.stringify(said)}\n`);
  } catch {
    // The gym's process no longer reads this descriptor.
  }
}

/**
 * Parses a status line. Returns null for an invalid line, since any code in the process can write to the descriptor.
 */
export function readLastWords(line: string): LastWords | null {
  try {
    const { slot, code, detail } = JSON.parse(line) as LastWords;
    const isKnown = Number.isInteger(slot) && Object.hasOwn(errorTable, code) && typeof detail === "string";
    return isKnown ? { slot, code, detail } : null;
  } catch {
    return null;
  }
}
