/**
 * The append-only episode log in SQLite. Rows are inserted and never updated. The newest row of a key is its current
 * value. Only `prune` removes rows: whole episodes past their retention time, and the aliases of such episodes.
 */
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { writeRemedy } from "../data-dir.js";
import type { ErrorBody } from "../errors.js";
import { checkedText, checksum, LogDamage, type StoredText } from "./damage.js";
import { bytesOfFile, diskOf, walOf } from "./disk.js";
import { keyOf } from "./episode-id.js";
import { Ended, type MarkKind, phaseOf } from "./episode-state.js";
import { HeldWals } from "./held-wals.js";
import type { AliasRow, EpisodeRecord, EpisodeRow, LogCalls, LogSpace, PruneBounds } from "./protocol.js";
import { dropRowSums } from "./row-sums.js";
import { isCutOff } from "./salvage/database-file.js";
import { migrate } from "./schema.js";
import type { LoggedStep, StepPage } from "./step-page.js";
import { StepTable } from "./step-table.js";
import { Usage } from "./usage.js";

/**
 * Number of 4 KiB pages in the write-ahead log before a checkpoint. With a high number, stalls on slow disks are fewer
 * but longer.
 */
const checkpointPages = 8_000;
const pageBytes = 4_096;

/** Bytes that the file of the write-ahead log keeps when it starts over, usually and during a backup. */
const [keptBytes, keptHeldBytes] = [checkpointPages * pageBytes, 2 ** 23];

/** Bytes of the write-ahead log above which it is copied and starts over during a backup. Steps wait for both. */
const heldWalBytes = 1.5 * keptHeldBytes;

/** Bytes of write-ahead logs above which a backup no longer holds the checkpoints. */
const mostHeldBytes = 2 ** 31;

/** Value of the pragma `auto_vacuum` for a file that can become smaller. */
const incremental = 2;

/** Size of the commit that is tried after a failure. A commit of a few bytes may succeed on a full disk. */
const trialBytes = 2 ** 18;

/** The log's file is gone, so nothing can be written any more. */
export class LogLost extends Error {
  override readonly name = "LogLost";
}

export class LogStore implements LogCalls {
  private readonly database: Database.Database;
  private readonly steps: StepTable;
  private readonly usage: Usage;
  private readonly statements = new Map<string, Database.Statement>();
  private readonly inode: number;
  /** Error of the last transaction, or null if it was committed. */
  private failure: string | null = null;
  /** Whether a backup holds the checkpoints. */
  private isHeld = false;
  /** Copies of the write-ahead log for the backup. */
  private readonly heldWals: HeldWals;

  /** @throws {Error} if another process has the file open, or its schema has a different version */
  constructor(
    private readonly path: string,
    sync: "normal" | "full",
  ) {
    this.database = openPrivately(path);
    const { ino, size } = statSync(path);
    this.inode = ino;
    this.heldWals = new HeldWals(path);
    try {
      if (isCutOff(path)) throw new LogDamage("The end of the file");
      // The log has one writer for the life of the server. A second server on the same file is refused.
      this.database.pragma("locking_mode = EXCLUSIVE");
      this.lock(size === 0);
      this.database.pragma(`synchronous = ${sync}`);
      this.database.pragma(`wal_autocheckpoint = ${checkpointPages}`);
      this.database.pragma(`journal_size_limit = ${keptBytes}`);
      dropRowSums(this.database);
      migrate(this.database);
      this.database.function("keyOf", { deterministic: true }, (id) => (id === null ? null : keyOf(id as string)));
      this.usage = new Usage(this.database);
      this.steps = new StepTable(this.database, this.usage);
      this.heldWals.removeLeft();
    } catch (error) {
      this.database.close();
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
   * Turns off the checkpoints of commits for a backup, or turns them on again. Call it regularly: during a backup, it
   * copies a large write-ahead log, and checkpoints it. Of the steps that arrive meanwhile, none waits for more than that.
   */
  holdCheckpoints(isHeld: boolean): void {
    this.turnHold(isHeld && this.heldWals.bytes < mostHeldBytes);
    if (!isHeld) this.heldWals.removeOne();
    if (!this.isHeld || bytesOfFile(walOf(this.path)) < heldWalBytes) return;
    if (this.heldWals.keep()) this.database.pragma("wal_checkpoint(PASSIVE)");
    // The backup fails or begins again, and the steps use the room of the disk.
    else this.turnHold(false);
  }

  private turnHold(isHeld: boolean): void {
    if (isHeld === this.isHeld) return;
    this.isHeld = isHeld;
    this.database.pragma(`wal_autocheckpoint = ${isHeld ? 0 : checkpointPages}`);
    this.database.pragma(`journal_size_limit = ${isHeld ? keptHeldBytes : keptBytes}`);
  }

  /** Runs `writes` as one transaction. Either all of the writes are stored, or none of them. */
  transaction<T>(writes: () => T): T {
    this.database.exec("BEGIN IMMEDIATE");
    this.steps.begin();
    try {
      const written = writes();
      this.database.exec("COMMIT");
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
      `INSERT INTO marks SELECT ?, kind, detail, atMs FROM marks WHERE episode = ? AND kind = 'expert' LIMIT 1`,
    ).run(row.key, from);
  }

  mark(key: number, kind: MarkKind, detail: string): void {
    this.prepare(`INSERT INTO marks VALUES (?, ?, ?, ?)`).run(key, kind, detail, Date.now());
  }

  findEpisode(key: number): EpisodeRecord | null {
    const row = this.prepare(`SELECT * FROM episodes WHERE key = ?`).get(key) as EpisodeRow | undefined;
    if (!row) return null;
    const last = this.steps.last(key);
    const marks = this.prepare(`SELECT kind, detail FROM marks WHERE episode = ?`).all(key) as {
      kind: MarkKind;
      detail: string;
    }[];
    const failed = marks.find(({ kind }) => kind === "failed");
    const kinds = new Set(marks.map(({ kind }) => kind));
    return {
      row,
      steps: last ? last.index + 1 : 0,
      last,
      phase: phaseOf(kinds, last?.ended ?? Ended.no),
      failure: failed ? (JSON.parse(failed.detail) as ErrorBody) : null,
      expertUsed: kinds.has("expert"),
    };
  }

  findByIdempotencyKey(owner: string, idempotencyKey: string): EpisodeRow | null {
    const find = this.prepare(`SELECT * FROM episodes WHERE owner = ? AND idempotencyKey = ?`);
    return (find.get(owner, idempotencyKey) as EpisodeRow | undefined) ?? null;
  }

  listEpisodes(owner: string, beforeKey: number, limit: number): EpisodeRow[] {
    return this.prepare(`SELECT * FROM episodes WHERE owner = ? AND key < ? ORDER BY key DESC LIMIT ?`).all(
      owner,
      beforeKey,
      limit,
    ) as EpisodeRow[];
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
    this.prepare(`INSERT INTO handles VALUES (@namespace, @alias, @owner, @episodeId)`).run(row);
  }

  findAlias(namespace: string, alias: number): AliasRow | null {
    const find = this.prepare(
      `SELECT surface AS namespace, handle AS alias, owner, episodeId FROM handles
         WHERE surface = ? AND handle = ? ORDER BY rowid DESC LIMIT 1`,
    );
    return (find.get(namespace, alias) as AliasRow | undefined) ?? null;
  }

  nextAlias(namespace: string): number {
    const find = this.prepare(`SELECT coalesce(max(handle) + 1, 0) AS next FROM handles WHERE surface = ?`);
    return (find.get(namespace) as { next: number }).next;
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
         WHERE key NOT IN (SELECT value FROM json_each(?)) AND key < ? AND createdAtMs <= ? ORDER BY key LIMIT ?`,
    ).all(JSON.stringify(keep), belowKey, nowMs, limit) as { key: number; createdAtMs: number }[];
    const fresh = oldest.findIndex(({ createdAtMs }) => createdAtMs >= beforeMs);
    const expired = fresh < 0 ? oldest : oldest.slice(0, fresh);
    // A nearly full log is pruned every second, and must not grow by that.
    if (expired.length === 0) return 0;
    this.steps.delete(expired.map(({ key }) => key));
    for (const { key } of expired) {
      this.usage.removeEpisode(key);
      this.prepare(`DELETE FROM marks WHERE episode = ?`).run(key);
      this.prepare(`DELETE FROM openings WHERE episode = ?`).run(key);
      this.prepare(`DELETE FROM episodes WHERE key = ?`).run(key);
    }
    this.usage.prune();
    if (expired.length < limit) this.pruneAliases();
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
    if (!this.isHeld && (left === 0 || left === before)) this.database.pragma("wal_checkpoint(TRUNCATE)");
    return (before - left) * this.pragma("page_size");
  }

  /** Learns after a failure whether the log can be written: a commit of this size is stored, and removed by another. */
  private tryToWrite(): void {
    try {
      // Page 0 is never a page of steps.
      this.transaction(() =>
        this.prepare(`INSERT OR REPLACE INTO pages VALUES (0, ?, NULL)`).run("\n".repeat(trialBytes)),
      );
      this.transaction(() => this.prepare(`DELETE FROM pages WHERE page = 0`).run());
    } catch (error) {
      if (error instanceof LogLost) throw error;
    }
  }

  private pragma(name: string): number {
    return this.database.pragma(name, { simple: true }) as number;
  }

  pruneAliases(): void {
    this.prepare(
      `DELETE FROM handles WHERE rowid NOT IN (SELECT max(rowid) FROM handles GROUP BY surface, handle)`,
    ).run();
    // The highest alias of each namespace stays, since `nextAlias` counts on from it.
    this.prepare(
      `DELETE FROM handles
         WHERE handle < (SELECT max(handle) FROM handles AS other WHERE other.surface = handles.surface)
           AND NOT EXISTS (SELECT 1 FROM episodes WHERE key = keyOf(episodeId))`,
    ).run();
  }

  close(): void {
    this.database.close();
  }

  private insertEpisode(row: EpisodeRow): void {
    this.prepare(
      `INSERT INTO episodes VALUES (@key, @id, @environment, @split, @taskIndex, @seed, @options, @maxSteps, @owner, @createdAtMs,
         @leaseMs, @parent, @idempotencyKey, @requestDigest)`,
    ).run(row);
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

/** Opens a database that only the user of this process can read, since it holds what agents and environments say. */
function openPrivately(path: string): Database.Database {
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch (error) {
    throw new Error(`${(error as Error).message}. ${writeRemedy()}`, { cause: error });
  }
  try {
    return new Database(path, { timeout: 0 });
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code?.startsWith("SQLITE")) throw new Error(`${message}. ${writeRemedy()}`, { cause: error });
    const remedy = "Run `npm rebuild better-sqlite3` with this version of Node.";
    throw new Error(`the package better-sqlite3 cannot be loaded: ${message.split(" Tried:")[0]} ${remedy}`, {
      cause: error,
    });
  }
}
