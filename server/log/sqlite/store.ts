/**
 * The append-only episode log in SQLite. Rows are inserted and never updated. The newest row of a key is its current
 * value. Only `prune` removes rows: whole episodes past their retention time, and the aliases of such episodes.
 */
import { statSync } from "node:fs";
import type Database from "better-sqlite3";
import { checkedText, checksum, LogDamage, LogLost, type StoredText } from "../records/damage.js";
import { bytesOfFile, diskOf, keepAside, walOf } from "../records/disk.js";
import {
  type Dialect,
  type EpisodeFilter,
  FilteredList,
  type ListEnd,
  type Statement,
} from "../records/episode-filter.js";
import {
  recordOf,
  type StoredEpisode,
  type StoredMark,
  soundEpisode,
  soundEpisodes,
} from "../records/episode-record.js";
import type { MarkKind } from "../records/episode-state.js";
import type {
  AliasRow,
  EpisodeRecord,
  EpisodeRow,
  FilteredEpisodes,
  LogCalls,
  LogSpace,
  PruneBounds,
} from "../records/protocol.js";
import { damagedRows, rowSum, rowSumOf, summedColumns } from "../records/row-sums.js";
import { type LoggedStep, type StepPage, trialBytes } from "../records/step-page.js";
import { Usage } from "../records/usage.js";
import { isCutOff } from "../salvage/database-file.js";
import { AliasTable } from "./alias-table.js";
import { dropRowSums } from "./backup-sums.js";
import { Checkpoints } from "./checkpoints.js";
import { keepingWal } from "./closed-log.js";
import { expectMainFile, lackOf, NewestRows, RowsBefore } from "./newest-rows.js";
import { openPrivately } from "./private-database.js";
import { migrate, verdictNumber } from "./schema.js";
import { StepTable } from "./step-table.js";

/** Value of the pragma `auto_vacuum` for a file that can become smaller. */
const incremental = 2;

const dialect: Dialect = {
  table: (name) => name,
  // The planner would take the index by kind, and sort all verdicts.
  ranked: (field) => `marks INDEXED BY verdicts_by_${field}`,
  number: verdictNumber,
  goal: `json_extract(detail, '$.goal')`,
  setting: (name) => `json_extract(e.options, '$."${name}"')`,
  entry: "rowid",
  noteStep: (mark) => `json_extract(${mark}.detail, '$.step')`,
  position: (text, part) => `instr(${text}, ${part})`,
  parameter: (number) => `@p${number}`,
};

function namedParameters(values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, i) => [`p${i + 1}`, value]));
}

export class LogStore implements LogCalls {
  private readonly database: Database.Database;
  private readonly steps: StepTable;
  private readonly aliases: AliasTable;
  private readonly usage: Usage;
  private readonly statements = new Map<string, Database.Statement>();
  private readonly inode: number;
  /** Error of the last transaction, or null if it was committed. */
  private failure: string | null = null;
  private readonly checkpoints: Checkpoints;
  private readonly newestRows: NewestRows;
  /** Warning for the operator about commits that a power failure has lost, or null. */
  readonly loss: string | null;
  /** Time of the steps of the newest transaction, in milliseconds since the Unix epoch. */
  newestAtMs = 0;

  /** @throws {Error} if another process has the file open, or its schema has a different version */
  constructor(
    private readonly path: string,
    sync: "normal" | "full",
  ) {
    expectMainFile(path);
    this.database = openPrivately(path);
    const { ino, size } = statSync(path);
    this.inode = ino;
    let isLocked = false;
    try {
      if (isCutOff(path)) throw new LogDamage("The end of the file");
      // The log has one writer for the life of the server. A second server on the same file is refused.
      this.database.pragma("locking_mode = EXCLUSIVE");
      this.lock(size === 0);
      isLocked = true;
      this.loss = this.expectAllCommits();
      this.database.pragma(`synchronous = ${sync}`);
      this.checkpoints = new Checkpoints(this.database, path);
      dropRowSums(this.database);
      migrate(this.database);
      this.expectSoundTables();
      this.usage = new Usage(this.database);
      this.steps = new StepTable(this.database, this.usage);
      this.aliases = new AliasTable(this.database);
      this.newestRows = new NewestRows(this.database, path);
      this.newestRows.write();
    } catch (error) {
      // When SQLite closes the log, it copies the readable pages to the main file and removes the rest, which a repair
      // may need.
      if (isLocked) keepingWal(path, () => this.database.close());
      else this.database.close();
      throw error;
    }
  }

  /** Opens the write-ahead log, which takes the exclusive lock. */
  private lock(isNew: boolean): void {
    try {
      // The setting takes effect in a new file only. An older file would get a commit that changes nothing.
      if (isNew) this.database.pragma("auto_vacuum = INCREMENTAL");
      this.database.pragma("journal_mode = WAL");
    } catch (error) {
      if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
      const remedy = "Stop that gym, or choose another directory with --data-dir";
      throw new Error(`the file is locked, because another gym uses it. ${remedy}`, { cause: error });
    }
  }

  /**
   * Checks that the write-ahead log has every commit that was acknowledged.
   *
   * @returns warning about commits that a power failure has lost, or null
   * @throws {LogDamage} commits are missing, and there was no power failure
   */
  private expectAllCommits(): string | null {
    const before = new RowsBefore(this.path);
    const how = lackOf(before, this.database);
    if (how === null) return null;
    if (!before.isFromEarlierBoot) throw new LogDamage("The write-ahead log", how);
    const kept = keepAside(walOf(this.path));
    return `A power failure has damaged the write-ahead log of ${this.path}: ${how}. It is kept as ${kept}.`;
  }

  /**
   * Checks the small tables, the checksums of their rows, and their indexes, since a damaged page would hide rows.
   * Pages and reset results are checked when they are read.
   *
   * @throws {LogDamage}
   */
  private expectSoundTables(): void {
    for (const table of ["episodes", "marks", "handles", "extents", "indexed", "usage"]) {
      const [found] = this.database.pragma(`integrity_check(${table})`) as { integrity_check: string }[];
      if (found?.integrity_check !== "ok") throw new LogDamage(`The table ${table}`, found?.integrity_check);
    }
    const [damaged] = damagedRows(this.database);
    if (damaged) throw new LogDamage(damaged.name);
  }

  /** See `Checkpoints.hold`. */
  holdCheckpoints(isHeld: boolean): void {
    this.checkpoints.hold(isHeld);
  }

  /** Runs `writes` as one transaction. Either all of the writes are stored, or none of them. */
  transaction<T>(writes: () => T): T {
    this.database.exec("BEGIN IMMEDIATE");
    this.newestAtMs = Date.now();
    this.steps.begin(this.newestAtMs);
    try {
      const written = writes();
      this.database.exec("COMMIT");
      this.newestRows.write();
      this.expectFile();
      this.failure = null;
      return written;
    } catch (error) {
      this.failure = (error as Error).message;
      this.steps.rollback();
      if (this.database.inTransaction) this.database.exec("ROLLBACK");
      throw error;
    }
  }

  /**
   * Checks that the log still has its file. Without it, SQLite would write to a deleted file, and a restart would lose
   * every step.
   *
   * @throws {LogLost}
   */
  expectFile(): void {
    const found = statSync(this.path, { throwIfNoEntry: false });
    if (found?.ino !== this.inode) throw new LogLost(`${this.path} was ${found ? "replaced" : "deleted"}`);
  }

  appendPage(page: StepPage): void {
    this.steps.append(page);
  }

  createEpisode(row: EpisodeRow, resetResult: string): void {
    this.insertEpisode(row);
    this.prepare(`INSERT INTO openings VALUES (?, ?, ?)`).run(row.key, resetResult, checksum(resetResult));
    this.usage.addEpisode(row.key);
  }

  forkEpisode(row: EpisodeRow, from: number, count: number): void {
    this.insertEpisode(row);
    this.prepare(`INSERT INTO openings SELECT ?, opening, sum FROM openings WHERE episode = ?`).run(row.key, from);
    this.usage.addEpisode(row.key);
    this.steps.share(from, count, row.key);
    this.prepare(
      `INSERT INTO marks SELECT @key, kind, detail, atMs, rowSum(@key, kind, detail, atMs)
         FROM marks WHERE episode = @from AND kind = 'expert' LIMIT 1`,
    ).run({ key: row.key, from });
  }

  mark(key: number, kind: MarkKind, detail: string): void {
    const row = [key, kind, detail, Date.now()];
    this.prepare(`INSERT INTO marks VALUES (?, ?, ?, ?, ?)`).run(...row, rowSum(row));
  }

  findEpisode(key: number): EpisodeRecord | null {
    const row = this.prepare(`SELECT * FROM episodes WHERE key = ?`).get(key) as StoredEpisode | undefined;
    if (!row) return null;
    const last = this.steps.last(key);
    const marks = this.prepare(`SELECT * FROM marks WHERE episode = ? ORDER BY rowid`).all(key) as StoredMark[];
    return recordOf(soundEpisode(row), last, marks);
  }

  findByIdempotencyKey(owner: string, idempotencyKey: string): EpisodeRow | null {
    const find = this.prepare(`SELECT * FROM episodes WHERE owner = ? AND idempotencyKey = ?`);
    const row = find.get(owner, idempotencyKey) as StoredEpisode | undefined;
    return row ? soundEpisode(row) : null;
  }

  listEpisodes(owner: string, beforeKey: number, limit: number): EpisodeRow[] {
    const select = this.prepare(`SELECT * FROM episodes WHERE owner = ? AND key < ? ORDER BY key DESC LIMIT ?`);
    return (select.all(owner, beforeKey, limit) as StoredEpisode[]).map(soundEpisode);
  }

  filterEpisodes(owner: string, beforeKey: number, limit: number, filter: EpisodeFilter): FilteredEpisodes {
    const all = ({ text, values }: Statement) => this.prepare(text).all(namedParameters(values));
    let rank: number | null = null;
    if (FilteredList.isRanked(filter) && beforeKey < Number.MAX_SAFE_INTEGER) {
      const [found] = all(FilteredList.rank(dialect, filter, beforeKey)) as { rank: number }[];
      if (!found) return { rows: [], lookedAt: null };
      rank = found.rank;
    }
    const list = () => new FilteredList(dialect, owner, filter, { key: beforeKey, rank });
    const found = soundEpisodes(all(list().found("e.*", limit)) as StoredEpisode[], filter);
    if (found.rows.length === limit) return { ...found, lookedAt: found.rows.at(-1)?.id ?? null };
    return { ...found, lookedAt: list().next((all(list().end()) as ListEnd[])[0]) };
  }

  readResetResult(key: number): string | null {
    const find = this.prepare(`SELECT opening AS text, sum FROM openings WHERE episode = ?`);
    const stored = find.get(key) as StoredText | undefined;
    return stored ? checkedText(stored, `The reset result of episode ${key}`) : null;
  }

  readSteps(key: number, from: number, limit: number, maxCharacters?: number): LoggedStep[] {
    return this.steps.read(key, from, limit, maxCharacters);
  }

  setAlias(row: AliasRow): void {
    this.aliases.set(row);
  }

  findAlias(namespace: string, alias: number): AliasRow | null {
    return this.aliases.find(namespace, alias);
  }

  nextAlias(namespace: string): number {
    return this.aliases.next(namespace);
  }

  nextKey(): number {
    const find = this.prepare(`SELECT coalesce(max(seq), 0) + 1 AS next FROM sqlite_sequence WHERE name = 'episodes'`);
    return (find.get() as { next: number }).next;
  }

  newestCreatedAtMs(): number | null {
    const find = this.prepare(`SELECT createdAtMs FROM episodes ORDER BY key DESC LIMIT 1`);
    return (find.get() as { createdAtMs: number } | undefined)?.createdAtMs ?? null;
  }

  prune(
    beforeMs: number,
    keep: readonly number[],
    limit: number,
    { nowMs = Number.MAX_SAFE_INTEGER, belowKey = Number.MAX_SAFE_INTEGER }: PruneBounds = {},
  ): number {
    const oldest = this.prepare(
      `SELECT key, createdAtMs FROM episodes
         WHERE key NOT IN (SELECT value FROM json_each(?)) AND key < ? AND createdAtMs <= ?
           AND (sum IS NULL OR sum = ${rowSumOf("episodes")}) ORDER BY key LIMIT ?`,
    ).all(JSON.stringify(keep), belowKey, nowMs, limit) as { key: number; createdAtMs: number }[];
    const fresh = oldest.findIndex(({ createdAtMs }) => createdAtMs >= beforeMs);
    const expired = fresh < 0 ? oldest : oldest.slice(0, fresh);
    // A nearly full log is pruned every second, and the pruning must not make it grow.
    if (expired.length === 0) return 0;
    this.newestRows.forget();
    this.steps.delete(expired.map(({ key }) => key));
    for (const { key } of expired) {
      this.usage.removeEpisode(key);
      this.prepare(`DELETE FROM marks WHERE episode = ?`).run(key);
      this.prepare(`DELETE FROM openings WHERE episode = ?`).run(key);
      this.prepare(`DELETE FROM episodes WHERE key = ?`).run(key);
    }
    this.usage.prune();
    return expired.length;
  }

  space(): LogSpace {
    if (this.failure !== null) this.tryToWrite();
    const pageSize = this.pragma("page_size");
    const allBytes = this.pragma("page_count") * pageSize;
    const freeBytes = this.pragma("freelist_count") * pageSize;
    const written = bytesOfFile(this.path);
    return {
      fileBytes: written + bytesOfFile(walOf(this.path)),
      usedBytes: allBytes - freeBytes,
      freeBytes,
      pendingBytes: Math.max(0, allBytes - written),
      writtenBytes: this.steps.writtenBytes,
      isShrinkable: this.pragma("auto_vacuum") === incremental,
      disk: diskOf(this.path),
      failure: this.failure,
      usage: this.steps.readUsage(),
    };
  }

  shrinkFile(bytes: number): number {
    const before = this.pragma("freelist_count");
    this.database.pragma(`incremental_vacuum(${Math.ceil(bytes / this.pragma("page_size"))})`);
    const left = this.pragma("freelist_count");
    if (!this.checkpoints.isHeld && (left === 0 || left === before)) this.database.pragma("wal_checkpoint(TRUNCATE)");
    return (before - left) * this.pragma("page_size");
  }

  /**
   * After a failure, tries whether the log can be written: one commit stores a page of this size, and another removes
   * the page.
   */
  private tryToWrite(): void {
    try {
      // Page 0 is never a page of steps.
      this.transaction(() =>
        this.prepare(`INSERT OR REPLACE INTO pages VALUES (0, ?, NULL, NULL)`).run("\n".repeat(trialBytes)),
      );
      this.transaction(() => this.prepare(`DELETE FROM pages WHERE page = 0`).run());
    } catch (error) {
      if (error instanceof LogLost) throw error;
    }
  }

  private pragma(name: string): number {
    return this.database.pragma(name, { simple: true }) as number;
  }

  pruneAliases(beforeMs: number): void {
    this.newestRows.forget();
    this.aliases.prune(beforeMs);
  }

  close(): void {
    this.checkpoints.close();
    this.database.close();
    this.newestRows.close();
  }

  private insertEpisode(row: EpisodeRow): void {
    this.prepare(
      `INSERT INTO episodes VALUES (@key, @id, @environment, @split, @taskIndex, @seed, @options, @maxSteps, @owner, @createdAtMs,
         @leaseMs, @parent, @idempotencyKey, @requestDigest, @sum)`,
    ).run({ ...row, sum: rowSum(summedColumns.episodes.map((column) => row[column])) });
  }

  private prepare(sql: string): Database.Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
