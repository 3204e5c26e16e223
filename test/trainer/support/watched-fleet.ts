/** A fleet of gyms, each behind a relay that counts the sockets of clients. */
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { gymDatabase } from "../../support/databases.js";
import { freePort } from "../../support/free-port.js";
import { eventually } from "../../support/gym.js";
import type { RunningServer } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";

const requestLine = /GET \/v1\/socket HTTP/g;

class Relay {
  /** Number of sockets of clients. */
  sockets = 0;
  /** While true, the relay ends the connections of clients, like a network that only the gyms can reach. */
  refusesClients = false;
  private readonly connections = new Set<Socket>();

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
    for (const connection of this.connections) connection.destroy();
  }

  private pass(client: Socket, gym: Socket): void {
    let end = "";
    client.on("data", (chunk: Buffer) => {
      const text = end + chunk.toString("latin1");
      for (const _ of text.matchAll(requestLine)) this.count(client);
      // A request line may be split over two chunks. A complete line is not counted again.
      end = /GET \/[^\r\n]*$/.exec(text)?.[0].replace(/ HTTP.*/, "") ?? "";
    });
    for (const [from, to] of [
      [client, gym],
      [gym, client],
    ] as const) {
      this.connections.add(from);
      from.on("data", (chunk) => void to.write(chunk));
      from.on("close", () => {
        this.connections.delete(from);
        to.destroy();
      });
      from.on("error", () => {});
    }
  }

  private count(client: Socket): void {
    if (this.refusesClients) client.destroy();
    this.sockets += 1;
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
    const fleet = new WatchedFleet(await gymDatabase(), env, []);
    for (let i = 0; i < size; i++) fleet.gyms.push(await fleet.startGym());
    await eventually(() => fleet.isShared());
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

  /** Restarts the gyms one after another, as an operator does. */
  async roll(): Promise<void> {
    for (const [index, gym] of [...this.gyms].entries()) {
      await gym.process.stop();
      await this.restart(index);
    }
  }

  /** Returns the number of sockets of clients. */
  get sockets(): number {
    return this.gyms.reduce((sum, { relay }) => sum + relay.sockets, 0);
  }

  /** Returns the number of operations that the gyms that can be reached have forwarded to each other. */
  async forwarded(): Promise<number> {
    const counts = this.gyms.map(async ({ url }) => {
      const reply = await fetch(`${url}/metrics`).catch(() => null);
      const metrics = (await reply?.text()) ?? "palestra_fleet_forwarded_total 0";
      return Number(/^palestra_fleet_forwarded_total ([0-9]+)$/m.exec(metrics)?.[1]);
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** Returns whether every gym knows that each gym has its share of the shards. */
  private async isShared(): Promise<boolean> {
    const known = this.gyms.map(async ({ url }) => {
      const { gyms } = (await (await fetch(`${url}/v1/fleet`)).json()) as { gyms: { shards: [number, number][] }[] };
      const sizes = gyms.map(({ shards }) => shards.reduce((sum, [first, last]) => sum + last - first + 1, 0));
      return sizes.length === this.gyms.length && Math.min(...sizes) >= Math.floor(4_096 / sizes.length) - sizes.length;
    });
    return (await Promise.all(known)).every(Boolean);
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
