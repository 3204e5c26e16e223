/**
 * The sandbox contract: where code runs that is not ours, such as another project's simulator, a browser, or what an
 * agent has written.
 *
 * Limits are stated when a sandbox is made and fail closed: a provider that cannot hold one refuses to make the sandbox.
 */

/** What a sandbox may take. Each that is given is held; a provider says which it can hold. */
export interface Limits {
  memoryMb?: number;
  /** Cores, in fractions. */
  cpus?: number;
  processes?: number;
  diskMb?: number;
  /** `none`: nothing but itself. `loopback`: its own ports can be reached from this machine, and nothing else. */
  network?: "none" | "loopback";
}

export interface ExecOptions {
  /** Written to its standard input, which is then closed. */
  input?: string;
  /** After so long the command and all that it started are ended. */
  timeoutMs?: number;
  /** Bytes kept of each of its outputs. */
  maxOutputBytes?: number;
}

/** A command that fails is a result: only a sandbox that fails is an error. */
export interface ExecResult {
  /** 128 plus the signal's number where a signal ended it. */
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Whether some of the output was left out. */
  isCut: boolean;
  isTimedOut: boolean;
}

export interface Sandbox {
  /** Unique on this machine. */
  readonly id: string;
  /** Aborts when the sandbox is gone without having been closed; its reason is a SandboxError with the code LOST. */
  readonly lost: AbortSignal;
  /** @throws {SandboxError} REFUSED, LOST */
  exec(command: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  /** @throws {SandboxError} REFUSED, NO_FILE, LOST */
  readFile(path: string): Promise<Uint8Array>;
  /** @throws {SandboxError} REFUSED, LOST */
  writeFile(path: string, data: Uint8Array): Promise<void>;
  /**
   * Where a port of the sandbox is reached from this machine, once something listens there.
   *
   * @param port the one that its program said it serves on, unless told
   * @throws {SandboxError} REFUSED, LOST, TIMEOUT
   */
  openPort(port?: number): Promise<Address>;
  /**
   * Ends all that runs in it and frees all that it holds; from then on every other call is refused as LOST. Calling it
   * again does nothing. Never rejects.
   *
   * @param options `isSpoilt`: it is to serve nobody else, though it may still answer
   */
  close(options?: { isSpoilt?: boolean }): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
}

/**
 * `MISSING`: what the provider needs is not on this machine. `REFUSED`: it cannot do, or cannot hold, what was asked.
 * `START`: the sandbox did not come up. `TIMEOUT`: it did not answer in time. `LOST`: it ended by itself, or was closed.
 * `FULL`: no more of them at once. `NO_FILE`: the path leads to no file.
 */
export type SandboxErrorCode = "MISSING" | "REFUSED" | "START" | "TIMEOUT" | "LOST" | "FULL" | "NO_FILE";

/** The machinery has failed, and not what ran in it. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";

  /** @param advice what the host of the gym can do about it, in one sentence */
  constructor(
    readonly code: SandboxErrorCode,
    readonly expected: string,
    readonly received: string,
    readonly advice?: string,
    options?: ErrorOptions,
  ) {
    super(`expected ${expected}, but received ${received}${advice ? `. ${advice}` : ""}`, options);
  }
}

/** Makes sandboxes of one kind. */
export interface SandboxProvider<Request> {
  /**
   * A sandbox that is ready. Where as many run as may run at once, it waits for one of them.
   *
   * @param signal ends the waiting
   * @throws {SandboxError} MISSING, REFUSED, START, TIMEOUT, FULL @throws the signal's reason
   */
  open(request: Request, signal?: AbortSignal): Promise<Sandbox>;
  /** Closes all of its sandboxes; from then on none is opened. Calling it again does nothing. Never rejects. */
  close(): Promise<void>;
}

/** A Java program that serves on a port of its own choice. */
export interface JvmRequest {
  /** Jars and folders. */
  classPath: readonly string[];
  mainClass: string;
  args: readonly string[];
  /** For `java` itself. What limits the process comes after them and stands. */
  vmOptions?: readonly string[];
  /** Of the heap, in MiB. */
  heapMb: number;
  /** The line of its standard output that says it is ready; its first group is the port. */
  ready: RegExp;
  /** Whether the process may serve another holder once this one has closed it: whoever takes it resets what it holds. */
  isReusable: boolean;
  /** Rejects where what answers at the address is not the program that is asked for. Called before a holder gets it. */
  check?(address: Address): Promise<void>;
  /** What the host of the gym can do where the program does not come up, in one sentence. */
  advice?: string;
}

/** What environments get to make theirs with. */
export interface Sandboxes {
  readonly jvm: SandboxProvider<JvmRequest>;
}
