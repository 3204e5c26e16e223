/** The rows that describe a fleet: its gyms, the owner of each shard, and the pins. */
import type { FleetMember, FleetState, GymFacts, ShardMove } from "../../records/protocol.js";
import { keysPerBlock, shardCount } from "../../records/shards.js";
import { identityOfDatabase } from "../session/database.js";
import { makingTables } from "../session/schema.js";
import type { Session, Statement } from "../session/session.js";

/**
 * Channel that notifies the gyms of changes of the fleet's map. Without a notification, a gym reads the map every
 * second.
 */
export const fleetChannel = "palestra_fleet";

/**
 * Returns the end of a statement that counts a change of the fleet and notifies the gyms, if there is a row in
 * `change`.
 */
export function tellingFleet(change: string): string {
  return `SELECT nextval('palestra.map_version'), pg_notify('${fleetChannel}', '') FROM ${change} LIMIT 1`;
}

/** Returns a statement that moves shards to a gym, and keeps them there. */
export function pinStatement(shards: readonly number[], to: number): Statement {
  return {
    text: `WITH pinned AS (UPDATE palestra.shards SET "pinnedTo" = $2 WHERE shard = ANY($1::int[]) RETURNING 1)
      ${tellingFleet("pinned")}`,
    values: [shards, to],
  };
}

/** Returns a statement that gives shards of a gym to others that are live. */
export function giveStatement(incarnation: number, moves: readonly ShardMove[]): Statement {
  return {
    text: `WITH given AS (
        UPDATE palestra.shards SET incarnation = (SELECT f.incarnation FROM palestra.fences f WHERE f.incarnation = m."to" AND live)
          FROM unnest($2::int[], $3::bigint[]) AS m(shard, "to")
          WHERE shards.shard = m.shard AND shards.incarnation = $1 RETURNING 1
      ) ${tellingFleet("given")}`,
    values: [incarnation, moves.map(({ shard }) => shard), moves.map(({ to }) => to)],
  };
}

/** Returns a statement by which a gym claims shards without an owner, up to its share of all shards. */
export function claimStatement(incarnation: number): Statement {
  return {
    text: `WITH part AS (
        SELECT ceil(${shardCount}.0 / greatest(1, count(*)))::int AS shards
          FROM palestra.fences JOIN palestra.nodes USING (incarnation) WHERE live AND NOT (drains OR starts)
      ), claimed AS (
        UPDATE palestra.shards SET incarnation = $1 WHERE shard IN (
          SELECT shard FROM palestra.shards WHERE incarnation IS NULL ORDER BY shard
            LIMIT greatest(0, (SELECT shards FROM part) - (SELECT count(*) FROM palestra.shards WHERE incarnation = $1))
            FOR UPDATE SKIP LOCKED
        ) AND EXISTS (
          SELECT 1 FROM palestra.fences JOIN palestra.nodes USING (incarnation)
            WHERE incarnation = $1 AND live AND (NOT (drains OR starts) OR (SELECT count(*) FROM palestra.fences WHERE live) = 1)
            FOR SHARE OF fences
        ) RETURNING 1
      ) ${tellingFleet("claimed")}`,
    values: [incarnation],
  };
}

/** Makes the keys of a fleet higher than those of a gym that used the database alone before. */
export const keysAfterAll: Statement = {
  text: `DO $first$ DECLARE first bigint; BEGIN
      PERFORM pg_advisory_xact_lock(${makingTables});
      SELECT coalesce(max(key), 0) / ${shardCount * keysPerBlock} + 1 INTO first FROM palestra.episodes;
      IF first > (SELECT last_value FROM palestra.key_blocks) THEN PERFORM setval('palestra.key_blocks', first); END IF;
    END $first$`,
};

interface MemberRow {
  incarnation: number;
  address: string;
  drains: boolean;
  starts: boolean;
  heartbeatAt: number;
  ageMs: number;
  facts: GymFacts | null;
}

/** A gym that is live, and the time of its newest renewal in microseconds, from the database's clock. */
export interface HeartbeatMember extends FleetMember {
  heartbeatAt: number;
}

export class FleetMap {
  constructor(private readonly session: Pick<Session, "run">) {}

  /** Returns the gyms that are live. */
  async readMembers(): Promise<HeartbeatMember[]> {
    const rows = await this.session.run<MemberRow>({
      name: "fleet-members",
      text: `SELECT incarnation, address, drains, starts, facts,
          (extract(epoch FROM "beatAt") * 1000000)::bigint AS "heartbeatAt",
          (extract(epoch FROM clock_timestamp() - "beatAt") * 1000)::bigint AS "ageMs"
        FROM palestra.nodes JOIN palestra.fences USING (incarnation) WHERE live ORDER BY incarnation`,
    });
    return rows.map(({ drains, starts, ageMs, ...row }) => {
      return { ...row, isDraining: drains || starts, isStarting: starts, ageMs: Math.max(0, ageMs) };
    });
  }

  async version(): Promise<number> {
    const [row] = await this.session.run<{ version: number }>({
      text: "SELECT last_value AS version FROM palestra.map_version",
    });
    return row?.version ?? 0;
  }

  async read(): Promise<Pick<FleetState, "owners" | "pins">> {
    const rows = await this.session.run<{ shard: number; incarnation: number | null; pinnedTo: number | null }>({
      text: 'SELECT shard, incarnation, "pinnedTo" FROM palestra.shards ORDER BY shard',
    });
    const pinned = rows.filter(({ pinnedTo }) => pinnedTo !== null);
    return {
      owners: rows.map(({ incarnation }) => incarnation ?? 0),
      pins: new Map(pinned.map(({ shard, pinnedTo }) => [shard, pinnedTo as number])),
    };
  }

  /**
   * Returns the secret of the gyms on this database. A restored backup names the gyms of the original database. Since
   * the copy has another secret, these gyms refuse the requests of the copy's gyms.
   */
  async secret(): Promise<string> {
    const [meta] = await this.session.run<{ secret: string }>({
      text: `SELECT encode(sha256(convert_to("fleetSecret" || '/' || ${identityOfDatabase}, 'UTF8')), 'hex') AS secret
        FROM palestra.meta`,
    });
    return meta?.secret ?? "";
  }
}
