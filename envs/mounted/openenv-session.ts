/** One WebSocket session of an OpenEnv server. The server answers each message with one message, in order. */
import WebSocket from "ws";
import type { JsonValue } from "../env.js";
import type { ServiceFailed } from "../errors.js";
import { isObject, type JsonObject, mostBytes, type Server } from "./calls.js";

export interface SessionReply {
  observation: JsonValue;
  reward: number;
  done: boolean;
}

/** Thrown for an action that the server refuses. The session stays open. */
export class RefusedAction extends Error {
  override readonly name = "RefusedAction";
}

/** Thrown if the server has no free session. */
class Full extends Error {}

const handshakeMs = 10_000;
/** Pause in milliseconds before a full server is asked for a session again. */
const pauseMs = 250;
/** Codes of errors after which the server closes the session. */
const closing: readonly unknown[] = ["CAPACITY_REACHED", "FACTORY_ERROR", "SESSION_ERROR"];

export class OpenenvSession {
  private waiting: { resolve(frame: JsonObject): void; reject(error: Error): void } | undefined;
  private ended: Error | undefined;

  private constructor(
    private readonly server: Server,
    private readonly socket: WebSocket,
  ) {
    socket.on("message", (data) => this.hear(String(data)));
    socket.on("error", (error) => this.end(this.failed(error.message)));
    socket.on("close", (code) => this.end(this.failed(`the end of the session (code ${code})`)));
  }

  /** Opens a session, and waits while the server is full. @throws {ServiceFailed} @throws the signal's reason */
  static async open(server: Server, signal: AbortSignal): Promise<OpenenvSession> {
    for (;;) {
      const session = new OpenenvSession(server, connect(server));
      try {
        await session.begin(signal);
        return session;
      } catch (error) {
        session.socket.terminate();
        if (!(error instanceof Full)) throw error;
        await pause(signal);
      }
    }
  }

  /** @throws {RefusedAction} @throws {ServiceFailed} @throws {Error} the environment failed @throws the signal's reason */
  async ask(type: "reset" | "step", data: JsonObject, signal: AbortSignal): Promise<SessionReply> {
    const frame = await this.exchange({ type, data }, signal);
    if (frame.type === "error") throw this.errorIn(type, frame.data);
    const reply = frame.data;
    if (frame.type !== "observation" || !isObject(reply) || reply.observation === undefined)
      throw this.failed(JSON.stringify(frame), type);
    const { observation, reward, done } = reply;
    if (typeof done !== "boolean" || !isReward(reward)) throw this.failed(JSON.stringify({ reward, done }), type);
    return { observation, reward: Number(reward ?? 0), done };
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send('{"type":"close"}');
    this.socket.close();
    setTimeout(() => this.socket.terminate(), handshakeMs).unref();
  }

  /** Waits for the handshake, and asks for the state, since a server that is full says so only now. */
  private async begin(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.waiting = { resolve: () => reject(this.failed("a message before any request")), reject };
      // Messages that come with the handshake are heard before the code after this promise runs.
      this.socket.once("open", () => {
        this.waiting = undefined;
        resolve();
      });
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
    });
    const frame = await this.exchange({ type: "state" }, signal);
    const { code } = isObject(frame.data) ? frame.data : {};
    if (frame.type !== "error" || !closing.includes(code)) return;
    throw code === "CAPACITY_REACHED" ? new Full() : this.errorIn("session", frame.data);
  }

  private async exchange(message: object, signal: AbortSignal): Promise<JsonObject> {
    signal.throwIfAborted();
    if (this.ended) throw this.ended;
    const abort = () => {
      this.waiting?.reject(signal.reason);
      // The reply may still come, and would be taken for the reply to the next message.
      this.socket.terminate();
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      return await new Promise<JsonObject>((resolve, reject) => {
        this.waiting = { resolve, reject };
        this.socket.send(JSON.stringify(message));
      });
    } finally {
      this.waiting = undefined;
      signal.removeEventListener("abort", abort);
    }
  }

  private hear(text: string): void {
    const { waiting } = this;
    this.waiting = undefined;
    let frame: JsonValue;
    try {
      frame = JSON.parse(text) as JsonValue;
    } catch {
      return this.end(this.failed(`no JSON: ${text}`), waiting);
    }
    if (!isObject(frame)) return this.end(this.failed(text), waiting);
    if (waiting) return waiting.resolve(frame);
    // A full server sends its error before it is asked.
    this.end(isFull(frame) ? new Full() : this.failed("a message that answers no request"));
  }

  private end(error: Error, waiting = this.waiting): void {
    this.ended ??= error;
    this.waiting = undefined;
    waiting?.reject(this.ended);
    this.socket.terminate();
  }

  private errorIn(type: string, data: JsonValue | undefined): Error {
    const { message = "", code = "" } = isObject(data) ? data : {};
    const text = this.server.shown(String(message));
    if (type === "step" && code === "VALIDATION_ERROR") return new RefusedAction(text);
    if (code === "EXECUTION_ERROR") return new Error(`the environment of ${this.server.origin} failed: ${text}`);
    return this.failed(`the error ${code}: ${text}`, type);
  }

  private failed(received: string, type = "a message"): ServiceFailed {
    return this.server.failed(type, received);
  }
}

function connect(server: Server): WebSocket {
  const url = server.at("ws").replace(/^http/, "ws");
  return new WebSocket(url, {
    headers: { ...server.headers },
    handshakeTimeout: handshakeMs,
    maxPayload: mostBytes,
    perMessageDeflate: false,
    followRedirects: false,
  });
}

function isFull({ type, data }: JsonObject): boolean {
  return type === "error" && isObject(data) && data.code === "CAPACITY_REACHED";
}

function isReward(reward: JsonValue | undefined): boolean {
  return reward === null || reward === undefined || typeof reward === "number" || typeof reward === "boolean";
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, pauseMs);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}
