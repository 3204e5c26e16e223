/** Messages between the gym and a process that answers requests. Each message is one line of JSON. */

/** A request with a number `id`. The reply contains the same number. */
export type Numbered<Request> = Request & { id: number };

export type ProcessMessage =
  /** The program is loaded. */
  | { kind: "ready" }
  /** The program cannot be loaded, for the reason in `message`. */
  | { kind: "unusable"; message: string }
  /** The program has prepared the request. The time limit `answer` starts now. */
  | { kind: "running"; id: number }
  /** The reply. After it, a process with `isSpent` takes no further request, since its state might change other replies. */
  | { kind: "answered"; id: number; answer: unknown; isSpent?: boolean }
  | { kind: "threw"; id: number; message: string; isSpent?: boolean }
  /** The request was not begun, since the state of the process has changed after the previous reply. */
  | { kind: "spent"; id: number };

/** File descriptors in the process: requests, replies, and a pipe that closes when the gym exits. */
export const requestDescriptor = 3;
export const answerDescriptor = 4;
export const lifeDescriptor = 5;

/** Own name of the function, which a program in the same process may replace. */
const { stringify } = JSON;

/**
 * Encodes a message as one line of JSON. U+2028 and U+2029 are escaped, since `readline` splits lines at these
 * characters from Node 22 on.
 */
export function lineOf(message: object): string {
  const text = stringify(message).replace(/[\u2028\u2029]/g, (end) => (end === "\u2028" ? "\\u2028" : "\\u2029"));
  return `${text}\n`;
}
