/**
 * The sandboxes that one instance has opened. The host closes them with the instance, so that an environment that fails,
 * never ends its `close` or opens a sandbox too late does not keep a place.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandboxes } from "../../../sandboxes/sandbox.js";
import { GymError } from "../../errors.js";

interface Held {
  /** Resolves when the sandbox has ended. */
  readonly ended?: Promise<unknown>;
  close(options?: { isSpoilt?: boolean }): Promise<void>;
}

interface Opener<Request, Made> {
  open(request: Request, signal?: AbortSignal): Promise<Made>;
}

export class Holdings {
  /** Providers whose sandboxes belong to the instance. */
  readonly sandboxes: Sandboxes;
  private readonly held = new Set<Held>();
  private isOver = false;

  constructor({ machines, jvm, browsers }: Sandboxes) {
    this.sandboxes = {
      machines: { ...this.owning(machines), reserve: (signal) => this.hold(machines.reserve(signal)) },
      jvm: this.owning(jvm),
      browsers: this.owning(browsers),
    };
  }

  /**
   * Closes all sandboxes of the instance, and those that open later. Never rejects.
   *
   * @param closing close of the environment, which normally closes the sandboxes itself
   * @param mostMs time limit of `closing` in milliseconds
   */
  async closeAfter(closing: Promise<void>, mostMs: number): Promise<void> {
    const timer = new AbortController();
    const late = sleep(mostMs, undefined, { signal: timer.signal, ref: false });
    await Promise.race([closing, late].map((end) => end.catch(() => {})));
    timer.abort();
    await this.close();
  }

  private async close(): Promise<void> {
    this.isOver = true;
    await Promise.all([...this.held].map((held) => held.close({ isSpoilt: true })));
    this.held.clear();
  }

  private owning<Request, Made extends Held>(provider: Opener<Request, Made>) {
    return {
      open: async (request: Request, signal?: AbortSignal) => {
        const made = await this.hold(provider.open(request, signal));
        void made.ended?.then(() => this.held.delete(made));
        return made;
      },
      close: () => this.close(),
    };
  }

  private async hold<Made extends Held>(opening: Promise<Made>): Promise<Made> {
    const made = await opening;
    if (this.isOver) {
      await made.close({ isSpoilt: true });
      throw GymError.ofState("HOST_FAILED", "The instance was closed before its sandbox had opened.");
    }
    this.held.add(made);
    return made;
  }
}
