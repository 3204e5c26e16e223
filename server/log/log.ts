import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { type FleetTimes, usualTimes } from "../config/times.js";
import { GymError } from "../errors.js";
import { monotonicMs } from "./monotonic.js";
import type {
  FleetCalls,
  FleetState,
  FromLog,
  LogCallName,
  LogDurability,
  LoggedReport,
  LogThreadData,
  Outcome,
  ToLog,
} from "./records/protocol.js";

/** Receives the reports of one host once they are in the log. */
export interface ReportListener {
  onReport(report: LoggedReport): void;
  /** Called when the log can no longer be written. No report follows. */
  onLogLost(error: GymError): void;
}

type Settle = (outcome: Outcome | { lost: GymError }) => void;

let nextHost = 1;

/**
 * Represents the episode log on the main thread. Hosts send their steps directly to the log thread. It passes each
 * report on when the report is written. All other access to the log is through `call`. The queues of calls need no
 * limit, because a step that waits in a queue still counts as in flight.
 */
export class Log {
  /** Callbacks of calls that the log thread has not answered yet, by id. */
  private readonly unanswered = new Map<number, Settle>();
  private nextCall = 1;
  private readonly listeners = new Map<number, ReportListener>();
  private lost: GymError | null = null;
  /** State of the fleet, or null if the gym is alone. */
  fleet: FleetState | null = null;
  /** Time from `monotonicMs` at which the last renewal of this gym's membership began. */
  private renewedAt = Number.NEGATIVE_INFINITY;
  /** Failures that acknowledged steps survive, or null if the log is not in PostgreSQL. */
  durability: LogDurability | null = null;
  /** Warning for the operator about the log, or null. */
  warning: string | null = null;
  /** Called when the state of the fleet has changed, and after each renewal of this gym's membership. */
  onFleet: (state: FleetState) => void = () => {};
  /** Called with the cause when a problem of the fleet begins, and with null once no problem is left. */
  onTrouble: (cause: string | null) => void = () => {};
  /** Monotonic time of the newest report of each problem, by cause. */
  private readonly troubles = new Map<string, number>();

  private constructor(
    private readonly worker: Worker,
    private readonly onLost: (error: GymError) => void,
    private readonly times: FleetTimes,
  ) {
    worker.on("message", (message: FromLog) => this.receive(message));
    worker.on("error", (error: Error & { isDamage?: boolean }) => this.lose(error.message, error.isDamage));
    worker.on("exit", () => this.lose("its thread has ended"));
  }

  /**
   * @param onLost called once if the log thread ends before `close`
   * @throws {GymError} LOG_FAILED if the file or database cannot be opened, LOG_CORRUPT if it is damaged
   */
  static async open(options: LogThreadData, onLost: (error: GymError) => void = () => {}): Promise<Log> {
    const inPostgres = "url" in options;
    const thread = inPostgres
      ? new URL("./postgres/thread.js", import.meta.url)
      : new URL("./thread.js", import.meta.url);
    const times = options.times ?? usualTimes.fleet;
    const pulse = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = new Worker(thread, { workerData: { ...options, pulse } });
    const heartbeats = setInterval(() => Atomics.add(pulse, 0, 1), times.pulseMs).unref();
    worker.once("exit", () => clearInterval(heartbeats));
    let opened = false;
    const log = new Log(worker, (error) => opened && onLost(error), times);
    await log.call("nextKey");
    opened = true;
    return log;
  }

  /** False if other gyms may have taken over the episodes of this gym, because it cannot reach the database. */
  get isMember(): boolean {
    if (this.fleet && this.lost) return false;
    return this.fleet === null || monotonicMs() - this.renewedAt < this.times.trustedMs;
  }

  get healthy(): boolean {
    return this.lost === null;
  }

  /** @throws {GymError} LOG_FAILED once the log can no longer be written */
  check(): void {
    if (this.lost) throw this.lost;
  }

  /** Opens a channel from a host to the log. The host's thread gets `port`. */
  attach(listener: ReportListener): { host: number; port: MessagePort } {
    const host = nextHost++;
    const { port1, port2 } = new MessageChannel();
    this.listeners.set(host, listener);
    if (!this.lost) this.worker.postMessage({ type: "attach", host, port: port2 } satisfies ToLog, [port2]);
    return { host, port: port1 };
  }

  /** Detaches a host that has ended. Resolves when the host's listener has received all reports of the host. */
  async detach(host: number): Promise<void> {
    if (!this.lost)
      await new Promise<void>((resolve) =>
        this.send(
          (id) => ({ type: "detach", id, host }),
          () => resolve(),
        ),
      );
    this.listeners.delete(host);
  }

  /** @throws {GymError} LOG_FAILED */
  call<Name extends LogCallName>(
    method: Name,
    ...args: Parameters<FleetCalls[Name]>
  ): Promise<ReturnType<FleetCalls[Name]>> {
    return new Promise((resolve, reject) => {
      this.send(
        (id) => ({ type: "call", id, method, args }),
        (outcome) => {
          if ("lost" in outcome) reject(outcome.lost);
          else if ("error" in outcome) reject(failureOf(outcome.error, outcome.isDamage ?? false));
          else resolve(outcome.value as ReturnType<FleetCalls[Name]>);
        },
      );
    });
  }

  /** Commits all steps and calls that were sent, and closes the file. */
  async close(): Promise<void> {
    if (this.lost) return;
    const exited = once(this.worker, "exit");
    this.lost = logFailure("a closed log");
    this.worker.postMessage({ type: "close" } satisfies ToLog);
    await exited;
  }

  private send(message: (id: number) => ToLog, settle: Settle): void {
    if (this.lost) return settle({ lost: this.lost });
    const id = this.nextCall++;
    this.unanswered.set(id, settle);
    this.worker.postMessage(message(id));
  }

  private receive({ reports, answers, fleet, renewedAt, durability, trouble, warning }: FromLog): void {
    if (trouble !== undefined || renewedAt !== undefined) this.noteTrouble(trouble);
    this.durability = durability ?? this.durability;
    this.warning = warning ?? this.warning;
    this.renewedAt = renewedAt ?? this.renewedAt;
    this.fleet = fleet ?? this.fleet;
    if (this.fleet && (fleet || renewedAt !== undefined)) this.onFleet(this.fleet);
    for (const report of reports) this.listeners.get(report.host)?.onReport(report);
    for (const answer of answers) {
      this.unanswered.get(answer.to)?.(answer);
      this.unanswered.delete(answer.to);
    }
  }

  /** @param cause description of a problem of the fleet, which must be reported every second while the problem lasts */
  noteTrouble(cause?: string): void {
    const now = monotonicMs();
    if (cause !== undefined && !this.troubles.has(cause)) this.onTrouble(cause);
    if (cause !== undefined) this.troubles.set(cause, now);
    for (const [each, toldAt] of this.troubles)
      if (now - toldAt > this.times.troubleMs && this.troubles.delete(each) && this.troubles.size === 0)
        this.onTrouble(null);
  }

  private lose(reason: string, isDamage = false): void {
    const isFirst = this.lost === null;
    const error = this.lost ?? (this.fleet ? takenOver(reason) : failureOf(reason, isDamage));
    this.lost = error;
    const settles = [...this.unanswered.values()];
    this.unanswered.clear();
    for (const settle of settles) settle({ lost: error });
    if (!isFirst) return;
    for (const listener of this.listeners.values()) listener.onLogLost(error);
    this.onLost(error);
  }
}

/** @param reason error message of SQLite or the system */
export function logFailure(reason: string): GymError {
  return new GymError("LOG_FAILED", "access to the episode log", reason);
}

/** Returns the error of a gym of a fleet that has lost its log, since the other gyms take over its episodes. */
function takenOver(reason: string): GymError {
  const statement = `This gym of the fleet has lost its episodes: ${reason}. Another gym takes them over.`;
  return GymError.ofState("EPISODE_ELSEWHERE", `${statement} A step without a reply may have been taken.`, {
    mayBeTaken: true,
  });
}

function failureOf(reason: string, isDamage: boolean): GymError {
  if (!isDamage) return logFailure(reason);
  const statement = reason.endsWith(".") ? reason : `The episode log is damaged: ${reason}.`;
  return GymError.ofState("LOG_CORRUPT", statement);
}
