/** Whether a process is writing to a run's folder. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { statsOf } from "./derived.js";

/** Age in milliseconds up to which a run counts as live if its lock cannot be seen. */
const freshMs = 60_000;
const locksKeptMs = 500;

let locks: { at: number; inodes: Promise<Set<string>> } | undefined;

/**
 * The trainer locks a file in the folder, which Linux lists. Taking the lock to test it could make a trainer fail that
 * starts just then. On other systems and for other machines, the age of the files decides.
 *
 * @param updatedMs time of the newest change
 * @param hasEnded whether the files say that the run has ended
 */
export async function isLive(folder: string, updatedMs: number, hasEnded: boolean): Promise<boolean> {
  const lock = statsOf(join(folder, ".lock"));
  if (lock && (await lockedInodes()).has(String(lock.ino))) return true;
  return !hasEnded && Date.now() - updatedMs < freshMs;
}

function lockedInodes(): Promise<Set<string>> {
  if (!locks || performance.now() - locks.at > locksKeptMs) locks = { at: performance.now(), inodes: readLocks() };
  return locks.inodes;
}

/** A line of the list: `1: POSIX  ADVISORY  WRITE 7155 08:02:1311778 1073741824 1073742335`. */
async function readLocks(): Promise<Set<string>> {
  const text = await readFile("/proc/locks", "utf8").catch(() => "");
  return new Set([...text.matchAll(/ WRITE +-?\d+ +[0-9a-f]+:[0-9a-f]+:(\d+) /g)].map(([, inode]) => inode as string));
}
