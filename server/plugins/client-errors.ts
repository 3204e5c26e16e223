/** Replies where no route, hook or reply object was reached: requests that Node cannot read, upgrades that ws refuses. */
import { maxHeaderSize, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GymError, shown } from "../errors.js";
import type { Connections } from "./connections.js";

/** How long a client may take to send one request. */
export const slowestRequestMs = 60_000;

/** How long what was refused is read on, so that the reply is not lost in the reset of a connection with unread data. */
const lingerMs = 2_000;

/** What Node's HTTP parser reports of a connection. */
interface ClientError extends Error {
  code?: string;
  /** What the parser says is wrong. */
  reason?: string;
  rawPacket?: unknown;
}

/** Answers what Node could not read as a request, and closes its connection. */
export function refuseUnreadable(
  cause: ClientError,
  socket: Socket,
  connections: Connections,
  onError: (error: GymError) => void,
): void {
  // A lost connection, or what comes behind an error that is being answered.
  if (!socket.writable) return;
  if (connections.isAnswering(socket)) return void socket.destroy();
  const error = unreadable(cause);
  onError(error);
  endWith(socket, error);
}

function unreadable({ code, reason, message, rawPacket }: ClientError): GymError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new GymError("REQUEST_TIMEOUT", `a whole request within ${slowestRequestMs} ms`, "a part of one");
    case "HPE_HEADER_OVERFLOW":
      return new GymError("REQUEST_HEAD_TOO_LARGE", `a URL and headers of at most ${maxHeaderSize} bytes`, "more");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new GymError("REQUEST_TOO_LARGE", `chunk extensions of at most ${maxHeaderSize} bytes`, "more");
  }
  const packet = Buffer.isBuffer(rawPacket) ? `${shown(rawPacket.toString("latin1"))}: ` : "";
  return new GymError("REQUEST_MALFORMED", "a request of HTTP/1.1", `${packet}${reason ?? message}`);
}

/** Answers with an error and closes the connection. */
export function endWith(socket: Duplex, error: GymError, headers: readonly string[] = []): void {
  const body = JSON.stringify({ error: error.toBody() });
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    "Content-Type: application/json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...headers,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  const cutOff = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(cutOff));
  socket.resume();
}
