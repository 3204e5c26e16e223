/**
 * Sandboxes that are containers of a Docker engine, or of several.
 *
 * Held always: an ordinary user without capabilities unless root is asked for, no new privileges, the engine's seccomp
 * profile, a read-only root, sized folders that can be written, memory, processor time, processes, no network, the end of the
 * container with this process. Ports, and lists of hosts, go through the agent: no container has a network. A writable root is
 * bounded by the engine's quota where its file system has one, and watched elsewhere.
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
  /** Addresses of the engines. None: DOCKER_HOST, or the socket of this machine's engine. */
  engines?: readonly string[];
  /** Containers of each kind asked for lately that run beforehand. */
  warm?: number;
  /** Milliseconds for which they are kept. */
  warmMs?: number;
}

/** Milliseconds beyond a sandbox's lifetime after which its container is taken for forgotten. */
const graceMs = 60_000;

export class DockerProvider implements SandboxProvider<SandboxSpec, Sandbox> {
  private readonly hosts: readonly EngineHost[];
  private readonly warm: WarmContainers;
  private readonly sandboxes = new OpenSandboxes();

  /** @throws {SandboxError} REFUSED for an address that is none */
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
    // A pull or a build that nobody waits for any more goes on for whoever needs its image next.
    const { host, placed, release } = await until(placing, { signals: [signal] }).catch((error) => {
      placing.then(({ release }) => release()).catch(() => {});
      throw error;
    });
    const expiresMs = Date.now() + (spec.lifetimeMs ?? defaults.lifetimeMs) + graceMs;
    const taken = this.warm.take(host, placed.shape, expiresMs);
    // From here on the container counts itself.
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

  /** The engine with most room that answers and has the image, with a place there. */
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

/** An engine that has answered before is one that failed, and not one that this machine lacks. */
function failed(error: unknown): unknown {
  if (!(error instanceof SandboxError) || error.code !== "MISSING") return error;
  return new SandboxError("START", error.expected, error.received, error.advice, { cause: error });
}

function basicEnvironment(folder: string): Record<string, string> {
  return { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8", HOME: folder };
}
