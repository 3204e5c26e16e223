/**
 * SQLite table of the bytes that the episodes of each owner take in the log. An episode's bytes are its row, its reset
 * result, its own steps, and the index of its steps. The steps that a fork shares count only for the episode that took
 * them. The table changes in the same transactions as the episodes, so a start need not count.
 */
import type Database from "better-sqlite3";

/** Bytes of an episode's row without its texts, and of the row's entries in indexes. */
const rowBytes = 256;

/** SQL expression for the bytes of an episode without its steps, over `episodes JOIN openings`. */
const episodeBytes = `${rowBytes} + octet_length(options) + coalesce(octet_length(requestDigest), 0) + octet_length(opening)`;

export const usageSchema = `
  CREATE TABLE usage (owner TEXT PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID;
`;

/** Statement that fills the table from a log without it. */
export const countUsage = `
  INSERT INTO usage SELECT owner, sum(bytes) FROM (
    SELECT owner, ${episodeBytes} AS bytes FROM episodes JOIN openings ON episode = key
    UNION ALL SELECT owner, bytes FROM extents JOIN episodes ON episode = key
  ) GROUP BY owner;
`;

/** Limit on the number of owners that are kept in memory, by episode. */
const mostKnown = 65_536;

export type BytesByOwner = ReadonlyMap<string, number>;

export class Usage {
  private readonly selectOwner: Database.Statement;
  private readonly addBytes: Database.Statement;
  private readonly addEpisodeBytes: Database.Statement;
  private readonly owners = new Map<number, string>();

  constructor(private readonly database: Database.Database) {
    const add = `ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes`;
    this.selectOwner = database.prepare(`SELECT owner FROM episodes WHERE key = ?`).pluck();
    this.addBytes = database.prepare(`INSERT INTO usage VALUES (?, ?) ${add}`);
    this.addEpisodeBytes = database.prepare(
      `INSERT INTO usage SELECT owner, ? * (${episodeBytes}) FROM episodes JOIN openings ON episode = key
         WHERE key = ? ${add}`,
    );
  }

  /** Adds an episode that was written, without its steps. */
  addEpisode(key: number): void {
    this.addEpisodeBytes.run(1, key);
  }

  /** Removes an episode that is about to be removed, without its steps. */
  removeEpisode(key: number): void {
    this.addEpisodeBytes.run(-1, key);
  }

  /** Adds bytes to the owners of episodes. @param bytes bytes by episode key */
  addSteps(bytes: Iterable<readonly [number, number]>): void {
    for (const [owner, sum] of this.byOwner(bytes)) this.addBytes.run(owner, sum);
  }

  /** Returns the bytes of each owner. @param unindexed bytes by episode key that are not in the table yet */
  read(unindexed: Iterable<readonly [number, number]>): BytesByOwner {
    const sums = new Map(this.database.prepare(`SELECT owner, bytes FROM usage`).raw().all() as [string, number][]);
    for (const [owner, bytes] of this.byOwner(unindexed)) sums.set(owner, (sums.get(owner) ?? 0) + bytes);
    return sums;
  }

  /** Removes the owners without episodes. */
  prune(): void {
    this.database.prepare(`DELETE FROM usage WHERE bytes <= 0`).run();
  }

  /** Clears the owners in memory, after a transaction was rolled back. */
  rollback(): void {
    this.owners.clear();
  }

  private byOwner(bytes: Iterable<readonly [number, number]>): Map<string, number> {
    const sums = new Map<string, number>();
    for (const [episode, sum] of bytes) {
      const owner = this.ownerOf(episode);
      if (owner !== undefined) sums.set(owner, (sums.get(owner) ?? 0) + sum);
    }
    return sums;
  }

  private ownerOf(episode: number): string | undefined {
    const known = this.owners.get(episode);
    if (known !== undefined) return known;
    const owner = this.selectOwner.get(episode) as string | undefined;
    if (owner === undefined) return undefined;
    if (this.owners.size >= mostKnown) this.owners.clear();
    this.owners.set(episode, owner);
    return owner;
  }
}
