/**
 * Bounds the starts of an engine: so many at once, and none for a while after several have failed in a row, so that an
 * engine in trouble is not met with more of what troubles it.
 */
import { SandboxError } from "../sandbox.js";

export interface StartGateOptions {
  /** Starts at once. */
  most: number;
  /** Failures in a row after which starts are refused. */
  mostFailures: number;
  /** Milliseconds for which they are refused; then one is tried. */
  restMs: number;
  now?: () => number;
}

export class StartGate {
  private readonly waiting: (() => void)[] = [];
  private running = 0;
  private failures = 0;
  private openFrom = 0;
  private readonly now: () => number;

  constructor(
    /** Names the engine in errors. */
    private readonly name: string,
    private readonly options: StartGateOptions,
  ) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Whether a start would be refused now. */
  get isShut(): boolean {
    return this.now() < this.openFrom;
  }

  /**
   * Runs a start when its turn comes.
   *
   * @throws {SandboxError} START while starts are refused @throws the signal's reason @throws what `start` throws
   */
  async pass<T>(start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.checkOpen();
    await this.turn(signal);
    try {
      this.checkOpen();
      const started = await start();
      this.failures = 0;
      return started;
    } catch (error) {
      if (isOfTheEngine(error) && !signal.aborted) this.countFailure();
      throw error;
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }

  private checkOpen(): void {
    if (!this.isShut) return;
    const seconds = ((this.openFrom - this.now()) / 1_000).toFixed(1);
    const received = `${this.failures} failures in a row; the next start is tried in ${seconds} s`;
    throw new SandboxError("START", `the engine at ${this.name} to start containers`, received);
  }

  private countFailure(): void {
    this.failures += 1;
    // After the rest one failure is enough to rest again.
    if (this.failures >= this.options.mostFailures) this.openFrom = this.now() + this.options.restMs;
  }

  private async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.running < this.options.most) {
      this.running += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        this.waiting.splice(this.waiting.indexOf(admit), 1);
        reject(signal.reason);
      };
      const admit = () => {
        signal.removeEventListener("abort", abort);
        this.running += 1;
        resolve();
      };
      signal.addEventListener("abort", abort);
      this.waiting.push(admit);
    });
  }
}

/** A refusal is the caller's mistake, and says nothing of the engine. */
function isOfTheEngine(error: unknown): boolean {
  return error instanceof SandboxError && error.code !== "REFUSED";
}
