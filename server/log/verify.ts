/** Checks, copies and restores the file of an episode log that no gym has open. */
import { existsSync, renameSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { isIntact, type StoredText } from "./damage.js";
import { schemaVersion } from "./schema.js";
import { headsOf, placesPerPage, readPlaces } from "./step-page.js";

/** A damaged part of a log, and the ids of the episodes that need it. */
export interface Damage {
  part: string;
  episodes: readonly string[];
}

export interface Verification {
  episodes: number;
  pages: number;
  damages: readonly Damage[];
}

/** Called with the number of parts that are done, and the number of all parts. */
export type OnProgress = (done: number, total: number) => void;

interface KeyedText extends StoredText {
  key: number;
}

/** Number of parts between two calls of `onProgress`. */
const partsPerProgress = 1_000;

/** Number of SQLite's pages that a backup copies between two calls of `onProgress`. */
const pagesPerTurn = 1_000;

/** Limit on the pages whose indexes a verification keeps in memory. */
const mostCachedPages = 1_000;

/**
 * Reads a whole log and compares every page and reset result with its checksum, and the index of steps with the pages.
 *
 * @throws {Error} the file is missing, is used by a gym, or is no log of this version
 */
export function verifyLog(path: string, onProgress: OnProgress = () => {}): Verification {
  const database = openClosedLog(path);
  try {
    return new Verifier(database, onProgress).verify();
  } finally {
    database.close();
  }
}

/**
 * Copies a log that no gym uses to a new file.
 *
 * @throws {Error} the file exists, or the log cannot be read
 */
export async function backUpLog(path: string, to: string, onProgress: OnProgress = () => {}): Promise<void> {
  if (existsSync(to)) throw new Error(`expected a new file for the backup, but ${to} exists`);
  const database = openClosedLog(path);
  const partial = `${to}.partial`;
  try {
    await database.backup(partial, {
      progress({ totalPages, remainingPages }) {
        onProgress(totalPages - remainingPages, totalPages);
        return pagesPerTurn;
      },
    });
    renameSync(partial, to);
  } finally {
    database.close();
    rmSync(partial, { force: true });
  }
}

/** Opens a log for reading. Takes its lock, so that no gym writes meanwhile. */
function openClosedLog(path: string): Database.Database {
  const database = new Database(path, { fileMustExist: true, timeout: 0 });
  try {
    database.pragma("locking_mode = EXCLUSIVE");
    // The lock is taken with the first access.
    const version = database.pragma("user_version", { simple: true });
    database.exec("BEGIN IMMEDIATE; ROLLBACK");
    if (version !== schemaVersion) throw new Error(`expected schema version ${schemaVersion}, but received ${version}`);
    return database;
  } catch (error) {
    database.close();
    throw (error as { code?: string }).code === "SQLITE_BUSY" ? new LogInUse(path) : error;
  }
}

class LogInUse extends Error {
  override readonly name = "LogInUse";

  constructor(path: string) {
    super(`A gym uses ${path}. Stop the gym first.`);
  }
}

/** @throws {LogInUse} a gym has the log open */
export function expectUnused(path: string): void {
  try {
    openClosedLog(path).close();
  } catch (error) {
    // A log that cannot be opened for another reason, such as damage, is not in use either.
    if (error instanceof LogInUse) throw error;
  }
}

class Verifier {
  private readonly damages: Damage[] = [];
  private done = 0;
  private readonly total: number;

  constructor(
    private readonly database: Database.Database,
    private readonly onProgress: OnProgress,
  ) {
    this.total = this.count("pages") + this.count("openings") + this.count("extents");
  }

  verify(): Verification {
    this.checkStructure();
    const damagedPages = new Set<number>();
    this.check("pages", "page", "lines", ({ key, text }) => {
      damagedPages.add(key);
      const episodes = new Set([...this.episodesOfPage(key), ...this.idsOf(legibleEpisodes(text))]);
      return { part: `Page ${key}`, episodes: [...episodes] };
    });
    this.check("openings", "episode", "opening", ({ key }) => {
      return { part: `The reset result of episode ${key}`, episodes: this.idsOf([key]) };
    });
    this.checkIndex(damagedPages);
    return { episodes: this.count("episodes"), pages: this.count("pages"), damages: this.damages };
  }

  private checkStructure(): void {
    const found = this.database.pragma("integrity_check(10)") as { integrity_check: string }[];
    const faults = found.map(({ integrity_check: fault }) => fault).filter((fault) => fault !== "ok");
    if (faults.length > 0) this.damages.push({ part: `The file (${faults.join("; ")})`, episodes: [] });
  }

  /** @param damageOf describes a row whose text has another checksum */
  private check(table: string, key: string, text: string, damageOf: (row: KeyedText) => Damage): void {
    const rows = this.database.prepare(`SELECT ${key} AS key, ${text} AS text, sum FROM ${table}`).iterate();
    for (const row of rows as Iterable<KeyedText>) {
      this.advance();
      if (!isIntact(row)) this.damages.push(damageOf(row));
    }
  }

  /** Compares the places of each extent with the episode and the indexes that the pages name. */
  private checkIndex(damagedPages: ReadonlySet<number>): void {
    const pages = new PlacesOfPages(this.database);
    const extents = this.database.prepare(`SELECT episode, lastIndex, places FROM extents`).iterate();
    for (const extent of extents as Iterable<{ episode: number; lastIndex: number; places: string }>) {
      this.advance();
      const places = JSON.parse(extent.places) as number[];
      const firstIndex = extent.lastIndex + 1 - places.length;
      const isWrong = places.some((place, i) => {
        const page = Math.floor(place / placesPerPage);
        return !damagedPages.has(page) && pages.indexAt(page, place % placesPerPage) !== firstIndex + i;
      });
      if (isWrong) {
        const part = `The index of steps ${firstIndex} to ${extent.lastIndex} of episode ${extent.episode}`;
        this.damages.push({ part, episodes: this.idsOf([extent.episode]) });
      }
    }
  }

  private episodesOfPage(page: number): string[] {
    const first = page * placesPerPage;
    const keys = this.database
      .prepare(
        `SELECT DISTINCT episode FROM extents, json_each(places) WHERE json_each.value >= ? AND json_each.value < ?`,
      )
      .pluck()
      .all(first, first + placesPerPage) as number[];
    return this.idsOf(keys);
  }

  private idsOf(keys: readonly number[]): string[] {
    const find = this.database.prepare(`SELECT id FROM episodes WHERE key = ?`).pluck();
    return keys.flatMap((key) => (find.get(key) as string | undefined) ?? []);
  }

  private count(table: string): number {
    return this.database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  }

  private advance(): void {
    this.done += 1;
    if (this.done % partsPerProgress === 0 || this.done === this.total) this.onProgress(this.done, this.total);
  }
}

/** Keys of the episodes that the legible lines of a damaged page name. The newest pages are not in the index yet. */
function legibleEpisodes(lines: string): number[] {
  return headsOf(lines).flatMap((head) => {
    const episode = /^\[(\d+),/.exec(head)?.[1];
    return episode === undefined ? [] : [Number(episode)];
  });
}

/** The indexes of the steps of each page, with the newest pages cached. */
class PlacesOfPages {
  private readonly cache = new Map<number, readonly number[]>();
  private readonly select: Database.Statement;

  constructor(database: Database.Database) {
    this.select = database.prepare(`SELECT lines FROM pages WHERE page = ?`).pluck();
  }

  /** Index of the step at a place of a page, or undefined if the page has no such place. */
  indexAt(page: number, place: number): number | undefined {
    let places = this.cache.get(page);
    if (!places) {
      if (this.cache.size >= mostCachedPages) this.cache.clear();
      places = readPlaces((this.select.get(page) as string | undefined) ?? "");
      this.cache.set(page, places);
    }
    return places[2 * place + 1];
  }
}
