/** A client of `/v1/socket` without a network: frames go through `injectWS`. */
import { Socket } from "node:net";
import { expect, onTestFinished } from "vitest";
import type { WebSocket } from "ws";
import type { ErrorBody } from "#palestra/server/errors.js";
import { type OperationName, operations } from "#palestra/server/operations/operations.js";
import { checkError, type Params, type Sent, type TestGym } from "./gym.js";

export interface Frame {
  id: string | number | null;
  result?: unknown;
  error?: ErrorBody;
}

export class InjectedSocket {
  /** Received frames, oldest first. */
  readonly received: string[] = [];
  private readonly nextFrame: ((frame: string) => void)[] = [];
  private readonly replies = new Map<number, (frame: string) => void>();
  private nextId = 1_000;

  private constructor(readonly raw: WebSocket) {
    raw.on("message", (data: Buffer) => {
      const text = data.toString();
      this.received.push(text);
      const id = Number(/^\{"id":([0-9]+),/.exec(text)?.[1]);
      (this.replies.get(id) ?? this.nextFrame.shift())?.(text);
      this.replies.delete(id);
    });
  }

  static async open(gym: TestGym, { token, headers }: Sent = {}, path = "/v1/socket"): Promise<InjectedSocket> {
    // The server uses methods of the TCP socket, which an injected upgrade does not have.
    const upgrade = {
      headers: { host: "localhost", ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers },
      socket: new Socket(),
    };
    let opened: InjectedSocket | undefined;
    await gym.app.ready();
    await gym.app.injectWS(path, upgrade, {
      onInit: (raw) => {
        opened = new InjectedSocket(raw);
      },
    });
    const socket = opened as InjectedSocket;
    onTestFinished(() => socket.raw.terminate());
    return socket;
  }

  send(frame: string | Buffer | object): void {
    this.raw.send(typeof frame === "string" || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame));
  }

  /** Returns the text of the next frame that is not a reply to `text` or `refusal`. */
  next(): Promise<string> {
    return new Promise((resolve) => this.nextFrame.push(resolve));
  }

  /** Sends a frame, and returns the next frame. */
  async exchange(frame: string | Buffer | object): Promise<Frame> {
    const reply = this.next();
    this.send(frame);
    return JSON.parse(await reply) as Frame;
  }

  /** Sends a request, and returns the text of its result, which has to fit the operation's schema. */
  async text(op: OperationName, params: Params = {}): Promise<string> {
    const id = this.nextId++;
    const arrived = this.reply(id);
    this.send({ id, op, params });
    const text = await arrived;
    const { result, error } = JSON.parse(text) as Frame;
    expect(error, text).toBeUndefined();
    expect(operations[op].reply.parse(result)).toEqual(result);
    return text.slice(`{"id":${id},"result":`.length, -1);
  }

  /** Sends a request that has to fail, and returns its error. */
  async refusal(op: OperationName, params: Params = {}): Promise<ErrorBody> {
    const id = this.nextId++;
    const arrived = this.reply(id);
    this.send({ id, op, params });
    const { error } = JSON.parse(await arrived) as Frame;
    return checkError({ error });
  }

  private reply(id: number): Promise<string> {
    return new Promise((resolve) => this.replies.set(id, resolve));
  }
}
