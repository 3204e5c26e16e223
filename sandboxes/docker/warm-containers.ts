/**
 * Containers that are started in advance: a fixed number for each recently requested shape. A caller gets a ready
 * container at once, and a replacement is started.
 */
import type { Container } from "./container.js";
import type { ContainerShape } from "./container-body.js";
import type { EngineHost } from "./engine-host.js";

export interface WarmOptions {
  /** Number of warm containers of each shape. */
  most: number;
  /** Milliseconds that containers are kept after the last request for their shape. */
  warmMs: number;
}

/** Number of shapes that are kept warm at once. The most recently requested shapes are kept. */
const mostShapes = 4;

interface Kept {
  host: EngineHost;
  shape: ContainerShape;
  containers: Container[];
  starting: number;
  idle: NodeJS.Timeout | undefined;
}

export class WarmContainers {
  /** Containers by host and shape, ordered from the oldest to the newest request. */
  private readonly kept = new Map<string, Kept>();
  private readonly ending = new AbortController();
  private readonly settling = new Set<Promise<unknown>>();

  constructor(private readonly options: WarmOptions) {}

  /**
   * Returns a running container, or undefined if none is ready. In either case the shape is kept warm from now on.
   *
   * @param expiresMs earliest acceptable expiry of the container, in milliseconds since the epoch
   */
  take(host: EngineHost, shape: ContainerShape, expiresMs: number): Container | undefined {
    const kept = this.keptFor(host, shape);
    const container = kept.containers.find(({ expiresMs: its }) => its >= expiresMs);
    if (container) kept.containers.splice(kept.containers.indexOf(container), 1);
    return container;
  }

  /** Starts containers until the shape has its number of warm containers, as `take` does. */
  refill(host: EngineHost, shape: ContainerShape, expiresMs: number): void {
    const kept = this.keptFor(host, shape);
    while (!this.ending.signal.aborted && kept.containers.length + kept.starting < this.options.most) {
      kept.starting += 1;
      this.settle(this.warm(kept, expiresMs + this.options.warmMs));
    }
  }

  async close(): Promise<void> {
    this.ending.abort(new Error("closed"));
    for (const kept of [...this.kept.values()]) this.drop(kept);
    await Promise.all(this.settling);
  }

  private keptFor(host: EngineHost, shape: ContainerShape): Kept {
    const key = keyOf(host, shape);
    const kept = this.kept.get(key) ?? { host, shape, containers: [], starting: 0, idle: undefined };
    this.kept.delete(key);
    this.kept.set(key, kept);
    clearTimeout(kept.idle);
    kept.idle = setTimeout(() => this.drop(kept), this.options.warmMs);
    kept.idle.unref();
    const [oldest] = this.kept.values();
    if (this.kept.size > mostShapes && oldest) this.drop(oldest);
    return kept;
  }

  private async warm(kept: Kept, expiresMs: number): Promise<void> {
    try {
      const container = await kept.host.start(kept.shape, expiresMs, this.ending.signal);
      const isWanted = this.kept.get(keyOf(kept.host, kept.shape)) === kept && !this.ending.signal.aborted;
      if (!isWanted) return await container.end();
      kept.containers.push(container);
      container.client.lost.addEventListener("abort", () => {
        const at = kept.containers.indexOf(container);
        if (at < 0) return;
        kept.containers.splice(at, 1);
        this.settle(container.end());
      });
    } catch {
      // The next request will fail in the same way and report the error.
    } finally {
      kept.starting -= 1;
    }
  }

  private drop(kept: Kept): void {
    clearTimeout(kept.idle);
    this.kept.delete(keyOf(kept.host, kept.shape));
    for (const container of kept.containers.splice(0)) this.settle(container.end());
  }

  private settle(work: Promise<unknown>): void {
    this.settling.add(work);
    void work.finally(() => this.settling.delete(work));
  }
}

function keyOf(host: EngineHost, shape: ContainerShape): string {
  return JSON.stringify([host.address, shape]);
}
