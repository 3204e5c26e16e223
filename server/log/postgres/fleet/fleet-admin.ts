/** Reads and changes a fleet in its database, for operators. The gyms follow a change within a second. */
import type { FleetMember } from "../../records/protocol.js";
import { schemaVersion } from "../session/migrations.js";
import { Session, type Statement } from "../session/session.js";
import { FleetMap, fleetChannel, pinStatement } from "./fleet-map.js";

/**
 * Milliseconds to wait for an unreachable database: before the first connection, and later, when a failover is
 * possible.
 */
const [firstGiveUpMs, giveUpMs] = [5_000, 60_000];

export interface FleetGym extends FleetMember {
  /** Shards of the gym, in ascending order. */
  shards: readonly number[];
}

export interface FleetStatus {
  /** The live gyms, in the order in which they joined. */
  gyms: readonly FleetGym[];
  /** Number of shards that currently have no owner. */
  unowned: number;
  /** Number of shards that are pinned to a gym. */
  pinned: number;
}

export class FleetAdmin {
  private readonly map: FleetMap;

  private constructor(private readonly session: Session) {
    this.map = new FleetMap({ run: (statement) => this.run(statement) });
  }

  /** @throws {Error} the database cannot be reached, or has no fleet */
  static async open(url: string): Promise<FleetAdmin> {
    const session = new Session(url);
    try {
      const givenUpAt = performance.now() + firstGiveUpMs;
      const [found] = await session.runUntilAnswered<{ exists: boolean }>(
        { text: "SELECT to_regclass('palestra.shards') IS NOT NULL AS exists" },
        givenUpAt,
      );
      if (!found?.exists) throw new Error("the database has no episode log of Palestra");
      const [meta] = await session.run<{ version: number }>({ text: "SELECT version FROM palestra.meta" });
      if (meta?.version !== schemaVersion)
        throw new Error(`expected an episode log with schema version ${schemaVersion}, but received ${meta?.version}`);
      return new FleetAdmin(session);
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  /** @throws {ConnectionLost} the database cannot be reached for a minute */
  async status(): Promise<FleetStatus> {
    const members = await this.map.readMembers();
    const { owners, pins } = await this.map.read();
    const shards = new Map(members.map(({ incarnation }) => [incarnation, [] as number[]]));
    for (const [shard, owner] of owners.entries()) shards.get(owner)?.push(shard);
    const gyms = members.map((member) => ({ ...member, shards: shards.get(member.incarnation) ?? [] }));
    const owned = gyms.reduce((sum, gym) => sum + gym.shards.length, 0);
    return { gyms, unowned: owners.length - owned, pinned: pins.size };
  }

  /** Asks a gym to give all of its shards away, or to take its share of the shards again. */
  async drain(incarnation: number, isDraining: boolean): Promise<void> {
    await this.run({
      text: `WITH changed AS (UPDATE palestra.nodes SET drains = $2 WHERE incarnation = $1 RETURNING 1)
        SELECT pg_notify('${fleetChannel}', '') FROM changed`,
      values: [incarnation, isDraining],
    });
  }

  /** Asks the gyms to move shards to a gym, where they stay. */
  async pin(shards: readonly number[], to: number): Promise<void> {
    await this.run(pinStatement(shards, to));
  }

  close(): Promise<void> {
    return this.session.close();
  }

  private run<Row>(statement: Statement): Promise<Row[]> {
    return this.session.runUntilAnswered<Row>(statement, performance.now() + giveUpMs);
  }
}
