/**
 * OpenEnv's WebSocket: one frame for each request, in order, and nothing else. A socket has one session. With
 * `?session_id=`, it is a session that `/mcp` created, and the socket is one of the ways to reach it.
 */
import type { FastifyRequest } from "fastify";
import type { AnyEnvironmentSpec } from "../../../../envs/env.js";
import { idOf } from "../../../adapter/session-ids.js";
import type { Sessions } from "../../../adapter/sessions.js";
import { ConnectedClient } from "../../../episodes/episode/client.js";
import { specOf } from "../../../episodes/episode/tasks.js";
import type { Caller, Gym } from "../../../episodes/gym.js";
import { type GymError, shown } from "../../../errors.js";
import type { Relay } from "../../../fleet/relay.js";
import { reported } from "../../plugins/error-replies.js";
import type { Conversation, Line, Pending, SocketProtocol } from "../../sockets/gym-socket.js";
import { parse } from "../../validation.js";
import { errorFrame, type OpenenvFrame } from "./frames.js";
import { Player } from "./player.js";
import { errorOf, invalidMessage, isExpected, type OpenenvError, Refusal } from "./results.js";
import { Frame } from "./schemas.js";
import { Seat } from "./seat.js";

export interface OpenenvSocketOptions {
  gym: Gym;
  sessions: Sessions;
  relay: Relay | null;
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

class OpenenvConversation extends ConnectedClient implements Conversation {
  readonly maxInFlight = 1;
  private readonly caller: Caller;
  /** The session of the socket; rejected if the socket cannot be served. */
  private readonly seat: Promise<Seat>;
  private readonly isAttached: boolean;

  constructor(
    private readonly request: FastifyRequest,
    private readonly line: Line,
    private readonly protocol: OpenenvSocket,
  ) {
    super();
    this.caller = request.caller;
    const { session_id } = request.query as { session_id?: unknown };
    this.isAttached = session_id !== undefined;
    const session = this.isAttached ? this.attach(session_id) : this.open();
    this.seat = session.then((id) => this.seatOf(id));
    this.seat.catch((error: Error) => {
      line.send(errorFrame({ ...this.told(error), code: "SESSION_ERROR" }));
      line.close(policyViolation, "the session was refused");
    });
  }

  receive(message: Buffer, isBinary: boolean): string | Pending | undefined {
    const refusal = this.protocol.options.refusalOf(this.caller.owner);
    if (refusal) return errorFrame(this.told(refusal));
    let frame: OpenenvFrame;
    try {
      frame = read(message, isBinary);
    } catch (error) {
      return errorFrame(this.told(error as Error));
    }
    if (frame.type === "close") return void this.close();
    const reply = this.seat.then((seat) => seat.ask(frame)).catch((error: Error) => errorFrame(this.told(error)));
    return { reply, replyBytes: frame.type === "step" ? 0 : unknownReplyBytes };
  }

  /** The episode goes on without the socket, until its lease lapses or another one needs its place. */
  end(): void {
    this.hangUp();
    this.seat.then(
      (seat) => {
        if (this.isAttached) this.protocol.attached.delete(seat.id);
        seat.leave();
      },
      () => {},
    );
  }

  private seatOf(session: number): Seat {
    const { caller, isAttached } = this;
    const { relay } = this.protocol.options;
    const { sessions } = this;
    const { environment } = this.request.params as { environment: string };
    const partsOf = (session: number) => ({
      player: this.player(),
      sessions,
      owner: caller.owner,
      session,
      client: this,
      told: (error: Error) => this.told(error),
    });
    return new Seat({ relay, sessions, caller, environment, partsOf }, session, !isAttached);
  }

  /** A client that says goodbye needs its episode no more. The session of `/mcp` is closed by its own call. */
  private async close(): Promise<void> {
    try {
      if (!this.isAttached) await (await this.seat).ask({ type: "close" });
    } catch (error) {
      this.told(error as Error);
    }
    this.line.close(normalClosure, "");
  }

  private async open(): Promise<number> {
    this.player();
    return this.protocol.options.sessions.openUnstored(this.caller.owner);
  }

  private async attach(name: unknown): Promise<number> {
    const { attached, options } = this.protocol;
    this.player();
    const session = typeof name === "string" ? idOf(name) : null;
    if (session === null || !(await options.sessions.has(this.caller.owner, session)))
      throw new Refusal("SESSION_ERROR", "expected the id of an open session, but received an unknown one");
    if (attached.has(session))
      throw new Refusal("SESSION_ERROR", "expected a session without a socket, but the session has one already");
    attached.add(session);
    return session;
  }

  /** @throws {GymError} ENVIRONMENT_UNKNOWN */
  private player(): Player {
    const { gym } = this.protocol.options;
    return new Player({ gym, sessions: this.sessions, spec: this.spec, owner: this.caller.owner });
  }

  /** @throws {GymError} ENVIRONMENT_UNKNOWN */
  private get spec(): AnyEnvironmentSpec {
    const { environment } = this.request.params as { environment: string };
    return specOf(this.protocol.options.gym.registry, environment);
  }

  /** Sessions of the environment of the socket. @throws {GymError} ENVIRONMENT_UNKNOWN */
  private get sessions(): Sessions {
    return this.protocol.options.sessions.of(this.spec);
  }

  private told(error: Error): OpenenvError {
    const found = errorOf(error);
    if (isExpected(error)) return found;
    reported(error, { log: this.request.log, onError: this.protocol.options.onError });
    return found;
  }
}

/** @throws {Refusal} */
function read(message: Buffer, isBinary: boolean): OpenenvFrame {
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
