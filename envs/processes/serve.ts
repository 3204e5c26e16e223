/** The part of a process that hears requests and sends answers, one request at a time. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { answerDescriptor, lineOf, type Numbered, type ProcessMessage, requestDescriptor } from "./messages.js";

/** @param begin tells the gym that the time for the answer begins now */
export type Answer<Request> = (request: Request, begin: () => void) => unknown;

export interface Serving {
  /** Text of an error, for the gym. Left out: its message. */
  describe?(error: unknown): string;
}

/**
 * Answers requests until the gym has no more of them. The process ends at once with the gym, even within an answer that
 * never ends.
 *
 * @param load gives the function that answers; where it throws, the gym is told why, and nothing is answered
 */
export async function serve<Request>(
  load: () => Answer<Request> | Promise<Answer<Request>>,
  { describe = messageOf }: Serving = {},
): Promise<void> {
  new Worker(new URL("./end-with-gym.js", import.meta.url)).unref();
  let answer: Answer<Request>;
  try {
    answer = await load();
  } catch (error) {
    return tell({ kind: "unusable", message: describe(error) });
  }
  tell({ kind: "ready" });
  // A file's read would hold up the process's own exit until the next request.
  for await (const line of createInterface(new Socket({ fd: requestDescriptor }))) {
    const { id, ...request } = JSON.parse(line) as Numbered<object>;
    try {
      tell({ kind: "answered", id, answer: await answer(request as Request, () => tell({ kind: "running", id })) });
    } catch (error) {
      tell({ kind: "threw", id, message: describe(error) });
    }
  }
}

function tell(message: ProcessMessage): void {
  writeSync(answerDescriptor, lineOf(message));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
