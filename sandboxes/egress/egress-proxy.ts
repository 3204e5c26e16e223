/**
 * The egress proxy of one sandbox or browser session. The proxy serves HTTP requests and CONNECT tunnels to the session's
 * hosts only. The proxy resolves names itself and connects to the addresses that it has checked.
 */
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { AddressBook } from "./address-book.js";
import { EgressBounds } from "./bounds.js";
import { type Destination, destinationOf, HostList, parseAuthority } from "./hosts.js";
import { checkNoProxy, keepOut, type Lookup, NoWay, resolve, systemLookup } from "./resolve.js";
import { carry } from "./tunnel.js";

const connectMs = 10_000;
/** Idle timeout of a connection, in milliseconds. */
const idleMs = 300_000;
/** Largest number of a name's addresses that are tried. All attempts together take at most `connectMs`. */
const mostAddresses = 3;

/** Values of the `Proxy-Status` header (RFC 9209), which marks the proxy's own answers. */
const proxyErrors = {
  403: "http_request_denied",
  502: "destination_unavailable",
  503: "connection_limit_reached",
} as const;

/** Hop-by-hop headers, which the proxy does not pass on. */
const hopByHop = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
]);

export interface EgressProxyOptions {
  /** Resolves names. Default: the system's resolver. */
  lookup?: Lookup | undefined;
  /**
   * Whether a ClientHello may contain an encrypted ClientHello, whose server name the proxy cannot see. This is safe
   * only for clients that send only decoys, such as a Chromium without DNS. Default: false.
   */
  mayEncryptHello?: boolean;
}

export class EgressProxy {
  /** Hosts that clients of the proxy can reach. Empty at first. */
  hosts = new HostList([]);
  addresses = new AddressBook({}, this.hosts);
  /** Called for each refusal. */
  onRefused: (url: string, reason: string) => void = () => {};

  private readonly server: Server;
  // The agent's timeout is 1 ms longer than the timeout of the requests. With equal timeouts, Node would keep the short idle
  // timeout of a reused socket.
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64, timeout: idleMs + 1 });
  private readonly sockets = new Set<Socket>();
  private letIn = () => {};
  private closing: Promise<void> | undefined;

  private readonly bounds = new EgressBounds();
  private readonly lookup: Lookup;
  private readonly mayEncryptHello: boolean;

  private constructor({ lookup = systemLookup, mayEncryptHello = false }: EgressProxyOptions) {
    this.lookup = this.bounds.bounded(lookup);
    this.mayEncryptHello = mayEncryptHello;
    this.server = createServer((incoming, reply) => void this.forward(incoming, reply));
    this.server.on("connect", (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
      void this.tunnel(incoming.url ?? "", socket, head);
    });
    this.server.on("upgrade", (_, socket) => socket.destroy());
    this.server.on("clientError", (_, socket) => socket.destroy());
    this.server.on("connection", (socket: Socket) => this.admit(socket));
  }

  /** Opens a proxy on a free port of 127.0.0.1. */
  static async open(options: EgressProxyOptions = {}): Promise<EgressProxy> {
    const proxy = new EgressProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.server.once("error", reject);
      proxy.server.listen(0, "127.0.0.1", resolve);
    });
    proxy.letIn = keepOut(proxy.port);
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Closes the proxy and all its connections. A second call does nothing. Never rejects. */
  close(): Promise<void> {
    this.closing ??= new Promise((resolve) => {
      this.letIn();
      this.agent.destroy();
      this.server.close(() => resolve());
      for (const socket of this.sockets) socket.destroy();
    });
    return this.closing;
  }

  private admit(socket: Socket): void {
    this.keep(socket);
    try {
      this.bounds.admit(socket);
    } catch (error) {
      this.turnAway("", socket, error as Error);
      socket.destroySoon();
    }
  }

  private async forward(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    const text = incoming.url ?? "";
    try {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      if (url?.protocol !== "http:") throw new NoWay(403, "the proxy expects an absolute http:// URL");
      await this.bounds.request(() => this.exchange(incoming, url, reply));
    } catch (error) {
      const { status, message } = this.told(text, error as Error);
      if (reply.headersSent) return void reply.destroy();
      const headers = { "cache-control": "no-store", "content-type": "text/plain; charset=utf-8" };
      reply.writeHead(status, { ...headers, "proxy-status": `palestra; error=${proxyErrors[status]}` });
      reply.end(`Palestra: ${message}\n`);
    }
  }

  private async exchange(incoming: IncomingMessage, url: URL, reply: ServerResponse): Promise<void> {
    // The client may have disconnected while its request waited for a turn.
    if (incoming.socket.destroyed) return;
    const { addresses, port } = await this.wayTo(destinationOf(url));
    const answer = await this.ask(incoming, url, addresses[0] as string, port);
    reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders));
    await pipeline(answer, reply);
  }

  /** @throws {NoWay} */
  private async wayTo(destination: Destination): Promise<{ addresses: string[]; port: number }> {
    const known = this.addresses.find(destination);
    const { port } = known ?? destination;
    const addresses = known ? [known.host] : await resolve(destination, this.hosts, this.lookup);
    for (const address of addresses) checkNoProxy(address, port);
    return { addresses, port };
  }

  private ask(incoming: IncomingMessage, url: URL, address: string, port: number): Promise<IncomingMessage> {
    const { agent } = this;
    const headers = [...passedOn(incoming.rawHeaders, ["host"]), "Host", url.host];
    const path = url.pathname + url.search;
    const options = { agent, host: address, port, method: incoming.method ?? "GET", path, headers, setHost: false };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...options, timeout: idleMs });
      outgoing.once("socket", (socket) => this.endWhenSlow(socket));
      outgoing.once("response", resolve);
      outgoing.once("timeout", () => outgoing.destroy(new Error(`${url.host} sent nothing for ${idleMs} ms`)));
      outgoing.once("error", reject);
      pipeline(incoming, outgoing).catch(reject);
    });
  }

  private async tunnel(authority: string, socket: Socket, head: Buffer): Promise<void> {
    try {
      const destination = parseAuthority(authority);
      if (!destination) throw new NoWay(403, "the proxy expects host:port for a tunnel");
      const { addresses, port } = await this.wayTo(destination);
      const other = await this.connectFirst(addresses, port);
      if (socket.destroyed) return void other.destroy();
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      const { mayEncryptHello } = this;
      const options = { destination, head, mayEncryptHello, openingMs: connectMs, idleMs };
      void carry(socket, other, options).catch((error: NoWay) => this.onRefused(authority, error.message));
    } catch (error) {
      this.turnAway(authority, socket, error as Error);
    }
  }

  private turnAway(url: string, socket: Socket, error: Error): void {
    const { status } = this.told(url, error);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  }

  /** Converts an error to the reply for the client, and reports a refusal to the owner of the session. */
  private told(url: string, error: Error): NoWay {
    const refusal = error instanceof NoWay ? error : new NoWay(502, error.message);
    if (refusal.status !== 502) this.onRefused(url, refusal.message);
    return refusal;
  }

  private async connectFirst(addresses: string[], port: number): Promise<Socket> {
    let failure: unknown;
    const tried = addresses.slice(0, mostAddresses);
    for (const address of tried) {
      try {
        return await this.connect(address, port, connectMs / tried.length);
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  }

  private connect(host: string, port: number, ms: number): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      this.endWhenSlow(socket, ms);
      socket.once("connect", () => resolve(socket));
      socket.once("error", reject);
      socket.once("close", () => reject(new Error(`no connection to ${host}:${port}`)));
    });
  }

  private endWhenSlow(socket: Socket, ms = connectMs): void {
    this.keep(socket);
    if (!socket.connecting) return;
    const timer = setTimeout(() => socket.destroy(new Error(`no connection within ${ms} ms`)), ms);
    const stop = () => clearTimeout(timer);
    socket.once("connect", stop);
    socket.once("close", stop);
  }

  private keep(socket: Socket): void {
    if (this.sockets.has(socket)) return;
    this.sockets.add(socket);
    // The code that uses the socket handles errors. This listener only prevents an uncaught error.
    socket.on("error", () => {});
    socket.once("close", () => this.sockets.delete(socket));
    if (this.closing) socket.destroy();
  }
}

/** Returns the headers without the hop-by-hop headers. @param raw names and values in alternation */
function passedOn(raw: readonly string[], without: readonly string[] = []): string[] {
  const nameAt = (at: number) => (raw[at - (at % 2)] ?? "").toLowerCase();
  // A `Connection` header lists further hop-by-hop headers.
  const listed = raw
    .filter((_, at) => at % 2 === 1 && nameAt(at) === "connection")
    .flatMap((value) => value.split(",").map((name) => name.trim().toLowerCase()));
  const dropped = new Set([...hopByHop, ...listed, ...without]);
  return raw.filter((_, at) => !dropped.has(nameAt(at)));
}
