/** A reserved place among a limited number of machines. The place holds one machine at a time. */
import { type MachineProvider, type Sandbox, SandboxError, type SandboxSpec } from "./sandbox.js";
import { until } from "./until.js";

export class Place implements MachineProvider {
  private current: Sandbox | undefined;
  /** Resolves when every machine opened so far has ended. Never rejects. */
  private ended: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;

  /**
   * @param waitMs milliseconds that the previous machine may take to end
   * @param free gives the place to the next caller
   */
  constructor(
    private readonly make: MachineProvider["open"],
    private readonly waitMs: number,
    private readonly free: () => void,
  ) {}

  open(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const opening = this.openAfter(this.ended, spec, signal);
    const ended = opening.then(
      (sandbox) => sandbox.ended,
      () => {},
    );
    this.ended = Promise.all([this.ended, ended]);
    return opening;
  }

  close(): Promise<void> {
    this.closing ??= this.closeOnce();
    return this.closing;
  }

  private async openAfter(before: Promise<unknown>, spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const late = () => new SandboxError("FULL", `the machine before to end within ${this.waitMs} ms`, "none");
    await until(before, { signals: [signal], ms: this.waitMs, late });
    this.checkOpen();
    const sandbox = await this.make(spec, signal);
    this.current = sandbox;
    if (this.closing) await sandbox.close();
    this.checkOpen();
    return sandbox;
  }

  private checkOpen(): void {
    if (this.closing) throw new SandboxError("REFUSED", "a place that is kept", "a call after its close");
  }

  private async closeOnce(): Promise<void> {
    await this.current?.close();
    await this.ended;
    this.free();
  }
}
