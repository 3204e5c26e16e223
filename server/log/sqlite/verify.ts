/** Checks the file of an episode log that no gym has open. */
import type Database from "better-sqlite3";
import { isDamage, isIntact, type StoredText } from "../records/damage.js";
import { damagedRows } from "../records/row-sums.js";
import { placesPerPage } from "../records/step-page.js";
import { faultsOf } from "../salvage/database-file.js";
import { legibleSteps, soundPlaces } from "../salvage/salvaged-rows.js";
import { changedTables } from "./backup-sums.js";
import { keepingWal, openClosedLog } from "./closed-log.js";
import { RowsBefore } from "./newest-rows.js";

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

/** Limit on the pages whose indexes a verification keeps in memory. */
const mostCachedPages = 1_000;

/**
 * Reads a whole log and compares every row with its checksum, and the index of steps with the pages. A backup also has
 * checksums of whole tables, which detect a missing row.
 *
 * @param before names of the rows that the log should have
 * @throws {Error} the file is missing, is used by a gym, or is no log of a version that this program knows
 */
export function verifyLog(
  path: string,
  onProgress: OnProgress = () => {},
  before: RowsBefore = new RowsBefore(path),
): Verification {
  return keepingWal(path, () => {
    const { isCut, lostCommits } = faultsOf(path);
    const damages: Damage[] = [];
    if (isCut) damages.push({ part: "The end of the file, which is missing", episodes: [] });
    if (lostCommits > 0)
      damages.push({ part: `The write-ahead log, with ${lostCommits} commits after its damage`, episodes: [] });
    const tables = verifyTables(path, before, onProgress);
    return { ...tables, damages: [...damages, ...tables.damages] };
  });
}

function verifyTables(path: string, before: RowsBefore, onProgress: OnProgress): Verification {
  let database: Database.Database | null = null;
  try {
    database = openClosedLog(path);
    const missing = before.missingIn(database);
    const { damages, ...counts } = new Verifier(database, onProgress).verify();
    const lacking = missing ? [{ part: `The write-ahead log, which lacks ${missing}`, episodes: [] }] : [];
    return { ...counts, damages: [...lacking, ...damages] };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { episodes: 0, pages: 0, damages: [{ part: `The file (${(error as Error).message})`, episodes: [] }] };
  } finally {
    database?.close();
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
    const damagedPages = new Set<number>();
    this.readTable("The file", () => this.checkStructure());
    this.readTable("The table of pages", () => this.checkPages(damagedPages));
    this.readTable("The table of reset results", () =>
      this.check(
        { table: "openings", key: "episode", text: "opening" },
        () => true,
        ({ key }) => ({ part: `The reset result of episode ${key}`, episodes: this.idsOf([key]) }),
      ),
    );
    this.readTable("The index of steps", () => this.checkIndex(damagedPages));
    this.readTable("The table of episodes", () => this.checkEpisodes());
    this.readTable("The checksums of rows", () => {
      for (const { name: part, episode } of damagedRows(this.database))
        this.damages.push({ part, episodes: episode === null ? [] : this.idsOf([episode]) });
    });
    this.readTable("The checksums of the backup", () => {
      for (const table of changedTables(this.database))
        this.damages.push({ part: `The table of ${table}, which differs from its checksum`, episodes: [] });
    });
    return { episodes: this.count("episodes"), pages: this.count("pages"), damages: this.damages };
  }

  /** Reads a table. If SQLite cannot read all of it, its damage is recorded. */
  private readTable(part: string, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.damages.push({ part: `${part} (${(error as Error).message})`, episodes: [] });
    }
  }

  private checkStructure(): void {
    const found = this.database.pragma("integrity_check(10)") as { integrity_check: string }[];
    const faults = found.map(({ integrity_check: fault }) => fault).filter((fault) => fault !== "ok");
    if (faults.length > 0) this.damages.push({ part: `The file (${faults.join("; ")})`, episodes: [] });
  }

  private checkPages(damagedPages: Set<number>): void {
    const hasSteps = (lines: string) => soundPlaces(lines) !== null;
    this.check({ table: "pages", key: "page", text: "lines" }, hasSteps, ({ key, text }) => {
      damagedPages.add(key);
      // The newest pages are not in the index yet, but their readable lines name their episodes.
      const episodes = new Set([
        ...this.episodesOfPage(key),
        ...this.idsOf(legibleSteps(`${text}`).map(([episode]) => episode)),
      ]);
      return { part: `Page ${key}`, episodes: [...episodes] };
    });
  }

  /** @param damageOf describes a row whose text has a wrong checksum or is invalid */
  private check(
    { table, key, text }: { table: string; key: string; text: string },
    isSound: (text: string) => boolean,
    damageOf: (row: KeyedText) => Damage,
  ): void {
    const columns = this.database.pragma(`table_info(${table})`) as { name: string }[];
    // Schema version 3 has no checksums.
    const sum = columns.some(({ name }) => name === "sum") ? "sum" : "NULL AS sum";
    const rows = this.database.prepare(`SELECT ${key} AS key, ${text} AS text, ${sum} FROM ${table}`).iterate();
    for (const row of rows as Iterable<KeyedText>) {
      this.advance();
      if (!isIntact(row) || !isSound(row.text)) this.damages.push(damageOf(row));
    }
  }

  private checkEpisodes(): void {
    const incomplete = `SELECT key, id FROM episodes WHERE key NOT IN (SELECT episode FROM openings)`;
    for (const { key, id } of this.database.prepare(incomplete).iterate() as Iterable<{ key: number; id: string }>)
      this.damages.push({ part: `The reset result of episode ${key}, which is missing`, episodes: [id] });
  }

  /** Compares the places of each episode's steps with the episode's indexes that the pages name. */
  private checkIndex(damagedPages: ReadonlySet<number>): void {
    const pages = new PlacesOfPages(this.database);
    const order = new ExtentOrder();
    const extents = this.database.prepare(`SELECT episode, lastIndex, places FROM extents ORDER BY episode, lastIndex`);
    for (const extent of extents.iterate() as Iterable<{ episode: number; lastIndex: number; places: string }>) {
      this.advance();
      const places = parsePlaces(extent.places);
      const firstIndex = extent.lastIndex + 1 - places.length;
      this.addMissing(extent.episode, order.add(extent.episode, firstIndex, places.length), firstIndex);
      const isWrong = places.some((place, i) => {
        const page = Math.floor(place / placesPerPage);
        return !damagedPages.has(page) && pages.indexAt(page, place % placesPerPage) !== firstIndex + i;
      });
      if (isWrong || places.length === 0) {
        const part = `The index of steps ${firstIndex} to ${extent.lastIndex} of episode ${extent.episode}`;
        this.damages.push({ part, episodes: this.idsOf([extent.episode]) });
      }
    }
    this.checkNewest(damagedPages);
  }

  /** Checks that the steps of the newest pages, which are not in the index yet, follow the steps in the index. */
  private checkNewest(damagedPages: ReadonlySet<number>): void {
    const lastIndexed = this.database.prepare(`SELECT max(lastIndex) FROM extents WHERE episode = ?`).pluck();
    // These pages fit into a gym's index in memory, so they have few episodes.
    const next = new Map<number, number>();
    const pages = this.database.prepare(`SELECT page, lines FROM pages, indexed WHERE page > upTo ORDER BY page`);
    for (const { page, lines } of pages.iterate() as Iterable<{ page: number; lines: string }>) {
      const places = damagedPages.has(page) ? null : soundPlaces(lines);
      if (!places) continue;
      for (let i = 0; i < places.length; i += 2) {
        const [episode, index] = [places[i] as number, places[i + 1] as number];
        const expected = next.get(episode) ?? ((lastIndexed.get(episode) as number | null) ?? -1) + 1;
        this.addMissing(episode, index > expected ? expected : null, index);
        next.set(episode, index + 1);
      }
    }
  }

  /** @param missing index of the first missing step, or null if no step is missing before the index `next` */
  private addMissing(episode: number, missing: number | null, next: number): void {
    if (missing === null) return;
    const part = `Steps ${missing} to ${next - 1} of episode ${episode}, which are missing`;
    this.damages.push({ part, episodes: this.idsOf([episode]) });
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

  /** Returns the number of rows, or 0 if SQLite cannot count them because of damage. */
  private count(table: string): number {
    try {
      return this.database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return 0;
    }
  }

  private advance(): void {
    this.done += 1;
    if (this.done % partsPerProgress === 0 || this.done === this.total) this.onProgress(this.done, this.total);
  }
}

/** Returns no places if the text is damaged. */
export function parsePlaces(text: string): number[] {
  try {
    const places: unknown = JSON.parse(text);
    return Array.isArray(places) ? (places as number[]) : [];
  } catch {
    return [];
  }
}

/** Finds steps that are missing between extents, which are in the order of their episodes and indexes. */
export class ExtentOrder {
  private newest = { episode: -1, next: 0 };

  /** Adds the next extent. Returns the index of the first step that is missing before it, or null. */
  add(episode: number, firstIndex: number, count: number): number | null {
    const next = this.newest.episode === episode ? this.newest.next : 0;
    this.newest = { episode, next: firstIndex + count };
    return firstIndex > next ? next : null;
  }
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
      places = soundPlaces((this.select.get(page) as string | undefined) ?? "") ?? [];
      this.cache.set(page, places);
    }
    return places[2 * place + 1];
  }
}
