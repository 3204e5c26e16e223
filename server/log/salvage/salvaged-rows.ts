import type Database from "better-sqlite3";
import { isIntact } from "../records/damage.js";
import { summedColumns } from "../records/row-sums.js";
import { headsOf, placesPerPage, readPlaces } from "../records/step-page.js";
import type { LogRow } from "./kinds.js";

type PageRow = Extract<LogRow, { kind: "page" }>;
type ResetResultRow = Extract<LogRow, { kind: "resetResult" }>;

/** Tables for the duration of the repair: the place of each step, and the index of steps of the damaged log. */
const temporarySchema = `
  CREATE TEMP TABLE steps (place INTEGER PRIMARY KEY, episode INTEGER NOT NULL, stepIndex INTEGER NOT NULL);
  CREATE TEMP TABLE oldExtents (
    episode INTEGER NOT NULL, lastIndex INTEGER NOT NULL, places TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (episode, lastIndex)
  ) WITHOUT ROWID;
  CREATE TEMP TABLE mentions (episode INTEGER NOT NULL, stepIndex INTEGER NOT NULL);
`;

/**
 * The intact rows of a damaged log. Episodes, pages, reset results, marks and aliases go to the tables of the new log.
 * The index of steps is rebuilt from the pages.
 */
export class SalvagedRows {
  /** Pages of steps with a wrong checksum. */
  readonly damagedPages = new Set<number>();
  /** Keys of the episodes whose reset result has a wrong checksum. */
  readonly damagedResetResults = new Set<number>();
  /** Descriptions of the rows with a wrong checksum. */
  readonly damagedRows = new Set<string>();
  /** Keys of the episodes with a mark whose checksum is wrong. */
  readonly damagedMarks = new Set<number>();
  /** Number of the last page that was in the index on disk. */
  upTo = 0;
  lastKey = 0;
  private readonly statements = new Map<string, Database.Statement>();

  /** @param database the new log, which is empty */
  constructor(private readonly database: Database.Database) {
    database.exec(temporarySchema);
  }

  add(row: LogRow): void {
    switch (row.kind) {
      case "episode":
        return this.addEpisode(row.values);
      case "page":
        return this.addPage(row);
      case "resetResult":
        return this.addResetResult(row);
      case "extent":
        return this.run(
          `INSERT OR IGNORE INTO oldExtents VALUES (?, ?, ?, ?)`,
          ...[row.episode, row.lastIndex, JSON.stringify(row.places), row.places.length],
        );
      case "mark":
        return this.run(
          `INSERT OR IGNORE INTO marks (rowid, episode, kind, detail, atMs) VALUES (?, ?, ?, ?, ?)`,
          ...[row.key, row.episode, row.mark, row.detail, row.atMs],
        );
      case "alias": {
        const { namespace, alias, owner, episodeId } = row.alias;
        const insert = `INSERT OR IGNORE INTO handles (rowid, surface, handle, owner, episodeId, atMs) VALUES (?, ?, ?, ?, ?, ?)`;
        return this.run(insert, row.key, namespace, alias, owner, episodeId, row.atMs);
      }
      case "indexed":
        this.upTo = Math.max(this.upTo, row.upTo);
        return;
      case "lastKey":
        this.lastKey = Math.max(this.lastKey, row.key);
        return;
      case "damaged":
        this.damagedRows.add(row.part);
        if (row.marked !== null) this.damagedMarks.add(row.marked);
        return;
      case "root":
        return;
    }
  }

  /** Called after the last row. */
  finish(): void {
    this.database.exec(`CREATE INDEX temp.stepsByEpisode ON steps (episode, stepIndex)`);
    // A page that was found twice is intact if one copy is.
    for (const page of this.damagedPages) if (this.has("pages", "page", page)) this.damagedPages.delete(page);
    for (const key of this.damagedResetResults)
      if (this.has("openings", "episode", key)) this.damagedResetResults.delete(key);
  }

  private addEpisode(values: readonly unknown[]): void {
    const columns = summedColumns.episodes.join(", ");
    const places = summedColumns.episodes.map(() => "?").join(", ");
    this.run(`INSERT OR IGNORE INTO episodes (${columns}) VALUES (${places})`, ...values);
  }

  private addPage(row: PageRow): void {
    const places = isIntact(row) ? soundPlaces(row.text) : null;
    if (!places) return this.addDamagedPage(row);
    const { key, text, sum, atMs } = row;
    this.run(`INSERT OR IGNORE INTO pages (page, lines, sum, atMs) VALUES (?, ?, ?, ?)`, key, text, sum, atMs);
    const first = key * placesPerPage;
    for (let i = 0; i < places.length; i += 2)
      this.run(`INSERT OR IGNORE INTO steps VALUES (?, ?, ?)`, first + i / 2, places[i], places[i + 1]);
  }

  /** Records the steps that the readable lines of a damaged page name. */
  private addDamagedPage({ key, text }: PageRow): void {
    this.damagedPages.add(key);
    for (const [episode, index] of legibleSteps(text)) this.run(`INSERT INTO mentions VALUES (?, ?)`, episode, index);
  }

  private addResetResult(row: ResetResultRow): void {
    if (!isIntact(row)) this.damagedResetResults.add(row.key);
    else
      this.run(`INSERT OR IGNORE INTO openings (episode, opening, sum) VALUES (?, ?, ?)`, row.key, row.text, row.sum);
  }

  private has(table: string, column: string, key: number): boolean {
    return this.database.prepare(`SELECT 1 FROM ${table} WHERE ${column} = ?`).get(key) !== undefined;
  }

  private run(sql: string, ...values: unknown[]): void {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    statement.run(...values);
  }
}

/** Returns the places of a page, or null if a line of the page is not a step. Pages of old logs have no checksum. */
export function soundPlaces(lines: string): number[] | null {
  try {
    const places = readPlaces(lines);
    return places.every(Number.isSafeInteger) && places.length <= 2 * placesPerPage ? places : null;
  } catch {
    return null;
  }
}

/** Returns episode keys and indexes of the steps that the readable lines of a damaged page name. */
export function legibleSteps(lines: string): [episode: number, index: number][] {
  return headsOf(lines).flatMap((head): [number, number][] => {
    const [, episode, index] = /^\[(\d{1,15}),(\d{1,15}),/.exec(head) ?? [];
    return episode === undefined ? [] : [[Number(episode), Number(index)]];
  });
}
