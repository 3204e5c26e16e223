/**
 * OpenEnv's WebSocket: one frame for each request, in order, and nothing else. A socket has one session. With
 * `?session_id=`, it is a session that `/mcp` created, and the socket is one of the ways to reach it.
 */
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { idOf } from "../../adapter/session-ids.js";
import type { Sessions } from "../../adapter/sessions.js";
import type { Gym } from "../../episodes/gym.js";
import { specOf } from "../../episodes/tasks.js";
import { type GymError, shown } from "../../errors.js";
import { reported } from "../../plugins/error-replies.js";
import type { Conversation, Line, Pending, SocketProtocol } from "../../sockets/gym-socket.js";
import { parse } from "../../validation.js";
import { Player } from "./player.js";
import { errorOf, invalidMessage, type OpenenvError, Refusal } from "./results.js";
import { handleRpc } from "./rpc.js";
import { Frame } from "./schemas.js";

export interface OpenenvSocketOptions {
  gym: Gym;
  sessions: Sessions;
  /** Returns the error for a further request of the owner, or null. A socket can outlive its token. */
  refusalOf(owner: string): GymError | null;
  onError(error: GymError): void;
}

/** Estimated size of a reset's or query's reply in bytes. */
const unknownReplyBytes = 2 ** 18;

const normalClosure = 1000;
const policyViolation = 1008;

export class OpenenvSocket implements SocketProtocol {
  readonly url = "/openenv/:environment/ws";
  /** Sessions of `/mcp` that have a socket. A session has at most one. */
  readonly attached = new Set<number>();

  constructor(readonly options: OpenenvSocketOptions) {}

  begin(request: FastifyRequest, line: Line): Conversation {
    return new OpenenvConversation(request, line, this);
  }
}

class OpenenvConversation implements Conversation {
  readonly maxInFlight = 1;
  private readonly owner: string;
  /** The session of the socket; rejected if the socket cannot be served. */
  private readonly session: Promise<number>;
  private readonly isAttached: boolean;

  constructor(
    private readonly request: FastifyRequest,
    private readonly line: Line,
    private readonly protocol: OpenenvSocket,
  ) {
    this.owner = request.caller.owner;
    const { session_id } = request.query as { session_id?: unknown };
    this.isAttached = session_id !== undefined;
    this.session = this.isAttached ? this.attach(session_id) : this.open();
    this.session.catch((error: Error) => {
      line.send(this.errorFrame({ ...this.told(error), code: "SESSION_ERROR" }));
      line.close(policyViolation, "the session was refused");
    });
  }

  receive(message: Buffer, isBinary: boolean): string | Pending | undefined {
    const { owner } = this;
    const refusal = this.protocol.options.refusalOf(owner);
    if (refusal) return this.errorFrame(this.told(refusal));
    let frame: z.output<typeof Frame>;
    try {
      frame = read(message, isBinary);
    } catch (error) {
      return this.errorFrame(this.told(error as Error));
    }
    if (frame.type === "close") return void this.close();
    const reply = this.answer(frame).then(
      ([type, data]) => JSON.stringify({ type, data }),
      (error: Error) => this.errorFrame(this.told(error)),
    );
    return { reply, replyBytes: frame.type === "step" ? 0 : unknownReplyBytes };
  }

  /** The episode goes on without the socket, until its lease lapses. */
  end(): void {
    this.session.then(
      (session) => {
        if (this.isAttached) this.protocol.attached.delete(session);
        else this.protocol.options.sessions.forget(session);
      },
      () => {},
    );
  }

  private async answer(
    frame: Exclude<z.output<typeof Frame>, { type: "close" }>,
  ): Promise<[type: string, data: object]> {
    const session = await this.session;
    const { sessions } = this.protocol.options;
    const player = this.player();
    switch (frame.type) {
      case "reset":
        return ["observation", await player.reset(session, frame.data)];
      case "step":
        return ["observation", await player.step(session, frame.data)];
      case "state":
        return ["state", await player.state(session)];
      case "mcp": {
        const { owner } = this;
        const onError = (error: Error) => void this.told(error);
        return ["mcp", await handleRpc(frame.data, { player, sessions, owner, session, onError })];
      }
    }
  }

  /** A client that says goodbye needs its episode no more. The session of `/mcp` is closed by its own call. */
  private async close(): Promise<void> {
    try {
      if (!this.isAttached) await this.protocol.options.sessions.close(this.owner, await this.session);
    } catch (error) {
      this.told(error as Error);
    }
    this.line.close(normalClosure, "");
  }

  private async open(): Promise<number> {
    this.player();
    return this.protocol.options.sessions.openUnstored(this.owner);
  }

  private async attach(name: unknown): Promise<number> {
    const { attached, options } = this.protocol;
    this.player();
    const session = typeof name === "string" ? idOf(name) : null;
    if (session === null || !(await options.sessions.has(this.owner, session)))
      throw new Refusal("SESSION_ERROR", "expected the id of an open session, but received an unknown one");
    if (attached.has(session))
      throw new Refusal("SESSION_ERROR", "expected a session without a socket, but the session has one already");
    attached.add(session);
    return session;
  }

  /** @throws {GymError} ENVIRONMENT_UNKNOWN */
  private player(): Player {
    const { gym, sessions } = this.protocol.options;
    const { environment } = this.request.params as { environment: string };
    return new Player({ gym, sessions, spec: specOf(gym.registry, environment), owner: this.owner });
  }

  private told(error: Error): OpenenvError {
    const found = errorOf(error);
    if (!found.error) return found;
    reported(error, { log: this.request.log, onError: this.protocol.options.onError });
    return found;
  }

  private errorFrame(data: { code: string; message: string }): string {
    return JSON.stringify({ type: "error", data });
  }
}

/** @throws {Refusal} */
function read(message: Buffer, isBinary: boolean): z.output<typeof Frame> {
  if (isBinary) throw new Refusal("INVALID_JSON", "expected a text frame, but received a binary one");
  let frame: unknown;
  try {
    frame = JSON.parse(message.toString());
  } catch (error) {
    throw new Refusal("INVALID_JSON", `expected a frame of JSON, but received: ${(error as Error).message}`);
  }
  const parsed = parse(Frame, frame);
  if (parsed.success) return parsed.data;
  const type = (frame as { type?: unknown } | null)?.type;
  const known: unknown[] = Frame.options.map(({ shape }) => shape.type.value);
  if (known.includes(type)) throw invalidMessage(parsed.error);
  throw new Refusal("UNKNOWN_TYPE", `expected a frame of type ${known.join(", ")}, but received ${shown(type)}`);
}
