/** A TCP connection to a gym, for bytes that no HTTP client sends. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Number of characters of an incomplete reply in an error's message. */
const shownLength = 500;

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export class RawConnection {
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  /** Received bytes that no caller has read yet. They are joined only when the next reply may be complete. */
  private unread: Buffer[] = [];
  private unreadLength = 0;
  /** Smallest number of unread bytes with which the next reply may be complete. */
  private needed = 1;

  private constructor(readonly socket: Socket) {
    socket.on("data", (data) => {
      this.unread.push(data);
      this.unreadLength += data.length;
    });
    // A reset counts as a close.
    socket.on("error", () => {});
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    return new RawConnection(socket);
  }

  send(text: string): void {
    this.socket.write(text);
  }

  /** Sends a request with the gym's host, and with a content length if it has a body. */
  request(line: string, headers: Record<string, string> = {}, body?: string): void {
    const length = body === undefined ? {} : { "content-length": `${Buffer.byteLength(body)}` };
    const all = Object.entries({ host: "localhost", ...headers, ...length });
    const head = [`${line} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
    this.send(`${head.join("\r\n")}\r\n\r\n${body ?? ""}`);
  }

  /** Returns the next reply, with a body of the stated length. */
  async reply(): Promise<RawReply> {
    for (;;) {
      const reply = this.take();
      if (reply) return reply;
      if (this.socket.closed) {
        const start = Buffer.concat(this.unread).toString("latin1", 0, shownLength);
        throw new Error(`expected a reply, but the connection closed after ${this.unreadLength} bytes: ${start}`);
      }
      await Promise.race([new Promise((resolve) => this.socket.once("data", resolve)), this.closed]);
    }
  }

  private take(): RawReply | undefined {
    if (this.unreadLength < this.needed) return undefined;
    const unread = Buffer.concat(this.unread);
    this.unread = [unread];
    const headLength = unread.indexOf("\r\n\r\n");
    if (headLength < 0) return undefined;
    const [line = "", ...fields] = unread.toString("latin1", 0, headLength).split("\r\n");
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const end = headLength + 4 + Number(headers["content-length"] ?? 0);
    this.needed = end;
    if (unread.length < end) return undefined;
    const body = unread.toString("utf8", headLength + 4, end);
    this.unread = [unread.subarray(end)];
    this.unreadLength -= end;
    this.needed = 1;
    return { status: Number(line.split(" ")[1]), headers, body };
  }
}
