/** Connections to the other gyms of a fleet. */
import { timingSafeEqual } from "node:crypto";
import type { Dispatcher, Pool } from "undici";
import { type Client, lasting } from "../episodes/episode/client.js";
import { callerGone } from "../episodes/episode/refusals.js";
import type { Caller } from "../episodes/gym.js";
import { GymError } from "../errors.js";
import type { FleetMember } from "../log/records/protocol.js";
import { errorIn, PeerLost } from "./peer-errors.js";
import { PeerSocket } from "./peer-socket.js";

/** Path under which the gyms of a fleet reach each other, followed by the name of an operation. */
export const fleetPath = "/fleet/operations";

/** Body of a forwarded operation. */
export interface Forwarded {
  caller: Caller;
  params: object;
}

/** A request that is forwarded to another gym unchanged. */
export interface PeerRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[]>>;
  /** Text of the body, or null. */
  body: string | null;
  /** Ends the request, when its client has gone. */
  signal?: AbortSignal | undefined;
}

export type PeerReply = Dispatcher.ResponseData;

/** Largest number of characters of an operation that is sent over a socket, where it delays the ones behind it. */
const mostSocketCharacters = 65_536;

/**
 * An operation may take hours. A gym that no longer belongs to the fleet, or answers no pings over its socket, loses its
 * connections, so requests need no other limit.
 */
const unlimited: Pool.Options = { connections: null, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 2_000 } };

/** Milliseconds of failed attempts after which this gym reports an unreachable gym, and the longest pause between attempts of one outage. */
const [troubleMs, forgottenMs] = [15_000, 5_000];

export class Peers {
  /** Connections by the incarnation of the gym. Some replies are streams, which last as long as a client listens. */
  private readonly pools = new Map<number, Pool>();
  /** Sockets for small operations, by the incarnation of the gym. */
  private readonly sockets = new Map<number, PeerSocket>();
  /** Times of the first and the last failed attempt to reach a gym, by its incarnation. */
  private readonly failing = new Map<number, { sinceMs: number; lastMs: number }>();

  /**
   * @param secret returns the secret of the fleet
   * @param onTrouble called repeatedly while a live gym of the fleet cannot be reached
   */
  constructor(
    private readonly secret: () => string,
    private readonly onTrouble: (message: string) => void = () => {},
  ) {}

  /**
   * Runs an operation on another gym. Steps share one connection, and keep their order unless they are long.
   *
   * @throws {PeerLost} @throws {GymError} the error of the operation, or CALLER_GONE
   */
  async call(
    member: FleetMember,
    name: string,
    { caller, client = lasting }: { caller: Caller; client?: Client },
    params: object,
  ): Promise<string> {
    const text = JSON.stringify({ caller, params } satisfies Forwarded);
    if (isQuick(name) && text.length <= mostSocketCharacters)
      return this.reaching(member, () => this.socketOf(member).call(name, text));
    return this.post(member, name, text, client);
  }

  private async post(member: FleetMember, name: string, body: string, client: Client): Promise<string> {
    const gone = new AbortController();
    const forget = client.onGone(() => gone.abort());
    const headers = { "content-type": "application/json" };
    try {
      const path = `${fleetPath}/${name}`;
      const reply = await this.send(member, { method: "POST", path, headers, body, signal: gone.signal });
      const text = await textOf(reply);
      if (reply.statusCode === 200) return text;
      throw errorIn(text);
    } catch (error) {
      throw gone.signal.aborted ? callerGone() : error;
    } finally {
      forget();
    }
  }

  /** Sends a request to another gym. Resolves when its reply begins. @throws {PeerLost} */
  send(member: FleetMember, { signal, ...request }: PeerRequest): Promise<PeerReply> {
    const method = request.method as Dispatcher.HttpMethod;
    const headers = { ...request.headers, authorization: `Bearer ${this.secret()}` };
    return this.reaching(member, async () => {
      const options = { ...request, method, headers, ...(signal && { signal }) };
      const reply = await (await this.poolIn(member)).request(options);
      if (reply.statusCode !== 401) return reply;
      await reply.body.dump();
      throw new PeerLost(otherFleet);
    });
  }

  /** Closes the connections to all gyms but these. Otherwise, requests to a frozen gym would wait for ever. */
  keep(members: readonly FleetMember[]): void {
    const kept = new Set(members.map(({ incarnation }) => incarnation));
    const known = [this.pools, this.sockets, this.failing].flatMap((each) => [...each.keys()]);
    for (const incarnation of known) if (!kept.has(incarnation)) this.drop(incarnation);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets.values()) socket.close();
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  /** Sends a request, and notes whether the gym could be reached. @throws {PeerLost} and other errors of the request */
  private async reaching<T>(member: FleetMember, send: () => Promise<T>): Promise<T> {
    try {
      const reply = await send();
      this.failing.delete(member.incarnation);
      return reply;
    } catch (error) {
      if (error instanceof GymError) throw error;
      const lost = error instanceof PeerLost ? error : lostBy(error as Error);
      if (!lost.mayHaveRun) this.noteFailure(member, lost);
      throw lost;
    }
  }

  private noteFailure({ incarnation, address }: FleetMember, { message }: PeerLost): void {
    const now = performance.now();
    const known = this.failing.get(incarnation);
    const sinceMs = known && now - known.lastMs < forgottenMs ? known.sinceMs : now;
    this.failing.set(incarnation, { sinceMs, lastMs: now });
    if (now - sinceMs < troubleMs) return;
    const cause = `the gym at ${address} lives, but this gym cannot reach it: ${message}`;
    this.onTrouble(`${cause}. Check its settings fleet.address and host, and the network between the gyms`);
  }

  private drop(incarnation: number): void {
    this.sockets.get(incarnation)?.close();
    void this.pools.get(incarnation)?.destroy();
    for (const each of [this.pools, this.sockets, this.failing]) each.delete(incarnation);
  }

  private socketOf({ incarnation, address }: FleetMember): PeerSocket {
    const known = this.sockets.get(incarnation);
    if (known?.isUsable) return known;
    const onSilent = () => this.sockets.get(incarnation) === socket && this.drop(incarnation);
    const socket = new PeerSocket(address, `Bearer ${this.secret()}`, { onSilent });
    this.sockets.set(incarnation, socket);
    return socket;
  }

  private async poolIn(member: FleetMember): Promise<Pool> {
    // The pings over the socket also show whether requests of the pool will get replies.
    this.socketOf(member);
    // Loaded on first use, because a gym without a fleet has no peers.
    const { Pool } = await import("undici");
    let pool = this.pools.get(member.incarnation);
    if (!pool) {
      pool = new Pool(member.address, unlimited);
      this.pools.set(member.incarnation, pool);
    }
    return pool;
  }
}

/** The gym at the address uses another database, for example the original of this restored backup. */
const otherFleet = "the gym at this address belongs to another fleet";

/** Reads the reply of another gym. @throws {PeerLost} */
export async function textOf({ body }: PeerReply): Promise<string> {
  try {
    return await body.text();
  } catch (error) {
    throw new PeerLost((error as Error).message, true);
  }
}

/** Whether an operation is answered soon, so that it can share a connection. */
function isQuick(name: string): boolean {
  return name === "step" || name === "stepMany";
}

/** A request whose name could not be resolved, or whose connection could not be opened, was not sent. */
function lostBy(error: Error & { code?: string; syscall?: string }): PeerLost {
  const { message, code, syscall } = error;
  const isUnsent = code === "UND_ERR_CONNECT_TIMEOUT" || syscall === "connect" || syscall?.startsWith("getaddrinfo");
  return new PeerLost(message, !isUnsent);
}

/** Whether a request comes from another gym of the fleet. */
export function isPeer(header: string | undefined, secret: string): boolean {
  const [given, expected] = [Buffer.from(header ?? ""), Buffer.from(`Bearer ${secret}`)];
  return secret !== "" && given.length === expected.length && timingSafeEqual(given, expected);
}
