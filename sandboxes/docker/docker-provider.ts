/**
 * Provides sandboxes that are containers of one or several Docker engines.
 *
 * Guaranteed: an ordinary user without capabilities unless the spec asks for root, no new privileges, the engine's
 * seccomp profile, a read-only root, sized writable folders, limits on memory, CPU time and processes, no network, and
 * the container ends when this process ends. Connections to ports and to listed hosts go through the agent, so that no
 * container needs a network. The engine's quota limits the size of a writable root if the engine's file system has
 * quotas. Otherwise the provider watches the size.
 */
import { AgentSandbox } from "../agent/agent-sandbox.js";
import { OpenSandboxes } from "../open-sandboxes.js";
import { defaults, type Sandbox, SandboxError, type SandboxProvider, type SandboxSpec } from "../sandbox.js";
import { checkSpec } from "../spec.js";
import { until } from "../until.js";
import type { Container } from "./container.js";
import { agentPath } from "./container-body.js";
import { engineAddresses } from "./endpoint.js";
import { EngineHost, type EngineHostOptions, type Placed } from "./engine-host.js";
import { WarmContainers } from "./warm-containers.js";

export interface DockerProviderOptions extends Partial<EngineHostOptions> {
  /** Addresses of the engines. Default: `DOCKER_HOST`, or the socket of this machine's engine. */
  engines?: readonly string[];
  /** Number of warm containers of each shape that was requested recently. Default: 0. */
  warm?: number;
  /** Milliseconds that warm containers are kept after the last request for their shape. Default: 5 minutes. */
  warmMs?: number;
}

/** Milliseconds between the end of a sandbox's lifetime and the expiry of its container. */
const graceMs = 60_000;

export class DockerProvider implements SandboxProvider<SandboxSpec, Sandbox> {
  private readonly hosts: readonly EngineHost[];
  private readonly warm: WarmContainers;
  private readonly sandboxes = new OpenSandboxes();

  /** @throws {SandboxError} REFUSED for an invalid address */
  constructor(options: DockerProviderOptions = {}) {
    const { engines = [], mayPull = true, mostStarts = 4 } = options;
    const { startMs = 30_000, warm = 0, warmMs = 300_000 } = options;
    this.hosts = engineAddresses(engines).map((address) => new EngineHost(address, { mayPull, mostStarts, startMs }));
    this.warm = new WarmContainers({ most: warm, warmMs });
  }

  async open(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    checkSpec(spec);
    return this.sandboxes.open((either) => this.start(spec, either), signal);
  }

  async close(): Promise<void> {
    for (const host of this.hosts) host.close();
    await Promise.all([this.sandboxes.close(), this.warm.close()]);
  }

  private async start(spec: SandboxSpec, signal: AbortSignal): Promise<Sandbox> {
    const placing = this.place(spec);
    // A pull or a build continues after its caller has aborted, for the next caller that needs the image.
    const { host, placed, release } = await until(placing, { signals: [signal] }).catch((error) => {
      placing.then(({ release }) => release()).catch(() => {});
      throw error;
    });
    const expiresMs = Date.now() + (spec.lifetimeMs ?? defaults.lifetimeMs) + graceMs;
    const taken = this.warm.take(host, placed.shape, expiresMs);
    // From here on the host counts the container itself.
    release();
    const start = () =>
      host.start(placed.shape, expiresMs, signal).catch((error) => {
        throw failed(error);
      });
    const container = taken ?? (await start());
    this.warm.refill(host, placed.shape, expiresMs);
    if (!signal.aborted) return this.keep(container, spec, placed, signal);
    await container.end();
    throw signal.reason;
  }

  /** Reserves a place at the least loaded engine that answers and has the image. */
  private async place(spec: SandboxSpec): Promise<{ host: EngineHost; placed: Placed; release: () => void }> {
    const errors: SandboxError[] = [];
    for (const left = [...this.hosts]; left.length > 0; ) {
      const host = left.reduce((best, other) => (other.load() < best.load() ? other : best));
      left.splice(left.indexOf(host), 1);
      const release = host.reserve();
      try {
        return { host, placed: await host.place(spec), release };
      } catch (error) {
        release();
        if (!(error instanceof SandboxError)) throw error;
        errors.push(error);
      }
    }
    const [first] = errors as [SandboxError];
    throw this.hosts.some(({ isKnown }) => isKnown) ? failed(first) : first;
  }

  private keep(
    container: Container,
    spec: SandboxSpec,
    { facts, shape }: Placed,
    signal: AbortSignal,
  ): Promise<Sandbox> {
    const environment = { ...basicEnvironment(shape.folder), ...facts.environment, ...spec.environment };
    const { lifetimeMs = defaults.lifetimeMs, network = "none" } = spec;
    const filled = { environment, user: "", folder: shape.folder, lifetimeMs, network, agentPath };
    return AgentSandbox.open(container.id, container.client, filled, container, signal);
  }
}

/** Turns MISSING into START. Used for engines that have answered before, since they have failed and are not missing. */
function failed(error: unknown): unknown {
  if (!(error instanceof SandboxError) || error.code !== "MISSING") return error;
  return new SandboxError("START", error.expected, error.received, error.advice, { cause: error });
}

function basicEnvironment(folder: string): Record<string, string> {
  return { PATH: defaults.path, LANG: "C.UTF-8", HOME: folder };
}
