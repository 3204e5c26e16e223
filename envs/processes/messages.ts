/** Messages between a gym and a process that answers requests: lines of JSON. */

/** A request is any object. Its number comes back with the answer. */
export type Numbered<Request> = Request & { id: number };

export type ProcessMessage =
  /** The program is loaded. */
  | { kind: "ready" }
  /** It cannot be loaded. */
  | { kind: "unusable"; message: string }
  /** The request is prepared: the time for its answer begins. */
  | { kind: "running"; id: number }
  | { kind: "answered"; id: number; answer: unknown }
  | { kind: "threw"; id: number; message: string };

/** File descriptors of the process: requests, answers, and one that ends with the gym. */
export const requestDescriptor = 3;
export const answerDescriptor = 4;
export const lifeDescriptor = 5;

/** A message as one line of JSON. From Node 22 on, `readline` ends lines at U+2028 and U+2029 too, which JSON leaves bare. */
export function lineOf(message: object): string {
  const text = JSON.stringify(message).replace(/[\u2028\u2029]/g, (end) => (end === "\u2028" ? "\\u2028" : "\\u2029"));
  return `${text}\n`;
}
