/** Runs inside the process: reads requests and sends replies, one at a time. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { answerDescriptor, lineOf, type Numbered, type ProcessMessage, requestDescriptor } from "./messages.js";

/**
 * Answers one request.
 *
 * @param begin starts the time limit `answer`; called when the request is prepared
 */
export type Answer<Request> = (request: Request, begin: () => void) => unknown;

export interface Serving {
  /** Converts an error to a text for the gym. The default is the message of the error. */
  describe?(error: unknown): string;
  /**
   * Whether the state of the process still is what it was when the program was loaded. If false, the process takes no
   * further request. Default: always true.
   */
  isFresh?(): boolean;
}

/**
 * Answers requests until the gym closes the channel. The process ends immediately when the gym exits, even if an answer
 * never completes.
 *
 * @param load returns the function that answers requests. If `load` throws an error, the gym receives it, and no
 *   request is answered.
 */
export async function serve<Request>(
  load: () => Answer<Request> | Promise<Answer<Request>>,
  { describe = messageOf, isFresh = () => true }: Serving = {},
): Promise<void> {
  new Worker(new URL("./end-with-gym.js", import.meta.url)).unref();
  let answer: Answer<Request>;
  try {
    answer = await load();
  } catch (error) {
    return tell({ kind: "unusable", message: describe(error) });
  }
  tell({ kind: "ready" });
  // A pending read of a file would delay the exit of the process until the next request arrives.
  for await (const line of createInterface(new Socket({ fd: requestDescriptor }))) {
    const { id, ...request } = JSON.parse(line) as Numbered<object>;
    if (!isFresh()) return tell({ kind: "spent", id });
    let message: ProcessMessage;
    try {
      message = { kind: "answered", id, answer: await answer(request as Request, () => tell({ kind: "running", id })) };
    } catch (error) {
      message = { kind: "threw", id, message: describe(error) };
    }
    tell(isFresh() ? message : { ...message, isSpent: true });
  }
}

function tell(message: ProcessMessage): void {
  writeSync(answerDescriptor, lineOf(message));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
