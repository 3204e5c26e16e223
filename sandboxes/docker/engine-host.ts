/** Represents one engine of a provider. Prepares the engine for its first container, and starts containers. */
import { SandboxError, type SandboxSpec } from "../sandbox.js";
import { agentVolume } from "./agent-volume.js";
import { Container } from "./container.js";
import { type ContainerShape, type ImageFacts, shapeOf } from "./container-body.js";
import { Engine, type EngineFacts } from "./engine.js";
import { Images } from "./images.js";
import { isAbandoned, isOrphaned, sandboxLabel } from "./labels.js";
import { removeContainers } from "./left-behind.js";
import { StartGate } from "./start-gate.js";

export interface EngineHostOptions {
  /** Whether missing images are pulled and builds can use the network. */
  mayPull: boolean;
  /** Largest number of container starts in progress at once. */
  mostStarts: number;
  /** Timeout of a container's start, in milliseconds. */
  startMs: number;
}

const mostFailures = 5;
const restMs = 5_000;
const collectionMs = 60_000;

export interface Placed {
  shape: ContainerShape;
  facts: ImageFacts;
}

export class EngineHost {
  /** Number of containers that run, start or have a reservation. */
  private live = 0;
  private readonly engine: Engine;
  private readonly images: Images;
  private readonly gate: StartGate;
  private facts: Promise<EngineFacts> | undefined;
  private volume: Promise<string> | undefined;
  private collecting: NodeJS.Timeout | undefined;
  /** Time until which other engines are preferred, because this engine did not answer. */
  private restsUntil = 0;
  /** Whether the engine has ever answered. */
  isKnown = false;
  private isClosed = false;

  constructor(
    readonly address: string,
    private readonly options: EngineHostOptions,
  ) {
    this.engine = new Engine(address);
    this.images = new Images(this.engine, options.mayPull);
    this.gate = new StartGate(address, { most: options.mostStarts, mostFailures, restMs });
  }

  /**
   * Load for the choice of an engine: the number of containers, or Infinity while the engine refuses starts or does not
   * answer.
   */
  load(): number {
    return this.gate.isShut || performance.now() < this.restsUntil ? Number.POSITIVE_INFINITY : this.live;
  }

  /**
   * Counts a container before its start. @returns a function that removes the container from the count; a second call does
   * nothing
   */
  reserve(): () => void {
    this.live += 1;
    let isFree = false;
    return () => {
      if (!isFree) this.live -= 1;
      isFree = true;
    };
  }

  /** Returns the shape of a container for the spec. @throws {SandboxError} REFUSED, MISSING, START, TIMEOUT */
  async place(spec: SandboxSpec): Promise<Placed> {
    const engine = await this.ready();
    const facts = await this.images.find(spec.image);
    this.volume ??= agentVolume(this.engine, facts.id).catch((error) => {
      this.volume = undefined;
      throw error;
    });
    const { hasQuota, hasIpv6 } = engine;
    return { facts, shape: shapeOf(spec, facts, { agentVolume: await this.volume, hasQuota, hasIpv6 }) };
  }

  /** @throws {SandboxError} REFUSED, MISSING, START, TIMEOUT @throws the signal's reason */
  async start(shape: ContainerShape, expiresMs: number, signal: AbortSignal): Promise<Container> {
    const free = this.reserve();
    try {
      const { startMs } = this.options;
      const start = () => Container.start(this.engine, shape, { expiresMs, startMs, signal });
      const container = await this.gate.pass(JSON.stringify(shape), start, signal);
      container.client.lost.addEventListener("abort", free);
      return container;
    } catch (error) {
      free();
      // The engine may have been replaced, with other images and volumes.
      this.forget();
      throw error;
    }
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.collecting);
  }

  private forget(): void {
    this.facts = undefined;
    this.volume = undefined;
    this.images.forget();
  }

  private ready(): Promise<EngineFacts> {
    this.facts ??= this.look().catch((error) => {
      this.facts = undefined;
      this.restsUntil = performance.now() + restMs;
      throw error;
    });
    return this.facts;
  }

  private async look(): Promise<EngineFacts> {
    const facts = await this.engine.facts();
    this.isKnown = true;
    const isConfined = (option: string) => option.includes("name=seccomp") && !option.includes("unconfined");
    if (!facts.securityOptions.some(isConfined))
      throw new SandboxError(
        "REFUSED",
        `an engine with a seccomp profile at ${this.address}`,
        "an engine without a profile",
      );
    if (facts.unheld.length > 0)
      throw new SandboxError(
        "REFUSED",
        `an engine that enforces all limits at ${this.address}`,
        `an engine without ${facts.unheld}`,
      );
    await removeOrphans(this.engine);
    if (this.isClosed) return facts;
    clearInterval(this.collecting);
    this.collecting = setInterval(() => void removeOrphans(this.engine), collectionMs);
    this.collecting.unref();
    return facts;
  }
}

/**
 * Removes Palestra's containers and images that no process needs any more, and containers created after their caller
 * stopped waiting. Never rejects. If the removal fails, the next collection tries again.
 */
async function removeOrphans(engine: Engine): Promise<void> {
  const { docker } = engine;
  const filters = { label: [sandboxLabel] };
  const now = Date.now();
  const remove = (id: string) =>
    engine.call("to remove an image", () => docker.getImage(id).remove({ force: true })).catch(() => {});
  try {
    await removeContainers(engine, (labels) => isOrphaned(labels, now) || isAbandoned(labels));
    const images = await engine.call("to list images", () => docker.listImages({ filters }));
    for (const { Id, Labels } of images) if (isOrphaned(Labels ?? {}, now)) await remove(Id);
  } catch {
    // The engine does not answer.
  }
}
