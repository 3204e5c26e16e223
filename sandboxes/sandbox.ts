/**
 * The sandbox contract: where code runs that is not ours, such as another project's simulator, a browser, or what an
 * agent has written.
 *
 * Limits are stated when a sandbox is made and fail closed: a provider that cannot hold one refuses to make the sandbox.
 */
import type { BrowserRequest, BrowserSession } from "./browser.js";
import type { Resource } from "./resource.js";

/** Bounds that hold where a caller gives none. */
export const defaults = {
  /** Of a sandbox. */
  lifetimeMs: 3_600_000,
  /** Of a command. */
  timeoutMs: 60_000,
  /** Of each output of a command. */
  maxOutputBytes: 2 ** 20,
  /** Of a file that is read. */
  maxFileBytes: 64 * 2 ** 20,
} as const;

/** Resources that a sandbox may use at most. A provider holds each limit that is given, or refuses to open the sandbox. */
export interface Limits {
  /** Memory of all processes and of files in memory, in MiB. */
  memoryMb?: number;
  /** Processor cores, in fractions. */
  cpus?: number;
  processes?: number;
  /** Size of the files in each folder that can be written, in MiB. A provider may hold all of them together to it. */
  diskMb?: number;
}

/**
 * Addresses that a sandbox can reach. `none`: nothing but itself. `loopback`: its own ports can be reached from this
 * machine, and it reaches nothing. A list: these hosts alone, each `name`, `*.name` or an address, by HTTP and HTTPS; `*`
 * is every public host.
 */
export type Network = "none" | "loopback" | { hosts: readonly string[] };

/** An image that is built from a folder with a Dockerfile, once for each content of the folder. */
export interface ImageBuild {
  /** Path on this machine. */
  folder: string;
  /** Milliseconds that the build may take. Default: 10 minutes. */
  timeoutMs?: number;
}

/** A sandbox to open. */
export interface SandboxSpec {
  /**
   * Image that the root file system comes from: a name that the provider knows, or a folder to build one from. Default: the
   * provider's base image.
   */
  image?: string | ImageBuild;
  /**
   * Whether the image's own folders can be written. Default: `read-only`; /work, /tmp and the folders of `writable` can be
   * written nevertheless.
   */
  root?: "read-only" | "writable";
  /** Absolute paths of further folders that can be written. Each is empty at first, whatever the image has there. */
  writable?: readonly string[];
  limits?: Limits;
  /** Default: `none`. */
  network?: Network;
  /** Environment of every command. Nothing of this process's environment is passed on. */
  environment?: Readonly<Record<string, string>>;
  /** User of commands and files: `name`, `uid` or `uid:gid`. Default: an ordinary user, not root. */
  user?: string;
  /** Folder in which commands run. Default: /work, or the image's own where its root is writable. */
  folder?: string;
  /** Milliseconds after which the sandbox is ended, whatever it does and whoever has forgotten it. Default: one hour. */
  lifetimeMs?: number;
}

export interface ExecOptions {
  /** Written to the command's standard input, which is then closed. */
  input?: string | Uint8Array;
  /** Added to the sandbox's environment. */
  environment?: Readonly<Record<string, string>>;
  /** Default: the sandbox's folder. */
  folder?: string;
  /** Default: the sandbox's user. */
  user?: string;
  /** Milliseconds after which the command and all that it started are ended. Default: 60,000. */
  timeoutMs?: number;
  /** Bytes kept of each output. Default: 1 MiB. The rest is read and dropped. */
  maxOutputBytes?: number;
  /** Ends the command and all that it started; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A command that fails is a result. Only a sandbox that fails is an error. */
export interface ExecResult {
  /** 128 plus the signal's number where a signal ended it. */
  exitCode: number;
  /** UTF-8; other bytes become U+FFFD. */
  stdout: string;
  stderr: string;
  /** Whether some of the output was left out. */
  isCut: boolean;
  isTimedOut: boolean;
}

export interface FileStatus {
  type: "file" | "folder" | "link" | "other";
  /** Bytes. */
  size: number;
  /** Permission bits. */
  mode: number;
  changedAtMs: number;
}

export interface FileEntry extends FileStatus {
  name: string;
}

/** A program on a port, such as a simulator, with a folder of its own for files. */
export interface Service extends Resource {
  /**
   * The whole file.
   *
   * @param options `maxBytes`, default 64 MiB
   * @throws {SandboxError} NO_FILE, TOO_LARGE, REFUSED, LOST
   */
  readFile(path: string, options?: { maxBytes?: number; user?: string }): Promise<Uint8Array>;
  /** Writes the whole file and makes the folders on the way. @throws {SandboxError} NO_FILE, REFUSED, LOST */
  writeFile(path: string, data: Uint8Array, options?: { user?: string }): Promise<void>;
  /**
   * Where a port is reached from this machine, once a program listens there.
   *
   * @param port default: the port that its program said it serves on
   * @throws {SandboxError} REFUSED, TIMEOUT, LOST
   */
  openPort(port?: number): Promise<Address>;
  /**
   * Ends all that runs in it and frees all that it holds. From then on every other call is refused as LOST. A second call
   * does nothing. Never rejects.
   *
   * @param options `isSpoilt`: nobody else may get it, though it may still answer
   */
  close(options?: { isSpoilt?: boolean }): Promise<void>;
}

/** A small machine of its own: files, processes, a network as far as its spec allows one. */
export interface Sandbox extends Service {
  /** Resolves when nothing of it is left. */
  readonly ended: Promise<void>;
  /**
   * Runs a command to its end. What it leaves in the background goes on until the sandbox is closed.
   *
   * @param command arguments, of which the first is the program; or a line for `sh -c`
   * @throws {SandboxError} REFUSED where it cannot be started, LOST @throws the signal's reason
   */
  exec(command: readonly string[] | string, options?: ExecOptions): Promise<ExecResult>;
  /** Opens a shell that keeps its folder and variables from one line to the next. @throws {SandboxError} REFUSED, LOST */
  openShell(options?: Pick<ExecOptions, "environment" | "folder" | "user">): Promise<Shell>;
  /** Entries of a folder, by name. @throws {SandboxError} NO_FILE, TOO_LARGE from 10,000 entries on, REFUSED, LOST */
  list(path: string, options?: { user?: string }): Promise<FileEntry[]>;
  /** A link is not followed. @throws {SandboxError} NO_FILE, REFUSED, LOST */
  stat(path: string, options?: { user?: string }): Promise<FileStatus>;
  /** Keeps the files as they are as an image for `SandboxSpec.image`. @throws {SandboxError} REFUSED, TIMEOUT, LOST */
  snapshot(): Promise<Snapshot>;
}

export interface Shell {
  /** Runs a line. After a timeout the shell is gone, and its next line is refused. @throws {SandboxError} REFUSED, LOST */
  run(line: string, options?: Pick<ExecOptions, "timeoutMs" | "maxOutputBytes" | "signal">): Promise<ExecResult>;
  /** Ends the shell and all that it started. Never rejects. */
  close(): Promise<void>;
}

export interface Snapshot {
  image: string;
  /** Never rejects. */
  remove(): Promise<void>;
}

export interface Address {
  host: string;
  port: number;
}

/**
 * `MISSING`: what the provider needs is not on this machine. `REFUSED`: it cannot do, or cannot hold, what was asked.
 * `START`: the sandbox did not come up. `TIMEOUT`: it did not answer in time. `LOST`: it ended by itself, or was closed.
 * `FULL`: no more of them at once. `NO_FILE`: the path leads to no file. `TOO_LARGE`: a file, or a list, beyond the bound.
 */
export type SandboxErrorCode = "MISSING" | "REFUSED" | "START" | "TIMEOUT" | "LOST" | "FULL" | "NO_FILE" | "TOO_LARGE";

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

/** Makes sandboxes, services, or browser sessions, of one kind. */
export interface SandboxProvider<Request, Made extends Resource = Service> {
  /**
   * A sandbox that is ready. Where as many run as may run at once, it waits for one of them.
   *
   * @param signal ends the waiting
   * @throws {SandboxError} MISSING, REFUSED, START, TIMEOUT, FULL @throws the signal's reason
   */
  open(request: Request, signal?: AbortSignal): Promise<Made>;
  /** Closes all of its sandboxes; from then on none is opened. Calling it again does nothing. Never rejects. */
  close(): Promise<void>;
}

export type MachineProvider = SandboxProvider<SandboxSpec, Sandbox>;

/** Makes small machines, a limited number of them at once. */
export interface LimitedMachines extends MachineProvider {
  /**
   * Takes a place for one machine after another, as a task and its grading need them: between two of them nobody else
   * gets the place. Where no place is free, it waits for one as `open` does.
   *
   * @param signal ends the waiting
   * @returns a provider of one machine at a time: its `open` waits for the end of the machine before, and its `close`
   *   gives the place back
   * @throws {SandboxError} FULL @throws the signal's reason
   */
  reserve(signal?: AbortSignal): Promise<MachineProvider>;
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
  /** Advice to the host of the gym where the program does not come up, in one sentence. */
  advice?: string;
}

/** Providers that environments get their sandboxes from. */
export interface Sandboxes {
  /** Small machines, by the first provider of this machine that holds what is asked for. */
  readonly machines: LimitedMachines;
  readonly jvm: SandboxProvider<JvmRequest>;
  /** Browser contexts, each with its own cookies, storage and list of hosts. */
  readonly browsers: SandboxProvider<BrowserRequest, BrowserSession>;
}
