/**
 * Transport of MCP over the standard input and output of a process. The process cannot outlive the gym.
 *
 * The client library's own transport ends only the process that it started, so a server started through `npx` or `sh`
 * keeps running. A server that ignores the end of its input also keeps running if the gym is killed. In this transport,
 * the server leads a process group that also contains a shell. The shell reads from a pipe of which only the gym has
 * the write end. When the gym's process exits for any reason, the kernel closes the pipe, and the shell kills the
 * group. Processes that the server has moved to a different group are not killed.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";

export interface ServerCommand {
  command: string;
  args: readonly string[];
  /** The complete environment of the server. */
  env: Readonly<Record<string, string>>;
}

/**
 * Shell script that starts the server. Descriptor 3 is the pipe. When the pipe is closed, the server has one second to
 * exit before the group is killed.
 */
const script = `
(read -r end <&3; sleep 1; kill -KILL 0) </dev/null >/dev/null 2>&1 &
exec "$@" 3<&-
`;

/** Milliseconds that a server gets to exit after its input is closed, and again after SIGTERM. */
const graceMs = 700;
/** Milliseconds that the last output of an exited process may take to arrive. */
const lastOutputMs = 200;
/** Maximum size of one message in bytes. */
const mostBytes = 10 * 2 ** 20;
/** Number of characters at the end of the error output that are stored. */
const mostErrorOutput = 500;

export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /**
   * Marks the transport, together with `pid`, as a process for the library. The library assumes an older protocol
   * revision if a process does not answer its probe.
   */
  readonly stderr = null;
  /** Chunks of an incomplete line. The library's own buffer would copy all chunks whenever a new chunk arrives. */
  private unread: Buffer[] = [];
  private unreadBytes = 0;
  private child: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  private exited: Promise<unknown> = Promise.resolve();
  private errorOutput = "";
  private fault = "";

  constructor(private readonly server: ServerCommand) {}

  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  /** The reason why the connection was closed or, if unknown, the end of the server's error output. */
  get complaint(): string {
    return this.fault || this.errorOutput.trim();
  }

  async start(): Promise<void> {
    const { command, args, env } = this.server;
    const child = spawn("/bin/sh", ["-c", script, "sh", command, ...args], {
      env: { ...env },
      // The server leads a new process group.
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    }) as ChildProcessByStdio<Writable, Readable, Readable>;
    // A broken pipe needs no handling, because the exit of the process is reported as well.
    for (const stream of child.stdio) stream?.on("error", () => {});
    child.stdout.on("data", (chunk: Buffer) => this.read(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      this.errorOutput = `${this.errorOutput}${chunk}`.slice(-mostErrorOutput);
    });
    await once(child, "spawn");
    this.child = child;
    this.exited = once(child, "exit").then(() => this.end(child));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.child) throw new Error("The process of the MCP server has ended.");
    this.child.stdin.write(serializeMessage(message));
  }

  /** Ends the server and all processes in its group. The promise settles within two seconds. */
  async close(): Promise<void> {
    const { child, exited } = this;
    if (!child) return;
    const isOver = () => Promise.race([exited.then(() => true), sleep(graceMs, false)]);
    child.stdin.end();
    if (await isOver()) return;
    signalGroup(child, "SIGTERM");
    if (await isOver()) return;
    signalGroup(child, "SIGKILL");
    await isOver();
  }

  private async end(child: ChildProcessByStdio<Writable, Readable, Readable>): Promise<void> {
    // A child of the server may keep the output open.
    await Promise.race([once(child.stdout, "close"), sleep(lastOutputMs)]);
    signalGroup(child, "SIGKILL");
    for (const stream of child.stdio) stream?.destroy();
    this.child = undefined;
    this.unread = [];
    this.onclose?.();
  }

  private read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const line = Buffer.concat([...this.unread, chunk.subarray(start, end)]).toString();
      this.unread = [];
      this.unreadBytes = 0;
      start = end + 1;
      this.take(line);
    }
    if (start === chunk.length) return;
    this.unread.push(chunk.subarray(start));
    this.unreadBytes += chunk.length - start;
    if (this.unreadBytes <= mostBytes || !this.child) return;
    this.fault = `a message of more than ${mostBytes} bytes`;
    this.unread = [];
    signalGroup(this.child, "SIGKILL");
  }

  private take(line: string): void {
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      // Servers also write lines that are not messages, such as greetings.
      this.onerror?.(error as Error);
    }
  }
}

function signalGroup({ pid }: { pid?: number | undefined }, signal: NodeJS.Signals): void {
  try {
    process.kill(-(pid as number), signal);
  } catch {
    // No process of the group is left.
  }
}
