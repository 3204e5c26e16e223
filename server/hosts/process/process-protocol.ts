/** Messages between the gym's process and a process that runs environments. The messages carry the host protocol. */
import { writeSync } from "node:fs";
import type { Config } from "../../config/config.js";
import type { HostTimes } from "../../config/times.js";
import { type ErrorCode, errorTable } from "../../errors.js";
import type { FromHost } from "../../log/records/protocol.js";
import type { CommandMessage, HostLimits } from "../protocol.js";
import type { PermitKind, SandboxKind } from "../sandbox-kinds.js";
import type { IntrinsicChecks } from "../sync/sync-loop.js";

/** `stringify` is captured before an environment can replace it. */
const { stringify } = JSON;

/** Content of the first message to a process. */
export interface ProcessSetup {
  /** Modules and definitions of added environments. */
  environmentModules: readonly string[];
  /** Group of built-in async environments that the process runs, or null for the process of a module. */
  group: string | null;
  limits: HostLimits;
  times: HostTimes;
  /** Limit in milliseconds on a call of an environment. The spec of an async environment may set a higher one. */
  stepDeadlineMs: number;
  /** Used by async environments. */
  sandboxes: Config["sandboxes"];
  /** Used by synchronous environments. */
  checks: IntrinsicChecks;
}

/** Messages of the gym to a process about permits for sandboxes. `permit` is the number that the process gave its request. */
export type PermitNews =
  /** The process gets the permit that it has asked for. */
  | { type: "permit"; permit: number }
  /** No permit is free, and the request waits. */
  | { type: "permit-waits"; permit: number }
  /**
   * Number of requests of other processes that wait. With `mustShare`, the process should give up a sandbox that is in
   * use, since the process that has waited longest has fewer.
   */
  | { type: "permits-wanted"; kind: PermitKind; waiting: number; mustShare: boolean };

export type ToProcess =
  | { type: "setup"; setup: ProcessSetup }
  | PermitNews
  | { type: "commands"; message: CommandMessage }
  /** Reports that `characters` of reset results, verdicts and replies have reached their owners. */
  | { type: "taken"; characters: number }
  /** Answer to `ping`. */
  | { type: "pong" }
  /** Requests that calls which still run after `drainingMs` are aborted. */
  | { type: "drain" }
  /** Requests that all instances and sandboxes are closed and the process exits. */
  | { type: "stop" };

/** Number of requests for permits of one process that can wait. Further ones are refused in the process. */
export const mostWaitingPermits = 10_000;

/** Messages of a process to the gym about permits for sandboxes. */
export type PermitRequest =
  /** Asks for a permit to make a sandbox, by a new number. */
  | { type: "permit-ask"; kind: PermitKind; permit: number }
  /** Gives a permit back, or withdraws the request for it. */
  | { type: "permit-leave"; permit: number };

export type FromProcess =
  | { type: "ready" }
  /** A host report whose page's lines are the text of the frame, after this number of command messages was performed. */
  | { type: "report"; report: FromHost; performed: number }
  /** Asks for a `pong`, which tells that the gym has accepted all earlier messages. */
  | { type: "ping" }
  | PermitRequest
  /** Number of requests that wait until a sandbox of the kind is closed. It is sent while they wait, and then 0. */
  | { type: "waiting"; kind: SandboxKind; requests: number }
  /** An error outside of any call, from an unknown environment. */
  | { type: "stray"; detail: string }
  | { type: "instance-lost"; environment: string; code: ErrorCode; expected: string; received: string };

/** Returns the message that carries a host report to the gym, and the lines of its page, which are sent beside it. */
export function reportFrame(report: FromHost, performed: number): { message: FromProcess; text: string } {
  if (report.type === "resumed") return { message: { type: "report", report, performed }, text: "" };
  const { type, results, page, endings } = report;
  const message: FromProcess = {
    type: "report",
    report: { type, results, page: { places: [], lines: "" }, endings },
    performed,
  };
  return { message, text: page.lines };
}

/** File descriptor of the socket that carries the messages. */
export const messageDescriptor = 3;

/**
 * File descriptor for status lines, which arrive even while the main thread of the process hangs. A line is `.` as a
 * heartbeat, or the reason why the process ends, as JSON.
 */
export const lifeDescriptor = 4;

/** File descriptor of the process's `WrittenPulse`. */
export const pulseDescriptor = 5;

/** Interval of the heartbeats in milliseconds. */
export const signOfLifeMs = 500;

/** Limit on the characters of the detail of last words. */
const mostDetailLength = 2_000;

/** The reason why a process ends. */
export interface LastWords {
  /** Slot whose code was running, or 0 if no slot's code was running. */
  slot: number;
  code: ErrorCode;
  detail: string;
  /** Whether the running call may not be the cause. */
  uncertain?: boolean;
}

/**
 * Writes a line to the gym's process. Errors are ignored: if the gym's process has exited, the main thread ends this
 * process.
 */
export function writeLife(said: "." | LastWords): void {
  try {
    const line = said === "." ? said : stringify({ ...said, detail: said.detail.slice(0, mostDetailLength) });
    writeSync(lifeDescriptor, `${line}\n`);
  } catch {
    // The gym's process no longer reads this descriptor.
  }
}

/**
 * Signals by which V8 ends a process whose code asks for more memory than V8 can allocate. `process.abort` would look the
 * same, so `announceAbort` makes it tell.
 */
export const outOfMemorySignals: ReadonlySet<NodeJS.Signals> = new Set(["SIGABRT", "SIGTRAP", "SIGILL"]);

/** @param runningSlot returns the slot whose code runs */
export function announceAbort(runningSlot: () => number): void {
  const abort = process.abort.bind(process);
  process.abort = () => {
    writeLife({ slot: runningSlot(), code: "ENVIRONMENT_THREW", detail: "it called process.abort" });
    return abort();
  };
}

/**
 * Parses a status line. Returns null for an invalid line, since any code in the process can write to the descriptor.
 */
export function readLastWords(line: string): LastWords | null {
  try {
    const { slot, code, detail, uncertain } = JSON.parse(line) as LastWords;
    const isKnown = Number.isInteger(slot) && Object.hasOwn(errorTable, code) && typeof detail === "string";
    return isKnown ? { slot, code, detail, uncertain: uncertain === true } : null;
  } catch {
    return null;
  }
}
