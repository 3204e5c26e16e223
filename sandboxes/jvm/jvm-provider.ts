/**
 * Runs other projects' Java programs, each as a supervised process of its own.
 *
 * Held: the size of the heap, of the classes and of compiled code; a folder of its own to work in, and nothing of the
 * environment's variables; ports on loopback addresses alone; its end with this process, whatever way that ends. Not held,
 * and so not promised: what the program reads and writes elsewhere with this user's rights, whom it calls, how many
 * cores and threads it uses. It is for programs that are trusted, not for what an agent has written.
 */
import { access } from "node:fs/promises";
import { providerClosed } from "../closed.js";
import { type JvmRequest, SandboxError, type SandboxProvider, type Service } from "../sandbox.js";
import { until } from "../until.js";
import { findJava } from "./java.js";
import { JvmSandbox } from "./jvm-sandbox.js";

export interface JvmOptions {
  /** Where JAVA_HOME and PATH are looked up. */
  environment?: NodeJS.ProcessEnv;
  /** How long a program may take until it is ready. */
  startMs?: number;
  /** How long one that is to be used again may take to answer. */
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

  /** Requests of the same key can be served by one process, one after the other; undefined: by a new one alone. */
  keyOf({ isReusable, classPath, mainClass, args, vmOptions, heapMb, ready }: JvmRequest): string | undefined {
    return isReusable ? JSON.stringify([classPath, mainClass, args, vmOptions, heapMb, ready.source]) : undefined;
  }

  /** @throws {Error} it does not serve what is asked for, or does not answer in time */
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
      // Code that runs for the first time is slow.
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
    const late = () => new Error(`expected ${sandbox.id} to answer within ${ms} ms, but received silence`);
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
