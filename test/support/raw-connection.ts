/** A TCP connection to a gym, for bytes that no HTTP client sends. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export class RawConnection {
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  private unread = Buffer.alloc(0);

  private constructor(readonly socket: Socket) {
    socket.on("data", (data) => {
      this.unread = Buffer.concat([this.unread, data]);
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
      if (this.socket.closed) throw new Error(`expected a reply, but the connection closed after ${this.unread}`);
      await Promise.race([new Promise((resolve) => this.socket.once("data", resolve)), this.closed]);
    }
  }

  private take(): RawReply | undefined {
    const headLength = this.unread.indexOf("\r\n\r\n");
    if (headLength < 0) return undefined;
    const [line = "", ...fields] = this.unread.toString("latin1", 0, headLength).split("\r\n");
    const headers = Object.fromEntries(
      fields.map((field) => {
        const colon = field.indexOf(":");
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()];
      }),
    );
    const end = headLength + 4 + Number(headers["content-length"] ?? 0);
    if (this.unread.length < end) return undefined;
    const body = this.unread.toString("utf8", headLength + 4, end);
    this.unread = this.unread.subarray(end);
    return { status: Number(line.split(" ")[1]), headers, body };
  }
}
