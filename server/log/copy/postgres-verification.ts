/** Checks a log in PostgreSQL, also while gyms write to it, since all reads see the same state. */

import { pageOf } from "../postgres/steps/extents.js";
import { isDamage, isIntact, type StoredText } from "../records/damage.js";
import { placesPerPage } from "../records/step-page.js";
import { legibleSteps, soundPlaces } from "../salvage/salvaged-rows.js";
import { type Damage, ExtentOrder, type OnProgress, parsePlaces, type Verification } from "../sqlite/verify.js";
import { boundedSelect } from "./bounded-select.js";
import { ReaderWithNewest } from "./newest-extents.js";
import { openSnapshot } from "./postgres-source.js";
import type { PostgresTables } from "./postgres-tables.js";
import { damagedPart, keyOfRow, type LogTable, logTables, type Row } from "./tables.js";

/** Limit on the pages whose indexes a verification keeps in memory. */
const mostCachedPages = 8_192;

/** Number of pages that are read at a time. */
const pagesAtOnce = 64;

/** Selects some of the pages with the numbers `$1`, the first ones. */
const selectPages = boundedSelect({
  columns: ["page", "lines"],
  texts: ["lines"],
  from: "palestra.pages WHERE page = ANY($1::bigint[])",
  keys: ["page"],
  most: pagesAtOnce,
});

/** See `verifyLog`. @throws {Error} the database cannot be read, or has no log of the present version */
export async function verifyDatabase(url: string, onProgress: OnProgress = () => {}): Promise<Verification> {
  const damages: Damage[] = [];
  try {
    const { connection, newest } = await openSnapshot(url, (stored) => (isSound(stored) ? stored.text : null));
    const tables = new ReaderWithNewest(connection, newest);
    const verifier = new DatabaseVerifier(connection, tables, damages, onProgress);
    return await verifier.verify().finally(() => connection.close());
  } catch (error) {
    if (!isDamage(error)) throw error;
    // PostgreSQL ends the transaction of a read that finds a damaged page, so the check cannot continue.
    const part = `The database, whose check ended there (${(error as Error).message})`;
    return { episodes: 0, pages: 0, damages: [...damages, { part, episodes: [] }] };
  }
}

function isSound(stored: StoredText): boolean {
  return isIntact(stored) && soundPlaces(stored.text) !== null;
}

class DatabaseVerifier {
  private readonly damagedPages = new Set<number>();
  /** Places and indexes of the steps of pages, the newest ones. */
  private readonly cache = new Map<number, readonly number[]>();
  private done = 0;
  private total = 0;

  constructor(
    private readonly connection: PostgresTables,
    /** Tables of the log, with extents of all steps. */
    private readonly tables: ReaderWithNewest,
    private readonly damages: Damage[],
    private readonly onProgress: OnProgress,
  ) {}

  async verify(): Promise<Verification> {
    for (const name of ["pages", "openings", "episodes", "marks", "aliases", "extents"])
      this.total += await this.tables.count(tableOf(name));
    await this.each("pages", (rows) => this.checkPages(rows));
    await this.each("openings", async (rows) => {
      for (const [key, text, sum] of rows as [number, string, number][])
        if (!isIntact({ text, sum })) await this.add(`The reset result of episode ${key}`, [key]);
    });
    for (const name of ["episodes", "marks", "aliases"]) await this.each(name, (rows) => this.checkRows(name, rows));
    const order = new ExtentOrder();
    await this.each("extents", (rows) => this.checkExtents(rows, order));
    const incomplete = await this.connection.query<{ key: number }>(
      "SELECT key FROM palestra.episodes WHERE NOT EXISTS (SELECT 1 FROM palestra.openings WHERE episode = key) ORDER BY key",
    );
    for (const { key } of incomplete) await this.add(`The reset result of episode ${key}, which is missing`, [key]);
    const count = (name: string) => this.tables.count(tableOf(name));
    return { episodes: await count("episodes"), pages: await count("pages"), damages: this.damages };
  }

  private async each(name: string, check: (rows: readonly Row[]) => Promise<void>): Promise<void> {
    const table = tableOf(name);
    for (let rows = await this.tables.read(table, null); rows.length > 0; ) {
      await check(rows);
      this.done += rows.length;
      this.onProgress(this.done, this.total);
      rows = await this.tables.read(table, keyOfRow(table, rows.at(-1) as Row));
    }
  }

  private async checkPages(rows: readonly Row[]): Promise<void> {
    for (const [page, text, sum] of rows as [number, string, number][]) {
      if (isSound({ text, sum })) continue;
      this.damagedPages.add(page);
      // The newest pages are not in the index yet, but their readable lines name their episodes.
      const legible = legibleSteps(text).map(([episode]) => episode);
      await this.add(`Page ${page}`, [...(await this.episodesOf(page)), ...legible]);
    }
  }

  private async checkRows(name: string, rows: readonly Row[]): Promise<void> {
    for (const row of rows) {
      const part = damagedPart(tableOf(name), row);
      if (part !== null) await this.add(part, name === "aliases" ? [] : [row[name === "marks" ? 1 : 0] as number]);
    }
  }

  /** Compares the places of each episode's steps with the episode's indexes that the pages name. */
  private async checkExtents(rows: readonly Row[], order: ExtentOrder): Promise<void> {
    await this.checkRows("extents", rows);
    for (const [episode, lastIndex, , , text] of rows as [number, number, number, number, string][]) {
      const places = parsePlaces(text);
      const firstIndex = lastIndex + 1 - places.length;
      const missing = order.add(episode, firstIndex, places.length);
      if (missing !== null)
        await this.add(`Steps ${missing} to ${firstIndex - 1} of episode ${episode}, which are missing`, [episode]);
      await this.read(places.map(pageOf));
      const isWrong = places.some((place, i) => {
        const page = pageOf(place);
        const index = this.cache.get(page)?.[2 * (place % placesPerPage) + 1];
        return !this.damagedPages.has(page) && index !== firstIndex + i;
      });
      if (isWrong || places.length === 0)
        await this.add(`The index of steps ${firstIndex} to ${lastIndex} of episode ${episode}`, [episode]);
    }
  }

  /** Reads the pages that are not cached. */
  private async read(pages: readonly number[]): Promise<void> {
    const wanted = [...new Set(pages)];
    const missing = () => wanted.filter((page) => !this.cache.has(page));
    if (this.cache.size + missing().length > mostCachedPages) this.cache.clear();
    for (let left = missing().sort((a, b) => a - b); left.length > 0; ) {
      const wantedNow = left.slice(0, pagesAtOnce);
      const rows = await this.connection.query<{ page: number; lines: string }>(selectPages, [wantedNow]);
      for (const { page, lines } of rows) this.cache.set(page, soundPlaces(lines) ?? []);
      const lastRead = rows.at(-1)?.page ?? (wantedNow.at(-1) as number);
      left = left.filter((page) => page > lastRead);
    }
  }

  /** Returns the keys of the episodes that have steps in a page. */
  private async episodesOf(page: number): Promise<number[]> {
    const rows = await this.connection.query<{ episode: number; places: string }>(
      `SELECT episode, places FROM palestra.extents WHERE int8range("firstPage", "lastPage", '[]') @> $1::bigint`,
      [page],
    );
    const having = rows.filter(({ places }) => parsePlaces(places).some((place) => pageOf(place) === page));
    return having.map(({ episode }) => episode);
  }

  private async add(part: string, keys: readonly number[]): Promise<void> {
    const rows = await this.connection.query<{ id: string }>(
      "SELECT id FROM palestra.episodes WHERE key = ANY($1::bigint[]) ORDER BY key",
      [keys],
    );
    this.damages.push({ part, episodes: rows.map(({ id }) => id) });
  }
}

function tableOf(name: string): LogTable {
  return logTables.find((table) => table.name === name) as LogTable;
}
