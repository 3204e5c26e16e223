/** The gyms of a fleet, each with a supervisor that starts it again whenever it ends. */

import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../free-port.js";
import { type Exit, type ServerProcess, scratchDir, spawnGym } from "../server-process.js";
import type { Database } from "./database.js";

/** Milliseconds until the supervisor starts a gym again. */
const restartMs = 300;

export interface GymExit extends Exit {
  gym: number;
  /** Last characters that the gym has printed. */
  output: string;
}

interface Supervised {
  port: number;
  process: ServerProcess;
  /** Resolves when the process serves requests, or has ended before. */
  ready: Promise<unknown>;
}

export class Gyms {
  readonly exits: GymExit[] = [];
  private readonly gyms: Supervised[] = [];
  private readonly supervisors: Promise<void>[] = [];
  private readonly folders: { path: string; remove(): void }[] = [];
  private isStopping = false;

  private constructor(private readonly database: Database) {}

  static async start(database: Database): Promise<Gyms> {
    const gyms = new Gyms(database);
    for (const gym of database.relays.keys()) {
      const port = await freePort();
      gyms.folders.push(scratchDir());
      gyms.spawn(gym, port);
      gyms.supervisors.push(gyms.supervise(gym));
    }
    await Promise.all(gyms.gyms.map(({ ready }) => ready));
    return gyms;
  }

  get count(): number {
    return this.gyms.length;
  }

  url(gym: number): string {
    return `http://127.0.0.1:${(this.gyms[gym] as Supervised).port}`;
  }

  async kill(gym: number): Promise<void> {
    await (this.gyms[gym] as Supervised).process.kill();
  }

  signal(gym: number, signal: NodeJS.Signals): void {
    (this.gyms[gym] as Supervised).process.signal(signal);
  }

  pid(gym: number): number {
    return (this.gyms[gym] as Supervised).process.pid;
  }

  /** Resolves when a gym serves requests, in another process than `pid` if that is given. */
  async serves(gym: number, pid = 0, withinMs = 60_000): Promise<void> {
    const givenUpAt = performance.now() + withinMs;
    for (; ; await sleep(50)) {
      const { process, ready } = this.gyms[gym] as Supervised;
      if (process.running && process.pid !== pid) {
        await ready;
        if (process.running) return;
      }
      if (performance.now() > givenUpAt) throw new Error(`expected gym ${gym} to serve within ${withinMs} ms`);
    }
  }

  /** Returns the shards whose episodes a gym has, according to the database. */
  async shardsOf(gym: number): Promise<ReadonlySet<number>> {
    const rows = await this.database.sql<{ shard: number }>(
      `SELECT shard FROM palestra.shards JOIN palestra.nodes USING (incarnation) WHERE address = '${this.url(gym)}'`,
    );
    return new Set(rows.map(({ shard }) => shard));
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    for (const { process } of this.gyms) {
      process.signal("SIGCONT");
      await process.stop();
    }
    await Promise.all(this.supervisors);
    for (const folder of this.folders) folder.remove();
  }

  private spawn(gym: number, port: number): void {
    const process = spawnGym({
      dataDir: (this.folders[gym] as { path: string }).path,
      port,
      env: {
        PALESTRA_LOG_URL: this.database.urlFor(gym),
        PALESTRA_FLEET_ADDRESS: `http://127.0.0.1:${port}`,
        PALESTRA_HOSTS_COUNT: "1",
      },
    });
    this.gyms[gym] = { port, process, ready: process.listeningUrl().catch(() => {}) };
  }

  private async supervise(gym: number): Promise<void> {
    for (;;) {
      const { process, port } = this.gyms[gym] as Supervised;
      const exit = await process.exited;
      this.exits.push({ gym, ...exit, output: process.stderr + process.lastOutput });
      if (this.isStopping) return;
      await sleep(restartMs);
      if (this.isStopping) return;
      this.spawn(gym, port);
    }
  }
}
