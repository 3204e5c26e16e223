/**
 * Runs Java programs of other projects, each as a supervised process. The provider is for trusted programs, not for
 * code of an agent.
 *
 * - Guaranteed: limits on heap, classes and compiled code; a separate working folder; no environment variables; ports
 *   on loopback addresses only; the program ends when this process ends.
 * - Not limited: files that this user can read and write, network connections, CPU cores and threads.
 */
import { access } from "node:fs/promises";
import { providerClosed } from "../closed.js";
import { type JvmRequest, SandboxError, type SandboxProvider, type Service } from "../sandbox.js";
import { until } from "../until.js";
import { findJava } from "./java.js";
import { JvmSandbox } from "./jvm-sandbox.js";

export interface JvmOptions {
  /** Environment with JAVA_HOME and PATH. Default: the environment of this process. */
  environment?: NodeJS.ProcessEnv;
  /** Timeout of a program's start, in milliseconds. Default: 60,000. */
  startMs?: number;
  /** Timeout in milliseconds of the check of a used program before it is lent again. Default: 5,000. */
  checkMs?: number;
}

export class JvmProvider implements SandboxProvider<JvmRequest> {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly startMs: number;
  private readonly checkMs: number;
  private readonly opening = new Set<{ opening: Promise<JvmSandbox>; ending: AbortController }>();
  private readonly sandboxes = new Set<JvmSandbox>();
  private isClosed = false;

  constructor({ environment = process.env, startMs = 60_000, checkMs = 5_000 }: JvmOptions = {}) {
    this.environment = environment;
    this.startMs = startMs;
    this.checkMs = checkMs;
  }

  async open(request: JvmRequest, signal?: AbortSignal): Promise<Service> {
    signal?.throwIfAborted();
    if (this.isClosed) throw providerClosed();
    const ending = new AbortController();
    const endWithCaller = () => ending.abort(signal?.reason);
    signal?.addEventListener("abort", endWithCaller);
    const opening = this.start(request, ending.signal);
    const entry = { opening, ending };
    this.opening.add(entry);
    try {
      return await opening;
    } finally {
      this.opening.delete(entry);
      signal?.removeEventListener("abort", endWithCaller);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { ending } of this.opening) ending.abort(providerClosed());
    await Promise.allSettled([...this.opening].map(({ opening }) => opening));
    await Promise.all([...this.sandboxes].map((sandbox) => sandbox.close()));
  }

  /**
   * Returns a key that is equal for requests that can share a process, or undefined if the request needs a new process.
   */
  keyOf({ isReusable, classPath, mainClass, args, vmOptions, heapMb, ready }: JvmRequest): string | undefined {
    return isReusable ? JSON.stringify([classPath, mainClass, args, vmOptions, heapMb, ready.source]) : undefined;
  }

  /** Checks a used program. @throws {Error} if it is a different program or does not answer in time */
  check(sandbox: Service, request: JvmRequest): Promise<void> {
    return this.checkWithin(this.checkMs, sandbox, request);
  }

  private async start(request: JvmRequest, signal: AbortSignal): Promise<JvmSandbox> {
    if (process.platform !== "linux") {
      const advice = "Only there /proc tells whether a program can be reached from elsewhere";
      throw new SandboxError("REFUSED", "Linux, to supervise Java processes", process.platform, advice);
    }
    const java = await findJava(this.environment);
    await checkClassPath(request);
    const sandbox = await JvmSandbox.start(java, request, this.startMs, signal);
    try {
      // The first answer has the longer timeout, since the JVM has not compiled the code yet.
      await this.checkWithin(this.startMs, sandbox, request, signal);
    } catch (error) {
      await sandbox.close();
      signal.throwIfAborted();
      const cause = sandbox.lost.aborted ? sandbox.lost.reason : (error as Error);
      throw new SandboxError("START", `${request.mainClass} that serves`, cause.message, request.advice, { cause });
    }
    this.sandboxes.add(sandbox);
    sandbox.ended.then(() => this.sandboxes.delete(sandbox));
    return sandbox;
  }

  private async checkWithin(ms: number, sandbox: Service, request: JvmRequest, signal?: AbortSignal): Promise<void> {
    const address = await sandbox.openPort();
    const late = () => new Error(`${sandbox.id} did not answer within ${ms} ms.`);
    await until(Promise.resolve(request.check?.(address)), { signals: [sandbox.lost, signal], ms, late });
  }
}

async function checkClassPath({ classPath, advice }: JvmRequest): Promise<void> {
  for (const path of classPath) {
    await access(path).catch((cause: Error) => {
      throw new SandboxError("MISSING", `a jar or a folder at ${path}`, cause.message, advice, { cause });
    });
  }
}
