/**
 * The thread that owns the log file. Whatever waits in its port becomes one transaction: alone, a step is committed at
 * once; under load, a commit serves hundreds.
 *
 * After a failed commit everything is refused until the main thread says that it has heard of it: steps already on
 * their way build on the lost ones, and must not be logged after a gap.
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { LogAnswer, LogThreadData, ToLog } from "./log-protocol.js";
import { LogStore } from "./log-store.js";

if (!parentPort) throw new Error("expected to run as a worker thread, but received the main thread");
const port = parentPort;
const { path, sync } = workerData as LogThreadData;
const store = open();
let failure: string | null = null;

port.on("message", (first: ToLog) => {
  const messages = [first, ...waiting()];
  const last = messages.at(-1);
  if (last?.kind === "close") messages.pop();
  if (messages.length > 0) port.postMessage(commit(messages));
  if (last?.kind === "close") {
    store.close();
    port.close();
  }
});

/** SQLite's errors lose their message on the way to another thread: only errors of the language itself keep it. */
function open(): LogStore {
  try {
    return new LogStore(path, sync);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

function* waiting(): Iterable<ToLog> {
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
    yield received.message as ToLog;
  }
}

function commit(messages: ToLog[]): LogAnswer[] {
  const answers: LogAnswer[] = [];
  try {
    store.transaction(() => {
      for (const message of messages) answer(message, answers);
    });
    return answers;
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
    return messages.filter(({ kind }) => kind !== "recover").map(() => ({ error: String(failure) }));
  }
}

function answer(message: ToLog, answers: LogAnswer[]): void {
  if (message.kind === "recover") {
    failure = null;
  } else if (failure !== null) {
    answers.push({ error: failure });
  } else if (message.kind === "steps") {
    store.appendPage(message.page);
    answers.push({ value: null });
  } else if (message.kind === "call") {
    const call = store[message.method] as (...args: unknown[]) => unknown;
    answers.push({ value: call.apply(store, message.args) ?? null });
  }
}
