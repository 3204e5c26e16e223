/**
 * A tunnel of the proxy, once its host is reached. The first bytes of a client decide whether it carries anything: a
 * ClientHello of TLS that names the tunnel's host, or a WebSocket handshake for it. Everything else is refused, so that a
 * tunnel to one host of a shared server does not lead to another.
 */
import { isIP, type Socket } from "node:net";
import { BadHello, isTls, parseClientHello } from "./client-hello.js";
import { type Destination, destinationOf } from "./hosts.js";
import { NoWay } from "./resolve.js";

export interface TunnelOptions {
  destination: Destination;
  /** Bytes of the client that came with its request for the tunnel. */
  head: Buffer;
  /** Whether a ClientHello may hold an encrypted one, whose server name cannot be seen. */
  mayEncryptHello: boolean;
  /** Milliseconds that the client may take for its first bytes, and then the host for its answer to a WebSocket handshake. */
  openingMs: number;
  /** Milliseconds on which nothing moves, after which a tunnel is ended. */
  idleMs: number;
}

/** Bytes that a client may send before its tunnel carries anything, and those of a host's answer to a handshake. */
const mostOpeningBytes = 2 ** 15;
const tlsPort = 443;
/** A fatal alert of TLS: access denied. */
const accessDenied = Buffer.from([21, 3, 1, 0, 2, 2, 49]);
const forbidden = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/**
 * Connects a client with the host of its tunnel, until one of them ends. Both sockets are ended where the client does not speak in
 * time or is refused.
 *
 * @throws {NoWay} 403 for what a tunnel must not carry; then the client has been told
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

/** Lets a WebSocket through once the host has agreed to it. Until then the client could send it a request for another name. */
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

/** Hands on one direction of a tunnel, and the end of it. */
function pass(from: Socket, to: Socket, { idleMs }: TunnelOptions): void {
  from.setTimeout(idleMs, () => from.destroy());
  from.once("close", () => to.destroy());
  from.pipe(to);
}

/**
 * Reads until something is found in all that has come, which stays with the caller.
 *
 * @throws what `find` throws @throws {Error} for the end of the socket, and for nothing found in time or in 32 KiB
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

/** Protocol that the client's first bytes begin; undefined while they are too few. @throws {NoWay} 403 */
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
    // Its outer name says nothing of the name inside, which is the one that a server goes by.
    if (hasEncryptedHello && !mayEncryptHello)
      throw refuse(`a tunnel to ${host} carries no encrypted ClientHello, nor a decoy of one`);
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
  // Bytes behind the head would be a second request where the host does not know WebSockets.
  if (!isForHost || !isHandshake || hasBody || text.length > end + 4) throw refuse();
  return "websocket";
}

function isAt(authority: string, host: string, port: number): boolean {
  if (!/^[^\s/?#@\\]+$/.test(authority) || !URL.canParse(`http://${authority}`)) return false;
  const destination = destinationOf(new URL(`http://${authority}`));
  return destination.host === host && destination.port === port;
}
