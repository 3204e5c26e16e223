/**
 * Builds embedded indexes. The builder writes to a separate file, which replaces the old index when it is complete.
 * Until then, searches use the old index. An interrupted build resumes from the last commit, if the lines committed so
 * far are unchanged. Memory is bounded for a corpus of any size.
 */
import { createHash, type Hash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type Database from "better-sqlite3";
import { openDatabase } from "../../../../native/sqlite/index.js";
import type { CorpusLine } from "./corpus-file.js";
import { BadLine, type CorpusPage, parseLine } from "./corpus-line.js";
import { factsOf } from "./index-file.js";
import { type EmbeddedFacts, type IndexFacts, partialPath, schema, schemaVersion } from "./index-schema.js";
import { Listing } from "./listing.js";
import { PageWriter } from "./page-writer.js";

export interface BuildOptions {
  /**
   * True to skip and report invalid lines and duplicate ids. If false, the build fails at the first invalid line or
   * duplicate id.
   */
  skipsBadLines?: boolean;
  /** True to discard an interrupted build and start a new one. */
  restarts?: boolean;
  /** Called at intervals with the progress. */
  onProgress?: (fraction: number, doing: string) => void;
  signal?: AbortSignal;
}

export interface BuildResult {
  facts: IndexFacts;
  /** Number of the line after which an interrupted build was resumed; 0 for a new build. */
  resumedAt: number;
  /** Errors of the first skipped lines. */
  bad: string[];
}

/** Thrown if a build fails; the message states the remedy. */
export class BuildFailed extends Error {}

/** Number of corpus characters per commit. A resumed build indexes at most this number of characters again. */
const commitCharacters = 2 ** 24;
const cacheMb = 128;
const mostBadTold = 10;
/** Approximate number of database pages that one merge step writes. */
const mergePages = 4_000;
const shareOfReading = 0.9;

/** A corpus: its name and its lines in order. */
export interface Corpus {
  /** Display name. */
  name: string;
  lines: AsyncIterable<CorpusLine>;
}

/** Builds an index. @param path path of the index file */
export async function buildIndex(corpus: Corpus, path: string, options: BuildOptions = {}): Promise<BuildResult> {
  mkdirSync(dirname(path), { recursive: true });
  const partial = partialPath(path);
  if (options.restarts) removeDatabase(partial);
  const build = new Build(partial, corpus.name, options);
  try {
    await build.read(corpus.lines);
    const result = await build.finish();
    build.close();
    putInPlace(partial, path);
    return result;
  } catch (error) {
    throw build.failure(error);
  } finally {
    build.close();
  }
}

class Build {
  private readonly database: Database.Database;
  private readonly writer: PageWriter;
  private readonly setFact: Database.Statement;
  private readonly hash: Hash = createHash("sha256");
  private readonly bad: string[] = [];
  private readonly progress: State;
  private readonly resumedAt: number;
  private uncommitted = 0;

  constructor(
    private readonly partial: string,
    private readonly corpus: string,
    private readonly options: BuildOptions,
  ) {
    this.database = openPartial(partial);
    this.setFact = this.database.prepare(`INSERT OR REPLACE INTO facts VALUES (?, ?)`);
    this.writer = new PageWriter(this.database);
    this.progress = { ...fresh, ...(factsOf(this.database) as Partial<State>) };
    this.resumedAt = this.progress.line;
  }

  async read(lines: AsyncIterable<CorpusLine>): Promise<void> {
    const { onProgress, signal } = this.options;
    const { isRead, line: resumedAt } = this.progress;
    let last = 0;
    for await (const { number, text, fraction } of lines) {
      signal?.throwIfAborted();
      this.hash.update(text).update("\n");
      last = number;
      if (number === resumedAt) this.expectSameCorpus();
      if (number <= resumedAt) continue;
      if (isRead) throw this.changed(`more than ${resumedAt} lines`);
      if (this.uncommitted === 0) this.database.exec("BEGIN");
      this.take(number, text);
      if (this.uncommitted >= commitCharacters) {
        this.commit();
        onProgress?.(fraction * shareOfReading, `${this.progress.pages} pages`);
        await breath();
      }
    }
    if (last < resumedAt) throw this.changed(`${last} lines`);
    this.progress.isRead = true;
    this.commit();
  }

  async finish(): Promise<BuildResult> {
    const { database, progress } = this;
    if (progress.pages === 0) throw new BuildFailed(`expected pages in ${this.corpus}, but the corpus has none`);
    await this.merge();
    this.check();
    const { line: _line, isRead: _isRead, ...counts } = progress;
    database.exec("BEGIN");
    const terms = await this.list();
    const facts: EmbeddedFacts = {
      ...counts,
      terms,
      schema: schemaVersion,
      corpus: this.corpus,
      builtAt: new Date().toISOString(),
    };
    database.exec(`DROP TABLE terms; DELETE FROM facts`);
    for (const [name, value] of Object.entries(facts)) this.setFact.run(name, JSON.stringify(value));
    database.exec("COMMIT");
    // Readers need a single file, without a write-ahead log.
    database.pragma("journal_mode = DELETE");
    return { facts, resumedAt: this.resumedAt, bad: this.bad };
  }

  /** Returns an error whose message tells the operator the remedy, or the same error if no remedy is known. */
  failure(error: unknown): unknown {
    const { code, message } = error as { code?: string; message: string };
    const resume = "Run the same command again to resume the build";
    if (code === "SQLITE_FULL" || code === "ENOSPC")
      return new BuildFailed(
        `expected free disk space for ${this.partial}, but the disk is full. Free some space. ${resume}`,
        {
          cause: error,
        },
      );
    if (code?.startsWith("SQLITE_IOERR"))
      return new BuildFailed(`expected ${this.partial} to be writable, but received ${message}. ${resume}`, {
        cause: error,
      });
    return error;
  }

  close(): void {
    this.database.close();
  }

  private take(number: number, text: string): void {
    this.uncommitted += text.length;
    try {
      this.add(number, parseLine(text));
    } catch (error) {
      if (!(error instanceof BadLine)) throw error;
      const told = `line ${number}: ${error.message}`;
      if (!this.options.skipsBadLines) {
        this.rollback();
        throw new BuildFailed(`${this.corpus}, ${told}. Correct the line, or skip invalid lines with --skip-bad-lines`);
      }
      this.progress.skipped += 1;
      if (this.bad.length < mostBadTold) this.bad.push(told);
    }
    this.progress.line = number;
  }

  private add(number: number, page: CorpusPage): void {
    const passages = this.writer.write(number, page);
    if (passages === 0) {
      const { id } = page;
      throw new BadLine(`expected a unique id, but received ${JSON.stringify(id)}, the id of line ${this.lineOf(id)}`);
    }
    this.progress.pages += 1;
    this.progress.passages += passages;
  }

  private lineOf(id: string): number {
    return this.database.prepare(`SELECT page FROM pages WHERE id = ?`).pluck().get(id) as number;
  }

  private commit(): void {
    this.progress.digest = this.hash.copy().digest("hex");
    if (!this.database.inTransaction) this.database.exec("BEGIN");
    for (const [name, value] of Object.entries(this.progress)) this.setFact.run(name, JSON.stringify(value));
    this.database.exec("COMMIT");
    this.uncommitted = 0;
  }

  private rollback(): void {
    if (this.database.inTransaction) this.database.exec("ROLLBACK");
  }

  private expectSameCorpus(): void {
    if (this.hash.copy().digest("hex") !== this.progress.digest)
      throw this.changed("different content up to that line");
  }

  private changed(received: string): BuildFailed {
    const expected = `the corpus of the build that was interrupted at line ${this.progress.line}`;
    return new BuildFailed(`expected ${expected}, but received ${received}. Start a new build with --restart`);
  }

  /**
   * Merges FTS5's segments into one: each commit makes a segment, and the posting lists are read from a single segment.
   */
  private async merge(): Promise<void> {
    const merge = this.database.prepare(`INSERT INTO terms (terms, rank) VALUES ('merge', ?)`);
    const changes = this.database.prepare(`SELECT total_changes()`).pluck();
    // A negative number starts a merge of all segments; later calls continue the merge.
    for (let pages = -mergePages; ; pages = mergePages) {
      this.options.signal?.throwIfAborted();
      const before = changes.get() as number;
      merge.run(pages);
      if ((changes.get() as number) - before < 2) return;
      this.options.onProgress?.(shareOfReading, "merging");
      await breath();
    }
  }

  /** Writes the posting lists. @returns the total number of terms, repetitions included */
  private async list(): Promise<number> {
    const listing = new Listing(this.database, this.progress.passages);
    for (const fraction of listing.write()) {
      this.options.signal?.throwIfAborted();
      this.options.onProgress?.(0.94 + 0.06 * fraction, "listing");
      await breath();
    }
    return listing.terms;
  }

  /** Checks the integrity of the file. @throws {BuildFailed} the file is corrupt */
  private check(): void {
    try {
      const said = this.database.pragma("quick_check(1)", { simple: true });
      const count = this.database.prepare(`SELECT count(*) FROM passages`).pluck().get();
      if (said !== "ok") throw new Error(`${said}`);
      if (count !== this.progress.passages) throw new Error(`${count} of ${this.progress.passages} passages`);
    } catch (error) {
      const { message } = error as Error;
      throw new BuildFailed(
        `expected ${this.partial} to be intact, but received ${message}. Start a new build with --restart`,
      );
    }
  }
}

/** Progress of a build, in the table `facts` of the file under construction. */
interface State {
  /** Number of the last processed line. */
  line: number;
  /** True if all lines of the corpus have been processed. */
  isRead: boolean;
  pages: number;
  passages: number;
  skipped: number;
  /** SHA-256 of the lines up to `line`. */
  digest: string;
}

const fresh: State = { line: 0, isRead: false, pages: 0, passages: 0, skipped: 0, digest: "" };

function openPartial(path: string): Database.Database {
  const database = openDatabase(path, { timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma(`cache_size = -${cacheMb * 1_024}`);
    const version = database.pragma("user_version", { simple: true });
    if (version !== 0 && version !== schemaVersion)
      throw new BuildFailed(
        `expected an interrupted build of schema ${schemaVersion} at ${path}, but received schema ${version}. Start a new build with --restart`,
      );
    if (version === 0)
      database.transaction(() => {
        database.exec(schema);
        database.pragma(`user_version = ${schemaVersion}`);
      })();
    return database;
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    throw new BuildFailed(`Another process is building ${path}. Wait until that build has ended`, { cause: error });
  }
}

/** Flushes the finished index to disk, and then moves it to its final path. */
function putInPlace(partial: string, path: string): void {
  const file = openSync(partial, "r+");
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, path);
  const folder = openSync(dirname(path), "r");
  fsyncSync(folder);
  closeSync(folder);
}

export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) if (existsSync(path + end)) rmSync(path + end);
}

function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
