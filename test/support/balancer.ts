/** A balancer in front of the gyms of a fleet: each request goes to the next gym that takes connections. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export class Balancer {
  private turn = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly ports: () => readonly number[],
    /** Prefix of the path of each request. */
    private readonly prefix: string,
  ) {}

  static async start(ports: () => readonly number[], prefix = ""): Promise<Balancer> {
    const server = createServer();
    const balancer = new Balancer(server, ports, prefix);
    server.on("request", (request, response) => balancer.pass(request, response));
    server.on("upgrade", (request, socket, head) => balancer.join(request, socket as Socket, head));
    server.on("connection", (socket) => balancer.hold(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => balancer.close());
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces);
    const { method, headers } = request;
    const attempt = (left: number) => {
      const sent = send({ host: "127.0.0.1", port: this.next(), path: this.pathOf(request), method, headers });
      sent.on("response", (reply) => {
        response.writeHead(reply.statusCode as number, reply.headers);
        reply.on("error", () => response.destroy());
        reply.pipe(response);
      });
      sent.on("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "ECONNREFUSED" && left > 0) attempt(left - 1);
        else response.destroy();
      });
      response.on("close", () => sent.destroy());
      sent.end(body);
    };
    attempt(this.ports().length);
  }

  private join(request: IncomingMessage, client: Socket, head: Buffer, left = this.ports().length): void {
    const gym = connect(this.next(), "127.0.0.1");
    this.hold(gym);
    gym.on("connect", () => {
      const { rawHeaders } = request;
      const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}`] : []));
      gym.write(`GET ${this.pathOf(request)} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      gym.write(head);
      gym.pipe(client).pipe(gym);
      client.on("close", () => gym.destroy());
      gym.on("close", () => client.destroy());
    });
    gym.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED" && left > 0) this.join(request, client, head, left - 1);
      else client.destroy();
    });
  }

  private hold(socket: Socket): void {
    this.sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => this.sockets.delete(socket));
  }

  private pathOf({ url }: IncomingMessage): string {
    return `${this.prefix}${url}`;
  }

  private next(): number {
    const ports = this.ports();
    this.turn = (this.turn + 1) % ports.length;
    return ports[this.turn] as number;
  }

  private close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}
