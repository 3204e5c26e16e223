/**
 * Bounds the messages of a browser. Playwright keeps all bytes of one until it is complete, and a page decides how long some are, such
 * as those that tell of `console.log`: without a bound, one page would take the memory of this process.
 */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Readable } from "node:stream";

/** Bytes of a message. A picture of the largest size has up to 90 MiB as text. */
export const mostMessageBytes = 128 * 2 ** 20;

/** Descriptor of the pipe that Chromium writes its messages to, each with a 0 at its end. */
const messagePipe = 4;

/**
 * Runs a launch, and finds the process that it has started.
 *
 * @param path of the program
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

/** Calls once, before more has come, when a message of the process has outgrown the bound. */
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
