/** A fleet of gyms, each behind a relay that counts the operations that other gyms forward to it, and the sockets of clients. */
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { freePort } from "../../support/fleet.js";
import { PostgresServer } from "../../support/postgres.js";
import type { RunningServer } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";

const requestLine = /(?:POST \/fleet\/operations\/(\w+)|GET \/v1\/(socket)) HTTP/g;

class Relay {
  /** Forwarded operations by name, and `socket`: sockets of clients. */
  readonly counts = new Map<string, number>();
  /** Whether the relay ends the connections of clients, as a network does that only the gyms share. */
  refusesClients = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(port: number, target: number): Promise<Relay> {
    const server = createServer();
    const relay = new Relay(`http://127.0.0.1:${port}`, server);
    server.on("connection", (client) => relay.pass(client, dial(target, "127.0.0.1")));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    onTestFinished(() => relay.close());
    return relay;
  }

  private close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private pass(client: Socket, gym: Socket): void {
    let end = "";
    client.on("data", (chunk: Buffer) => {
      const text = end + chunk.toString("latin1");
      for (const [, operation, socket] of text.matchAll(requestLine))
        this.count((operation ?? socket) as string, client);
      // A request line may be split over two chunks. One that is whole is not counted again.
      end = /(?:POST|GET) \/[^\r\n]*$/.exec(text)?.[0].replace(/ HTTP.*/, "") ?? "";
    });
    for (const [from, to] of [
      [client, gym],
      [gym, client],
    ] as const) {
      this.sockets.add(from);
      from.on("data", (chunk) => void to.write(chunk));
      from.on("close", () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.on("error", () => {});
    }
  }

  private count(name: string, client: Socket): void {
    if (name === "socket" && this.refusesClients) client.destroy();
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}

export interface WatchedGym extends RunningServer {
  relay: Relay;
  port: number;
}

export class WatchedFleet {
  private constructor(
    private readonly database: string,
    private readonly env: Readonly<Record<string, string>>,
    readonly gyms: WatchedGym[],
  ) {}

  /** Starts gyms on a database of their own. @param env further variables of all gyms */
  static async start(size: number, env: Readonly<Record<string, string>> = {}): Promise<WatchedFleet> {
    const server = await PostgresServer.start();
    const fleet = new WatchedFleet(await server.createDatabase(), env, []);
    for (let i = 0; i < size; i++) fleet.gyms.push(await fleet.startGym());
    return fleet;
  }

  /** URLs of the gyms' relays. */
  get urls(): [string, ...string[]] {
    return this.gyms.map(({ relay }) => relay.url) as [string, ...string[]];
  }

  async kill(index: number): Promise<void> {
    await this.gyms[index]?.process.kill();
  }

  /** Starts a gym again that was killed, at the same address. */
  async restart(index: number): Promise<void> {
    const { relay, port } = this.gyms[index] as WatchedGym;
    this.gyms[index] = { ...(await this.serve(port, relay)), relay, port };
  }

  /** Stops each gym as an operator does, and starts it again, one after the other. */
  async roll(): Promise<void> {
    for (const [index, gym] of [...this.gyms].entries()) {
      await gym.process.stop();
      await this.restart(index);
    }
  }

  /** Returns the number of operations of a name that gyms forwarded to each other, or of sockets of clients. */
  count(name: string): number {
    return this.gyms.reduce((sum, { relay }) => sum + (relay.counts.get(name) ?? 0), 0);
  }

  private async startGym(): Promise<WatchedGym> {
    const port = await freePort();
    const relay = await Relay.start(await freePort(), port);
    return { ...(await this.serve(port, relay)), relay, port };
  }

  private serve(port: number, relay: Relay): Promise<RunningServer> {
    const shared = { PALESTRA_LOG_URL: this.database, PALESTRA_FLEET_ADDRESS: relay.url };
    return serve({ dataDir: scratch(), port, env: { ...shared, ...this.env } });
  }
}
