/** What can be seen of a server from outside. */
import { existsSync, readdirSync } from "node:fs";

export const MiB = 2 ** 20;

/** The first value that is good, or the last one of ten seconds. */
export async function eventually<T>(read: () => T | Promise<T>, good: (value: T) => boolean): Promise<T> {
  const until = performance.now() + 10_000;
  for (;;) {
    const value = await read();
    if (good(value) || performance.now() > until) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A number of `/metrics`; 0 where it was never counted. */
export async function metric(url: string, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} ([0-9.e+-]+)$`, "m").exec(metrics)?.[1] ?? 0);
}

/** Open files and sockets of a process; 0 where the system does not tell. */
export function openDescriptors(pid: number): number {
  const descriptors = `/proc/${pid}/fd`;
  return existsSync(descriptors) ? readdirSync(descriptors).length : 0;
}
