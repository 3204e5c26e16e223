/** Gyms that share a PostgreSQL server, with the CPU time of each part. */

import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../support/free-port.js";
import { PostgresServer, postgresFolder } from "../support/postgres.js";
import { cpuSeconds, descendants, machineCpuSeconds, mainThreadSeconds } from "./cpu-time.js";
import { type ServerProcess, startPalestra } from "./servers.js";
import { createEpisodes } from "./steps.js";

/** The episodes of the benches are never closed. */
export const noLimits = {
  PALESTRA_LIMITS_MAX_EPISODES: "1000000",
  PALESTRA_LIMITS_MAX_EPISODES_PER_CALLER: "1000000",
};

/** A joining gym gets its shards one renewal later, and the others read this one renewal after that. */
const settledMs = 3_500;

const mostTries = 100;

/** CPU seconds since the start of the processes. */
export interface PartsCpu {
  gyms: number;
  /** Main threads of the gyms. */
  mainThreads: number;
  postgres: number;
  /** This process, which generates the load. */
  load: number;
  /** All programs of the machine. */
  machine: number;
}

/** A PostgreSQL server that waits for the disk at every commit, as an operator's server does. */
export async function startDatabase(): Promise<PostgresServer> {
  if (postgresFolder === null) throw new Error("expected an installed PostgreSQL, but found none");
  return PostgresServer.startFor({ fsync: "on", synchronous_commit: "on" });
}

/** The gyms of a fleet, which have a database of their own. */
export class FleetGyms {
  readonly gyms: ServerProcess[] = [];

  private constructor(
    private readonly postgres: PostgresServer,
    private readonly database: string,
  ) {}

  /** Starts gyms, and waits until each has its share of the shards. */
  static async start(postgres: PostgresServer, size: number): Promise<FleetGyms> {
    const url = await postgres.createDatabase();
    const fleet = new FleetGyms(postgres, url);
    try {
      for (let i = 0; i < size; i++) await fleet.startGym();
      if (size > 1) await sleep(settledMs);
      return fleet;
    } catch (error) {
      await fleet.stop();
      throw error;
    }
  }

  /** Starts another gym, and waits until it has its share of the shards. */
  async add(): Promise<void> {
    await this.startGym();
    await sleep(settledMs);
  }

  get urls(): string[] {
    return this.gyms.map(({ url }) => url);
  }

  /** Opens episodes on one gym. The gym may place some of them on others, and these do not count. */
  async createOn(gym: number, count: number): Promise<string[]> {
    const url = this.urls[gym] as string;
    const episodes: string[] = [];
    for (let tries = 0; episodes.length < count; tries++) {
      if (tries === mostTries) throw new Error(`expected ${count} episodes on ${url}, but received ${episodes.length}`);
      const created = await createEpisodes(url, count - episodes.length);
      const has = await shardsOf(url);
      episodes.push(...created.filter(has));
    }
    return episodes;
  }

  cpu(): PartsCpu {
    const { user, system } = process.cpuUsage();
    const database = this.postgres.pid;
    return {
      gyms: cpuSeconds(this.gyms.map(({ pid }) => pid)),
      mainThreads: mainThreadSeconds(this.gyms.map(({ pid }) => pid)),
      postgres: cpuSeconds([database, ...descendants(database)]),
      load: (user + system) / 1e6,
      machine: machineCpuSeconds(),
    };
  }

  private async startGym(): Promise<void> {
    const port = await freePort();
    const env = { ...noLimits, PALESTRA_LOG_URL: this.database, PALESTRA_FLEET_ADDRESS: `http://127.0.0.1:${port}` };
    this.gyms.push(await startPalestra(env, [], port));
  }

  /** Returns the number of the gyms' transactions, and the bytes of PostgreSQL's write-ahead log so far. */
  async written(): Promise<{ commits: number; walBytes: number }> {
    const [row] = await this.postgres.sql<{ commits: string; wal: string }>(
      this.database,
      `SELECT (SELECT sum(turn) FROM palestra.fences) AS commits,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS wal`,
    );
    return { commits: Number(row?.commits), walBytes: Number(row?.wal) };
  }

  async stop(): Promise<void> {
    await Promise.all(this.gyms.map((gym) => gym.stop()));
  }
}

export function cpuBetween(before: PartsCpu, after: PartsCpu): PartsCpu {
  return {
    gyms: after.gyms - before.gyms,
    mainThreads: after.mainThreads - before.mainThreads,
    postgres: after.postgres - before.postgres,
    load: after.load - before.load,
    machine: after.machine - before.machine,
  };
}

/** Returns a function that returns whether a gym owns an episode. */
async function shardsOf(url: string): Promise<(episodeId: string) => boolean> {
  const { shards, gyms } = (await (await fetch(`${url}/v1/fleet`)).json()) as {
    shards: number;
    gyms: { isSelf: boolean; shards: [number, number][] }[];
  };
  const own = gyms.find(({ isSelf }) => isSelf)?.shards ?? [];
  return (episodeId) => {
    const shard = Number(episodeId.split("-")[1]) % shards;
    return own.some(([first, last]) => first <= shard && shard <= last);
  };
}
