/**
 * Runs other projects' Java programs, each as a supervised process of its own.
 *
 * Held: the size of the heap, of the classes and of compiled code; a folder of its own to work in, and nothing of the
 * environment's variables; ports on loopback addresses alone; its end with this process, whatever way that ends. Not held,
 * and so not promised: what the program reads and writes elsewhere with this user's rights, whom it calls, how many
 * cores and threads it uses. It is for programs that are trusted, not for what an agent has written.
 */
import { type JvmRequest, type Sandbox, SandboxError, type SandboxProvider } from "../sandbox.js";
import { findJava, type Java } from "./java.js";
import { JvmSandbox } from "./jvm-sandbox.js";

export interface JvmOptions {
  /** Where JAVA_HOME and PATH are looked up. */
  environment?: NodeJS.ProcessEnv;
  /** How long a program may take until it is ready. */
  startMs?: number;
  /** How long one that is to be used again may take to answer. */
  checkMs?: number;
}

const leastHeapMb = 2;

export class JvmProvider implements SandboxProvider<JvmRequest> {
  private readonly environment: NodeJS.ProcessEnv;
  private readonly startMs: number;
  private readonly checkMs: number;
  private readonly closing = new AbortController();
  private readonly opening = new Set<Promise<JvmSandbox>>();
  private readonly sandboxes = new Set<JvmSandbox>();

  constructor({ environment = process.env, startMs = 60_000, checkMs = 2_000 }: JvmOptions = {}) {
    this.environment = environment;
    this.startMs = startMs;
    this.checkMs = checkMs;
  }
