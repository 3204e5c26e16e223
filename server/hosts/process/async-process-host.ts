import type { Log } from "../../log/log.js";
import type { GymPermits, PermitHolder } from "../permits.js";
import type { SandboxKind } from "../sandbox-kinds.js";
import { isRunnable } from "../thread-clock.js";
import type { Launch } from "./launch.js";
import { type Exit, ProcessHost, type ProcessHostListener } from "./process-host.js";
import { type LastWords, outOfMemorySignals, type PermitRequest, type ProcessSetup } from "./process-protocol.js";

/** Silence in milliseconds from which on the threads of the process are looked at. Its signs of life come more often. */
const lookAfterMs = 1_000;

/** Represents, in the gym's process, a process that runs async environments. A watchdog thread in the process sends heartbeats. */
export class AsyncProcessHost extends ProcessHost {
  private silentMs = 0;
  private readonly permits: PermitHolder;

  constructor(
    launch: Omit<Launch, "program" | "hasSandboxes">,
    setup: ProcessSetup,
    log: Log,
    listener: ProcessHostListener,
    permits: GymPermits,
  ) {
    super(
      { ...launch, program: new URL("../async/process.js", import.meta.url), hasSandboxes: true },
      setup,
      log,
      listener,
    );
    this.permits = permits.holder((news) => this.tell(news));
  }

  override holdsSandbox(kind: SandboxKind): boolean {
    return this.permits.count(kind).held > 0;
  }

  protected watchRunning(elapsedMs: number): void {
    // A process that waits for a processor gives no sign of life either.
    if (this.silentMs < lookAfterMs || !isRunnable(this.pid)) this.silentMs += elapsedMs;
    if (this.silentMs >= this.setup.times.silentMs)
      this.kill({ slot: 0, code: "HOST_FAILED", detail: `it gave no sign of life for ${this.silentMs} ms` });
  }

  protected override onLife(): void {
    this.silentMs = 0;
  }

  protected override onPermit(request: PermitRequest): void {
    if (request.type === "permit-ask") this.permits.ask(request.kind, request.permit);
    else this.permits.leave(request.permit);
  }

  protected override onGone(): void {
    this.permits.end(this.pid);
  }

  protected blame(cause: string, { signal }: Exit): LastWords {
    // Something outside may have killed the process, such as the system for want of memory.
    const isKilled = signal === "SIGKILL" || signal === "SIGTERM";
    const slot = isKilled || this.stopped ? 0 : this.pulse.slot;
    if (slot === 0) return { slot, code: "HOST_FAILED", detail: cause };
    if (signal === null || !outOfMemorySignals.has(signal)) return { slot, code: "ENVIRONMENT_THREW", detail: cause };
    // The instances of all slots share the memory, so another slot may have used most of it.
    return { slot, code: "ENVIRONMENT_OUT_OF_MEMORY", detail: `V8 had no more memory, and ${cause}`, uncertain: true };
  }
}
