/**
 * The ports of NeMo Gym, one for each environment, because its clients send requests to a host and a port without a path
 * prefix. Connections are handed to the gym's own HTTP server. All limits, the authentication and the shutdown of the gym
 * therefore hold for them too.
 */
import type { IncomingMessage } from "node:http";
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Registry } from "../../../../envs/registry.js";
import { OperatorError } from "../../../config/operator-error.js";
import { specOf } from "../../../episodes/episode/tasks.js";

declare module "fastify" {
  interface FastifyInstance {
    nemoPorts: NemoPorts;
  }
}

export interface NemoPortsOptions {
  /** Address to listen on. */
  host: string;
  /** Port of each environment. Port 0 takes a free one. */
  ports: Readonly<Record<string, number>>;
  registry: Registry;
  connections: { readonly isFull: boolean };
  /** Largest number of connections of a port. */
  maxConnections: number;
  /** Milliseconds without traffic after which the system probes the peer of a connection. */
  probeAfterMs: number;
}

/** Environment of each connection. */
const environments = new WeakMap<Socket, string>();

/** Prefix with the id of a rollout, which NeMo Gym adds to paths when it observes rollouts. */
const rolloutPrefix = /^\/ng-rollout\/[A-Za-z0-9][A-Za-z0-9._-]*\//;

/** Returns the path of a request that came to the port of an environment. Any other path is returned as it is. */
export function pathOnPort({ socket, headers }: IncomingMessage, url: string): string {
  const environment = environments.get(socket);
  if (environment === undefined) return url;
  takeBasicToken(headers);
  return `/nemo-gym/${encodeURIComponent(environment)}${url.replace(rolloutPrefix, "/")}`;
}

/** NeMo Gym can send a token only as the password in `host: "token:<token>@gym.example"`. */
function takeBasicToken(headers: IncomingMessage["headers"]): void {
  const [, encoded] = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(headers.authorization ?? "") ?? [];
  if (encoded === undefined) return;
  const pair = Buffer.from(encoded, "base64").toString();
  headers.authorization = `Bearer ${pair.slice(pair.indexOf(":") + 1)}`;
}

export class NemoPorts {
  private readonly servers = new Map<string, Server>();

  constructor(
    private readonly app: FastifyInstance,
    private readonly options: NemoPortsOptions,
  ) {}

  /** URL of each environment, while the gym listens. */
  get urls(): Map<string, string> {
    const { host } = this.options;
    const name = isIPv6(host) ? `[${host}]` : host;
    return new Map(
      [...this.servers].map(([environment, server]) => [
        environment,
        `http://${name}:${(server.address() as AddressInfo).port}`,
      ]),
    );
  }

  /** Listens when the app is ready, and takes no further connection when the app begins to close. */
  register(): void {
    const { ports } = this.options;
    this.app.decorate<NemoPorts>("nemoPorts", this);
    this.app.addHook("onReady", async () => {
      for (const [environment, port] of Object.entries(ports)) await this.listen(environment, port);
    });
    this.app.addHook("preClose", async () => {
      for (const server of this.servers.values()) server.close();
      this.servers.clear();
    });
  }

  /** @throws {OperatorError} */
  private async listen(environment: string, port: number): Promise<void> {
    const { host, registry, maxConnections, probeAfterMs } = this.options;
    const what = `a port to listen on for ${environment} of NeMo Gym, at host ${host} and port ${port}`;
    // The options of Node's HTTP server.
    const options = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: probeAfterMs };
    const server = createServer(options, (socket) => this.take(environment, socket));
    server.maxConnections = maxConnections;
    try {
      specOf(registry, environment);
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen({ host, port }, resolve);
      });
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken) throw OperatorError.of(what, error);
      throw new OperatorError(what, `${(error as Error).message}. Choose another port with --nemo ${environment}=PORT`);
    }
    this.servers.set(environment, server);
  }

  private take(environment: string, socket: Socket): void {
    if (this.options.connections.isFull) return void socket.destroy();
    environments.set(socket, environment);
    this.app.server.emit("connection", socket);
  }
}
