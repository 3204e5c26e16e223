/**
 * A tunnel of the proxy to a connected host. The client has to begin with a TLS ClientHello or a WebSocket handshake
 * that names the tunnel's host. Any other opening is refused. Otherwise, a tunnel to one host of a shared server could
 * reach another host of that server.
 */
import { isIP, type Socket } from "node:net";
import { BadHello, isTls, parseClientHello } from "./client-hello.js";
import { type Destination, destinationOf } from "./hosts.js";
import { NoWay } from "./resolve.js";

export interface TunnelOptions {
  destination: Destination;
  /** First bytes of the client, which arrived together with its CONNECT request. */
  head: Buffer;
  /** Whether a ClientHello may contain an encrypted ClientHello, whose server name the proxy cannot see. */
  mayEncryptHello: boolean;
  /**
   * Timeout in milliseconds of the client's first bytes. The host's answer to a WebSocket handshake has the same timeout.
   */
  openingMs: number;
  /** Idle timeout of the tunnel, in milliseconds. */
  idleMs: number;
}

/** Size limit in bytes of a client's opening, and of a host's answer to a handshake. */
const mostOpeningBytes = 2 ** 15;
const tlsPort = 443;
/** A fatal TLS alert: access denied. */
const accessDenied = Buffer.from([21, 3, 1, 0, 2, 2, 49]);
const forbidden = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/**
 * Connects a client with the host of its tunnel. Both sockets are closed if the client sends nothing in time or is
 * refused.
 *
 * @throws {NoWay} 403 for a forbidden opening, after the reply to the client
 */
export async function carry(client: Socket, host: Socket, options: TunnelOptions): Promise<void> {
  const { head, openingMs } = options;
  try {
    const isOpening = (bytes: Buffer) => openingOf(bytes, options);
    const { bytes, found } = await readUntil(client, head, isOpening, openingMs);
    host.write(bytes);
    if (found === "tls") return join(client, host, options);
    await shakeHands(client, host, options);
  } catch (error) {
    host.destroy();
    if (error instanceof NoWay) client.end(error.isInTls ? accessDenied : forbidden);
    else client.destroy();
    if (error instanceof NoWay) throw error;
  }
}

/**
 * Connects the client only after the host has accepted the WebSocket. Otherwise the client could send a request for
 * another host name.
 */
async function shakeHands(client: Socket, host: Socket, options: TunnelOptions): Promise<void> {
  const status = (bytes: Buffer) => (bytes.length < 12 ? undefined : bytes.toString("latin1", 0, 12));
  const { bytes, found } = await readUntil(host, Buffer.alloc(0), status, options.openingMs);
  client.write(bytes);
  if (/^HTTP\/1\.1 101$/.test(found)) return join(client, host, options);
  host.end();
  pass(host, client, options);
}

function join(client: Socket, host: Socket, options: TunnelOptions): void {
  pass(client, host, options);
  pass(host, client, options);
}

/** Forwards one direction of a tunnel, including the end of the stream. */
function pass(from: Socket, to: Socket, { idleMs }: TunnelOptions): void {
  from.setTimeout(idleMs, () => from.destroy());
  from.once("close", () => to.destroy());
  from.pipe(to);
}

/**
 * Reads from a socket until `find` returns a value for the bytes read so far. Returns these bytes and the value.
 *
 * @throws the error of `find` @throws {Error} if the socket ends, after a timeout, or after 32 KiB
 */
function readUntil<T>(
  socket: Socket,
  head: Buffer,
  find: (bytes: Buffer) => T | undefined,
  ms: number,
): Promise<{ bytes: Buffer; found: T }> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const stop = (error?: unknown) => {
      clearTimeout(timer);
      socket.pause();
      socket.off("data", take).off("close", close).off("end", close);
      if (error) reject(error);
    };
    const close = () => stop(new Error("the end of a connection"));
    const take = (more: Buffer) => {
      bytes = Buffer.concat([bytes, more]);
      try {
        const found = find(bytes);
        if (found === undefined && bytes.length <= mostOpeningBytes) return;
        stop(found === undefined && new Error(`more than ${mostOpeningBytes} bytes`));
        if (found !== undefined) resolve({ bytes, found });
      } catch (error) {
        stop(error);
      }
    };
    const timer = setTimeout(() => stop(new Error(`silence for ${ms} ms`)), ms);
    socket.on("data", take).on("close", close).on("end", close);
    if (socket.destroyed) close();
    else if (head.length > 0) take(head);
  });
}

/** Returns the protocol of the client's first bytes, or undefined while too few bytes have arrived. @throws {NoWay} 403 */
function openingOf(bytes: Buffer, options: TunnelOptions): "tls" | "websocket" | undefined {
  const { destination } = options;
  if (bytes.length === 0) return undefined;
  if (isTls(bytes[0])) return checkHello(bytes, options);
  if (destination.port === tlsPort) throw new NoWay(403, `a tunnel to port ${tlsPort} carries TLS and nothing else`);
  return checkHandshake(bytes, destination);
}

/** @throws {NoWay} 403 */
function checkHello(bytes: Buffer, { destination, mayEncryptHello }: TunnelOptions): "tls" | undefined {
  const { host } = destination;
  const refuse = (reason: string) => new NoWay(403, reason, true);
  try {
    const hello = parseClientHello(bytes);
    if (!hello) return undefined;
    const { serverName, hasEncryptedHello } = hello;
    // A server uses the encrypted inner name, which may differ from the outer name.
    if (hasEncryptedHello && !mayEncryptHello)
      throw refuse(`a tunnel to ${host} cannot carry an encrypted ClientHello or a decoy of one`);
    if (serverName === host || (serverName === undefined && isIP(host) !== 0)) return "tls";
    throw refuse(`a tunnel to ${host} carries TLS for ${serverName ?? "no name"}`);
  } catch (error) {
    throw error instanceof BadHello ? refuse(`a tunnel to ${host} carries ${error.message}`) : error;
  }
}

/** @throws {NoWay} 403 */
function checkHandshake(bytes: Buffer, { host, port }: Destination): "websocket" | undefined {
  const refuse = () =>
    new NoWay(403, `a tunnel to ${host}:${port} carries TLS, or a WebSocket handshake for this host`);
  const text = bytes.toString("latin1");
  const beginning = "GET /";
  if (!text.startsWith(beginning.slice(0, text.length))) throw refuse();
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const [line = "", ...lines] = text.slice(0, end).split("\r\n");
  const fields = lines.map((field) => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*?)[ \t]*$/.exec(field));
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1]?.toLowerCase() === name ? [field[2]] : []));
  const isForHost = valuesOf("host").length === 1 && isAt(valuesOf("host")[0] as string, host, port);
  const isHandshake =
    /^GET \/[\x21-\x7e]* HTTP\/1\.1$/.test(line) &&
    /^websocket$/i.test(valuesOf("upgrade").join()) &&
    !fields.includes(null);
  const hasBody = valuesOf("content-length").length + valuesOf("transfer-encoding").length > 0;
  // A host without WebSockets would read bytes after the head as a second request.
  if (!isForHost || !isHandshake || hasBody || text.length > end + 4) throw refuse();
  return "websocket";
}

function isAt(authority: string, host: string, port: number): boolean {
  if (!/^[^\s/?#@\\]+$/.test(authority) || !URL.canParse(`http://${authority}`)) return false;
  const destination = destinationOf(new URL(`http://${authority}`));
  return destination.host === host && destination.port === port;
}
