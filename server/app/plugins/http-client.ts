import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";
import type { Client } from "../../episodes/episode/client.js";

/** The client of an HTTP request. */
class HttpClient implements Client {
  private listeners: Set<() => void> | undefined;

  constructor(private readonly response: ServerResponse) {}

  get isGone(): boolean {
    return this.response.destroyed && !this.response.writableFinished;
  }

  onGone(listener: () => void): () => void {
    const listeners = this.listeners ?? this.watch();
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  private watch(): Set<() => void> {
    const listeners = new Set<() => void>();
    this.listeners = listeners;
    this.response.once("close", () => {
      if (!this.response.writableEnded) for (const listener of listeners) listener();
    });
    return listeners;
  }
}

export function clientOf({ raw }: FastifyReply): Client {
  return new HttpClient(raw);
}
