/**
 * SQLite table of the numbers of episodes, for protocols whose episode ids are small integers. The newest row of a number
 * is its current value.
 */
import type Database from "better-sqlite3";
import { keyOf } from "../records/episode-id.js";
import type { AliasRow } from "../records/protocol.js";
import { expectSoundRow, nameOfRow } from "../records/row-sums.js";

export class AliasTable {
  private readonly insert: Database.Statement;
  private readonly select: Database.Statement;
  private readonly selectNext: Database.Statement;

  constructor(private readonly database: Database.Database) {
    database.function("keyOf", { deterministic: true }, (id) => (id === null ? null : keyOf(id as string)));
    this.insert = database.prepare(
      `INSERT INTO handles VALUES (@namespace, @alias, @owner, @episodeId, @atMs,
         rowSum(@namespace, @alias, @owner, @episodeId, @atMs))`,
    );
    this.select = database.prepare(
      `SELECT surface AS namespace, handle AS alias, owner, episodeId, atMs, sum FROM handles
         WHERE surface = ? AND handle = ? ORDER BY rowid DESC LIMIT 1`,
    );
    this.selectNext = database
      .prepare(`SELECT coalesce(max(handle) + 1, 0) AS next FROM handles WHERE surface = ?`)
      .pluck();
  }

  set(row: AliasRow): void {
    this.insert.run({ ...row, atMs: Date.now() });
  }

  find(namespace: string, alias: number): AliasRow | null {
    const row = this.select.get(namespace, alias) as StoredAlias | undefined;
    return row ? soundAlias(row) : null;
  }

  next(namespace: string): number {
    return this.selectNext.get(namespace) as number;
  }

  /** See `LogCalls.pruneAliases`. */
  prune(beforeMs: number): void {
    this.database.exec(
      `DELETE FROM handles WHERE rowid NOT IN (SELECT max(rowid) FROM handles GROUP BY surface, handle)`,
    );
    // The highest alias of each namespace stays, since `next` counts on from it.
    this.database
      .prepare(
        `DELETE FROM handles
           WHERE handle < (SELECT max(handle) FROM handles AS other WHERE other.surface = handles.surface)
             AND NOT EXISTS (SELECT 1 FROM episodes WHERE key = keyOf(episodeId))
             AND (episodeId IS NULL OR episodeId <> '' OR coalesce(atMs, 0) < ?)`,
      )
      .run(beforeMs);
  }
}

export type StoredAlias = AliasRow & { atMs: number | null; sum: number | null };

/** Returns an alias without its checksum. @throws {LogDamage} the checksum is wrong */
export function soundAlias({ atMs, sum, ...row }: StoredAlias): AliasRow {
  expectSoundRow("aliases", { ...row, atMs, sum }, nameOfRow("aliases", [row.namespace, row.alias]));
  return row;
}
