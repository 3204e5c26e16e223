/**
 * How long a thread has been busy, and how long it has been blocked. The time for which it was ready to run while others had the
 * processors is neither, so that a call on a busy machine is not taken for one that hangs. Source: proc(5),
 * `/proc/PID/task/TID/stat`.
 */
import { readdirSync, readFileSync } from "node:fs";
import type { HostTimes } from "../config/times.js";

/** Unit of processor times in Linux's /proc: USER_HZ is 100 on every architecture that Node runs on. */
const tickMs = 10;

/** Time in milliseconds since `ThreadClock.start`. */
export interface ThreadTime {
  /** Processor time of the thread. On systems without /proc, the time that has passed. */
  busyMs: number;
  /** Time in which the thread waited for something other than a processor, such as a lock or a disk. */
  blockedMs: number;
}

export class ThreadClock {
  private time: ThreadTime = { busyMs: 0, blockedMs: 0 };
  private processorMs = 0;

  /** @param statPath returns the path of the thread's `stat` file, or null if the thread is not known */
  constructor(private readonly statPath: () => string | null) {}

  start(): void {
    this.time = { busyMs: 0, blockedMs: 0 };
    this.processorMs = this.read()?.processorMs ?? 0;
  }

  /** Called at intervals of `elapsedMs`. */
  look(elapsedMs: number): ThreadTime {
    const { busyMs, blockedMs } = this.time;
    const stat = this.read();
    if (!stat) {
      this.time = { busyMs: busyMs + elapsedMs, blockedMs };
      return this.time;
    }
    const usedMs = stat.processorMs - this.processorMs;
    this.processorMs = stat.processorMs;
    const waitedMs = stat.isRunnable ? 0 : Math.max(0, elapsedMs - usedMs);
    this.time = { busyMs: busyMs + usedMs, blockedMs: blockedMs + waitedMs };
    return this.time;
  }

  private read(): ThreadStat | null {
    const path = this.statPath();
    return path === null ? null : readStat(path);
  }
}

interface ThreadStat {
  /** Whether the thread runs, or waits for a processor. */
  isRunnable: boolean;
  processorMs: number;
}

/** Returns null if the system has no such file. */
function readStat(path: string): ThreadStat | null {
  try {
    const stat = readFileSync(path, "latin1");
    // The name, in parentheses, may contain spaces. State, utime and stime are the first, 12th and 13th field after the name.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { isRunnable: fields[0] === "R", processorMs: (Number(fields[11]) + Number(fields[12])) * tickMs };
  } catch {
    return null;
  }
}

/** Whether any thread of a process runs, or waits for a processor. False on systems without /proc. */
export function isRunnable(process: number | undefined): boolean {
  if (process === undefined) return false;
  try {
    return readdirSync(`/proc/${process}/task`).some((thread) => readStat(statOf(process, Number(thread)))?.isRunnable);
  } catch {
    return false;
  }
}

/** Returns the path of the `stat` file of a thread. The main thread of a process has the id of the process. */
export function statOf(process: number | "self", thread: number): string {
  return `/proc/${process}/task/${thread}/stat`;
}

/** Limits on a call of a synchronous environment, in milliseconds. */
export interface CallLimits {
  busyMs: number;
  blockedMs: number;
}

/** Returns the limits on a call. @param stepDeadlineMs setting of the gym */
export function callLimits(stepDeadlineMs: number, { blockedMs }: Pick<HostTimes, "blockedMs">): CallLimits {
  return { busyMs: stepDeadlineMs, blockedMs: Math.max(blockedMs, stepDeadlineMs) };
}

/** How a call exceeds its limits. */
export interface Excess {
  /** Verb phrase, such as `used the processor for 2000 ms`. */
  detail: string;
  /** Whether the call may be innocent: then it is tried again once. */
  uncertain: boolean;
}

/**
 * Returns how a call exceeds its limits, or null. A call that waits without using the processor may wait for a disk or a
 * network, so that the environment is to blame only if a second attempt waits, too.
 */
export function excessOf({ busyMs, blockedMs }: ThreadTime, most: CallLimits): Excess | null {
  if (busyMs >= most.busyMs) return { detail: `used the processor for ${busyMs} ms`, uncertain: false };
  if (blockedMs < most.blockedMs) return null;
  return { detail: `waited for ${blockedMs} ms without using the processor`, uncertain: true };
}
