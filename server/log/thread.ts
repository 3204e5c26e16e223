/**
 * The thread that owns the log file. All messages that wait in its ports become one transaction. A single step is
 * committed at once, and under load a commit contains hundreds of steps. Reports are passed on to the main thread after
 * the commit.
 *
 * Between commits, the thread reads for a few milliseconds at a time. When a host dies, a thousand episodes may read
 * their history at once. The steps of other hosts must not wait for these reads.
 *
 * If a commit fails, the hosts of its steps have taken steps that are not in the log. The log refuses the reports of
 * these hosts until each host has resumed once for each refused report. Earlier reports may build on lost steps, so
 * logging them would leave a gap.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { CheckpointHold } from "./checkpoint-hold.js";
import { isDamage } from "./damage.js";
import {
  addingCalls,
  type FromHost,
  type FromLog,
  type HostReport,
  type LogAnswer,
  type LogCall,
  type LogDetach,
  type LoggedReport,
  type LogThreadData,
  type ToLog,
} from "./protocol.js";
import { LogLost, LogStore } from "./store.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;
const { path, sync } = workerData as LogThreadData;
const store = open();
const hold = new CheckpointHold(path);

/** Channel to one host. */
interface HostLine {
  host: number;
  port: MessagePort;
  /** Number of refused reports minus the number of times that the host has resumed. */
  refused: number;
}

/** Interval in milliseconds of the checks that the log still has its file, and whether a backup is made. */
const fileCheckMs = 500;

/** Milliseconds of reading before the thread checks its ports again. The last read may exceed this limit. */
const readingMs = 4;

interface ReportEntry {
  line: HostLine;
  report: HostReport;
  /** Error that keeps the report's steps out of the log, or null. */
  error: string | null;
}

const lines = new Map<number, HostLine>();
/** Calls to answer between commits, oldest first. */
const reads: LogCall[] = [];
let closing = false;

port.on("message", (first: ToLog) => work(null, first));
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
    throw Object.assign(new Error(`${path}: ${(error as Error).message}`), { isDamage: isDamage(error) });
  }
}

function checkFiles(): void {
  store.expectFile();
  store.holdCheckpoints(hold.isHeld);
}

/** Handles a message and all later messages, until no port has a message left. */
function work(line: HostLine | null, first: ToLog | FromHost): void {
  let turn = new Turn();
  turn.take(line, first);
  for (;;) {
    for (const message of waiting(port)) turn.take(null, message as ToLog);
    // A detached host is dead, so all of its reports are in its port by now.
    for (const each of lines.values()) for (const message of waiting(each.port)) turn.take(each, message as FromHost);
    if (!turn.isEmpty) tellMain(turn.commit());
    if (reads.length === 0) break;
    tellMain({ reports: [], answers: readSome() });
    turn = new Turn();
  }
  if (closing) close();
}

function tellMain(message: FromLog): void {
  port.postMessage(message);
}

function readSome(): LogAnswer[] {
  const answers: LogAnswer[] = [];
  const until = performance.now() + readingMs;
  do answers.push(answer(reads.shift() as LogCall));
  while (reads.length > 0 && performance.now() < until);
  return answers;
}

function close(): void {
  clearInterval(checks);
  store.close();
  for (const each of lines.values()) each.port.close();
  port.close();
}

function* waiting(from: MessagePort): Iterable<unknown> {
  for (let received = receiveMessageOnPort(from); received; received = receiveMessageOnPort(from)) {
    yield received.message;
  }
}

/** The content of one transaction. */
class Turn {
  private readonly reports: ReportEntry[] = [];
  private readonly writes: LogCall[] = [];
  private readonly detached: LogDetach[] = [];

  get isEmpty(): boolean {
    return this.reports.length + this.writes.length + this.detached.length === 0;
  }

  take(line: HostLine | null, message: ToLog | FromHost): void {
    switch (message.type) {
      case "report":
        return this.takeReport(line as HostLine, message);
      case "resumed":
        (line as HostLine).refused -= 1;
        return;
      case "attach":
        return attach(message.host, message.port);
      case "detach":
        this.detached.push(message);
        return;
      case "close":
        closing = true;
        return;
      default:
        (addingCalls.has(message.method) ? this.writes : reads).push(message);
    }
  }

  commit(): FromLog {
    const answers = this.write();
    for (const { id, host } of this.detached) {
      detach(host);
      answers.push({ to: id, value: null });
    }
    const atMs = store.newestAtMs;
    return { reports: this.reports.map((entry) => toLogged(entry, atMs)), answers };
  }

  private write(): LogAnswer[] {
    try {
      return store.transaction(() => {
        for (const { report, error } of this.reports) if (error === null) store.appendPage(report.page);
        return this.writes.map((call) => ({ to: call.id, value: perform(call) }));
      });
    } catch (error) {
      if (error instanceof LogLost) throw error;
      const reason = messageOf(error);
      for (const entry of this.reports)
        if (entry.error === null && entry.report.page.places.length > 0) refuse(entry, reason);
      return this.writes.map(({ id }) => ({ to: id, error: reason }));
    }
  }

  private takeReport(line: HostLine, report: HostReport): void {
    const entry: ReportEntry = { line, report, error: null };
    this.reports.push(entry);
    if (line.refused > 0 && report.page.places.length > 0) refuse(entry, "an earlier step was not logged");
  }
}

function refuse(entry: ReportEntry, reason: string): void {
  entry.error = reason;
  entry.line.refused += 1;
}

function toLogged({ line, report, error }: ReportEntry, atMs: number): LoggedReport {
  return { host: line.host, results: report.results, lines: report.page.lines, atMs, error };
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
  return (store[method] as (...args: unknown[]) => unknown).apply(store, args) ?? null;
}

function attach(host: number, hostPort: MessagePort): void {
  const line = { host, port: hostPort, refused: 0 };
  lines.set(host, line);
  hostPort.on("message", (first: FromHost) => work(line, first));
}

function detach(host: number): void {
  lines.get(host)?.port.close();
  lines.delete(host);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
