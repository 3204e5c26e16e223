/**
 * The thread that owns the log file. All messages that wait in its ports become one transaction. A single step is
 * committed at once, and under load a commit contains hundreds of steps. Reports are passed on to the main thread after
 * the commit.
 *
 * Between commits, the thread reads for a few milliseconds at a time. When a host dies, a thousand episodes may read
 * their history at once. The steps of other hosts must not wait for these reads.
 */
import { parentPort, workerData } from "node:worker_threads";
import { isNoRoom, roomRemedy } from "../config/data-dir.js";
import { Mailbox } from "./mailbox.js";
import { isDamage, LogLost } from "./records/damage.js";
import type { FromLog, LogAnswer, LogCall, LogCalls, SqliteLogData } from "./records/protocol.js";
import type { Turn } from "./records/turn.js";
import { CheckpointHold } from "./sqlite/checkpoint-hold.js";
import { LogStore } from "./sqlite/store.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;
const { path, sync } = workerData as SqliteLogData;
const store = open();
const hold = new CheckpointHold(path);
if (store.loss !== null) port.postMessage({ reports: [], answers: [], warning: store.loss } satisfies FromLog);

/** Interval in milliseconds of two checks: whether the log still has its file, and whether a backup is running. */
const fileCheckMs = 500;

/** Milliseconds of reading before the thread checks its ports again. The last read may exceed this limit. */
const readingMs = 4;

const mailbox = new Mailbox(port, work);

// An error ends this thread, and the main thread refuses all calls from then on.
const checks = setInterval(checkFiles, fileCheckMs);
checks.unref();

/**
 * Errors of SQLite lose their message when they are passed to another thread, so they are rethrown as a plain `Error`.
 */
function open(): LogStore {
  try {
    return new LogStore(path, sync);
  } catch (error) {
    const remedy = isNoRoom(error) ? `. ${roomRemedy}` : "";
    throw Object.assign(new Error(`${path}: ${(error as Error).message}${remedy}`), { isDamage: isDamage(error) });
  }
}

function checkFiles(): void {
  store.expectFile();
  store.holdCheckpoints(hold.isHeld);
}

/** Handles all waiting messages, until no port has a message left. */
function work(): void {
  for (;;) {
    const turn = mailbox.gather();
    if (!turn.isEmpty) tellMain(commit(turn));
    if (mailbox.reads.length === 0) break;
    tellMain({ reports: [], answers: readSome() });
  }
  if (mailbox.closing) close();
}

function tellMain(message: FromLog): void {
  port.postMessage(message);
}

function readSome(): LogAnswer[] {
  const answers: LogAnswer[] = [];
  const until = performance.now() + readingMs;
  do answers.push(answer(mailbox.reads.shift() as LogCall));
  while (mailbox.reads.length > 0 && performance.now() < until);
  return answers;
}

function close(): void {
  clearInterval(checks);
  store.close();
  mailbox.close();
}

function commit(turn: Turn): FromLog {
  const answers = write(turn);
  for (const { host } of turn.detached) mailbox.detach(host);
  return turn.told(answers, store.newestAtMs);
}

function write(turn: Turn): LogAnswer[] {
  try {
    return store.transaction(() => {
      for (const page of turn.pages) store.appendPage(page);
      for (const { episode, kind, detail } of turn.endings) store.mark(episode, kind, detail);
      return turn.writes.map((call) => ({ to: call.id, value: perform(call) }));
    });
  } catch (error) {
    if (error instanceof LogLost) throw error;
    return turn.refuse(messageOf(error));
  }
}

function answer(call: LogCall): LogAnswer {
  try {
    const value = call.method === "prune" ? store.transaction(() => perform(call)) : perform(call);
    return { to: call.id, value };
  } catch (error) {
    if (error instanceof LogLost) throw error;
    return { to: call.id, error: messageOf(error), isDamage: isDamage(error) };
  }
}

function perform({ method, args }: LogCall): unknown {
  return (store[method as keyof LogCalls] as (...args: unknown[]) => unknown).apply(store, args) ?? null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
