/**
 * Replies to requests that reach no route or hook. These are requests that Node cannot parse, and upgrades that ws
 * refuses. Fastify's own reply has no code of the error table, and a client may take it for the reply to an earlier request.
 */
import { maxHeaderSize, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { GymError, shown } from "../../errors.js";

/**
 * Milliseconds for which the server continues to read after a refusal. Closing a connection that has unread data would
 * reset the connection, and the client would lose the reply.
 */
const lingerMs = 2_000;

/** An error of Node's HTTP parser. */
interface ClientError extends Error {
  code?: string;
  /** Parser's explanation of the error. */
  reason?: string;
  rawPacket?: unknown;
}

/**
 * Answers a request that Node could not parse, and closes its connection.
 *
 * @param requestMs see `ClientTimes`
 */
export function refuseUnreadable(
  cause: ClientError,
  socket: Socket,
  connections: { isAnswering(socket: Socket): boolean; waits(socket: Socket): boolean },
  onError: (error: GymError) => void,
  requestMs: number,
): void {
  // Either the connection is lost, or the server is already answering an earlier error.
  if (!socket.writable) return;
  // The rest of the request has arrived, and waits for the replies to earlier requests.
  if (cause.code === "ERR_HTTP_REQUEST_TIMEOUT" && connections.waits(socket)) return;
  if (connections.isAnswering(socket)) return void socket.destroy();
  const error = unreadable(cause, requestMs);
  onError(error);
  endWith(socket, error);
}

function unreadable({ code, reason, message, rawPacket }: ClientError, requestMs: number): GymError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new GymError("REQUEST_TIMEOUT", `a complete request within ${requestMs} ms`, "only a part");
    case "HPE_HEADER_OVERFLOW":
      return new GymError(
        "REQUEST_HEAD_TOO_LARGE",
        `a URL and headers of at most ${maxHeaderSize} bytes`,
        "more bytes",
      );
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new GymError("REQUEST_TOO_LARGE", `chunk extensions of at most ${maxHeaderSize} bytes`, "more bytes");
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
