import { GymError } from "../../errors.js";
import { Restarts } from "../restarts.js";
import type { SandboxKind } from "../sandbox-kinds.js";
import type { ProcessHost } from "./process-host.js";

/**
 * Milliseconds between the takeover by a spare process and the start of the next spare. During this time the process
 * restores its episodes.
 */
const spareAfterMs = 250;

/**
 * Manages the process of one module, or of one group of built-in async environments. The process is started when first needed. If
 * there is a spare process, the spare takes over the episodes of a process that ends. Starting a new process takes almost a
 * second.
 */
export class ProcessHosts {
  private current: ProcessHost | null = null;
  private spare: ProcessHost | null = null;
  private readonly restarts = new Restarts();
  private notBefore = 0;
  private spareNotBefore = 0;
  private losses = 0;

  /** @param make starts a process. `losses` is the number of processes that have ended before. */
  constructor(
    private readonly make: (losses: number) => ProcessHost,
    private readonly hasSpare: boolean,
  ) {}

  /** Process that takes new slots. @throws {GymError} HOST_FAILED while replacements end before they are ready */
  get host(): ProcessHost {
    if (performance.now() < this.notBefore) throw noHost();
    this.current ??= this.takeSpare() ?? this.make(this.losses);
    return this.current;
  }

  /** Whether the process that takes new slots has a sandbox of the kind. */
  holdsSandbox(kind: SandboxKind): boolean {
    return this.current?.holdsSandbox(kind) ?? false;
  }

  /** Called every `elapsedMs`. Kills processes whose heartbeats have stopped, and starts the spare. */
  watch(elapsedMs: number): void {
    this.current?.watch(elapsedMs);
    this.spare?.watch(elapsedMs);
    const isSpareDue = this.hasSpare && this.current?.ready && !this.spare;
    if (isSpareDue && performance.now() >= this.spareNotBefore) this.spare = this.make(this.losses);
  }

  /** Called when a process has ended. */
  onExit(host: ProcessHost): void {
    this.losses += 1;
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

  /** Aborts the calls that still run after a while. */
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
  return GymError.ofState("HOST_FAILED", "No host is running, because replacements end before they are ready.");
}
