/**
 * A place that is reserved for one caller among a limited number of machines. The place holds one machine at a time.
 */
import { type MachineProvider, type Sandbox, SandboxError, type SandboxSpec } from "./sandbox.js";
import { until } from "./until.js";

export class Place implements MachineProvider {
  private current: Sandbox | undefined;
  /** Resolves when every machine opened so far has ended. Never rejects. */
  private ended: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;

  /**
   * @param waitMs milliseconds that the previous machine may take to end
   * @param free frees the place for the next caller
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
    const late = () => SandboxError.ofState("FULL", `The previous machine did not end within ${this.waitMs} ms.`);
    await until(before, { signals: [signal], ms: this.waitMs, late });
    this.checkOpen();
    const sandbox = await this.make(spec, signal);
    this.current = sandbox;
    if (this.closing) await sandbox.close();
    this.checkOpen();
    return sandbox;
  }

  private checkOpen(): void {
    if (this.closing) throw SandboxError.ofState("REFUSED", "The reserved place was given back.");
  }

  private async closeOnce(): Promise<void> {
    await this.current?.close();
    await this.ended;
    this.free();
  }
}
