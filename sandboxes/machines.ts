/**
 * The small machines that environments get: from the first provider that holds what is asked for, so many at once, to
 * the caller that has waited longest.
 */
import { Place } from "./place.js";
import { type LimitedMachines, type MachineProvider, type Sandbox, SandboxError, type SandboxSpec } from "./sandbox.js";
import { WaitingLine } from "./waiting-line.js";

export interface MachinesOptions {
  /** Sandboxes at once. */
  most: number;
  /** Milliseconds that a request may wait until another sandbox is closed. */
  waitMs: number;
}

export class Machines implements LimitedMachines {
  private readonly waiting = new WaitingLine<void>();
  private readonly ending = new AbortController();
  private taken = 0;
  private readonly loaded = new Map<string, Promise<MachineProvider>>();

  /** @param providers by name, in the order in which they are asked; each is loaded when it is first asked */
  constructor(
    private readonly providers: Readonly<Record<string, () => Promise<MachineProvider>>>,
    private readonly options: MachinesOptions,
  ) {}

  async open(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    await this.admission(signal);
    try {
      const sandbox = await this.openFirst(spec, signal);
      void sandbox.ended.then(() => this.free());
      return sandbox;
    } catch (error) {
      this.free();
      throw error;
    }
  }

  async reserve(signal?: AbortSignal): Promise<MachineProvider> {
    await this.admission(signal);
    const open = (spec: SandboxSpec, abort?: AbortSignal) => this.openFirst(spec, abort);
    return new Place(open, this.options.waitMs, () => this.free());
  }

  async close(): Promise<void> {
    const refusal = new SandboxError("REFUSED", "a provider that is open", "a call after its close");
    this.ending.abort(refusal);
    this.waiting.failAll(refusal);
    await Promise.allSettled([...this.loaded.values()].map(async (provider) => (await provider).close()));
  }

  /** A provider that lacks something, or cannot hold the spec, leaves it to the next. */
  private async openFirst(spec: SandboxSpec, signal: AbortSignal | undefined): Promise<Sandbox> {
    const refusals: [string, SandboxError][] = [];
    for (const name of Object.keys(this.providers)) {
      this.ending.signal.throwIfAborted();
      try {
        return await (await this.provider(name)).open(spec, signal);
      } catch (error) {
        if (!(error instanceof SandboxError && (error.code === "MISSING" || error.code === "REFUSED"))) throw error;
        refusals.push([name, error]);
      }
    }
    throw refusalOf(refusals);
  }

  private provider(name: string): Promise<MachineProvider> {
    const loading = this.loaded.get(name) ?? (this.providers[name] as () => Promise<MachineProvider>)();
    this.loaded.set(name, loading);
    loading.catch(() => this.loaded.delete(name));
    return loading;
  }

  private async admission(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.ending.signal.throwIfAborted();
    const { most, waitMs } = this.options;
    if (this.taken < most) this.taken += 1;
    else {
      const full = () => new SandboxError("FULL", `one of ${most} sandboxes to end within ${waitMs} ms`, "none");
      await this.waiting.wait(waitMs, full, signal);
    }
  }

  /** The place of a sandbox that has ended goes to the longest waiter. */
  private free(): void {
    if (!this.waiting.serve()) this.taken -= 1;
  }
}

/** One refusal stands for itself; of several each is told by its provider's name. */
function refusalOf(refusals: readonly [string, SandboxError][]): SandboxError {
  const [first] = refusals;
  if (!first) return new SandboxError("MISSING", "a provider of sandboxes", "none", "Set `sandboxes.machines`");
  if (refusals.length === 1) return first[1];
  const code = refusals.every(([, { code }]) => code === "MISSING") ? "MISSING" : "REFUSED";
  const received = refusals.map(([name, { message }]) => `${name}: ${message}`).join("; ");
  return new SandboxError(code, `${refusals.map(([name]) => name).join(" or ")} to hold the sandbox`, received);
}
