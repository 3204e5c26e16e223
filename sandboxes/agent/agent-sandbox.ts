import { sandboxClosed } from "../closed.js";
import {
  type Address,
  defaults,
  type ExecOptions,
  type ExecResult,
  type FileEntry,
  type FileStatus,
  type Sandbox,
  SandboxError,
  type SandboxSpec,
  type Shell,
  type Snapshot,
} from "../sandbox.js";
import { until } from "../until.js";
import type { AgentClient, AgentCommand } from "./agent-client.js";
import { AgentShell } from "./agent-shell.js";
import { Ports } from "./ports.js";
import { Relay } from "./relay.js";
import type { CommandEnd } from "./requests.js";
import { WayOut } from "./way-out.js";

/** Operations of a sandbox that need no agent. The provider implements them. */
export interface Machinery {
  /** @throws {SandboxError} REFUSED, TIMEOUT, LOST */
  snapshot(): Promise<Snapshot>;
  /** Ends the sandbox and frees its resources. Never rejects. */
  end(): Promise<void>;
}

export interface AgentSandboxSpec
  extends Required<Pick<SandboxSpec, "environment" | "user" | "folder" | "lifetimeMs" | "network">> {
  /** Path of the agent's program in the sandbox. */
  agentPath: string;
}

const mostEntries = 10_000;

/** A sandbox that runs commands and moves files through the agent inside it. */
export class AgentSandbox implements Sandbox {
  private readonly lifetime: NodeJS.Timeout;
  private readonly losing = new AbortController();
  private readonly ports: Ports;
  private wayOut: WayOut | undefined;
  private isClosed = false;
  private onEnded!: () => void;
  readonly ended: Promise<void>;

  private constructor(
    readonly id: string,
    private readonly agent: AgentClient,
    private readonly spec: AgentSandboxSpec,
    private readonly machinery: Machinery,
  ) {
    const end = () => agent.lose(`its end after a lifetime of ${spec.lifetimeMs} ms`);
    this.lifetime = setTimeout(end, spec.lifetimeMs);
    this.lifetime.unref();
    this.ports = new Ports(() => new Relay(agent, this.commandOf([], {}), spec.agentPath));
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    agent.lost.addEventListener("abort", () => {
      if (!this.isClosed) this.losing.abort(agent.lost.reason);
      void this.end();
    });
  }

  /**
   * Opens a sandbox around an agent that is ready. If this fails, the machinery is ended.
   *
   * @param signal aborts the wait for the egress proxy
   * @throws {SandboxError} REFUSED for an invalid network, TIMEOUT or LOST if the egress proxy does not start
   * @throws the signal's reason
   */
  static async open(
    id: string,
    agent: AgentClient,
    spec: AgentSandboxSpec,
    machinery: Machinery,
    signal?: AbortSignal,
  ): Promise<AgentSandbox> {
    const sandbox = new AgentSandbox(id, agent, spec, machinery);
    try {
      await until(sandbox.openWayOut(), { signals: [signal] });
      return sandbox;
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  }

  /**
   * Aborts when the sandbox ends unexpectedly. The signal does not abort after `close`, although `close` ends the agent
   * as well.
   */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  async exec(command: readonly string[] | string, options: ExecOptions = {}): Promise<ExecResult> {
    this.checkOpen();
    const { signal, input } = options;
    signal?.throwIfAborted();
    const running = this.agent.start({ ...this.commandOf(command, options), hasInput: input !== undefined });
    const kill = () => running.kill();
    signal?.addEventListener("abort", kill);
    try {
      if (input !== undefined) void give(running, input);
      const end = await this.orClosed(running.end);
      signal?.throwIfAborted();
      return resultOf(end);
    } finally {
      signal?.removeEventListener("abort", kill);
    }
  }

  async openShell(options: Pick<ExecOptions, "environment" | "folder" | "user"> = {}): Promise<Shell> {
    this.checkOpen();
    return new AgentShell(this.agent, this.commandOf([], { ...options, timeoutMs: 0 }));
  }

  async readFile(path: string, options: { maxBytes?: number; user?: string } = {}): Promise<Uint8Array> {
    this.checkOpen();
    const { maxBytes = defaults.maxFileBytes, user = this.spec.user } = options;
    const { bytes, isCut } = await this.orClosed(this.agent.readFile(this.pathOf(path), user, maxBytes));
    if (isCut) throw new SandboxError("TOO_LARGE", `a file of at most ${maxBytes} bytes at ${path}`, "a larger file");
    return bytes;
  }

  async writeFile(path: string, data: Uint8Array, { user = this.spec.user }: { user?: string } = {}): Promise<void> {
    this.checkOpen();
    await this.orClosed(this.agent.writeFile(this.pathOf(path), user, data));
  }

  async list(path: string, { user = this.spec.user }: { user?: string } = {}): Promise<FileEntry[]> {
    this.checkOpen();
    const { bytes, isCut } = await this.orClosed(this.agent.list(this.pathOf(path), user, mostEntries));
    if (isCut)
      throw new SandboxError("TOO_LARGE", `a folder of at most ${mostEntries} entries at ${path}`, "a larger folder");
    return entriesOf(bytes).sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async stat(path: string, { user = this.spec.user }: { user?: string } = {}): Promise<FileStatus> {
    this.checkOpen();
    const { bytes } = await this.orClosed(this.agent.stat(this.pathOf(path), user));
    const [entry] = entriesOf(bytes);
    if (!entry) throw new SandboxError("LOST", `the status of ${path} from the agent`, "an empty or malformed reply");
    const { name, ...status } = entry;
    return status;
  }

  async openPort(port?: number): Promise<Address> {
    this.checkOpen();
    if (this.spec.network !== "loopback")
      throw new SandboxError("REFUSED", "a sandbox with the network `loopback`", JSON.stringify(this.spec.network));
    return this.orClosed(this.ports.open(port));
  }

  async snapshot(): Promise<Snapshot> {
    this.checkOpen();
    return this.orClosed(this.machinery.snapshot());
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.end();
  }

  private async end(): Promise<void> {
    clearTimeout(this.lifetime);
    this.ports.close();
    await this.wayOut?.close();
    await this.machinery.end();
    this.onEnded();
  }

  private async openWayOut(): Promise<void> {
    const { network, agentPath } = this.spec;
    if (typeof network === "string") return;
    const wayOut = await WayOut.open(network.hosts);
    // The caller may have aborted in the meantime.
    if (this.isClosed) return wayOut.close();
    this.wayOut = wayOut;
    await this.wayOut.lead(this.agent, this.commandOf([], {}), agentPath);
  }

  private commandOf(command: readonly string[] | string, options: ExecOptions): AgentCommand {
    const { timeoutMs = defaults.timeoutMs, maxOutputBytes = defaults.maxOutputBytes } = options;
    const { user = this.spec.user, folder = this.spec.folder } = options;
    const ways = typeof this.spec.network === "string" ? {} : WayOut.environment;
    const environment = { ...ways, ...this.spec.environment, ...options.environment };
    return {
      argv: typeof command === "string" ? ["sh", "-c", command] : command,
      environment: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      folder,
      user,
      timeoutMs,
      maxOutputBytes,
      hasInput: false,
    };
  }

  /** Returns the absolute path in the sandbox. Relative paths start at the sandbox's folder. */
  private pathOf(path: string): string {
    if (path === "" || path.includes("\0"))
      throw new SandboxError("REFUSED", "a path without NUL and not empty", JSON.stringify(path));
    return path.startsWith("/") ? path : `${this.spec.folder}/${path}`;
  }

  /** Waits for an answer. If `close` interrupts the call, the call fails like a call after `close`. */
  private async orClosed<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.checkOpen();
      throw error;
    }
  }

  private checkOpen(): void {
    if (this.isClosed) throw sandboxClosed(this.id);
    this.lost.throwIfAborted();
  }
}

async function give(running: { give(bytes: Uint8Array): Promise<void> }, input: string | Uint8Array): Promise<void> {
  await running.give(typeof input === "string" ? Buffer.from(input) : input);
  await running.give(new Uint8Array(0));
}

function resultOf({ stdout, stderr, ...end }: CommandEnd): ExecResult {
  return { ...end, stdout: stdout.toString(), stderr: stderr.toString() };
}

const types = { f: "file", d: "folder", l: "link", o: "other" } as const;

/**
 * Parses the agent's lines of `type size mode changedMs name`. Malformed lines are ignored, because the agent is not
 * trusted.
 */
function entriesOf(bytes: Buffer): FileEntry[] {
  const lines = bytes.toString().split("\0");
  return lines.flatMap((line) => {
    const match = /^([fdlo]) ([0-9]{1,15}) ([0-7]{1,4}) (-?[0-9]{1,15}) (.*)$/s.exec(line);
    if (!match) return [];
    const [, type, size, mode, changedAtMs, name] = match as unknown as [string, keyof typeof types, ...string[]];
    return {
      type: types[type],
      size: Number(size),
      mode: Number.parseInt(mode as string, 8),
      changedAtMs: Number(changedAtMs),
      name: name as string,
    };
  });
}
