/**
 * Provides the machines that environments use. Each machine comes from the first provider that supports its spec. The
 * number of machines is limited, and the caller that has waited longest is served first.
 */
import { providerClosed } from "./closed.js";
import type { Permits } from "./permits.js";
import { Place } from "./place.js";
import { type LimitedMachines, type MachineProvider, type Sandbox, SandboxError, type SandboxSpec } from "./sandbox.js";

export interface MachinesOptions {
  /** Permits of the machines, which limit their number. */
  permits: Permits;
  /** Longest time in milliseconds that a request waits until another sandbox is closed. */
  waitMs: number;
}

export class Machines implements LimitedMachines {
  private readonly ending = new AbortController();
  private readonly loaded = new Map<string, Promise<MachineProvider>>();
  /** Number of requests that wait until a machine ends. */
  waitingCount = 0;

  /**
   * @param providers loaders by name, in the order in which they are tried; each loader runs when its provider is first
   * tried
   */
  constructor(
    private readonly providers: Readonly<Record<string, () => Promise<MachineProvider>>>,
    private readonly options: MachinesOptions,
  ) {}

  async open(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const leave = await this.turn(signal);
    try {
      const sandbox = await this.openFirst(spec, signal);
      void sandbox.ended.then(leave);
      return sandbox;
    } catch (error) {
      leave();
      throw error;
    }
  }

  async reserve(signal?: AbortSignal): Promise<MachineProvider> {
    const leave = await this.turn(signal);
    const open = (spec: SandboxSpec, abort?: AbortSignal) => this.openFirst(spec, abort);
    return new Place(open, this.options.waitMs, leave);
  }

  async close(): Promise<void> {
    const refusal = providerClosed();
    this.ending.abort(refusal);
    this.options.permits.failAll(refusal);
    await Promise.allSettled([...this.loaded.values()].map(async (provider) => (await provider).close()));
  }

  /** Tries the providers in order. After MISSING or REFUSED, the next provider is tried. */
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

  private async turn(signal: AbortSignal | undefined): Promise<() => void> {
    this.ending.signal.throwIfAborted();
    const { permits, waitMs } = this.options;
    const full = () =>
      SandboxError.ofState("FULL", `All ${permits.most} sandboxes are in use, and none ended within ${waitMs} ms.`);
    this.waitingCount += 1;
    try {
      return await permits.take({ waitMs, full, signal });
    } finally {
      this.waitingCount -= 1;
    }
  }
}

/** Combines the refusals of all providers into one error. A single refusal is returned unchanged. */
function refusalOf(refusals: readonly [string, SandboxError][]): SandboxError {
  const [first] = refusals;
  if (!first) return SandboxError.ofState("MISSING", "No sandbox provider is set.", "Set `sandboxes.machines`");
  if (refusals.length === 1) return first[1];
  const code = refusals.every(([, { code }]) => code === "MISSING") ? "MISSING" : "REFUSED";
  const received = refusals.map(([name, { message }]) => `${name}: ${message}`).join("; ");
  return new SandboxError(code, `${refusals.map(([name]) => name).join(" or ")} to open the sandbox`, received);
}
