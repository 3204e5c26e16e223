/**
 * The small machines that environments get: from the first provider that holds what is asked for, so many at once, to
 * the caller that has waited longest.
 */
import { Place } from "./place.js";
import { type LimitedMachines, type MachineProvider, type Sandbox, SandboxError, type SandboxSpec } from "./sandbox.js";
import { Turns } from "./turns.js";

export interface MachinesOptions {
  /** Sandboxes at once. */
  most: number;
  /** Milliseconds that a request may wait until another sandbox is closed. */
  waitMs: number;
}

export class Machines implements LimitedMachines {
  private readonly turns: Turns;
  private readonly ending = new AbortController();
  private readonly loaded = new Map<string, Promise<MachineProvider>>();

  /** @param providers by name, in the order in which they are asked; each is loaded when it is first asked */
  constructor(
    private readonly providers: Readonly<Record<string, () => Promise<MachineProvider>>>,
    private readonly options: MachinesOptions,
  ) {
    this.turns = new Turns({ most: options.most });
  }

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
    const refusal = new SandboxError("REFUSED", "a provider that is open", "a call after its close");
    this.ending.abort(refusal);
    this.turns.failAll(refusal);
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

  private async turn(signal: AbortSignal | undefined): Promise<() => void> {
    this.ending.signal.throwIfAborted();
    const { most, waitMs } = this.options;
    const full = () => new SandboxError("FULL", `one of ${most} sandboxes to end within ${waitMs} ms`, "none");
    return this.turns.take({ waitMs, full, signal });
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
