/**
 * Limits the size of a browser's messages. Playwright buffers a message until it is complete. A page controls the
 * length of some messages, such as the messages of `console.log`, so a page could exhaust the memory of this process.
 */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";

/** Largest message accepted, in bytes. The largest picture is up to 90 MiB long as text. */
export const mostMessageBytes = 128 * 2 ** 20;

/** File descriptor of the pipe for Chromium's messages. Each message ends in NUL. */
const messagePipe = 4;

/**
 * Runs a launch, and returns its result with the process that it started.
 *
 * @param path path of the launched program
 */
export async function withProcess<T>(path: string, launch: () => Promise<T>): Promise<[T, ChildProcess | undefined]> {
  const started: ChildProcess[] = [];
  const note = (message: unknown) => void started.push((message as { process: ChildProcess }).process);
  subscribe("child_process", note);
  try {
    const launched = await launch();
    return [launched, started.find(({ spawnfile }) => spawnfile === path)];
  } finally {
    unsubscribe("child_process", note);
  }
}

/** Kills the process when one of its messages is too large, and calls `onTooLarge` once. */
export function watchMessages(child: ChildProcess, onTooLarge: () => void): void {
  const pipe = child.stdio[messagePipe] as Readable;
  let bytes = 0;
  const count = (part: Buffer) => {
    const end = part.lastIndexOf(0);
    bytes = end < 0 ? bytes + part.length : part.length - end - 1;
    if (bytes <= mostMessageBytes) return;
    pipe.off("data", count);
    child.kill("SIGKILL");
    pipe.destroy();
    onTooLarge();
  };
  pipe.on("data", count);
}
