/**
 * Provides sandboxes that are processes of this machine, for machines without Docker. The provider uses bubblewrap for
 * namespaces, and control groups if this process may make them.
 *
 * - Guaranteed: separate processes, files, users and network; no capabilities, new privileges or user namespaces; a
 *   limit on the size of files; the sandbox ends when this process ends.
 * - Guaranteed with control groups: limits on memory, processes and CPU time.
 * - Refused: images, because the sandbox uses this machine's programs, and any other user.
 * - Not hidden: information that every user can read from the kernel, such as the machine's load and the names of its
 *   mounts.
 */
import { randomUUID } from "node:crypto";
import { AgentClient } from "../agent/agent-client.js";
import { AgentSandbox } from "../agent/agent-sandbox.js";
import { agentProgram } from "../agent/program.js";
import { OpenSandboxes } from "../open-sandboxes.js";
import { defaults, type Sandbox, SandboxError, type SandboxProvider, type SandboxSpec } from "../sandbox.js";
import { checkSpec, isWithin } from "../spec.js";
import { agentPath, findBubblewrap, systemFolders } from "./bubblewrap.js";
import { Machine } from "./machine.js";
import { removeOrphans } from "./orphans.js";
import { user, workFolder } from "./system-files.js";

export interface ProcessProviderOptions {
  /** Folders to search for `bwrap`, in the format of PATH. Default: PATH. */
  path?: string | undefined;
  /** Timeout of a sandbox's start, in milliseconds. Default: 10,000. */
  startMs?: number;
}

const defaultStartMs = 10_000;
const defaultDiskMb = 256;

const basicEnvironment = { PATH: defaults.path, LANG: "C.UTF-8", HOME: workFolder };

export class ProcessProvider implements SandboxProvider<SandboxSpec, Sandbox> {
  private readonly path: string | undefined;
  private readonly startMs: number;
  private readonly sandboxes = new OpenSandboxes();
  private orphans: Promise<void> | undefined;

  constructor({ path = process.env.PATH, startMs = defaultStartMs }: ProcessProviderOptions = {}) {
    this.path = path;
    this.startMs = startMs;
  }

  async open(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    checkSpec(spec);
    checkHoldable(spec);
    return this.sandboxes.open((either) => this.start(spec, either), signal);
  }

  async close(): Promise<void> {
    await Promise.all([this.sandboxes.close(), this.orphans]);
  }

  private async start(spec: SandboxSpec, signal: AbortSignal): Promise<Sandbox> {
    if (process.platform !== "linux") throw new SandboxError("REFUSED", "Linux, for its namespaces", process.platform);
    // Orphans are removed in parallel with the start. After a crash with many sandboxes, the restored episodes wait for new
    // sandboxes.
    this.orphans ??= removeOrphans();
    const [bubblewrap, agent] = await Promise.all([findBubblewrap(this.path), agentProgram()]);
    const id = `process-${randomUUID()}`;
    const machine = await Machine.make(id, spec.limits ?? {});
    try {
      signal.throwIfAborted();
      const { limits: { diskMb = defaultDiskMb } = {}, writable = [] } = spec;
      const line = await machine.start(bubblewrap, agent, diskMb, writable);
      const client = new AgentClient(line, id);
      const expected = "a sandbox by bubblewrap";
      await client.comeUp({ expected, ms: this.startMs, signal, said: () => machine.errors });
      signal.throwIfAborted();
      return await AgentSandbox.open(id, client, filledIn(spec), machine.machinery, signal);
    } catch (error) {
      await machine.end();
      throw error;
    }
  }
}

function filledIn(spec: SandboxSpec) {
  const { environment = {}, lifetimeMs = defaults.lifetimeMs, folder = workFolder, network = "none" } = spec;
  return { environment: { ...basicEnvironment, ...environment }, user: "", folder, lifetimeMs, network, agentPath };
}

/** @throws {SandboxError} REFUSED for a spec that this provider does not support */
function checkHoldable(spec: SandboxSpec): void {
  const { image, root = "read-only", writable = [], user: wanted = user.name } = spec;
  const refuse = (expected: string, received: string) => new SandboxError("REFUSED", expected, received, "Use Docker");
  if (image !== undefined)
    throw refuse("no image, because this machine's programs are used", `the image ${JSON.stringify(image)}`);
  if (root !== "read-only") throw refuse("a read-only root", root);
  const isThere = (path: string) =>
    [...systemFolders, workFolder, "/tmp", ...writable].some((one) => isWithin(path, one));
  if (spec.folder !== undefined && spec.folder !== "/" && !isThere(spec.folder))
    throw refuse("a `folder` that exists or is in `writable`", spec.folder);
  const taken = writable.find((path) =>
    [...systemFolders, workFolder, "/tmp"].some((folder) => isWithin(path, folder)),
  );
  if (taken !== undefined) throw refuse("no system folder, /work or /tmp in `writable`", taken);
  if (wanted !== user.name && wanted !== `${user.uid}`) throw refuse(`the user ${user.name}`, `the user ${wanted}`);
}
