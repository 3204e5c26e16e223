/**
 * Program of a thread that reads embedded indexes. A separate thread is needed, since calls block for milliseconds or
 * longer.
 */
import { parentPort } from "node:worker_threads";
import { IndexFile } from "./index-file.js";

/** A call sent to a thread: the path of the index and the arguments of `Source.search` or `Source.open`. */
export type SearchCall = { id: number; path: string } & (
  | { kind: "search"; query: string; k: number }
  | { kind: "open"; page: string; offset: number }
);

export type SearchAnswer = { id: number } & ({ value: unknown } | { error: string });

/** Milliseconds between checks whether a build has replaced the index. */
const lookMs = 1_000;

const files = new Map<string, { file: IndexFile; lookedAt: number }>();

if (!parentPort) throw new Error("This program must run in a worker thread, not in the main thread.");
const port = parentPort;

port.on("message", (call: SearchCall) => {
  try {
    port.postMessage({ id: call.id, value: answer(call) } satisfies SearchAnswer);
  } catch (error) {
    port.postMessage({ id: call.id, error: (error as Error).message } satisfies SearchAnswer);
  }
});

function answer(call: SearchCall): unknown {
  const file = fileAt(call.path);
  return call.kind === "search" ? file.search(call.query, call.k) : file.open(call.page, call.offset);
}

function fileAt(path: string): IndexFile {
  const known = files.get(path);
  const now = performance.now();
  if (known && now - known.lookedAt < lookMs) return known.file;
  if (known?.file.isCurrent) {
    known.lookedAt = now;
    return known.file;
  }
  const file = new IndexFile(path);
  known?.file.close();
  files.set(path, { file, lookedAt: now });
  return file;
}
