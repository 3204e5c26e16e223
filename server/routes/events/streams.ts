import type { FastifyReply, FastifyRequest } from "fastify";
import type { GymError } from "../../errors.js";
import type { Connections } from "../../plugins/connections.js";
import { EventStream, errorEvent } from "./event-stream.js";

/** Interval in milliseconds at which open streams are looked at. */
const lookMs = 1_000;

export interface StreamOptions {
  connections: Connections;
  /** Milliseconds without events after which a stream gets a comment, so that no proxy closes it. */
  heartbeatMs: number;
  /** Returns the error of a caller whose token was revoked or has expired after the stream began, or null. */
  refusalOf(owner: string): GymError | null;
}

/** The open streams of all clients. */
export class Streams {
  private readonly owners = new Map<EventStream, string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: StreamOptions) {}

  /** Begins the reply to a request as a stream. */
  open(request: FastifyRequest, reply: FastifyReply): EventStream {
    reply.hijack();
    this.options.connections.addStream(request.raw, reply.raw);
    const stream = new EventStream(reply.raw);
    this.owners.set(stream, request.caller.owner);
    this.timer ??= setInterval(() => this.look(), Math.min(lookMs, this.options.heartbeatMs)).unref();
    stream.whenClosed(() => this.forget(stream));
    return stream;
  }

  /** Ends all streams. Their clients connect again, and then get what they have missed. */
  end(): void {
    for (const stream of this.owners.keys()) stream.end();
  }

  private look(): void {
    for (const [stream, owner] of this.owners) {
      const refusal = this.options.refusalOf(owner);
      if (refusal) {
        stream.send(errorEvent(refusal));
        stream.end();
      } else if (stream.silentMs >= this.options.heartbeatMs) stream.beat();
    }
  }

  private forget(stream: EventStream): void {
    this.owners.delete(stream);
    if (this.owners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
