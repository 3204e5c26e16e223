import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { GymError } from "../../../errors.js";
import { EventStream, errorEvent } from "./event-stream.js";

/** Interval in milliseconds at which open streams are looked at. */
const lookMs = 1_000;

export interface StreamOptions {
  /** Milliseconds without events after which a stream gets a comment, so that no proxy closes it. */
  heartbeatMs: number;
  /** Returns the error of a caller whose token was revoked or has expired after the stream began, or null. */
  refusalOf(owner: string): GymError | null;
  /** Whether this gym of a fleet has the episode with a key. */
  has(key: number): boolean;
}

/** The open streams of all clients. */
export class Streams {
  private readonly owners = new Map<EventStream, string>();
  /** Replies that other gyms of the fleet stream through this one. */
  private readonly passed = new Set<ServerResponse>();
  /** Keys of the episodes that streams follow on this gym. */
  private readonly keys = new Map<EventStream, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: StreamOptions) {}

  /** Ends a reply, which another gym gives, with the streams. */
  pass({ raw: response }: FastifyReply): void {
    this.passed.add(response);
    response.once("close", () => this.passed.delete(response));
  }

  /**
   * Begins the reply to a request as a stream.
   *
   * @param key key of the episode that the stream follows on this gym. The stream ends when another gym has it.
   */
  open(request: FastifyRequest, reply: FastifyReply, key: number | null): EventStream {
    reply.hijack();
    const stream = new EventStream(reply.raw);
    this.owners.set(stream, request.caller.owner);
    if (key !== null) this.keys.set(stream, key);
    this.timer ??= setInterval(() => this.look(), Math.min(lookMs, this.options.heartbeatMs)).unref();
    stream.whenClosed(() => this.forget(stream));
    return stream;
  }

  /** Ends all streams. Their clients connect again, and then get what they have missed. */
  end(): void {
    for (const stream of this.owners.keys()) stream.end();
    for (const response of this.passed) response.destroy();
  }

  private look(): void {
    for (const [stream, owner] of this.owners) {
      const refusal = this.options.refusalOf(owner);
      const key = this.keys.get(stream);
      if (key !== undefined && !this.options.has(key)) stream.end();
      else if (refusal) {
        stream.send(errorEvent(refusal));
        stream.end();
      } else if (stream.silentMs >= this.options.heartbeatMs) stream.heartbeat();
    }
  }

  private forget(stream: EventStream): void {
    this.owners.delete(stream);
    this.keys.delete(stream);
    if (this.owners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
