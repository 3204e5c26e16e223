/**
 * Connections between this machine and the loopback address inside a sandbox, over the agent's connection. `relay.h`
 * defines the frames. The relay runs as a command of the sandbox and, like any command, is not trusted.
 */
import { Duplex } from "node:stream";
import { SandboxError } from "../sandbox.js";
import { until } from "../until.js";
import type { AgentClient, AgentCommand, RunningCommand } from "./agent-client.js";
import { errorName } from "./errnos.js";
import { BadFrame, chunkBytes, headBytes, type ReplyFrame, ReplyReader, requestFrame } from "./frames.js";

const Kind = { ready: 1, open: 2, data: 3, end: 4, close: 5, taken: 6 } as const;

const windowBytes = 2 ** 18;
const mostConnections = 64;
/** Largest number of bytes in the send buffer: twice the sum of all windows. */
const mostWaitingBytes = 2 * mostConnections * windowBytes;
const mostReadyMs = 10_000;
const mostConnectingMs = 10_000;
/** Total number of bytes that the agent passes on from the output of one relay. */
const mostRelayedBytes = 2 ** 50;
const nothing = new Uint8Array(0);

export class Relay {
  private readonly running: RunningCommand;
  private readonly reader = new ReplyReader();
  private readonly connections = new Map<number, RelayedConnection>();
  private nextId = 2;
  private giving: Promise<void> = Promise.resolve();
  /**
   * Number of bytes that the agent has not accepted yet. A relay that reports false windows could make the number grow
   * without limit.
   */
  private waitingBytes = 0;
  private onReady: () => void = () => {};
  private onOver: (error: SandboxError) => void = () => {};
  private over: SandboxError | undefined;
  /** Resolves when the relay listens. */
  private readonly ready: Promise<void>;

  /**
   * @param command template of the sandbox's commands @param program path of the agent in the sandbox
   * @param listening port in the sandbox, and a handler for the connections to it
   */
  constructor(
    agent: AgentClient,
    command: AgentCommand,
    program: string,
    private readonly listening?: { port: number; onConnection(connection: Duplex): void },
  ) {
    const argv = [program, "relay", ...(listening ? [`${listening.port}`] : [])];
    const whole = { ...command, argv, timeoutMs: 0, maxOutputBytes: mostRelayedBytes, hasInput: true };
    this.ready = new Promise((resolve, reject) => {
      this.onReady = resolve;
      this.onOver = reject;
    });
    this.ready.catch(() => {});
    this.running = agent.start(whole, (output, bytes) => {
      if (output === "stdout") this.receive(bytes);
    });
    const ended = (what: string) => this.end(new SandboxError("LOST", "the relay to keep running", what));
    this.running.end.then(
      ({ exitCode }) => ended(`its end with exit code ${exitCode}`),
      (error: Error) => ended(error.message),
    );
  }

  get isOver(): boolean {
    return this.over !== undefined;
  }

  /** Calls the given function once when the relay has ended. */
  onceOver(call: () => void): void {
    this.running.end.then(call, call);
  }

  /** @throws {SandboxError} LOST, TIMEOUT */
  async whenReady(): Promise<void> {
    await within(mostReadyMs, this.ready, "a relay in the sandbox");
  }

  /** Connects to a port in the sandbox. @throws {SandboxError} REFUSED, TIMEOUT, LOST */
  async connect(port: number): Promise<Duplex> {
    await this.whenReady();
    if (this.over) throw this.over;
    if (this.connections.size >= mostConnections)
      throw SandboxError.ofState(
        "REFUSED",
        `The sandbox has reached its limit of ${mostConnections} connections at once.`,
      );
    const id = this.nextId;
    this.nextId += 2;
    const connection = this.add(id);
    this.send(Kind.open, id, Buffer.from([port & 255, port >> 8]));
    try {
      await within(mostConnectingMs, connection.standing, `a connection to port ${port}`);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Ends the relay and all its connections. */
  close(): void {
    this.running.kill();
    this.end(SandboxError.ofState("LOST", "The relay is closed."));
  }

  private add(id: number): RelayedConnection {
    const connection = new RelayedConnection((kind, payload) => this.send(kind, id, payload));
    this.connections.set(id, connection);
    connection.once("close", () => this.connections.delete(id));
    return connection;
  }

  private send(kind: number, id: number, payload: Uint8Array): void {
    if (this.over) return;
    this.waitingBytes += payload.length + headBytes;
    if (this.waitingBytes > mostWaitingBytes)
      return this.breach(`more than ${mostWaitingBytes} bytes that it requested and did not accept`);
    // Frames are sent in sequence. A frame may take several pieces of input, and no other frame may come between them.
    this.giving = this.giving.then(async () => {
      await this.running.give(requestFrame(kind, id, payload));
      this.waitingBytes -= payload.length + headBytes;
    });
  }

  private receive(bytes: Buffer): void {
    if (this.over) return;
    try {
      for (const frame of this.reader.read(bytes)) this.take(frame);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.breach(error.message);
    }
  }

  private breach(received: string): void {
    this.running.kill();
    this.end(new SandboxError("LOST", "frames that follow the relay's protocol", received));
  }

  /** @throws {BadFrame} */
  private take(frame: ReplyFrame): void {
    if (frame.kind === Kind.ready) return this.onReady();
    if (frame.kind === Kind.open && frame.id % 2 === 1) return this.accept(frame.id);
    // The connection may have been closed on this side while the frame was under way.
    this.connections.get(frame.id)?.receive(frame);
  }

  /** @throws {BadFrame} */
  private accept(id: number): void {
    if (!this.listening || this.connections.has(id)) throw new BadFrame(`the connection ${id}`);
    if (this.connections.size >= mostConnections) return this.send(Kind.close, id, nothing);
    this.listening.onConnection(this.add(id));
  }

  private end(error: SandboxError): void {
    this.over ??= error;
    this.onOver(this.over);
    for (const connection of this.connections.values()) connection.destroy(this.over);
  }
}

/** Connection with flow control. Each peer sends only as many bytes as fit into the other peer's receive window. */
class RelayedConnection extends Duplex {
  readonly standing: Promise<void>;
  private onStanding!: () => void;
  private onRefused!: (error: Error) => void;
  private mayGive = windowBytes;
  private giving: (() => void) | undefined;
  private readonly unread: Buffer[] = [];
  private unreadBytes = 0;
  private isWanted = false;
  /** Whether the peer in the sandbox has sent its last byte. */
  private hasEnded = false;
  /** Whether the peer in the sandbox has closed the connection. */
  private hasClosed = false;

  constructor(private readonly tell: (kind: number, payload: Uint8Array) => void) {
    super({ allowHalfOpen: true });
    this.standing = new Promise((resolve, reject) => {
      this.onStanding = resolve;
      this.onRefused = reject;
    });
    this.standing.catch(() => {});
    this.on("error", (error) => this.onRefused(error));
    this.on("close", () => this.onRefused(SandboxError.ofState("LOST", "The connection has ended.")));
  }

  /** @throws {BadFrame} */
  receive({ kind, payload }: ReplyFrame): void {
    if (kind === Kind.open) this.onStanding();
    else if (kind === Kind.data) this.takeData(payload);
    else if (kind === Kind.taken && payload.length === 4) this.takeCredit(payload.readUInt32LE());
    else if (kind === Kind.end) this.takeEnd();
    else if (kind === Kind.close) this.takeClose(payload.length === 4 ? payload.readUInt32LE() : 0);
    else throw new BadFrame(`the frame ${kind} of a relay`);
  }

  override _read(): void {
    this.isWanted = true;
    this.pass();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    let rest = chunk;
    this.giving = () => {
      while (rest.length > 0 && this.mayGive > 0) {
        const piece = rest.subarray(0, Math.min(chunkBytes, this.mayGive));
        this.mayGive -= piece.length;
        this.tell(Kind.data, piece);
        rest = rest.subarray(piece.length);
      }
      if (rest.length > 0) return;
      this.giving = undefined;
      done();
    };
    this.giving();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.tell(Kind.end, nothing);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    if (!this.hasClosed) this.tell(Kind.close, nothing);
    done(error);
  }

  private takeData(bytes: Buffer): void {
    this.unreadBytes += bytes.length;
    if (this.unreadBytes > windowBytes) throw new BadFrame("more bytes of a connection than its window allows");
    if (this.hasEnded || bytes.length === 0) throw new BadFrame("bytes of a connection after its end");
    // The bytes are copied, since a frame is a view that would keep a larger buffer alive.
    this.unread.push(Buffer.from(bytes));
    this.pass();
  }

  private takeEnd(): void {
    if (this.hasEnded) throw new BadFrame("a second end of a connection");
    this.hasEnded = true;
    this.pass();
  }

  private takeCredit(bytes: number): void {
    this.mayGive = Math.min(windowBytes, this.mayGive + bytes);
    this.giving?.();
  }

  private takeClose(errno: number): void {
    this.hasClosed = true;
    // Both directions have ended. The stream ends by itself when its unread bytes have been read.
    if (errno === 0 && this.hasEnded && !this.giving) return;
    this.destroy(new SandboxError("REFUSED", "an open connection", errorName(errno)));
  }

  /** Passes unread bytes to the reader, and lets the peer send the same number of further bytes. */
  private pass(): void {
    for (let bytes = this.unread[0]; this.isWanted && bytes; bytes = this.unread[0]) {
      this.unread.shift();
      this.unreadBytes -= bytes.length;
      const credit = Buffer.alloc(4);
      credit.writeUInt32LE(bytes.length);
      this.tell(Kind.taken, credit);
      this.isWanted = this.push(bytes);
    }
    if (this.hasEnded && this.unread.length === 0 && !this.readableEnded) this.push(null);
  }
}

function within<T>(ms: number, promise: Promise<T>, expected: string): Promise<T> {
  const late = () => new SandboxError("TIMEOUT", `${expected} within ${ms} ms`, "no answer");
  return until(promise, { signals: [], ms, late });
}
