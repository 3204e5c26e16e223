/** A PostgreSQL server with a synchronous standby. Each gym reaches the server through a relay of its own. */
import { PostgresServer } from "../postgres.js";
import { Relay } from "./relay.js";

export class Database {
  readonly relays: Relay[] = [];

  private constructor(
    private primary: PostgresServer,
    private standby: PostgresServer,
    private readonly name: string,
  ) {}

  static async start(gyms: number): Promise<Database> {
    const primary = await PostgresServer.startFor({ fsync: "off", wal_retrieve_retry_interval: "500ms" });
    const url = new URL(await primary.createDatabase());
    const database = new Database(primary, await primary.startStandby(), url.pathname.slice(1));
    await primary.requireStandby();
    for (let i = 0; i < gyms; i++) database.relays.push(await Relay.start(primary.port));
    return database;
  }

  /** URL under which a gym reaches the database. */
  urlFor(gym: number): string {
    const url = new URL(this.primary.urlOf(this.name));
    url.port = `${(this.relays[gym] as Relay).port}`;
    return url.href;
  }

  sql<Row>(text: string): Promise<Row[]> {
    return this.primary.sql(this.name, text);
  }

  /** @param signal SIGINT as an administrator does, SIGKILL as a crash does */
  async restart(signal: NodeJS.Signals): Promise<void> {
    await this.primary.stop(signal);
    await this.primary.begin();
  }

  /** Promotes the standby while the primary still runs, and starts another standby. */
  async failOver(): Promise<void> {
    const { primary: old, standby } = this;
    await standby.promote();
    this.primary = standby;
    for (const relay of this.relays) relay.switchTarget(standby.port);
    await old.remove();
    this.standby = await standby.startStandby();
    await standby.requireStandby();
  }

  async remove(): Promise<void> {
    for (const relay of this.relays) relay.stop();
    await Promise.all([this.primary.remove(), this.standby.remove()]);
  }
}
