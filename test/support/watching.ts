/** Measurements of a server from another process. */
import { existsSync, readdirSync } from "node:fs";

export const MiB = 2 ** 20;

/** Returns the first good value, or the last value after a time that a busy machine may need. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  good: (value: T) => boolean,
  timeoutMs = 100_000,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (good(value) || performance.now() > until) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Returns a limit in milliseconds on waits during an attack, to distinguish slow from stopped. On a busy machine, the
 * waits before the attack are also long.
 *
 * @param calmMs longest wait before the attack
 */
export function longestWaitBeside(calmMs: number, leastMs = 10_000): number {
  return Math.max(leastMs, 50 * calmMs);
}

/** Returns such a limit from the longest of twenty waits before an attack. @param waitMs waits once, and returns the time */
export async function limitFromCalmWaits(waitMs: () => Promise<number>): Promise<number> {
  let calmMs = 0;
  for (let i = 0; i < 20; i++) calmMs = Math.max(calmMs, await waitMs());
  return longestWaitBeside(calmMs);
}

/** Returns a number of `/metrics`, or 0 if it is missing. */
export async function metric(url: string, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} ([0-9.e+-]+)$`, "m").exec(metrics)?.[1] ?? 0);
}

/** Returns the number of open files and sockets of a process, or 0 if the system does not show it. */
export function openDescriptors(pid: number): number {
  const descriptors = `/proc/${pid}/fd`;
  return existsSync(descriptors) ? readdirSync(descriptors).length : 0;
}
