/** The server-sent events of one call. The reply begins with the first event, so that earlier errors have a status. */
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

export const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** Milliseconds without an event after which a comment is sent. Clients give up after 30 seconds of silence. */
const silentMs = 10_000;

/** Thrown when the client has closed the connection of its call. */
export class ClientGone extends Error {}

export class CallStream {
  private readonly response: ServerResponse;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly reply: FastifyReply) {
    this.response = reply.raw;
    this.response.on("error", () => {});
    this.response.once("close", () => this.stop());
    this.timer = setInterval(() => this.heartbeat(), silentMs).unref();
  }

  get isBegun(): boolean {
    return this.reply.sent;
  }

  /** @throws {ClientGone} */
  expectOpen(): void {
    if (this.response.destroyed || this.response.socket?.destroyed) throw new ClientGone();
  }

  /** Sends an event. Resolves when the operating system has it, so that it arrives even if the gym is killed. */
  async send(event: string, data: string): Promise<void> {
    this.expectOpen();
    this.begin();
    await new Promise<void>((resolve, reject) => {
      const onClosed = () => reject(new ClientGone());
      this.response.once("close", onClosed);
      this.response.write(eventText(event, data), (error) => {
        this.response.off("close", onClosed);
        if (error) reject(new ClientGone());
        else resolve();
      });
    });
  }

  end(): void {
    this.stop();
    this.response.end();
  }

  /** Closes the connection, so that the client resumes its call. */
  break(): void {
    this.stop();
    this.response.destroy();
  }

  /** Frees the timer. */
  stop(): void {
    clearInterval(this.timer);
  }

  private heartbeat(): void {
    this.begin();
    this.response.write(":\n\n");
  }

  private begin(): void {
    if (this.isBegun) return;
    this.reply.hijack();
    this.response.writeHead(200, streamHeaders);
  }
}

export function eventText(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`;
}

/** Largest number of characters of a piece. The Python client refuses a line of more than 128 KiB. */
const longestPiece = 2 ** 14;

/**
 * Splits JSON text into pieces that fit into lines. The Python client removes white space from the start of a line, so no
 * piece starts with any: the first character of a piece is escaped if it is not a visible character of ASCII. Such a
 * character is part of a string, because the text has no white space between its tokens.
 */
export function* piecesOf(json: string): Generator<string> {
  for (let from = 0; from < json.length; ) {
    let to = Math.min(from + longestPiece, json.length);
    if (isHighSurrogate(json.charCodeAt(to - 1))) to -= 1;
    const head = json.charCodeAt(from);
    // A pair of surrogates stays together: as two escapes.
    const escaped = isVisible(head) ? 0 : isHighSurrogate(head) ? 2 : 1;
    yield escapes(json.slice(from, from + escaped)) + json.slice(from + escaped, to);
    from = to;
  }
}

function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function escapes(text: string): string {
  return [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
}
