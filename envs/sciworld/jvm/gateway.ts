/** Client of py4j's gateway in a JVM. */
import { connect, type Socket } from "node:net";
import {
  type Argument,
  constructorCall,
  type JavaObject,
  type JavaValue,
  methodCall,
  type Reply,
  readReply,
  releaseCall,
  stackCall,
  type Target,
  UnreadableReply,
} from "./java-values.js";

/** Thrown if the called Java method threw an exception. */
export class JavaException extends Error {
  override readonly name = "JavaException";

  /** @param javaStack stack trace as Java prints it; its first line is the exception */
  constructor(
    readonly called: string,
    readonly javaStack: string,
  ) {
    super(`expected ${called} to return a value, but it threw ${javaStack.split("\n", 1)[0]}`);
  }
}

/** Thrown if the connection is lost. All calls without a reply fail with this error. */
export class GatewayLost extends Error {
  override readonly name = "GatewayLost";

  constructor(received: string, cause?: unknown) {
    super(`expected an open connection to the JVM, but received ${received}`, { cause });
  }
}

/** A method name and arguments. */
export type Call = readonly [method: string, ...args: Argument[]];

interface Waiting {
  command: string;
  settle(reply: Reply): void;
  fail(error: Error): void;
}

/**
 * Sends calls one at a time, in order. Pipelining would be slow: py4j's socket delays a second reply until the kernel
 * has acknowledged the first reply, which takes up to 40 ms. The reply to an aborted call is awaited and discarded, so
 * that replies stay matched with their calls.
 */
export class Gateway {
  private readonly waiting: Waiting[] = [];
  private readonly unread: string[] = [];
  private loss: Error | undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding("utf8").setNoDelay(true);
    socket.on("data", (text: string) => this.read(text));
    socket.on("error", (error) => this.lose(new GatewayLost(error.message, error)));
    socket.on("close", () => this.lose(new GatewayLost("a connection that the JVM has closed")));
  }

  /** Opens a connection. @throws {GatewayLost} no server listens at the address @throws the signal's reason */
  static async open(address: { host: string; port: number }, signal?: AbortSignal): Promise<Gateway> {
    signal?.throwIfAborted();
    const socket = connect(address);
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        socket.destroy();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      socket.once("error", (error) => reject(new GatewayLost(error.message, error)));
      socket.once("connect", () => {
        signal?.removeEventListener("abort", giveUp);
        resolve();
      });
    });
    return new Gateway(socket);
  }

  /**
   * Calls a method. @param signal aborts the call; a method that has started continues in the JVM, and later calls wait
   * for it
   * @throws {JavaException} @throws {GatewayLost} @throws {UnreadableReply} @throws the signal's reason
   */
  async call(target: Target, method: string, args: readonly Argument[] = [], signal?: AbortSignal): Promise<JavaValue> {
    return this.valueOf(method, await this.send(methodCall(target, method, args), signal));
  }

  /**
   * Calls a chain of methods, each on the result of the previous call, and releases all results except the last.
   *
   * @throws as `call`
   */
  async chain(target: Target, calls: readonly Call[], signal?: AbortSignal): Promise<JavaValue> {
    let value: JavaValue;
    let on: Target = target;
    for (const [method, ...args] of calls) {
      value = await this.call(on, method, args, signal);
      if ("id" in on && on !== target) await this.release(on, signal);
      on = value as JavaObject;
    }
    return value;
  }

  /** Constructs an object. @throws as `call` */
  async construct(className: string, signal?: AbortSignal): Promise<JavaObject> {
    const value = this.valueOf(`new ${className}`, await this.send(constructorCall(className, []), signal));
    return (await value) as JavaObject;
  }

  /** Releases an object. @throws as `call` */
  async release(object: JavaObject, signal?: AbortSignal): Promise<void> {
    await this.send(releaseCall(object), signal);
  }

  /** Closes the connection. All waiting calls fail. Further calls of `close` have no effect. */
  close(): void {
    this.lose(new GatewayLost("a connection that the gym has closed"));
  }

  private async valueOf(called: string, reply: Reply): Promise<JavaValue> {
    if ("value" in reply) return reply.value;
    throw new JavaException(called, await this.stackOf(reply.thrown));
  }

  private async stackOf(thrown: JavaValue): Promise<string> {
    if (typeof thrown !== "object" || thrown === null) return String(thrown);
    const reply = await this.send(stackCall(thrown));
    await this.release(thrown);
    return "value" in reply ? String(reply.value) : "what it cannot tell";
  }

  private send(command: string, signal?: AbortSignal): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.loss) return reject(this.loss);
      if (signal?.aborted) return reject(signal.reason);
      const last = <T>(settle: (value: T) => void) => {
        return (value: T) => {
          signal?.removeEventListener("abort", giveUp);
          settle(value);
        };
      };
      const entry = { command, settle: last(resolve), fail: last(reject) };
      const giveUp = () => {
        const place = this.waiting.indexOf(entry);
        // The first call stays in the list: it has been sent, and its reply will come.
        if (place > 0) this.waiting.splice(place, 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.waiting.push(entry);
      if (this.waiting.length === 1) this.socket.write(command);
    });
  }

  private read(text: string): void {
    const lines = text.split("\n");
    // The pieces are stored until the end of the line, since joining each piece would copy a long line many times.
    this.unread.push(lines[0] as string);
    if (lines.length === 1) return;
    lines[0] = this.unread.join("");
    this.unread.splice(0, this.unread.length, lines.pop() as string);
    for (const line of lines) this.take(line);
  }

  private take(line: string): void {
    const first = this.waiting.shift();
    try {
      if (!first) throw new UnreadableReply(line);
      first.settle(readReply(line));
      if (this.waiting[0]) this.socket.write(this.waiting[0].command);
    } catch (error) {
      first?.fail(error as Error);
      // Later replies could no longer be matched with calls.
      this.lose(error as Error);
    }
  }

  private lose(error: Error): void {
    if (this.loss) return;
    this.loss = error;
    this.socket.destroy();
    for (const { fail } of this.waiting.splice(0)) fail(error);
  }
}
