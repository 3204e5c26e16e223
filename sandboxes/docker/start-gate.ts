/**
 * Bounds the starts of an engine: so many at once, and none for a while after several have failed in a row, so that an
 * engine in trouble is not met with more of what troubles it.
 *
 * Failures are counted for each kind of container, and for the engine where they are the engine's own: those of one broken image, or
 * of one spec that nothing can run in, keep no other container from its start.
 */
import { SandboxError } from "../sandbox.js";
import { Turns } from "../turns.js";
import { statusOf } from "./engine.js";

export interface StartGateOptions {
  /** Starts at once. */
  most: number;
  /** Failures in a row after which starts are refused. */
  mostFailures: number;
  /** Milliseconds for which they are refused; then one is tried. */
  restMs: number;
  now?: () => number;
}

/** Kinds whose failures are counted: those that have failed last. */
const mostKinds = 100;

export class StartGate {
  private readonly turns: Turns;
  private readonly engine: Failures;
  /** By kind; the one that has failed longest ago is first. */
  private readonly kinds = new Map<string, Failures>();
  /** Kind of the last failure since a start that did not fail. */
  private lastKind: string | undefined;
  private readonly now: () => number;

  constructor(
    /** Names the engine in errors. */
    private readonly name: string,
    private readonly options: StartGateOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
    this.turns = new Turns({ most: options.most });
    this.engine = this.noFailures();
  }

  /** Whether a start would be refused now, of whatever kind. */
  get isShut(): boolean {
    return this.engine.isResting;
  }

  /**
   * Runs a start when its turn comes.
   *
   * @param kind of the container: the failures of one kind shut the gate for it alone
   * @throws {SandboxError} START while starts are refused @throws the signal's reason @throws what `start` throws
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
    // A refusal is the caller's mistake, and costs the engine nothing.
    if (!(error instanceof SandboxError) || error.code === "REFUSED") return;
    const failures = this.kinds.get(kind) ?? this.noFailures();
    failures.count();
    this.kinds.delete(kind);
    this.kinds.set(kind, failures);
    const [oldest] = this.kinds.keys();
    if (this.kinds.size > mostKinds && oldest !== undefined) this.kinds.delete(oldest);
    const isSilent = error.code === "TIMEOUT" || error.code === "MISSING";
    // An engine tells some faults of a spec or an image as its own: many failures of one kind count as one.
    if (isSilent || (statusOf(error) !== undefined && kind !== this.lastKind)) this.engine.count();
    this.lastKind = kind;
  }

  private noFailures(): Failures {
    return new Failures(this.options, this.now);
  }
}

/** Failures in a row, and the rest that follows them. */
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
    // After the rest one failure is enough to rest again.
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
