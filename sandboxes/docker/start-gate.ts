/**
 * A circuit breaker for the starts of containers at an engine. The gate limits concurrent starts. After several
 * failures in a row it refuses starts for a while, to take load off a failing engine.
 *
 * Failures are counted per kind of container. A failure counts for all kinds only if the engine caused it. A broken
 * image or an unusable spec does not prevent the start of other containers.
 */
import { SandboxError } from "../sandbox.js";
import { Turns } from "../turns.js";
import { statusOf } from "./engine.js";

export interface StartGateOptions {
  /** Largest number of starts at once. */
  most: number;
  /** Number of failures in a row after which starts are refused. */
  mostFailures: number;
  /** Milliseconds for which starts are refused. After this time, one start is tried. */
  restMs: number;
  now?: () => number;
}

/** Largest number of kinds whose failures are counted. The most recently failed kinds are kept. */
const mostKinds = 100;

export class StartGate {
  private readonly turns: Turns;
  private readonly engine: Failures;
  /** Failures by kind, ordered from the oldest to the newest failure. */
  private readonly kinds = new Map<string, Failures>();
  /** Kind of the last failure since the last successful start. */
  private lastKind: string | undefined;
  private readonly now: () => number;

  constructor(
    /** Name of the engine for errors. */
    private readonly name: string,
    private readonly options: StartGateOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.turns = new Turns({ most: options.most });
    this.engine = this.noFailures();
  }

  /** Whether starts of every kind are refused now. */
  get isShut(): boolean {
    return this.engine.isResting;
  }

  /**
   * Runs a start when its turn comes.
   *
   * @param kind kind of the container; failures of one kind block only that kind
   * @throws {SandboxError} START while starts are refused @throws the signal's reason @throws the error of `start`
   */
  async pass<T>(kind: string, start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.checkOpen(kind);
    const run = async () => {
      this.checkOpen(kind);
      try {
        const started = await start();
        this.engine.forget();
        this.lastKind = undefined;
        this.kinds.delete(kind);
        return started;
      } catch (error) {
        if (!signal.aborted) this.count(kind, error);
        throw error;
      }
    };
    return this.turns.run(run, { signal });
  }

  private checkOpen(kind: string): void {
    this.engine.check(`the engine at ${this.name} to start containers`);
    this.kinds.get(kind)?.check(`the engine at ${this.name} to start containers of this kind`);
  }

  private count(kind: string, error: unknown): void {
    // A REFUSED error is the caller's mistake.
    if (!(error instanceof SandboxError) || error.code === "REFUSED") return;
    const failures = this.kinds.get(kind) ?? this.noFailures();
    failures.count();
    this.kinds.delete(kind);
    this.kinds.set(kind, failures);
    const [oldest] = this.kinds.keys();
    if (this.kinds.size > mostKinds && oldest !== undefined) this.kinds.delete(oldest);
    const isSilent = error.code === "TIMEOUT" || error.code === "MISSING";
    // Engines report some faults of a spec or an image as their own. Repeated failures of one kind therefore count once.
    if (isSilent || (statusOf(error) !== undefined && kind !== this.lastKind)) this.engine.count();
    this.lastKind = kind;
  }

  private noFailures(): Failures {
    return new Failures(this.options, this.now);
  }
}

/** Counts failures in a row, and refuses calls for a while after too many. */
class Failures {
  private inARow = 0;
  private openFrom = 0;

  constructor(
    private readonly options: StartGateOptions,
    private readonly now: () => number,
  ) {}

  get isResting(): boolean {
    return this.now() < this.openFrom;
  }

  count(): void {
    this.inARow += 1;
    // The count is not reset, so that one failure after the pause starts the next pause.
    if (this.inARow >= this.options.mostFailures) this.openFrom = this.now() + this.options.restMs;
  }

  forget(): void {
    this.inARow = 0;
  }

  /** @throws {SandboxError} START */
  check(expected: string): void {
    if (!this.isResting) return;
    const seconds = ((this.openFrom - this.now()) / 1_000).toFixed(1);
    const received = `${this.inARow} failures in a row; the next start is tried in ${seconds} s`;
    throw new SandboxError("START", expected, received);
  }
}
