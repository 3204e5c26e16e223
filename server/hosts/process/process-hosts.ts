import { GymError } from "../../errors.js";
import { Restarts } from "../restarts.js";
import type { ProcessHost } from "./process-host.js";

/** How long after a process has taken over the next spare one is started: it has then asked for what it restores. */
const spareAfterMs = 250;

/**
 * The process of all async environments, which is started when it is first needed, and a spare one beside it. Where the
 * process ends, the spare takes its episodes at once; a start from nothing would take most of a second.
 */
export class ProcessHosts {
  private current: ProcessHost | null = null;
  private spare: ProcessHost | null = null;
  private readonly restarts = new Restarts();
  private notBefore = 0;
  private spareNotBefore = 0;

  /** @param make starts a process */
  constructor(private readonly make: () => ProcessHost) {}

  /** The process for what comes next. @throws {GymError} HOST_FAILED while the replacements end before they are ready */
  get host(): ProcessHost {
    if (performance.now() < this.notBefore) throw noHost();
    this.current ??= this.takeSpare() ?? this.make();
    return this.current;
  }

  /** Called every `elapsedMs`: ends processes that give no sign of life, and starts the spare one. */
  watch(elapsedMs: number): void {
    this.current?.watch(elapsedMs);
    this.spare?.watch(elapsedMs);
    if (this.current?.ready && !this.spare && performance.now() >= this.spareNotBefore) this.spare = this.make();
  }

  /** A process has ended. */
  onExit(host: ProcessHost): void {
    const now = performance.now();
    const delayMs = this.restarts.delayAfter(host);
    this.spareNotBefore = now + Math.max(delayMs, spareAfterMs);
    if (host === this.spare) {
      this.spare = null;
    } else {
      this.current = null;
      if (!this.spare) this.notBefore = now + delayMs;
    }
  }

  /** Calls that run a while from now are aborted. */
  drain(): void {
    this.current?.drain();
  }

  async stop(): Promise<void> {
    await Promise.all([this.current?.stop(), this.spare?.stop()]);
  }

  private takeSpare(): ProcessHost | null {
    const { spare } = this;
    this.spare = null;
    this.spareNotBefore = performance.now() + spareAfterMs;
    return spare;
  }
}

export function noHost(): GymError {
  return new GymError("HOST_FAILED", "a running host", "none: replacements end before they are ready");
}
