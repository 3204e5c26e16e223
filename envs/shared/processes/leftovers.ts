/**
 * Finds and ends processes that a program has started and left, also if they are in sessions of their own. Works on Linux.
 *
 * Every process inherits the limits of its parent. The limit on file locks has no effect in Linux, so its number serves as
 * the mark of a program and of all its descendants.
 */
import { readdirSync, readFileSync } from "node:fs";

/** Most new processes of the machine that are looked at one by one. Of more, all running processes are looked at. */
const mostLookedAt = 4_096;
/** Most rounds of a search, since a process may start another while it is being ended. */
const mostRounds = 20;
const marks = { low: 2 ** 24, high: 2 ** 31 };

/** Returns a mark that no other program is likely to have. */
export function newMark(): number {
  return marks.low + Math.floor(Math.random() * (marks.high - marks.low));
}

/** Returns a command that runs a program with the mark. Shells have different names for the limit, and some have none. */
export function marked(command: readonly string[], mark: number): [string, ...string[]] {
  const script = `ulimit -w ${mark} 2>/dev/null || ulimit -x ${mark} 2>/dev/null; exec "$@"`;
  return ["/bin/sh", "-c", script, "sh", ...command];
}

/** Returns the id of the process that this machine has started last, or undefined if it cannot be found out. */
export function lastStarted(): number | undefined {
  const text = textOf("/proc/loadavg");
  return text === undefined ? undefined : Number(text.trim().split(" ").at(-1));
}

/**
 * Ends the processes with the mark that were started after the process `since`. If `since` is undefined, all processes with
 * the mark.
 *
 * @param spared id of the program itself
 */
export function endMarked(mark: number, spared: number | undefined, since?: number): void {
  const ended = new Set([spared]);
  for (let round = 0; round < mostRounds; round++) {
    const found = candidates(since).filter((pid) => !ended.has(pid) && hasMark(pid, mark));
    if (found.length === 0) return;
    for (const pid of found) {
      kill(pid);
      ended.add(pid);
    }
  }
}

function candidates(since: number | undefined): number[] {
  const last = lastStarted();
  if (since !== undefined && last !== undefined && last >= since && last - since <= mostLookedAt)
    return Array.from({ length: last - since }, (_, at) => since + 1 + at);
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function hasMark(pid: number, mark: number): boolean {
  const locks = /^Max file locks\s+(\d+)/m.exec(textOf(`/proc/${pid}/limits`) ?? "")?.[1];
  if (Number(locks) !== mark) return false;
  // Threads have ids too. A process that has ended is waiting for its parent.
  const status = textOf(`/proc/${pid}/status`) ?? "";
  return /^Tgid:\s+(\d+)/m.exec(status)?.[1] === String(pid) && !/^State:\s+Z/m.test(status);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The process has ended.
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
