/**
 * The thread that owns the log file. Whatever waits in its ports becomes one transaction: alone, a step is committed at
 * once; under load, a commit serves hundreds. What the hosts reported is passed on to the main thread after the commit.
 *
 * Where a commit fails, the hosts whose steps it held are ahead of the log. Each is refused until it has resumed once for
 * every refused report: until then what it reports may build on what was lost, and must not be logged after a gap.
 */
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { FromHost, HostReport } from "./host-protocol.js";
import {
  type FromLog,
  type LogAnswer,
  type LogCall,
  type LogThreadData,
  readingCalls,
  type ToLog,
} from "./log-protocol.js";
import { LogStore } from "./log-store.js";

if (!parentPort) throw new Error("expected to run as a worker thread, but received the main thread");
const port = parentPort;
const { path, sync } = workerData as LogThreadData;
const store = open();

/** The end at the log of one host's line. */
interface HostLine {
  host: number;
  port: MessagePort;
  /** Refused reports after which the host has not yet resumed. */
  refused: number;
}

const lines = new Map<number, HostLine>();
let closing = false;

port.on("message", (first: ToLog) => work(null, first));

/** SQLite's errors lose their message on the way to another thread: only errors of the language itself keep it. */
function open(): LogStore {
  try {
    return new LogStore(path, sync);
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

/** Takes a message and all that wait behind it, on whatever port. */
function work(line: HostLine | null, first: ToLog | FromHost): void {
  const turn = new Turn();
  turn.take(line, first);
  for (const message of waiting(port)) turn.take(null, message as ToLog);
  // A host that is detached is dead: all that it reported is in its port by now.
  for (const each of lines.values()) for (const message of waiting(each.port)) turn.take(each, message as FromHost);
  if (!turn.isEmpty) port.postMessage(turn.commit());
  if (closing) close();
}

function close(): void {
  store.close();
  for (const each of lines.values()) each.port.close();
  port.close();
}

function* waiting(from: MessagePort): Iterable<unknown> {
  for (let received = receiveMessageOnPort(from); received; received = receiveMessageOnPort(from)) {
    yield received.message;
  }
}

/** What one transaction is made of. */
class Turn {
  private readonly reports: { line: HostLine; report: HostReport; error: string | null }[] = [];
  private readonly requests: (LogCall | { kind: "detach"; host: number })[] = [];

  get isEmpty(): boolean {
    return this.reports.length + this.requests.length === 0;
  }

  take(line: HostLine | null, message: ToLog | FromHost): void {
    switch (message.kind) {
      case "report":
        return this.takeReport(line as HostLine, message);
      case "resumed":
        (line as HostLine).refused -= 1;
        return;
      case "attach":
        return attach(message.host, message.port);
      case "close":
        closing = true;
        return;
      default:
        this.requests.push(message);
    }
  }

  commit(): FromLog {
    let answers: LogAnswer[] = [];
    try {
      store.transaction(() => {
        for (const { report, error } of this.reports) if (error === null) store.appendPage(report.page);
        answers = this.requests.map(answer);
      });
    } catch (error) {
      const reason = messageOf(error);
      answers = this.requests.map(({ kind }) => (kind === "detach" ? { value: null } : { error: reason }));
      for (const entry of this.reports)
        if (entry.error === null && entry.report.page.places.length > 0) refuse(entry, reason);
    }
    for (const request of this.requests) if (request.kind === "detach") detach(request.host);
    return {
      reports: this.reports.map(({ line, report, error }) => ({
        host: line.host,
        results: report.results,
        lines: report.page.lines,
        error,
      })),
      answers,
    };
  }

  private takeReport(line: HostLine, report: HostReport): void {
    const entry = { line, report, error: null };
    this.reports.push(entry);
    if (line.refused > 0 && report.page.places.length > 0) refuse(entry, "an earlier step could not be logged");
  }
}

function refuse(entry: { line: HostLine; error: string | null }, reason: string): void {
  entry.error = reason;
  entry.line.refused += 1;
}

function answer(request: LogCall | { kind: "detach" }): LogAnswer {
  if (request.kind === "detach") return { value: null };
  const call = store[request.method] as (...args: unknown[]) => unknown;
  try {
    return { value: call.apply(store, request.args) ?? null };
  } catch (error) {
    // A write may have been done by half: it takes the transaction with it.
    if (!readingCalls.has(request.method)) throw error;
    return { error: messageOf(error) };
  }
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
