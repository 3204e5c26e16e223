/** Connections to the other gyms of a fleet. */
import { timingSafeEqual } from "node:crypto";
import { type Dispatcher, Pool } from "undici";
import type { Caller } from "../episodes/gym.js";
import type { FleetMember } from "../log/protocol.js";
import { errorIn, PeerLost } from "./peer-errors.js";
import { PeerSocket } from "./peer-socket.js";

/** Path under which the gyms of a fleet reach each other, followed by the name of an operation. */
export const fleetPath = "/fleet/operations";

/** Milliseconds for which a request waits until a gym has its episode. Another gym takes over a dead one's in ten seconds. */
export const patienceMs = 20_000;

/** Body of a forwarded operation. */
export interface Forwarded {
  caller: Caller;
  params: object;
}

/** A request that is passed on to another gym as it was received. */
export interface PeerRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[]>>;
  /** Text of the body, or null. */
  body: string | null;
  /** Ends the request, when its client has gone. */
  signal?: AbortSignal;
}

export type PeerReply = Dispatcher.ResponseData;

/** Largest number of characters of an operation that is sent over a socket, where it delays the ones behind it. */
const mostSocketCharacters = 65_536;

/** Connections to one gym for all other operations. Each has one request at a time, since a slow one delays those behind it. */
const connections = 64;

/** Milliseconds until a gym that answers nothing counts as lost: longer than any operation. */
const silentMs = 120_000;
const connectMs = 2_000;

const bounded: Pool.Options = { connections, headersTimeout: silentMs, bodyTimeout: silentMs };
/** A gym that no longer belongs to the fleet loses its connections, so these requests need no other limit. */
const unbounded: Pool.Options = { connections: null, headersTimeout: 0, bodyTimeout: 0 };

export class Peers {
  /** Connections by the incarnation of the gym. */
  private readonly pools = new Map<number, Pool>();
  /** Sockets for small operations, by the incarnation of the gym. */
  private readonly sockets = new Map<number, PeerSocket>();
  /** Connections for requests of protocols. Some of their replies are streams, which last as long as a client listens. */
  private readonly streams = new Map<number, Pool>();

  /** @param secret returns the secret of the fleet */
  constructor(private readonly secret: () => string) {}

  /**
   * Runs an operation on another gym.
   *
   * @throws {PeerLost} @throws {GymError} the error of the operation
   */
  async call(member: FleetMember, name: string, caller: Caller, params: object): Promise<string> {
    const text = JSON.stringify({ caller, params } satisfies Forwarded);
    if (isQuick(name) && text.length <= mostSocketCharacters) return this.socketOf(member).call(name, text);
    let reply: { statusCode: number; text: string };
    try {
      const { statusCode, body } = await poolIn(this.pools, member, bounded).request({
        method: "POST",
        path: `${fleetPath}/${name}`,
        headers: { "content-type": "application/json", authorization: `Bearer ${this.secret()}` },
        body: text,
      });
      reply = { statusCode, text: await body.text() };
    } catch (error) {
      throw lost(error);
    }
    if (reply.statusCode === 200) return reply.text;
    if (reply.statusCode === 401) throw new PeerLost(otherFleet);
    throw errorIn(reply.text);
  }

  /** Sends a request to another gym. Resolves when its reply begins. @throws {PeerLost} */
  async send(member: FleetMember, { signal, ...request }: PeerRequest): Promise<PeerReply> {
    try {
      const method = request.method as Dispatcher.HttpMethod;
      const options = { ...request, method, ...(signal && { signal }) };
      const reply = await poolIn(this.streams, member, unbounded).request(options);
      if (reply.statusCode !== 401) return reply;
      await reply.body.dump();
    } catch (error) {
      throw lost(error);
    }
    throw new PeerLost(otherFleet);
  }

  /** Closes the connections to all gyms but these. A gym that is frozen would otherwise hold the requests that it has. */
  keep(members: readonly FleetMember[]): void {
    const kept = new Set(members.map(({ incarnation }) => incarnation));
    for (const pools of [this.pools, this.streams]) {
      for (const [incarnation, pool] of pools) {
        if (kept.has(incarnation)) continue;
        pools.delete(incarnation);
        void pool.destroy();
      }
    }
    for (const [incarnation, socket] of this.sockets) {
      if (kept.has(incarnation)) continue;
      this.sockets.delete(incarnation);
      socket.close();
    }
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.values()) socket.close();
    const pools = [...this.pools.values(), ...this.streams.values()];
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  private socketOf({ incarnation, address }: FleetMember): PeerSocket {
    let socket = this.sockets.get(incarnation);
    if (!socket?.isUsable) {
      socket = new PeerSocket(address, `Bearer ${this.secret()}`);
      this.sockets.set(incarnation, socket);
    }
    return socket;
  }
}

/** The gym at the address uses another database, for example the one that this database is a restored backup of. */
const otherFleet = "the gym at this address belongs to another fleet";

/** Whether an operation is answered soon, so that it can share a connection. */
function isQuick(name: string): boolean {
  return name === "step" || name === "stepMany";
}

function poolIn(pools: Map<number, Pool>, { incarnation, address }: FleetMember, options: Pool.Options): Pool {
  let pool = pools.get(incarnation);
  if (!pool) {
    pool = new Pool(address, { ...options, connect: { timeout: connectMs } });
    pools.set(incarnation, pool);
  }
  return pool;
}

function lost(error: unknown): PeerLost {
  const { message, code } = error as Error & { code?: string };
  return new PeerLost(message, code !== "ECONNREFUSED" && code !== "UND_ERR_CONNECT_TIMEOUT");
}

/** Whether a request comes from another gym of the fleet. */
export function isPeer(header: string | undefined, secret: string): boolean {
  const [given, expected] = [Buffer.from(header ?? ""), Buffer.from(`Bearer ${secret}`)];
  return secret !== "" && given.length === expected.length && timingSafeEqual(given, expected);
}
