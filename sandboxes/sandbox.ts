/**
 * The sandbox contract. A sandbox runs code from outside Palestra: another project's simulator, a browser, or code that an
 * agent has written.
 *
 * The caller states limits when it opens a sandbox. Limits fail closed: a provider that cannot enforce a limit refuses to
 * open the sandbox.
 */
import type { BrowserRequest, BrowserSession } from "./browser.js";
import type { Resource } from "./resource.js";

/** Limits that apply if the caller sets none. */
export const defaults = {
  /** Lifetime of a sandbox, in milliseconds. */
  lifetimeMs: 3_600_000,
  /** Timeout of a command, in milliseconds. */
  timeoutMs: 60_000,
  /** Largest number of bytes kept of a command's standard output, and of its standard error. */
  maxOutputBytes: 2 ** 20,
  /** Largest file that can be read, in bytes. */
  maxFileBytes: 64 * 2 ** 20,
  /** Variable PATH of a command. */
  path: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
} as const;

/** Upper limits on resources. A provider enforces every limit that is given, or refuses to open the sandbox. */
export interface Limits {
  /** Memory of all processes and of in-memory files, in MiB. */
  memoryMb?: number;
  /** CPU cores. Fractions are allowed. */
  cpus?: number;
  /** Largest number of processes at once. */
  processes?: number;
  /**
   * Limit in MiB on the size of the files in each writable folder. A provider may apply the limit to all writable folders
   * together.
   */
  diskMb?: number;
}

/**
 * Network access of a sandbox.
 *
 * - `none`: no network.
 * - `loopback`: this machine can connect to the sandbox's ports; the sandbox can connect to nothing.
 * - `hosts`: the sandbox can connect only to these hosts, over HTTP and HTTPS. Each host is `name`, `*.name` or an address.
 *   `*` means every public host.
 */
export type Network = "none" | "loopback" | { hosts: readonly string[] };

/** An image built from a folder with a Dockerfile. The image is built again only when the folder's content changes. */
export interface ImageBuild {
  /** Path of the folder on this machine. */
  folder: string;
  /** Timeout of the build, in milliseconds. Default: 10 minutes. */
  timeoutMs?: number;
}

/** Description of a sandbox to open. */
export interface SandboxSpec {
  /**
   * Image of the root file system: the name of an image of the provider, or a folder to build an image from. Default:
   * the provider's base image.
   */
  image?: string | ImageBuild;
  /**
   * Whether the image's own folders are writable. Default: `read-only`. /work, /tmp and the folders of `writable` are
   * writable in both cases.
   */
  root?: "read-only" | "writable";
  /** Absolute paths of further writable folders. Each folder starts empty, even where the image has files in it. */
  writable?: readonly string[];
  limits?: Limits;
  /** Network access. Default: `none`. */
  network?: Network;
  /** Environment variables of every command. The environment of this process is never passed on. */
  environment?: Readonly<Record<string, string>>;
  /** User that runs commands and owns files: `name`, `uid` or `uid:gid`. Default: an ordinary user, not root. */
  user?: string;
  /** Working folder of commands. Default: /work, or the image's own working folder if the root is writable. */
  folder?: string;
  /** Milliseconds after which the sandbox is ended, whether or not it is in use. Default: one hour. */
  lifetimeMs?: number;
}

export interface ExecOptions {
  /** Data for the command's standard input, which is closed after the data. */
  input?: string | Uint8Array;
  /** Variables to add to the sandbox's environment. */
  environment?: Readonly<Record<string, string>>;
  /** Working folder. Default: the sandbox's folder. */
  folder?: string;
  /** User that runs the command. Default: the sandbox's user. */
  user?: string;
  /** Milliseconds after which the command and every process that it started are ended. Default: 60,000. */
  timeoutMs?: number;
  /**
   * Largest number of bytes kept of standard output, and of standard error. Default: 1 MiB. Further output is read and
   * dropped.
   */
  maxOutputBytes?: number;
  /**
   * Aborts the call. The command and every process that it started are ended, and the call rejects with the signal's reason.
   */
  signal?: AbortSignal;
}

/** Result of a command. A command that fails has a result too. Only a failure of the sandbox is an error. */
export interface ExecResult {
  /** Exit code of the command, or 128 plus the signal's number if a signal ended the command. */
  exitCode: number;
  /** Standard output as UTF-8 text. Invalid bytes become U+FFFD. */
  stdout: string;
  /** Standard error as UTF-8 text. Invalid bytes become U+FFFD. */
  stderr: string;
  /** Whether output was dropped because it exceeded `maxOutputBytes`. */
  isCut: boolean;
  /** Whether the timeout ended the command. */
  isTimedOut: boolean;
}

export interface FileStatus {
  type: "file" | "folder" | "link" | "other";
  /** Size in bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  /** Time of the last change of the content, in milliseconds since the epoch. */
  changedAtMs: number;
}

export interface FileEntry extends FileStatus {
  name: string;
}

/** A program that listens on a port, such as a simulator, and has its own folder for files. */
export interface Service extends Resource {
  /**
   * Reads a whole file.
   *
   * @param options `maxBytes` is the largest size accepted, by default 64 MiB
   * @throws {SandboxError} NO_FILE, TOO_LARGE, REFUSED, LOST
   */
  readFile(path: string, options?: { maxBytes?: number; user?: string }): Promise<Uint8Array>;
  /** Writes a whole file and creates missing parent folders. @throws {SandboxError} NO_FILE, REFUSED, LOST */
  writeFile(path: string, data: Uint8Array, options?: { user?: string }): Promise<void>;
  /**
   * Waits until a program listens on the port, and returns the address of the port on this machine.
   *
   * @param port default: the port that the program announced
   * @throws {SandboxError} REFUSED, TIMEOUT, LOST
   */
  openPort(port?: number): Promise<Address>;
  /**
   * Ends every process in the service and frees its resources. After `close`, every other method fails with LOST. A
   * second call of `close` does nothing. Never rejects.
   *
   * @param options `isSpoilt`: a pool does not lend the service again, even if the service still answers
   */
  close(options?: { isSpoilt?: boolean }): Promise<void>;
}

/** A small machine with its own files and processes, and the network that its spec allows. */
export interface Sandbox extends Service {
  /** Resolves when the sandbox has ended and its resources are free. */
  readonly ended: Promise<void>;
  /**
   * Runs a command to its end. Background processes of the command continue until the sandbox is closed.
   *
   * @param command the program and its arguments, or a line for `sh -c`
   * @throws {SandboxError} REFUSED if the command cannot be started, LOST @throws the signal's reason
   */
  exec(command: readonly string[] | string, options?: ExecOptions): Promise<ExecResult>;
  /** Opens a shell that keeps its working folder and variables between lines. @throws {SandboxError} REFUSED, LOST */
  openShell(options?: Pick<ExecOptions, "environment" | "folder" | "user">): Promise<Shell>;
  /** Lists a folder, sorted by name. @throws {SandboxError} NO_FILE, TOO_LARGE above 10,000 entries, REFUSED, LOST */
  list(path: string, options?: { user?: string }): Promise<FileEntry[]>;
  /** Returns the status of a file or folder. Links are not followed. @throws {SandboxError} NO_FILE, REFUSED, LOST */
  stat(path: string, options?: { user?: string }): Promise<FileStatus>;
  /** Saves the current files as an image for `SandboxSpec.image`. @throws {SandboxError} REFUSED, TIMEOUT, LOST */
  snapshot(): Promise<Snapshot>;
}

export interface Shell {
  /** Runs one line. A timeout ends the shell, and later lines are refused. @throws {SandboxError} REFUSED, LOST */
  run(line: string, options?: Pick<ExecOptions, "timeoutMs" | "maxOutputBytes" | "signal">): Promise<ExecResult>;
  /** Ends the shell and every process that it started. Never rejects. */
  close(): Promise<void>;
}

export interface Snapshot {
  /** Name of the image. */
  image: string;
  /** Removes the image. Never rejects. */
  remove(): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
}

/**
 * Reasons why a sandbox call fails.
 *
 * - `MISSING`: a program or service that the provider needs is not on this machine.
 * - `REFUSED`: the provider cannot fulfil the request, or cannot guarantee it.
 * - `START`: the sandbox did not start.
 * - `TIMEOUT`: the sandbox did not answer in time.
 * - `LOST`: the sandbox ended unexpectedly, or was closed.
 * - `FULL`: the limit of open sandboxes is reached.
 * - `NO_FILE`: no file exists at the path.
 * - `TOO_LARGE`: a file or a list is larger than the limit.
 */
export type SandboxErrorCode = "MISSING" | "REFUSED" | "START" | "TIMEOUT" | "LOST" | "FULL" | "NO_FILE" | "TOO_LARGE";

/** An error of the sandbox itself, as opposed to a failure of the code that runs in it. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";

  /**
   * Errors are known by their name, since a module of an operator may have another copy of this class. Subclasses are told
   * apart as usual.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass inherits this method
    if (this !== SandboxError) return super[Symbol.hasInstance](value);
    return value instanceof Error && value.name === "SandboxError";
  }

  /**
   * @param expected noun phrase for the right value, or "" if `received` is a statement
   * @param advice remedy for the operator of the gym, in one sentence without a period
   */
  constructor(
    readonly code: SandboxErrorCode,
    readonly expected: string,
    readonly received: string,
    readonly advice?: string,
    options?: ErrorOptions,
  ) {
    const message = expected === "" ? received : `expected ${expected}, but received ${received}`;
    super(advice ? `${message}${expected === "" ? "" : "."} ${advice}` : message, options);
  }

  /** Returns an error whose message is a statement, such as "The provider is closed.", and the advice. */
  static ofState(code: SandboxErrorCode, statement: string, advice?: string, options?: ErrorOptions): SandboxError {
    return new SandboxError(code, "", statement, advice, options);
  }
}

/** Opens sandboxes, services or browser sessions of one kind. */
export interface SandboxProvider<Request, Made extends Resource = Service> {
  /**
   * Opens a sandbox and waits until it is ready. If the limit of open sandboxes is reached, the call first waits until
   * a sandbox is closed.
   *
   * @param signal aborts the opening
   * @throws {SandboxError} MISSING, REFUSED, START, TIMEOUT, FULL @throws the signal's reason
   */
  open(request: Request, signal?: AbortSignal): Promise<Made>;
  /**
   * Closes every sandbox of the provider. Later calls of `open` are refused. A second call does nothing. Never rejects.
   */
  close(): Promise<void>;
}

export type MachineProvider = SandboxProvider<SandboxSpec, Sandbox>;

/** Opens machines, up to a limited number at once. */
export interface LimitedMachines extends MachineProvider {
  /**
   * Reserves one place for several machines that run one after another, such as the machines of a task and of its
   * grading. No other caller can use the place between two of these machines. If no place is free, `reserve` waits for
   * a free place, as `open` does.
   *
   * @param signal aborts the wait
   * @returns a provider of one machine at a time: its `open` waits until the previous machine has ended, and its
   *   `close` frees the place
   * @throws {SandboxError} FULL @throws the signal's reason
   */
  reserve(signal?: AbortSignal): Promise<MachineProvider>;
}

/** Request for a Java program that listens on a port that it chooses itself. */
export interface JvmRequest {
  /** Class path: paths of jars and folders. */
  classPath: readonly string[];
  mainClass: string;
  args: readonly string[];
  /** Options of `java` itself. The provider's limits follow these options and take precedence. */
  vmOptions?: readonly string[];
  /** Size of the heap, in MiB. */
  heapMb: number;
  /** Pattern of the output line that reports that the program is ready. The first group of the pattern is the port. */
  ready: RegExp;
  /**
   * Whether the process may be lent to a further caller after `close`. The next caller has to reset the program's
   * state.
   */
  isReusable: boolean;
  /**
   * Checks that the requested program answers at the address, and rejects if it does not. Called before the process is lent.
   */
  check?(address: Address): Promise<void>;
  /** Remedy for the operator of the gym if the program does not start, in one sentence. */
  advice?: string;
}

/** The sandbox providers that environments use. */
export interface Sandboxes {
  /** Provider of machines. It uses the first provider that supports the spec. */
  readonly machines: LimitedMachines;
  readonly jvm: SandboxProvider<JvmRequest>;
  /** Browser sessions, each with its own cookies, storage and list of hosts. */
  readonly browsers: SandboxProvider<BrowserRequest, BrowserSession>;
}
