/**
 * A gym of a fleet. The gyms share the episodes by shards. Each gym renews its row in `nodes`, and looks for gyms that are
 * gone: one whose connection has ended, as its lock tells, or one that is silent, such as a process that is stopped or cut
 * off. Whoever finds one fences it, indexes its newest steps and frees its shards, which the others then claim.
 *
 * Clocks decide only when a gym is suspected. A gym that was fenced by mistake can write nothing more, so no step is lost
 * or doubled.
 */
import { LogLost } from "../damage.js";
import type { FleetState } from "../protocol.js";
import { keysPerBlock, shardCount } from "../shards.js";
import type { GymLock } from "./gym-lock.js";
import { fence, settleEnded } from "./incarnation.js";
import type { Membership } from "./membership.js";
import { makingTables } from "./schema.js";
import { ConnectionLost, Session } from "./session.js";

/** Class of the advisory locks of incarnations. */
const lockClass = "x'50414c46'::int";

/** Milliseconds after which a gym is fenced if its connection has ended, and if it is silent. */
const [lateMs, silentMs] = [3_000, 10_000];

export interface FleetNodeOptions {
  url: string;
  /** URL under which the other gyms reach this gym. */
  address: string;
  /** Default: 10 seconds. */
  silentMs?: number | undefined;
}

interface Other {
  incarnation: number;
  address: string;
  ageMs: number;
}

export class FleetNode implements Membership {
  private state: FleetState;
  private mapVersion = -1;
  private session: Session;

  private constructor(
    private readonly lock: GymLock,
    private readonly options: FleetNodeOptions,
    readonly incarnation: number,
  ) {
    this.state = { incarnation, secret: "", nodes: [], owners: [], surplus: [] };
    this.session = new Session(options.url, async (client) => {
      await client.query(`SELECT pg_advisory_lock(${lockClass}, ${incarnation})`);
    });
  }

  static async join(lock: GymLock, session: Session, options: FleetNodeOptions): Promise<FleetNode> {
    const [drawn] = await session.runUntilAnswered<{ incarnation: number }>({
      text: "SELECT nextval(pg_get_serial_sequence('palestra.fences', 'incarnation')) AS incarnation",
    });
    const { incarnation } = drawn as { incarnation: number };
    const node = new FleetNode(lock, options, incarnation);
    await node.appear();
    await node.renew();
    return node;
  }

  get fleet(): FleetState {
    return this.state;
  }

  async renew(): Promise<boolean> {
    await this.lock.check();
    try {
      await this.beat();
      await this.endGone();
      await this.claim();
      await this.readMap();
      return true;
    } catch (error) {
      // Without the database the gym can write nothing, and the others decide what becomes of it.
      if (!(error instanceof ConnectionLost)) throw error;
      return false;
    }
  }

  async give(shards: readonly number[]): Promise<void> {
    await this.session.runUntilAnswered({
      text: `WITH given AS (
          UPDATE palestra.shards SET incarnation = NULL WHERE incarnation = $1 AND shard = ANY($2::int[]) RETURNING 1
        ) SELECT nextval('palestra.map_version') FROM given LIMIT 1`,
      values: [this.incarnation, shards],
    });
    const given = new Set(shards);
    const owners = this.state.owners.map((owner, shard) =>
      given.has(shard) && owner === this.incarnation ? 0 : owner,
    );
    this.state = { ...this.state, owners, surplus: [] };
    this.mapVersion = -1;
  }

  async leave(): Promise<void> {
    await Promise.all([this.session.close(), this.lock.release()]);
  }

  /** Becomes visible. The connection holds the incarnation's lock before. */
  private async appear(): Promise<void> {
    await this.session.runUntilAnswered({
      text: `WITH fence AS (
          INSERT INTO palestra.fences (incarnation) OVERRIDING SYSTEM VALUE VALUES ($1) ON CONFLICT DO NOTHING
        ) INSERT INTO palestra.nodes VALUES ($1, $2) ON CONFLICT DO NOTHING`,
      values: [this.incarnation, this.options.address],
    });
    // The keys of a fleet come after those of a gym that was alone before.
    await this.session.runUntilAnswered({
      text: `DO $first$ DECLARE first bigint; BEGIN
        PERFORM pg_advisory_xact_lock(${makingTables});
        SELECT coalesce(max(key), 0) / ${shardCount * keysPerBlock} + 1 INTO first FROM palestra.episodes;
        IF first > (SELECT last_value FROM palestra.key_blocks) THEN PERFORM setval('palestra.key_blocks', first); END IF;
      END $first$`,
    });
  }

  private async beat(): Promise<void> {
    const [own] = await this.session.run<{ live: boolean }>({
      text: `WITH beat AS (UPDATE palestra.nodes SET "beatAt" = clock_timestamp() WHERE incarnation = $1)
        SELECT live FROM palestra.fences WHERE incarnation = $1`,
      values: [this.incarnation],
    });
    if (!own?.live) throw new LogLost("another gym of the fleet has fenced this gym");
  }

  /** Fences the gyms that are gone, and settles what they have left. */
  private async endGone(): Promise<void> {
    for (const { incarnation, ageMs } of await this.others()) {
      const isSilent = ageMs > (this.options.silentMs ?? silentMs);
      if (isSilent || (ageMs > lateMs && (await this.isDisconnected(incarnation))))
        await fence(this.session, incarnation);
    }
    await settleEnded(this.session);
  }

  private others(): Promise<Other[]> {
    return this.session.run<Other>({
      text: `SELECT incarnation, address, (extract(epoch FROM clock_timestamp() - "beatAt") * 1000)::bigint AS "ageMs"
        FROM palestra.nodes JOIN palestra.fences USING (incarnation) WHERE live AND incarnation <> $1`,
      values: [this.incarnation],
    });
  }

  private async isDisconnected(incarnation: number): Promise<boolean> {
    const [tried] = await this.session.run<{ taken: boolean }>({
      text: `SELECT pg_try_advisory_lock(${lockClass}, $1::int) AND pg_advisory_unlock(${lockClass}, $1::int) AS taken`,
      values: [incarnation],
    });
    return tried?.taken ?? false;
  }

  /** Claims shards without an owner, up to this gym's part of them. */
  private async claim(): Promise<void> {
    await this.session.run({
      text: `WITH part AS (
          SELECT ceil(${shardCount}.0 / greatest(1, count(*)))::int AS shards FROM palestra.fences WHERE live
        ), claimed AS (
          UPDATE palestra.shards SET incarnation = $1 WHERE shard IN (
            SELECT shard FROM palestra.shards WHERE incarnation IS NULL ORDER BY shard
              LIMIT greatest(0, (SELECT shards FROM part) - (SELECT count(*) FROM palestra.shards WHERE incarnation = $1))
              FOR UPDATE SKIP LOCKED
          ) AND EXISTS (SELECT 1 FROM palestra.fences WHERE incarnation = $1 AND live FOR SHARE) RETURNING 1
        ) SELECT nextval('palestra.map_version') FROM claimed LIMIT 1`,
      values: [this.incarnation],
    });
  }

  private async readMap(): Promise<void> {
    const [version] = await this.session.run<{ version: number }>({
      text: "SELECT last_value AS version FROM palestra.map_version",
    });
    const others = await this.others();
    const nodes = [{ incarnation: this.incarnation, address: this.options.address }, ...others].map(
      ({ incarnation, address }) => ({ incarnation, address }),
    );
    const isSame = version?.version === this.mapVersion && nodes.length === this.state.nodes.length;
    if (isSame) return;
    const [meta] = await this.session.run<{ fleetSecret: string }>({ text: 'SELECT "fleetSecret" FROM palestra.meta' });
    const rows = await this.session.run<{ incarnation: number | null }>({
      text: "SELECT incarnation FROM palestra.shards ORDER BY shard",
    });
    const owners = rows.map(({ incarnation }) => incarnation ?? 0);
    const own = owners.flatMap((owner, shard) => (owner === this.incarnation ? [shard] : []));
    const surplus = own.slice(Math.ceil(shardCount / nodes.length));
    this.state = { incarnation: this.incarnation, secret: meta?.fleetSecret ?? "", nodes, owners, surplus };
    this.mapVersion = version?.version ?? -1;
  }
}
