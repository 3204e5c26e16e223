/** Connections to the other gyms of a fleet. */
import { timingSafeEqual } from "node:crypto";
import { Pool } from "undici";
import type { Caller } from "../episodes/gym.js";
import { type ErrorBody, errorTable, GymError } from "../errors.js";
import type { FleetMember } from "../log/protocol.js";

/** Path under which the gyms of a fleet reach each other, followed by the name of an operation. */
export const fleetPath = "/fleet/operations";

/** Another gym could not be reached, or ended before its reply. */
export class PeerLost extends Error {
  override readonly name = "PeerLost";

  /** @param mayHaveRun whether the other gym may have carried out the operation */
  constructor(
    message: string,
    readonly mayHaveRun = false,
  ) {
    super(message);
  }
}

/** Body of a forwarded operation. */
export interface Forwarded {
  caller: Caller;
  params: object;
}

/** Connections to one gym. Each has one request at a time, since a slow operation would delay the ones behind it. */
const connections = 64;

/** Milliseconds until a gym that answers nothing counts as lost: longer than any operation. */
const silentMs = 120_000;
const connectMs = 2_000;

export class Peers {
  /** Connections by the incarnation of the gym. */
  private readonly pools = new Map<number, Pool>();

  /** @param secret returns the secret of the fleet */
  constructor(private readonly secret: () => string) {}

  /**
   * Runs an operation on another gym.
   *
   * @throws {PeerLost} @throws {GymError} the error of the operation
   */
  async call(member: FleetMember, name: string, caller: Caller, params: object): Promise<string> {
    let reply: { statusCode: number; text: string };
    try {
      const { statusCode, body } = await this.poolOf(member).request({
        method: "POST",
        path: `${fleetPath}/${name}`,
        headers: { "content-type": "application/json", authorization: `Bearer ${this.secret()}` },
        body: JSON.stringify({ caller, params } satisfies Forwarded),
      });
      reply = { statusCode, text: await body.text() };
    } catch (error) {
      const { message, code } = error as Error & { code?: string };
      throw new PeerLost(message, code !== "ECONNREFUSED" && code !== "UND_ERR_CONNECT_TIMEOUT");
    }
    if (reply.statusCode === 200) return reply.text;
    throw errorIn(reply.text);
  }

  /** Closes the connections to all gyms but these. A gym that is frozen would otherwise hold the requests that it has. */
  keep(members: readonly FleetMember[]): void {
    const kept = new Set(members.map(({ incarnation }) => incarnation));
    for (const [incarnation, pool] of this.pools) {
      if (kept.has(incarnation)) continue;
      this.pools.delete(incarnation);
      void pool.destroy();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private poolOf({ incarnation, address }: FleetMember): Pool {
    let pool = this.pools.get(incarnation);
    if (!pool) {
      pool = new Pool(address, {
        connections,
        connect: { timeout: connectMs },
        headersTimeout: silentMs,
        bodyTimeout: silentMs,
      });
      this.pools.set(incarnation, pool);
    }
    return pool;
  }
}

/** Whether a request comes from another gym of the fleet. */
export function isPeer(header: string | undefined, secret: string): boolean {
  const [given, expected] = [Buffer.from(header ?? ""), Buffer.from(`Bearer ${secret}`)];
  return secret !== "" && given.length === expected.length && timingSafeEqual(given, expected);
}

function errorIn(text: string): Error {
  try {
    const { error } = JSON.parse(text) as { error: ErrorBody };
    if (Object.hasOwn(errorTable, error.code)) return GymError.reported(error);
    return new PeerLost(`the other gym sent the unknown error ${error.code}`, true);
  } catch {
    return new PeerLost("the other gym sent no error that this gym knows", true);
  }
}
